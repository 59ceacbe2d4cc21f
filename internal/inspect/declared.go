package inspect

import (
	"fmt"
	"slices"
	"strings"

	"parlance/internal/relation"
	"parlance/internal/semantic"
)

// Hint is something that a database could promise or speed up, and does not. Every number is right without it.
type Hint struct {
	What   string
	Advice string
}

// Declared compares what a model says of keys and joins with what its database declares of them. table returns a table
// of the model's datasource, or nil for one that is not there; what it lacks is not repeated here.
func Declared(m *semantic.Model, access relation.Access, table func(semantic.Source) *relation.Table) []Hint {
	if m.Multi != nil {
		return nil
	}
	d := &declared{access: access, table: table}
	base := d.find(m.Source)
	if base != nil {
		d.rowKey(m, base)
		d.pointing(m, base)
		d.time(m, base)
	}
	for dim := range semantic.Dimensions(m.Dimensions) {
		d.dimension(dim)
	}
	return d.hints
}

// declared gathers the hints of one model.
type declared struct {
	access relation.Access
	table  func(semantic.Source) *relation.Table
	hints  []Hint
}

func (d *declared) add(advice, format string, args ...any) {
	h := Hint{What: fmt.Sprintf(format, args...), Advice: advice}
	if !slices.Contains(d.hints, h) {
		d.hints = append(d.hints, h)
	}
}

// find returns a table that can have keys and indexes; a query and a view have none of their own.
func (d *declared) find(s semantic.Source) *relation.Table {
	if s.Table == "" {
		return nil
	}
	if t := d.table(s); t != nil && !t.View {
		return t
	}
	return nil
}

// rowKey looks at the key of the model's own rows.
func (d *declared) rowKey(m *semantic.Model, t *relation.Table) {
	switch keys := t.Keys(); {
	case len(m.Key) == 0 && len(keys) > 0:
		d.add("add to the model's source: key: ["+strings.Join(keys[0], ", ")+"]", "the model names no key, which pages rely on")
	case len(m.Key) > 0:
		d.key(t, m.Key)
	}
}

// key looks whether a database holds a table to a key that a model names.
func (d *declared) key(t *relation.Table, columns []string) {
	list := strings.Join(columns, ", ")
	if d.access == relation.Indexed && !t.Tells(columns) && t.Column(columns[0]) != nil {
		d.add("add a primary key or a unique index on "+list, "nothing keeps two rows of %s from sharing %s", t.Name, list)
	}
	for _, name := range columns {
		if c := t.Column(name); c != nil && c.Nullable && !slices.Contains(t.Primary, name) {
			d.add("declare it not null", "the key column %s of %s may be null", name, t.Name)
		}
	}
}

func (d *declared) dimension(dim *semantic.Dimension) {
	t := d.find(dim.Source)
	if t == nil || len(dim.Join) == 0 {
		return
	}
	var key []string
	for _, j := range dim.Join {
		key = append(key, j.To)
	}
	d.key(t, key)
}

// pointing looks for indexes of the columns that point to dimensions.
func (d *declared) pointing(m *semantic.Model, t *relation.Table) {
	if d.access != relation.Indexed {
		return
	}
	var missing []string
	for _, dim := range m.Dimensions {
		var columns []string
		for _, j := range dim.Join {
			columns = append(columns, j.From)
		}
		list := strings.Join(columns, " with ")
		if len(columns) > 0 && t.Column(columns[0]) != nil && !t.IndexedBy(columns) && !slices.Contains(missing, list) {
			missing = append(missing, list)
		}
	}
	if len(missing) > 0 {
		d.add("index those that queries filter by", "%s %s of %s without an index", counted(len(missing), "join column"), strings.Join(missing, ", "), t.Name)
	}
}

// time looks whether a stretch of time is found without reading the whole table.
func (d *declared) time(m *semantic.Model, t *relation.Table) {
	column := timeColumn(m)
	if column == "" || t.Column(column) == nil {
		return
	}
	switch d.access {
	case relation.Scanned:
	case relation.Sorted:
		if !slices.ContainsFunc(t.Indexes, func(index []string) bool { return slices.Contains(index, column) }) {
			d.add("order the table by it, or partition by it", "the time column %s is not in the sorting key of %s", column, t.Name)
		}
	case relation.Indexed:
		if m.Dimension(m.Time) == nil && !t.IndexedBy([]string{column}) {
			d.add("index it", "the time column %s of %s has no index", column, t.Name)
		}
	}
}

// timeColumn returns the column of the model's own rows that its time stands on, or "".
func timeColumn(m *semantic.Model) string {
	if dim := m.Dimension(m.Time); dim != nil && len(dim.Join) > 0 {
		return dim.Join[0].From
	}
	for _, a := range m.Attributes {
		if a.Name == m.Time {
			return a.Column
		}
	}
	return ""
}
