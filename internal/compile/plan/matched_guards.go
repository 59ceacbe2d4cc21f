package plan

import (
	"slices"

	"parlance/internal/compile/resolve"
)

// MatchedGuards rewrites a statement for databases that compute a condition of pairs of rows before they know whether the
// pair is one that the join matches: what is guarded is computed of matching rows only.
func MatchedGuards(s *Select) *Select {
	out := *s
	out.From = matchedGuards(s.From)
	out.Joins = slices.Clone(s.Joins)
	for i, j := range out.Joins {
		out.Joins[i].To = matchedGuards(j.To)
	}
	out.Where = resolve.Rewrite(s.Where, func(x resolve.Expr) (resolve.Expr, bool) {
		o, ok := x.(*resolve.Op)
		if !ok || o.Fn != resolve.Guard {
			return nil, false
		}
		match := matching(s.Joins, o.Args[1])
		if match == nil {
			return nil, false
		}
		return &resolve.Op{Fn: resolve.Guard, Args: []resolve.Expr{and(o.Args[0], match), o.Args[1]}, T: boolean}, true
	})
	return &out
}

// matching is the condition that the rows of which an expression speaks are those that the joins match, or none.
func matching(joins []Join, e resolve.Expr) (cond resolve.Expr) {
	spoken := map[string]bool{}
	resolve.Visit(e, func(x resolve.Expr) bool {
		if c, ok := x.(resolve.Column); ok {
			spoken[c.Rel] = true
		}
		return true
	})
	for _, j := range slices.Backward(matched(joins)) {
		if !spoken[aliasOf(j.To)] {
			continue
		}
		for _, p := range j.On {
			spoken[p.Left.Rel] = true
			absent := &resolve.Op{Fn: resolve.IsNull, Args: []resolve.Expr{p.Right}, T: boolean}
			pair := &resolve.Op{Fn: resolve.Eq, Args: []resolve.Expr{p.Left, p.Right}, T: boolean}
			cond = and(cond, &resolve.Op{Fn: resolve.Or, Args: []resolve.Expr{absent, pair}, T: boolean})
		}
	}
	return cond
}

func matchedGuards(s Source) Source {
	switch x := s.(type) {
	case Derived:
		return Derived{Select: MatchedGuards(x.Select), Alias: x.Alias}
	case Union:
		selects := make([]*Select, len(x.Selects))
		for i, sel := range x.Selects {
			selects[i] = MatchedGuards(sel)
		}
		return Union{Selects: selects, Alias: x.Alias}
	case Table, Tree, Values:
	}
	return s
}
