package plan

import (
	"slices"

	"parlance/internal/compile/resolve"
)

// GroupedDistinct rewrites a statement for databases whose DISTINCT may repeat rows that come to it by several ways:
// distinct rows are groups by all their values.
func GroupedDistinct(s *Select) *Select {
	out := *s
	out.From = groupedDistinct(s.From)
	out.Joins = slices.Clone(s.Joins)
	for i, j := range out.Joins {
		out.Joins[i].To = groupedDistinct(j.To)
	}
	if s.Distinct {
		return grouped(&out)
	}
	return &out
}

// grouped puts groups by all values over the rows of a stage, and its order and page over those.
func grouped(s *Select) *Select {
	inner := *s
	inner.Distinct, inner.OrderBy, inner.Limit = false, nil, nil
	outer := &Select{From: Derived{Select: &inner, Alias: rowsAlias}, Limit: s.Limit}
	names := map[string]string{}
	for _, c := range s.Columns {
		names[c.Expr.String()] = c.Name
		if c.Expr.Level() == resolve.Constant { // no key, and a column that is none must not be selected
			outer.Columns = append(outer.Columns, Output{Name: c.Name, Expr: c.Expr})
			continue
		}
		col := resolve.Column{Rel: rowsAlias, Name: c.Name, T: c.Expr.Type()}
		outer.Columns = append(outer.Columns, Output{Name: c.Name, Expr: col})
		outer.GroupBy = append(outer.GroupBy, col)
	}
	if len(outer.GroupBy) == 0 { // all rows are the same
		inner.Limit = &Limit{Rows: 1}
	}
	for _, o := range s.OrderBy {
		if name, ok := names[o.Expr.String()]; ok {
			o.Expr = resolve.Column{Name: name, T: o.Expr.Type()}
		}
		outer.OrderBy = append(outer.OrderBy, o)
	}
	return outer
}

func groupedDistinct(s Source) Source {
	switch x := s.(type) {
	case Derived:
		return Derived{Select: GroupedDistinct(x.Select), Alias: x.Alias}
	case Union:
		selects := make([]*Select, len(x.Selects))
		for i, sel := range x.Selects {
			selects[i] = GroupedDistinct(sel)
		}
		return Union{Selects: selects, Alias: x.Alias}
	case Table, Tree, Values:
	}
	return s
}
