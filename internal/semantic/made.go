package semantic

import (
	"slices"

	"parlance/internal/query"
)

// MadeFrom returns the fields that are made from a field's values: labels and grains of it, measures whose definitions name
// it, and of a parent the tree that it makes. The slice must not be changed.
func (m *Model) MadeFrom(f *Field) []*Field { return m.made[f] }

// SameColumn returns the other fields that read a column that a field reads. The slice must not be changed.
func (m *Model) SameColumn(f *Field) []*Field { return m.same[f] }

// place is a column of a table or of an author's query. Two dimensions over one table, such as buyer and payer, have the
// same places: what a rule closes, it closes where the table is read.
type place struct {
	source Source
	column string
}

// places returns where a field is stored: the id of a dimension stands in the rows that point to it, too.
func (m *Model) places(f *Field) []place {
	if f.Column == "" || f.Measure != nil && f.Measure.Of != nil {
		return nil
	}
	list := []place{{m.sourceOf(f.Dimension), f.Column}}
	if f.Dimension != nil && f.Column == f.Dimension.ID {
		for _, j := range f.Dimension.Join {
			if j.To == f.Dimension.ID {
				list = append(list, place{m.sourceOf(f.Dimension.Parent), j.From})
			}
		}
	}
	return list
}

// sourceOf is where the rows of a dimension, or of none the model's own, come from.
func (m *Model) sourceOf(d *Dimension) Source {
	if d == nil {
		return m.Source
	}
	return d.Source
}

// relate finds what is made from what.
func (m *Model) relate() {
	m.made, m.same = map[*Field][]*Field{}, map[*Field][]*Field{}
	stored := map[place][]*Field{}
	for _, f := range m.fields {
		if f.Of != nil {
			m.made[f.Of] = append(m.made[f.Of], f)
		}
		for _, p := range m.places(f) {
			stored[p] = append(stored[p], f)
		}
		if f.Measure != nil && f.Measure.Of == nil {
			for _, used := range m.definedBy(f.Measure) {
				m.made[used] = append(m.made[used], f)
			}
		}
	}
	for _, f := range m.fields {
		if f.Tree && f.Dimension.Hierarchy.Parent != "" {
			for _, above := range stored[place{f.Dimension.Source, f.Dimension.Hierarchy.Parent}] {
				m.made[above] = append(m.made[above], f)
			}
		}
	}
	for _, f := range m.fields {
		for _, p := range m.places(f) {
			for _, other := range stored[p] {
				if other != f && !slices.Contains(m.same[f], other) {
					m.same[f] = append(m.same[f], other)
				}
			}
		}
	}
}

// definedBy returns the fields that a measure's filter, expression and additivity name.
func (m *Model) definedBy(ms *Measure) []*Field {
	var used []*Field
	see := func(name string) {
		if f := m.byName[name]; f != nil {
			used = append(used, f)
		} else if f := m.byName[name+"$id"]; f != nil {
			used = append(used, f)
		}
	}
	for _, e := range []query.Expr{ms.Filter, ms.Expression} {
		if e == nil {
			continue
		}
		query.Walk(e, func(x query.Expr) bool {
			if ref, ok := x.(*query.Ref); ok {
				see(ref.Name)
			}
			return true
		})
	}
	if ms.SemiAdd != nil {
		see(ms.SemiAdd.Over)
		for _, name := range ms.SemiAdd.Per {
			see(name)
		}
	}
	return used
}
