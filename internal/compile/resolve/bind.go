package resolve

import (
	"parlance/internal/query"
	"parlance/internal/value"
)

// expr binds and types an expression.
func (r *resolver) expr(e query.Expr, s scope) (Expr, error) {
	switch x := e.(type) {
	case *query.Ref:
		return r.ref(x.Name, s)
	case *query.Literal:
		return r.literal(x, s)
	case *query.Call:
		return r.call(x, s)
	case *query.Unary:
		return r.unary(x, s)
	case *query.Binary:
		return r.binary(x, s)
	case *query.In:
		return r.in(x, s)
	case *query.Between:
		return r.between(x, s)
	case *query.IsNull:
		arg, err := r.expr(x.X, s)
		if err != nil {
			return nil, err
		}
		return complementIf(x.Not, op(IsNull, boolean, arg)), nil
	case *query.Like:
		return r.like(x, s)
	case *query.Case:
		return r.cases(x, s)
	}
	return nil, unsupportedExpression(e.String(), s.path)
}

// operand is a bound expression and the words that the caller wrote for it.
type operand struct {
	x    Expr
	text string
}

// Type returns the type of the value.
func (o operand) Type() value.Type { return o.x.Type() }

// operand binds an expression and keeps its words.
func (r *resolver) operand(e query.Expr, s scope) (operand, error) {
	x, err := r.expr(e, s)
	return operand{x, e.String()}, err
}

func (r *resolver) literal(l *query.Literal, s scope) (Expr, error) {
	switch l.Kind {
	case query.NullLiteral:
		return Literal{}, nil
	case query.BoolLiteral:
		return Literal{V: value.Of(value.Boolean, l.Text), T: boolean}, nil
	case query.StringLiteral:
		return Text(l.Text), nil
	case query.NumberLiteral:
	}
	n, ok := number(l.Text)
	if !ok {
		return nil, tooManyDigits(l.Text, s.path)
	}
	return n, nil
}

// Text returns a constant text.
func Text(s string) Literal { return Literal{V: value.Of(value.String, s), T: text} }

func (r *resolver) unary(u *query.Unary, s scope) (Expr, error) {
	x, err := r.expr(u.X, s)
	if err != nil {
		return nil, err
	}
	switch u.Op {
	case query.Not:
		if x.Type().Kind != value.Boolean {
			return nil, wrongOperand("not", operand{x, u.X.String()}, "a condition", s.path)
		}
		return complement(x), nil
	case query.Neg:
	}
	if l, ok := x.(Literal); ok && l.T.Exact() {
		n, _ := number(negatedText(l.V.Text))
		return n, nil
	}
	if !x.Type().Numeric() {
		return nil, wrongOperand("-", operand{x, u.X.String()}, "a number", s.path)
	}
	return negative(x), nil
}

// negative is -x; of an exact quotient the numerator is negated, so that a constant factor still reaches it.
func negative(x Expr) Expr {
	if f := fractionOf(x); len(f.den)+len(f.zeros) > 0 {
		f.num = negative(f.num)
		if q := f.quotient(x.Type()); q != nil {
			return q
		}
	}
	return op(Neg, x.Type(), widened(x))
}

func negatedText(s string) string {
	if s[0] == '-' {
		return s[1:]
	}
	return "-" + s
}

var binaryFns = map[query.BinaryOp]Fn{
	query.Or: Or, query.And: And, query.Eq: Eq, query.Ne: Ne, query.Lt: Lt, query.Le: Le, query.Gt: Gt, query.Ge: Ge,
	query.Add: Add, query.Sub: Sub, query.Mul: Mul, query.Div: Div, query.Mod: Mod,
}

func (r *resolver) binary(b *query.Binary, s scope) (Expr, error) {
	x, err := r.operand(b.X, s)
	if err != nil {
		return nil, err
	}
	y, err := r.operand(b.Y, s)
	if err != nil {
		return nil, err
	}
	fn := binaryFns[b.Op]
	switch fn {
	case And, Or:
		for _, side := range []operand{x, y} {
			if side.Type().Kind != value.Boolean {
				return nil, wrongOperand(fn.String(), side, "a condition", s.path)
			}
		}
		return op(fn, boolean, x.x, y.x), nil
	case Eq, Ne, Lt, Le, Gt, Ge:
		return r.comparison(fn, x, y, s.path)
	default:
		return r.arithmetic(fn, b.String(), x, y, s.path)
	}
}

func (r *resolver) arithmetic(fn Fn, as string, x, y operand, path string) (Expr, error) {
	for _, side := range []operand{x, y} {
		if !side.Type().Numeric() && side.Type().Kind != value.Null {
			return nil, wrongOperand(signs[fn], side, "a number", path)
		}
	}
	if x.Type().Kind == value.Null || y.Type().Kind == value.Null {
		return Literal{T: value.Type{Kind: value.Decimal, Scale: value.MinRatioScale}}, nil
	}
	e := arithmetic(fn, x.x, y.x)
	if e == nil {
		return nil, tooManyDigits(as, path)
	}
	return e, nil
}

var signs = map[Fn]string{
	Add: "+", Sub: "-", Mul: "*", Div: "/", Mod: "%", Eq: "=", Ne: "!=", Lt: "<", Le: "<=", Gt: ">", Ge: ">=",
}
