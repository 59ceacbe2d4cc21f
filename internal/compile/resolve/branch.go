package resolve

import (
	"parlance/internal/query"
	"parlance/internal/value"
)

func (r *resolver) cases(x *query.Case, s scope) (Expr, error) {
	var args []Expr
	for _, w := range x.Whens {
		cond, err := r.expr(w.Cond, s)
		if err != nil {
			return nil, err
		}
		if cond.Type().Kind != value.Boolean {
			return nil, wrongOperand("when", cond, "a condition", s.path)
		}
		then, err := r.expr(w.Then, s)
		if err != nil {
			return nil, err
		}
		args = append(args, cond, settled(then))
	}
	last := Expr(Literal{})
	if x.Else != nil {
		var err error
		if last, err = r.expr(x.Else, s); err != nil {
			return nil, err
		}
		last = settled(last)
	}
	return branches(append(args, last), s.path)
}

// branches types a Case from its alternating conditions and values, the last argument being the else.
func branches(args []Expr, path string) (Expr, error) {
	var values []Expr
	for i := 1; i < len(args); i += 2 {
		values = append(values, args[i])
	}
	values = append(values, args[len(args)-1])
	t, err := commonType("the branches", values, path)
	if err != nil {
		return nil, err
	}
	for i := range args {
		if i%2 == 1 || i == len(args)-1 {
			args[i] = as(args[i], t)
		}
	}
	return op(Case, t, args...), nil
}

// commonType returns the one type of several values, or an error that names the two that differ.
func commonType(what string, values []Expr, path string) (value.Type, error) {
	var t value.Type
	var first Expr
	for _, v := range values {
		vt := v.Type()
		switch {
		case vt.Kind == value.Null:
		case t.Kind == value.Null:
			t, first = vt, v
		case t.Numeric() && vt.Numeric():
			t = widerNumber(t, vt)
		case t.Kind != vt.Kind || t.Zoned != vt.Zoned:
			return t, differentTypes(what, first, v, path)
		}
	}
	return t, nil
}

func widerNumber(a, b value.Type) value.Type {
	if a.Kind == value.Float || b.Kind == value.Float {
		return float
	}
	if a.Style != b.Style {
		a.Style = value.Plain
	}
	if b.Kind == value.Decimal {
		a.Kind = value.Decimal
	}
	a.Scale, a.Wide = max(a.Scale, b.Scale), a.Wide || b.Wide
	return a
}

// as returns a value in a common type: a bare null takes it, a number is widened to it.
func as(e Expr, t value.Type) Expr {
	switch {
	case e.Type().Kind == value.Null:
		return Literal{T: t}
	case t.Kind == value.Float && e.Type().Kind != value.Float:
		return op(Float, float, e)
	case t.Exact() && (e.Type().Scale != t.Scale || e.Type().Kind != t.Kind):
		return op(Widen, t, e)
	}
	return e
}
