package resolve

import "slices"

// Rewrite returns the expression with every node for which swap returns a replacement replaced by it; a replaced
// node is not entered.
func Rewrite(e Expr, swap func(Expr) (Expr, bool)) Expr {
	if e == nil {
		return nil
	}
	if by, ok := swap(e); ok {
		return by
	}
	switch x := e.(type) {
	case *Op:
		args := rewriteAll(x.Args, swap)
		return &Op{Fn: x.Fn, Args: args, T: x.T, fraction: x.fraction.rewritten(swap)}
	case *Agg:
		changed := *x
		changed.Arg = Rewrite(x.Arg, swap)
		if x.Semi != nil {
			changed.Semi = &Semi{Over: Rewrite(x.Semi.Over, swap), Use: x.Semi.Use, Per: rewriteAll(x.Semi.Per, swap)}
		}
		return &changed
	case *Window:
		changed := *x
		changed.Args, changed.PartitionBy = rewriteAll(x.Args, swap), rewriteAll(x.PartitionBy, swap)
		changed.OrderBy = make([]Order, len(x.OrderBy))
		for i, o := range x.OrderBy {
			o.Expr = Rewrite(o.Expr, swap)
			changed.OrderBy[i] = o
		}
		return &changed
	case *Within:
		changed := *x
		changed.X = Rewrite(x.X, swap)
		return &changed
	case Field, Stored, Literal, PeriodName, Column:
	}
	return e
}

func rewriteAll(list []Expr, swap func(Expr) (Expr, bool)) []Expr {
	out := make([]Expr, len(list))
	for i, e := range list {
		out[i] = Rewrite(e, swap)
	}
	return out
}

// Visit calls see for every node, parents first, and enters a node only when see returns true.
func Visit(e Expr, see func(Expr) bool) {
	if e == nil || !see(e) {
		return
	}
	switch x := e.(type) {
	case *Op:
		for _, a := range x.Args {
			Visit(a, see)
		}
	case *Agg:
		Visit(x.Arg, see)
		if x.Semi != nil {
			Visit(x.Semi.Over, see)
			for _, p := range x.Semi.Per {
				Visit(p, see)
			}
		}
	case *Window:
		for _, e := range slices.Concat(x.Args, x.PartitionBy) {
			Visit(e, see)
		}
		for _, o := range x.OrderBy {
			Visit(o.Expr, see)
		}
	case *Within:
		Visit(x.X, see)
	case Field, Stored, Literal, PeriodName, Column:
	}
}
