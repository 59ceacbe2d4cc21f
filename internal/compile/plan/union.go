package plan

import (
	"strconv"

	"parlance/internal/compile/resolve"
	"parlance/internal/semantic"
)

// union puts several groupings by the same keys side by side: the union of their groups, each with nulls for the
// others' aggregates, grouped once more by the keys. No part multiplies another, and a group that only one part has is
// kept. It serves models of several facts and the two spans of a time window.
type union struct {
	parts  []grouper
	partOf func(a *resolve.Agg) int
	keys   int
	spine  *Select // further groups by the first key, without aggregates; nil: none
	names  map[string]int
	cells  []cell
}

// cell is one aggregate of one part.
type cell struct {
	part int
	col  resolve.Column
}

const unionAlias = "u"

func (u *union) key(i int) resolve.Column { return u.parts[0].key(i) }

func (u *union) aggregate(a *resolve.Agg) resolve.Column {
	text := a.String()
	n, ok := u.names[text]
	if !ok {
		if u.names == nil {
			u.names = map[string]int{}
		}
		n = len(u.cells)
		u.names[text] = n
		part := u.partOf(a)
		u.cells = append(u.cells, cell{part, u.parts[part].aggregate(a)})
	}
	return resolve.Column{Rel: groupsAlias, Name: cellName(n), T: a.T}
}

func (u *union) within(alive func() (*Select, error), keys func(m *semantic.Model) ([]resolve.Expr, error)) error {
	for _, p := range u.parts {
		if err := p.within(alive, keys); err != nil {
			return err
		}
	}
	return nil
}

func cellName(n int) string { return "m" + strconv.Itoa(n) }

func (u *union) finish() *Select {
	all := Union{Alias: unionAlias}
	for i, p := range u.parts {
		all.Selects = append(all.Selects, u.part(i, p.finish()))
	}
	if u.spine != nil {
		all.Selects = append(all.Selects, u.padded(u.spine))
	}
	outer := &Select{From: all}
	for i := range u.keys {
		k := resolve.Column{Rel: unionAlias, Name: keyName(i), T: u.key(i).T}
		outer.Columns = append(outer.Columns, Output{Name: keyName(i), Expr: k})
		outer.GroupBy = append(outer.GroupBy, k)
	}
	for n, c := range u.cells {
		in := resolve.Column{Rel: unionAlias, Name: cellName(n), T: c.col.T}
		outer.Columns = append(outer.Columns, Output{Name: cellName(n), Expr: &resolve.Agg{Fn: semantic.Max, Arg: in, T: c.col.T}})
	}
	return outer
}

// part is one part's groups with a null for every aggregate of another.
func (u *union) part(i int, sel *Select) *Select {
	if len(sel.Columns) == 0 {
		sel.Columns = []Output{countRows()}
	}
	outer := &Select{From: Derived{Select: sel, Alias: groupsAlias}}
	for k := range u.keys {
		outer.Columns = append(outer.Columns, Output{Name: keyName(k), Expr: u.parts[i].key(k)})
	}
	for n, c := range u.cells {
		var e resolve.Expr = resolve.Literal{T: c.col.T}
		if c.part == i {
			e = c.col
		}
		outer.Columns = append(outer.Columns, Output{Name: cellName(n), Expr: e})
	}
	if len(outer.Columns) == 0 {
		outer.Columns = []Output{{Name: keyName(0), Expr: one}}
	}
	return outer
}

// padded gives a stage of keys a null for every aggregate.
func (u *union) padded(sel *Select) *Select {
	for n, c := range u.cells {
		sel.Columns = append(sel.Columns, Output{Name: cellName(n), Expr: resolve.Literal{T: c.col.T}})
	}
	return sel
}
