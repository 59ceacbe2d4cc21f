package reuse

import (
	"parlance/internal/compile/resolve"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// group returns a value of one group as the rollup tells it; false when it does not. Outside of aggregates a group has
// only its keys, which stand for themselves as they were rewritten.
func (w *rewriter) group(e resolve.Expr, keys map[string]resolve.Expr) (resolve.Expr, bool) {
	ok := true
	out := resolve.Rewrite(e, func(x resolve.Expr) (resolve.Expr, bool) {
		if key, is := keys[x.String()]; is {
			return key, true
		}
		switch x := x.(type) {
		case *resolve.Agg:
			by, told := w.aggregate(x)
			ok = ok && told
			return by, true
		case *resolve.Op, *resolve.Window:
			return nil, false
		case resolve.Literal:
		case resolve.Field, resolve.Stored, resolve.PeriodName, resolve.Column, *resolve.Within:
			ok = false
		}
		return x, true
	})
	return out, ok
}

// aggregate puts an aggregate together from what the rollup keeps of its rows.
func (w *rewriter) aggregate(a *resolve.Agg) (resolve.Expr, bool) {
	semi, ok := w.semi(a.Semi)
	if !ok || a.Of != nil {
		return a, false
	}
	out := &resolve.Agg{Fn: a.Fn, Semi: semi, Part: a.Part, T: a.T}
	switch a.Fn {
	case semantic.CountDistinct:
		out.Arg, ok = w.row(a.Arg)
		return out, ok
	case semantic.Min, semantic.Max:
		if out.Arg, ok = w.row(a.Arg); ok {
			return out, true
		}
		out.Arg, ok = w.perRow(a.Fn, a.Arg)
		return out, ok
	case semantic.Sum:
		out.Arg, ok = w.perRow(a.Fn, a.Arg)
		return out, ok
	case semantic.Count:
		// A sum over no row is null where a count is 0; the plan makes it 0 wherever a group may have no row.
		out.Fn = semantic.Sum
		out.Arg, ok = w.perRow(a.Fn, a.Arg)
		return out, ok && semi == nil
	}
	return a, false
}

// semi returns which rows a semi-additive aggregate takes. Only the ends of a time can be found among the rows of a
// rollup, and only where it keeps the time itself.
func (w *rewriter) semi(s *resolve.Semi) (*resolve.Semi, bool) {
	if s == nil {
		return nil, true
	}
	if !s.AtEnd() {
		return nil, false
	}
	out := &resolve.Semi{Use: s.Use}
	var ok bool
	if out.Over, ok = w.row(s.Over); !ok {
		return nil, false
	}
	for _, p := range s.Per {
		by, ok := w.row(p)
		if !ok {
			return nil, false
		}
		out.Per = append(out.Per, by)
	}
	return out, true
}

// perRow returns the aggregate of the rows that one row of the rollup stands for: their sum, their least or greatest
// value, or their number. All of them have the same values in what the rollup keeps, so a condition on that holds for
// all or for none.
func (w *rewriter) perRow(fn semantic.Agg, arg resolve.Expr) (resolve.Expr, bool) {
	if f, ok := w.d.partials[partialOf(fn, arg)]; ok {
		return f, true
	}
	switch x := arg.(type) {
	case resolve.Literal:
		return w.constant(fn, x)
	case *resolve.Op:
		var by resolve.Expr
		ok := false
		switch x.Fn {
		case resolve.Case:
			by, ok = w.branches(fn, x)
		case resolve.Widen:
			by, ok = w.widened(fn, x)
		}
		if ok {
			return by, true
		}
	}
	if fn != semantic.Count {
		return arg, false
	}
	kept, ok := w.row(arg)
	if !ok {
		return arg, false
	}
	missing := &resolve.Op{Fn: resolve.IsNull, Args: []resolve.Expr{kept}, T: value.Type{Kind: value.Boolean}}
	return &resolve.Op{Fn: resolve.Case, Args: []resolve.Expr{missing, number("0", integer), w.d.rows}, T: integer}, true
}

// constant is the aggregate of rows that all have one value.
func (w *rewriter) constant(fn semantic.Agg, l resolve.Literal) (resolve.Expr, bool) {
	switch {
	case fn == semantic.Count && l.V.IsNull():
		return number("0", integer), true
	case fn == semantic.Count:
		return w.d.rows, true
	case fn == semantic.Sum && !l.V.IsNull() && !isZero(l):
		return l, false
	}
	return l, true
}

// branches takes the aggregate of each branch of a case whose conditions are on what the rollup keeps.
func (w *rewriter) branches(fn semantic.Agg, c *resolve.Op) (resolve.Expr, bool) {
	t := c.T
	switch fn {
	case semantic.Count:
		t = integer
	case semantic.Sum:
		t.Wide = true
	}
	out := &resolve.Op{Fn: resolve.Case, T: t}
	for i, a := range c.Args {
		var by resolve.Expr
		var ok bool
		if i%2 == 0 && i < len(c.Args)-1 {
			by, ok = w.row(a)
		} else {
			by, ok = w.perRow(fn, a)
		}
		if !ok {
			return c, false
		}
		out.Args = append(out.Args, by)
	}
	return out, true
}

// widened is the aggregate of a number with more digits: those of the aggregate, which is exact.
func (w *rewriter) widened(fn semantic.Agg, x *resolve.Op) (resolve.Expr, bool) {
	by, ok := w.perRow(fn, x.Args[0])
	if !ok || fn == semantic.Count {
		return by, ok
	}
	t := x.T
	t.Wide = true
	return &resolve.Op{Fn: resolve.Widen, Args: []resolve.Expr{by}, T: t}, true
}

func number(text string, t value.Type) resolve.Literal {
	return resolve.Literal{V: value.Of(value.Integer, text), T: t}
}
