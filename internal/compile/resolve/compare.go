package resolve

import (
	"parlance/internal/query"
	"parlance/internal/value"
)

// comparison types x fn y; a string literal beside a date is read as a date. Not equal keeps nulls (decision 41).
func (r *resolver) comparison(fn Fn, x, y operand, path string) (Expr, error) {
	if l, ok := y.x.(Literal); ok {
		return r.compareLiteral(fn, x, l, signs[fn], path)
	}
	if l, ok := x.x.(Literal); ok {
		return r.compareLiteral(mirrored[fn], y, l, signs[fn], path)
	}
	if !comparableTypes(x.Type(), y.Type()) {
		return nil, incomparable(x, y, path)
	}
	a, b := aligned(x.x, y.x)
	if fn == Ne {
		return complement(op(Eq, boolean, a, b)), nil
	}
	return op(fn, boolean, a, b), nil
}

var mirrored = map[Fn]Fn{Eq: Eq, Ne: Ne, Lt: Gt, Le: Ge, Gt: Lt, Ge: Le}

var fnOps = map[Fn]query.Op{
	Eq: query.Equal, Ne: query.NotEqual, Lt: query.Less, Le: query.LessEqual, Gt: query.Greater, Ge: query.GreaterEqual,
}

// compareLiteral compares with a constant as a slice would, so that dates, periods and nulls mean the same in both.
// An error calls the operator as it was written.
func (r *resolver) compareLiteral(fn Fn, x operand, l Literal, written, path string) (Expr, error) {
	if x.Type().Kind == value.Boolean && fn != Eq && fn != Ne {
		return nil, wrongOperator(written, x, path)
	}
	return r.compareScalar(x.x, fnOps[fn], scalarOf(l), path)
}

func scalarOf(l Literal) query.Scalar {
	switch l.T.Kind {
	case value.Null:
		return query.Scalar{Kind: query.NullLiteral}
	case value.Boolean:
		return query.Scalar{Kind: query.BoolLiteral, Text: l.V.Text}
	case value.Integer, value.Decimal, value.Float:
		return query.Scalar{Kind: query.NumberLiteral, Text: l.V.Text}
	case value.String, value.Date, value.Timestamp:
	}
	return query.Scalar{Kind: query.StringLiteral, Text: l.V.Text}
}

func comparableTypes(a, b value.Type) bool {
	return a.Kind == b.Kind && a.Zoned == b.Zoned || a.Numeric() && b.Numeric() ||
		a.Kind == value.Date && b.Kind == value.Timestamp && !b.Zoned || b.Kind == value.Date && a.Kind == value.Timestamp && !a.Zoned
}

// aligned makes both sides of a numeric comparison exact in the same way, or both floats.
func aligned(x, y Expr) (Expr, Expr) {
	if x.Type().Kind == value.Float != (y.Type().Kind == value.Float) && x.Type().Numeric() {
		return op(Float, float, x), op(Float, float, y)
	}
	return x, y
}

// settled returns a condition as a value: false, not null, where it compares a null (decision 41).
func settled(e Expr) Expr {
	o, ok := e.(*Op)
	if !ok || o.T.Kind != value.Boolean {
		return e
	}
	switch o.Fn {
	case And, Or, Eq, Lt, Le, Gt, Ge, In, Contains, StartsWith, EndsWith, BitsSet:
		return complement(complement(e))
	}
	return e
}

func complement(e Expr) Expr { return op(Not, boolean, e) }

func complementIf(not bool, e Expr) Expr {
	if not {
		return complement(e)
	}
	return e
}

func (r *resolver) in(x *query.In, s scope) (Expr, error) {
	left, err := r.expr(x.X, s)
	if err != nil {
		return nil, err
	}
	var list query.List
	for _, item := range x.List {
		e, err := r.expr(item, s)
		if err != nil {
			return nil, err
		}
		l, ok := e.(Literal)
		if !ok {
			return nil, notConstant("in", "constants", item.String(), s.path)
		}
		list = append(list, scalarOf(l))
	}
	cond, err := r.membership(left, list, func(int) string { return s.path })
	if err != nil {
		return nil, err
	}
	return complementIf(x.Not, cond), nil
}

func (r *resolver) between(x *query.Between, s scope) (Expr, error) {
	var sides [3]operand
	for i, e := range []query.Expr{x.X, x.From, x.To} {
		var err error
		if sides[i], err = r.operand(e, s); err != nil {
			return nil, err
		}
	}
	if sides[0].Type().Kind == value.Boolean {
		return nil, wrongOperator("between", sides[0], s.path)
	}
	from, err := r.comparison(Ge, sides[0], sides[1], s.path)
	if err != nil {
		return nil, err
	}
	to, err := r.comparison(Le, sides[0], sides[2], s.path)
	if err != nil {
		return nil, err
	}
	return complementIf(x.Not, op(And, boolean, from, to)), nil
}

func (r *resolver) like(x *query.Like, s scope) (Expr, error) {
	left, err := r.operand(x.X, s)
	if err != nil {
		return nil, err
	}
	pattern, err := r.expr(x.Text, s)
	if err != nil {
		return nil, err
	}
	l, ok := pattern.(Literal)
	if !ok || l.T.Kind != value.String {
		return nil, notConstant("like", "a constant text", x.Text.String(), s.path)
	}
	if left.Type().Kind != value.String {
		return nil, wrongOperand("like", left, "a text", s.path)
	}
	return complementIf(x.Not, op(Contains, boolean, left.x, l)), nil
}
