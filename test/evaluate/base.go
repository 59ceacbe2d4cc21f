package evaluate

import (
	"sync"

	"parlance/internal/semantic"
)

// Data is tables whose rows are joined once for each model. It is safe for use by many goroutines.
type Data struct {
	tables Tables
	mu     sync.Mutex
	joined map[*semantic.Model][]*base
}

// NewData returns the tables as data; they must not change any more.
func NewData(t Tables) *Data { return &Data{tables: t, joined: map[*semantic.Model][]*base{}} }

// unique reports whether the keys of a model's dimensions tell their rows apart.
func (d *Data) unique(dimensions []*semantic.Dimension) bool {
	for _, dim := range dimensions {
		seen := map[string]bool{}
		for _, r := range d.tables[dim.Source.Table] {
			id := identities(dimensionKey(dim, r))
			if seen[id] {
				return false
			}
			seen[id] = true
		}
		if !d.unique(dim.Dimensions) {
			return false
		}
	}
	return true
}

func (d *Data) rows(m *semantic.Model) []*base {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.joined[m]; !ok {
		d.joined[m] = bases(m, d.tables)
	}
	return d.joined[m]
}

// base is one base row: a row of a model's own table with the dimension rows that it points to.
type base struct {
	model *semantic.Model
	own   Row
	dims  map[*semantic.Dimension]Row   // absent: no such row
	view  map[*semantic.Dimension]Value // the ancestor that a row is seen under
}

// bases returns every row of a model's table, each with its dimension rows: many to one, nothing lost.
func bases(m *semantic.Model, tables Tables) []*base {
	indexes := map[*semantic.Dimension]map[string]Row{}
	for _, d := range m.Dimensions {
		index(indexes, d, tables)
	}
	own := tables[m.Source.Table]
	rows := make([]*base, len(own))
	for i, r := range own {
		b := &base{model: m, own: r, dims: map[*semantic.Dimension]Row{}}
		for _, d := range m.Dimensions {
			b.follow(indexes, d, r)
		}
		rows[i] = b
	}
	return rows
}

// index notes the rows of a dimension and of those nested in it by their key.
func index(indexes map[*semantic.Dimension]map[string]Row, d *semantic.Dimension, tables Tables) {
	byKey := map[string]Row{}
	for _, r := range tables[d.Source.Table] {
		byKey[identities(dimensionKey(d, r))] = r
	}
	indexes[d] = byKey
	for _, nested := range d.Dimensions {
		index(indexes, nested, tables)
	}
}

// dimensionKey returns what the pointing rows name a row of a dimension by.
func dimensionKey(d *semantic.Dimension, r Row) []Value {
	key := make([]Value, len(d.Join))
	for i, j := range d.Join {
		key[i] = r[j.To]
	}
	return key
}

// follow notes the row of a dimension that a row points to, and those that this one points to.
func (b *base) follow(indexes map[*semantic.Dimension]map[string]Row, d *semantic.Dimension, from Row) {
	key := make([]Value, len(d.Join))
	for i, j := range d.Join {
		key[i] = from[j.From]
		if key[i].IsNull() {
			return
		}
	}
	row, ok := indexes[d][identities(key)]
	if !ok {
		return
	}
	b.dims[d] = row
	for _, nested := range d.Dimensions {
		b.follow(indexes, nested, row)
	}
}

// field returns the value of a field that is no measure.
func (b *base) field(f *semantic.Field) Value {
	switch f.Role {
	case semantic.ID:
		return b.id(f.Dimension)
	case semantic.CodeLabel:
		return labelled(f.Dictionary, b.field(f.Of))
	case semantic.TimeGrain:
		return cut(b.field(f.Of), f.Grain, b.model.Calendar.Zone)
	case semantic.Plain, semantic.Label, semantic.MeasureValue:
	}
	if f.Dimension == nil {
		return b.own[f.Column]
	}
	return b.dims[f.Dimension][f.Column]
}

// id returns a dimension's id as the pointing row has it, whether or not the dimension has such a row.
func (b *base) id(d *semantic.Dimension) Value {
	from := b.own
	if d.Parent != nil {
		from = b.dims[d.Parent]
	}
	for _, j := range d.Join {
		if j.To == d.ID {
			return from[j.From]
		}
	}
	return b.dims[d][d.ID]
}

// labelled returns the label of a code; an unknown code is its own label.
func labelled(d *semantic.Dictionary, code Value) Value {
	if code.IsNull() {
		return code
	}
	text := plainText(code)
	for _, e := range d.Entries {
		if e.Code == text {
			return Str(e.Label)
		}
	}
	return Str(text)
}
