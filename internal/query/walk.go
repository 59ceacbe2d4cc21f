package query

// Walk calls see for every node of an expression, parents first, and enters a node only when see returns true.
func Walk(e Expr, see func(Expr) bool) {
	if e == nil || !see(e) {
		return
	}
	switch x := e.(type) {
	case *Call:
		walkAll(x.Args, see)
		if x.Over != nil {
			walkAll(x.Over.PartitionBy, see)
			for _, o := range x.Over.OrderBy {
				Walk(o.Expr, see)
			}
		}
	case *Unary:
		Walk(x.X, see)
	case *Binary:
		Walk(x.X, see)
		Walk(x.Y, see)
	case *In:
		Walk(x.X, see)
		walkAll(x.List, see)
	case *Between:
		Walk(x.X, see)
		Walk(x.From, see)
		Walk(x.To, see)
	case *IsNull:
		Walk(x.X, see)
	case *Like:
		Walk(x.X, see)
		Walk(x.Text, see)
	case *Case:
		for _, w := range x.Whens {
			Walk(w.Cond, see)
			Walk(w.Then, see)
		}
		Walk(x.Else, see)
	case *Ref, *Literal:
	}
}

func walkAll(list []Expr, see func(Expr) bool) {
	for _, e := range list {
		Walk(e, see)
	}
}
