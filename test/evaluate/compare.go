package evaluate

import (
	"strings"

	"parlance/internal/query"
	"parlance/internal/value"
)

var comparisons = map[query.BinaryOp]query.Op{
	query.Eq: query.Equal, query.Ne: query.NotEqual, query.Lt: query.Less, query.Le: query.LessEqual,
	query.Gt: query.Greater, query.Ge: query.GreaterEqual,
}

var flipped = map[query.Op]query.Op{
	query.Equal: query.Equal, query.NotEqual: query.NotEqual, query.Less: query.Greater,
	query.LessEqual: query.GreaterEqual, query.Greater: query.Less, query.GreaterEqual: query.LessEqual,
}

// comparison binds x op y. A comparison with null is false, and != is the complement of = (decision 41).
func (b *binder) comparison(op query.Op, x, y *node) (*node, error) {
	if y.typ.Temporal() && x.typ.Kind == value.String && x.level == constant {
		x, y, op = y, x, flipped[op]
	}
	if op == query.NotEqual {
		n, err := b.comparison(query.Equal, x, y)
		if err != nil {
			return nil, err
		}
		return not(n), nil
	}
	if x.typ.Temporal() && y.typ.Kind == value.String && y.level == constant {
		v, _ := y.eval(nil)
		p, err := b.periodOf(x.typ, v.Text)
		if err != nil {
			return nil, err
		}
		return test(func(v Value) bool { return !v.IsNull() && p.compares(op, v) }, x), nil
	}
	if err := checkComparable(op, x.typ, y.typ); err != nil {
		return nil, err
	}
	return join(boolean, func(s *scope) (Value, error) {
		p, err := x.eval(s)
		if err != nil {
			return Value{}, err
		}
		q, err := y.eval(s)
		if err != nil || p.IsNull() || q.IsNull() {
			return Flag(false), err
		}
		return Flag(ordered(op, compare(p, q))), nil
	}, x, y), nil
}

// checkComparable refuses values of kinds that cannot be compared.
func checkComparable(op query.Op, x, y value.Type) error {
	switch {
	case x.Kind == value.Null || y.Kind == value.Null:
		return unclear("a comparison with the constant null in an expression")
	case x.Numeric() && y.Numeric():
		return nil
	case x.Temporal() && y.Temporal() && x.Kind != y.Kind, x.Zoned != y.Zoned:
		return unclear("a date beside a timestamp")
	case x.Kind != y.Kind:
		return refuse("bad_type", "%s beside %s", x.Name(), y.Name())
	case x.Kind == value.Boolean && op != query.Equal:
		return refuse("bad_operator", "%s of booleans", op)
	}
	return nil
}

// ordered reports whether a comparison's outcome, -1, 0 or 1, is what the operator wants.
func ordered(op query.Op, c int) bool {
	switch op {
	case query.Equal, query.StrictEqual:
		return c == 0
	case query.Less:
		return c < 0
	case query.LessEqual:
		return c <= 0
	case query.Greater:
		return c > 0
	case query.GreaterEqual:
		return c >= 0
	}
	return false
}

// compares reports whether a time stands to the period as the operator says (decision 43).
func (p period) compares(op query.Op, v Value) bool {
	switch op {
	case query.Equal, query.StrictEqual:
		return p.holds(v)
	case query.Less:
		return p.before(v)
	case query.LessEqual:
		return !p.past(v)
	case query.Greater:
		return p.past(v)
	case query.GreaterEqual:
		return !p.before(v)
	}
	return false
}

func (b *binder) in(e *query.In, m mode) (*node, error) {
	x, err := b.expr(e.X, m)
	if err != nil {
		return nil, err
	}
	found := literal(boolean, Flag(false))
	for _, item := range e.List {
		y, err := b.expr(item, m)
		if err != nil {
			return nil, err
		}
		one, err := b.comparison(query.Equal, x, y)
		if err != nil {
			return nil, err
		}
		found = both(false, found, one)
	}
	if e.Not {
		return not(found), nil
	}
	return found, nil
}

func (b *binder) betweenExpr(e *query.Between, m mode) (*node, error) {
	parts, err := b.exprs(m, e.X, e.From, e.To)
	if err != nil {
		return nil, err
	}
	low, err := b.comparison(query.GreaterEqual, parts[0], parts[1])
	if err != nil {
		return nil, err
	}
	high, err := b.comparison(query.LessEqual, parts[0], parts[2])
	if err != nil {
		return nil, err
	}
	if e.Not {
		return not(both(true, low, high)), nil
	}
	return both(true, low, high), nil
}

func (b *binder) like(e *query.Like, m mode) (*node, error) {
	parts, err := b.exprs(m, e.X, e.Text)
	if err != nil {
		return nil, err
	}
	x, y := parts[0], parts[1]
	if x.typ.Kind != value.String || y.typ.Kind != value.String {
		return nil, refuse("bad_type", "%s", e)
	}
	n := join(boolean, func(s *scope) (Value, error) {
		p, err := x.eval(s)
		if err != nil {
			return Value{}, err
		}
		q, err := y.eval(s)
		return Flag(!p.IsNull() && !q.IsNull() && strings.Contains(folded(p.Text), folded(q.Text))), err
	}, x, y)
	if e.Not {
		return not(n), nil
	}
	return n, nil
}
