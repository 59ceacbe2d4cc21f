package evaluate

import (
	"math/big"
	"strings"

	"parlance/internal/query"
	"parlance/internal/value"
)

// expr binds an expression.
func (b *binder) expr(e query.Expr, m mode) (*node, error) {
	switch e := e.(type) {
	case *query.Ref:
		return b.ref(e.Name, m)
	case *query.Literal:
		return literalNode(e.Kind, e.Text), nil
	case *query.Call:
		if e.Over != nil {
			return b.windowCall(e, e.Over, m)
		}
		if query.IsAggregate(e.Func) {
			return b.aggregateCall(e, m)
		}
		return b.function(e, m)
	case *query.Unary:
		return b.unary(e, m)
	case *query.Binary:
		return b.binary(e, m)
	case *query.In:
		return b.in(e, m)
	case *query.Between:
		return b.betweenExpr(e, m)
	case *query.IsNull:
		x, err := b.expr(e.X, m)
		if err != nil {
			return nil, err
		}
		return test(func(v Value) bool { return v.IsNull() != e.Not }, x), nil
	case *query.Like:
		return b.like(e, m)
	case *query.Case:
		return b.caseOf(e, m)
	}
	return nil, unclear("%T", e)
}

func (b *binder) exprs(m mode, list ...query.Expr) ([]*node, error) {
	nodes := make([]*node, len(list))
	for i, e := range list {
		n, err := b.expr(e, m)
		if err != nil {
			return nil, err
		}
		nodes[i] = n
	}
	return nodes, nil
}

func literalNode(kind query.LiteralKind, word string) *node {
	switch kind {
	case query.BoolLiteral:
		return literal(boolean, Flag(word == "true"))
	case query.StringLiteral:
		return literal(text, Str(word))
	case query.NumberLiteral:
		r, _ := new(big.Rat).SetString(word)
		_, fraction, _ := strings.Cut(word, ".")
		if fraction == "" {
			return literal(integer, number(value.Integer, r))
		}
		return literal(value.Type{Kind: value.Decimal, Scale: uint8(len(fraction))}, number(value.Decimal, r))
	case query.NullLiteral:
	}
	return literal(value.Type{}, Value{})
}

// test returns a condition on one value.
func test(holds func(Value) bool, x *node) *node {
	return join(boolean, func(s *scope) (Value, error) {
		v, err := x.eval(s)
		return Flag(err == nil && holds(v)), err
	}, x)
}

// not returns the exact complement of a condition.
func not(x *node) *node { return test(func(v Value) bool { return !v.Bool }, x) }

func (b *binder) unary(e *query.Unary, m mode) (*node, error) {
	x, err := b.expr(e.X, m)
	if err != nil {
		return nil, err
	}
	if e.Op == query.Not {
		if x.typ.Kind != value.Boolean {
			return nil, refuse("bad_type", "not of %s", x.typ.Name())
		}
		return not(x), nil
	}
	if !x.typ.Numeric() {
		return nil, refuse("bad_type", "minus of %s", x.typ.Name())
	}
	return operation(query.Sub, literal(integer, Int(0)), x), nil
}

func (b *binder) binary(e *query.Binary, m mode) (*node, error) {
	xy, err := b.exprs(m, e.X, e.Y)
	if err != nil {
		return nil, err
	}
	x, y := xy[0], xy[1]
	switch e.Op {
	case query.Or, query.And:
		if x.typ.Kind != value.Boolean || y.typ.Kind != value.Boolean {
			return nil, refuse("bad_type", "%s", e)
		}
		return both(e.Op == query.And, x, y), nil
	case query.Eq, query.Ne, query.Lt, query.Le, query.Gt, query.Ge:
		return b.comparison(comparisons[e.Op], x, y)
	}
	if x.typ.Kind == value.Null || y.typ.Kind == value.Null {
		return nil, unclear("%s", e)
	}
	if !x.typ.Numeric() || !y.typ.Numeric() {
		return nil, refuse("bad_type", "%s", e)
	}
	return operation(e.Op, x, y), nil
}

// both joins two conditions by and, or by or.
func both(and bool, x, y *node) *node {
	return join(boolean, func(s *scope) (Value, error) {
		p, err := x.holds(s)
		if err != nil {
			return Value{}, err
		}
		q, err := y.holds(s)
		if and {
			return Flag(p && q), err
		}
		return Flag(p || q), err
	}, x, y)
}

// operation binds arithmetic. What is computed with a quotient is one too: it stays exact until it is a value.
func operation(op query.BinaryOp, x, y *node) *node {
	exact := x.typ.Exact() && y.typ.Exact()
	if exact && op != query.Mod && (op == query.Div || x.ratio != nil || y.ratio != nil) {
		return fraction(op, x, y)
	}
	return computed(op, x, y)
}

func quotient(x, y *node) *node { return operation(query.Div, x, y) }

// fraction is arithmetic whose value is rounded once, when it is used.
func fraction(op query.BinaryOp, x, y *node) *node {
	typ := value.Type{Kind: value.Decimal, Scale: max(x.typ.Scale, y.typ.Scale, value.MinRatioScale)}
	exact := func(s *scope) (Value, error) {
		p, err := x.unrounded(s)
		if err != nil {
			return Value{}, err
		}
		q, err := y.unrounded(s)
		if err != nil || p.IsNull() || q.IsNull() {
			return Value{}, err
		}
		r := new(big.Rat)
		switch op {
		case query.Add:
			r.Add(p.Num, q.Num)
		case query.Sub:
			r.Sub(p.Num, q.Num)
		case query.Mul:
			r.Mul(p.Num, q.Num)
		default:
			if q.Num.Sign() == 0 {
				return Value{}, nil
			}
			r.Quo(p.Num, q.Num)
		}
		return number(value.Decimal, r), nil
	}
	n := join(typ, func(s *scope) (Value, error) {
		v, err := exact(s)
		if err != nil || v.IsNull() {
			return v, err
		}
		return exactly(typ, round(v.Num, int(typ.Scale)))
	}, x, y)
	n.ratio = exact
	return n
}

// unrounded is the value as arithmetic sees it.
func (n *node) unrounded(s *scope) (Value, error) {
	if n.ratio != nil {
		return n.ratio(s)
	}
	return n.eval(s)
}

func computed(op query.BinaryOp, x, y *node) *node {
	typ := arithmeticType(op, x.typ, y.typ)
	return join(typ, func(s *scope) (Value, error) {
		p, err := x.eval(s)
		if err != nil {
			return Value{}, err
		}
		q, err := y.eval(s)
		if err != nil {
			return Value{}, err
		}
		return arithmetic(op, typ, p, q)
	}, x, y)
}
