package resolve

import (
	"parlance/internal/query"
	"parlance/internal/value"
)

func (r *resolver) cases(x *query.Case, s scope) (Expr, error) {
	var conds, values []operand
	for _, w := range x.Whens {
		cond, err := r.operand(w.Cond, s)
		if err != nil {
			return nil, err
		}
		if cond.Type().Kind != value.Boolean {
			return nil, wrongOperand("when", cond, "a condition", s.path)
		}
		then, err := r.operand(w.Then, s)
		if err != nil {
			return nil, err
		}
		conds, values = append(conds, cond), append(values, then)
	}
	last := operand{Literal{}, "null"}
	if x.Else != nil {
		var err error
		if last, err = r.operand(x.Else, s); err != nil {
			return nil, err
		}
	}
	return branches(conds, append(values, last), s.path)
}

// branches types a Case from its conditions and its values, of which the last is the else.
func branches(conds, values []operand, path string) (Expr, error) {
	t, err := commonType("the branches", values, path)
	if err != nil {
		return nil, err
	}
	var args []Expr
	for i, v := range values {
		if i < len(conds) {
			args = append(args, conds[i].x)
		}
		args = append(args, as(settled(v.x), t))
	}
	return op(Case, t, args...), nil
}

// commonType returns the one type of several values, or an error that names the two that differ.
func commonType(what string, values []operand, path string) (value.Type, error) {
	var t value.Type
	var first operand
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
