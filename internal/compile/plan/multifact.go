package plan

import (
	"parlance/internal/compile/resolve"
	"parlance/internal/fault"
	"parlance/internal/semantic"
)

// facts aggregates each fact of a multi-fact model alone and puts the results side by side: the union of the facts'
// groups, each with nulls for the others' aggregates, grouped once more by the shared keys. No fact multiplies
// another, and a group that only one fact has is kept.
type facts struct {
	model *semantic.Model
	parts []*groups
	names map[string]int // aggregate → its number
	cells []cell
	keys  int
}

// cell is one aggregate of one fact.
type cell struct {
	part int
	col  resolve.Column
}

func newFacts(m *semantic.Model, filter resolve.Expr, keys []resolve.Expr) (*facts, error) {
	f := &facts{model: m, names: map[string]int{}, keys: len(keys)}
	for _, fact := range m.Multi.Facts {
		own, err := translateAll(m, fact, keys)
		if err != nil {
			return nil, err
		}
		where, err := translate(m, fact, filter)
		if err != nil {
			return nil, err
		}
		f.parts = append(f.parts, newGroups(fact, where, own))
	}
	return f, nil
}

// translate names the shared fields of an expression as one fact names them.
func translate(m, fact *semantic.Model, e resolve.Expr) (resolve.Expr, error) {
	var missing string
	out := resolve.Rewrite(e, func(x resolve.Expr) (resolve.Expr, bool) {
		f, ok := x.(resolve.Field)
		if !ok {
			return nil, false
		}
		own := m.Multi.Field(fact, f.Field)
		if own == nil {
			missing = f.Name
			return x, true
		}
		return resolve.Field{Field: own}, true
	})
	if missing != "" {
		return nil, notShared(missing, m, fact)
	}
	return out, nil
}

func translateAll(m, fact *semantic.Model, list []resolve.Expr) ([]resolve.Expr, error) {
	out := make([]resolve.Expr, len(list))
	for i, e := range list {
		var err error
		if out[i], err = translate(m, fact, e); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func notShared(name string, m, fact *semantic.Model) error {
	e := fault.Invalidf("not_shared", "", "%s is not shared by all facts of %s", name, m.Name)
	e.Got, e.Hint = name, "it is missing in "+fact.Name
	return e
}

func (f *facts) key(i int) resolve.Column {
	return resolve.Column{Rel: groupsAlias, Name: keyName(i), T: f.parts[0].keys[i].T}
}

func (f *facts) aggregate(a *resolve.Agg) resolve.Column {
	text := a.String()
	n, ok := f.names[text]
	if !ok {
		n = len(f.cells)
		f.names[text] = n
		part := f.partOf(a.Of)
		f.cells = append(f.cells, cell{part, f.parts[part].aggregate(a)})
	}
	return resolve.Column{Rel: groupsAlias, Name: cellName(n), T: a.T}
}

func cellName(n int) string { return "m" + keyName(n)[1:] }

func (f *facts) partOf(fact *semantic.Model) int {
	for i, p := range f.parts {
		if p.rows.model == fact {
			return i
		}
	}
	return 0
}

func (f *facts) finish() *Select {
	union := Union{Alias: "u"}
	for i, p := range f.parts {
		union.Selects = append(union.Selects, f.part(i, p.finish()))
	}
	outer := &Select{From: union}
	for i := range f.keys {
		k := resolve.Column{Rel: "u", Name: keyName(i), T: f.key(i).T}
		outer.Columns = append(outer.Columns, Output{Name: keyName(i), Expr: k})
		outer.GroupBy = append(outer.GroupBy, k)
	}
	for n, c := range f.cells {
		in := resolve.Column{Rel: "u", Name: cellName(n), T: c.col.T}
		outer.Columns = append(outer.Columns, Output{Name: cellName(n), Expr: &resolve.Agg{Fn: semantic.Max, Arg: in, T: c.col.T}})
	}
	if len(outer.Columns) == 0 {
		outer.Columns = []Output{countRows()}
	}
	return outer
}

// part is one fact's groups with a null for every aggregate of another fact.
func (f *facts) part(i int, sel *Select) *Select {
	outer := &Select{From: Derived{Select: sel, Alias: groupsAlias}}
	for k := range f.keys {
		outer.Columns = append(outer.Columns, Output{Name: keyName(k), Expr: f.parts[i].key(k)})
	}
	for n, c := range f.cells {
		var e resolve.Expr = resolve.Literal{T: c.col.T}
		if c.part == i {
			e = c.col
		}
		outer.Columns = append(outer.Columns, Output{Name: cellName(n), Expr: e})
	}
	if len(outer.Columns) == 0 {
		outer.Columns = []Output{{Name: "k0", Expr: one}}
	}
	return outer
}
