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

// place is a column of the model's own rows (of no dimension) or of a dimension's.
type place struct {
	dimension *Dimension
	column    string
}

// places returns where a field is stored: the id of a dimension stands in the rows that point to it, too.
func places(f *Field) []place {
	if f.Column == "" || f.Measure != nil && f.Measure.Of != nil {
		return nil
	}
	list := []place{{f.Dimension, f.Column}}
	if f.Dimension != nil && f.Column == f.Dimension.ID {
		for _, j := range f.Dimension.Join {
			if j.To == f.Dimension.ID {
				list = append(list, place{f.Dimension.Parent, j.From})
			}
		}
	}
	return list
}

// relate finds what is made from what.
func (m *Model) relate() {
	m.made, m.same = map[*Field][]*Field{}, map[*Field][]*Field{}
	stored := map[place][]*Field{}
	for _, f := range m.fields {
		if f.Of != nil {
			m.made[f.Of] = append(m.made[f.Of], f)
		}
		for _, p := range places(f) {
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
			for _, above := range stored[place{f.Dimension, f.Dimension.Hierarchy.Parent}] {
				m.made[above] = append(m.made[above], f)
			}
		}
	}
	for _, f := range m.fields {
		for _, p := range places(f) {
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
