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
	if x.num != nil && x.level != constant {
		return nil, unclear("the negation of a quotient")
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

// operation binds arithmetic. A constant beside a quotient joins its parts before it is rounded.
func operation(op query.BinaryOp, x, y *node) *node {
	switch {
	case op == query.Mul && x.num != nil && y.level == constant:
		return quotient(operation(query.Mul, x.num, y), x.den)
	case op == query.Mul && y.num != nil && x.level == constant:
		return quotient(operation(query.Mul, y.num, x), y.den)
	case op == query.Div && x.num != nil && y.level == constant:
		return quotient(x.num, operation(query.Mul, x.den, y))
	case op == query.Div:
		return quotient(x, y)
	}
	return computed(op, x, y)
}

func quotient(x, y *node) *node {
	n := computed(query.Div, x, y)
	n.num, n.den = x, y
	return n
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
