package plan

import (
	"slices"

	"parlance/internal/compile/resolve"
	"parlance/internal/semantic"
)

// inlined puts a stage that only reads and filters the rows of a table into the stage over it. A database that keeps
// the table in parts then aggregates and filters each part where it is, and hands on groups instead of rows.
func inlined(s *Select) *Select {
	d, ok := s.From.(Derived)
	if !ok || len(s.Joins) > 0 || !plainRows(d.Select) {
		return s
	}
	values := map[string]resolve.Expr{}
	for _, c := range d.Select.Columns {
		values[c.Name] = c.Expr
	}
	in := func(e resolve.Expr) resolve.Expr {
		return resolve.Rewrite(e, func(x resolve.Expr) (resolve.Expr, bool) {
			if c, ok := x.(resolve.Column); ok && c.Rel == d.Alias {
				return values[c.Name], true
			}
			return nil, false
		})
	}
	out := &Select{From: d.Select.From, Joins: d.Select.Joins, Where: d.Select.Where, Limit: s.Limit, Distinct: s.Distinct}
	if s.Where != nil {
		out.Where = and(out.Where, in(s.Where))
	}
	for _, c := range s.Columns {
		out.Columns = append(out.Columns, Output{Name: c.Name, Expr: in(c.Expr)})
	}
	for _, g := range s.GroupBy {
		key := in(g)
		if asksList(key) {
			return s
		}
		out.GroupBy = append(out.GroupBy, key)
	}
	for _, o := range s.OrderBy {
		o.Expr = in(o.Expr)
		out.OrderBy = append(out.OrderBy, o)
	}
	return out
}

// plainRows reports whether a stage has the rows of a table, some left out, each with values of its own.
func plainRows(s *Select) bool {
	if _, ok := s.From.(Table); !ok || s.Distinct || s.Limit != nil || len(s.GroupBy)+len(s.OrderBy) > 0 {
		return false
	}
	for _, c := range s.Columns {
		if c.Expr.Level() > resolve.RowLevel {
			return false
		}
	}
	return true
}

// asksList reports whether an expression asks whether a value is in a list, which some databases write as a SELECT of its
// own: two such texts are not the same key.
func asksList(e resolve.Expr) bool {
	found := false
	resolve.Visit(e, func(x resolve.Expr) bool {
		switch x := x.(type) {
		case *resolve.Within:
			found = true
		case *resolve.Op:
			found = found || x.Fn == resolve.In
		}
		return !found
	})
	return found
}

// whole reports whether a stage aggregates what some databases cannot put together from the aggregates of a table's
// parts: values that they compute in 38 digits, and measures of spread.
func whole(s *Select) bool {
	found := false
	for _, c := range s.Columns {
		resolve.Visit(c.Expr, func(x resolve.Expr) bool {
			if a, ok := x.(*resolve.Agg); ok && a.Arg != nil {
				found = found || slices.Contains(spreads, a.Fn) || a.Fn != semantic.Count && wide(s, a.Arg)
			}
			return !found
		})
	}
	return found
}

var spreads = []semantic.Agg{semantic.StddevPop, semantic.StddevSamp, semantic.VarPop, semantic.VarSamp}
