package evaluate

import (
	"math/big"
	"strings"

	"parlance/internal/query"
	"parlance/internal/value"
)

// condition binds a filter.
func (b *binder) condition(c query.Condition, m mode) (*node, error) {
	switch c := c.(type) {
	case *query.Logic:
		return b.logic(c, m)
	case *query.ExprCondition:
		n, err := b.expr(c.Expr, m)
		if err == nil && n.typ.Kind != value.Boolean {
			err = refuse("bad_type", "%s is no condition", c.Expr)
		}
		return n, err
	case *query.Compare:
		return b.compareField(c, m)
	}
	return nil, unclear("%T", c)
}

// logic binds $and, $or and $not, which is over the and of its conditions.
func (b *binder) logic(c *query.Logic, m mode) (*node, error) {
	n := literal(boolean, Flag(c.Op != query.AnyOf))
	for _, one := range c.Conds {
		next, err := b.condition(one, m)
		if err != nil {
			return nil, err
		}
		n = both(c.Op != query.AnyOf, n, next)
	}
	if c.Op == query.NoneOf {
		return not(n), nil
	}
	return n, nil
}

// complements pairs each negative operator with its positive.
var complements = map[query.Op]query.Op{
	query.NotEqual: query.Equal, query.NotInList: query.InList, query.NotContains: query.Contains,
	query.NotEndsWith: query.EndsWith, query.NotStartsWith: query.StartsWith, query.NotNull: query.Null,
	query.NotNullOrEmpty: query.NullOrEmpty,
}

func (b *binder) compareField(c *query.Compare, m mode) (*node, error) {
	if c.Op.Hierarchical() {
		return b.hierarchical(c)
	}
	if positive, ok := complements[c.Op]; ok {
		p := *c
		p.Op = positive
		n, err := b.compareField(&p, m)
		if err != nil {
			return nil, err
		}
		return not(n), nil
	}
	if ref, ok := c.Field.(*query.Ref); ok {
		if f := b.model.Field(ref.Name); f != nil && f.Tree && !m.treeKey {
			return b.treeCondition(f, c)
		}
	}
	x, err := b.expr(c.Field, m)
	if err != nil {
		return nil, err
	}
	if f, ok := c.Value.(query.FieldRef); ok {
		y, err := b.expr(f.Expr, m)
		if err != nil {
			return nil, err
		}
		return b.comparison(c.Op, x, y)
	}
	holds, err := b.tester(x.typ, c.Op, c.Value)
	if err != nil {
		return nil, err
	}
	if matchesNothing(c.Op, c.Value) {
		return literal(boolean, Flag(false)), nil
	}
	return test(holds, x), nil
}

// matchesNothing reports whether a comparison is false whatever the field: with no values, or with null other than =.
func matchesNothing(op query.Op, operand query.Operand) bool {
	switch o := operand.(type) {
	case query.List:
		return op == query.InList && len(o) == 0
	case query.Scalar:
		return op != query.Equal && o.Kind == query.NullLiteral
	}
	return false
}

// tester returns what an operator with a value wants of a field of a type.
func (b *binder) tester(t value.Type, op query.Op, operand query.Operand) (func(Value) bool, error) {
	switch op {
	case query.Null:
		return Value.IsNull, nil
	case query.NullOrEmpty:
		return func(v Value) bool { return v.IsNull() || v.Kind == value.String && v.Text == "" }, nil
	case query.InList:
		return b.inList(t, operand)
	case query.Contains, query.StartsWith, query.EndsWith:
		return likeTester(t, op, operand)
	case query.ClosedInterval, query.RightOpenInterval, query.LeftOpenInterval, query.OpenInterval:
		return b.interval(t, op, operand)
	case query.BitsSet:
		return bitsTester(t, operand)
	case query.Equal, query.StrictEqual, query.Less, query.LessEqual, query.Greater, query.GreaterEqual:
		s, ok := operand.(query.Scalar)
		if !ok {
			return nil, refuse("bad_value", "%s wants one value", op)
		}
		return b.scalar(t, op, s)
	}
	return nil, unclear("operator %s", op)
}

// scalar compares with one constant. = null is IS NULL; any other comparison with null is false.
func (b *binder) scalar(t value.Type, op query.Op, s query.Scalar) (func(Value) bool, error) {
	if t.Kind == value.Boolean && op != query.Equal && op != query.StrictEqual {
		return nil, refuse("bad_operator", "%s of a boolean", op)
	}
	if s.Kind == query.NullLiteral {
		return func(v Value) bool { return op == query.Equal && v.IsNull() }, nil
	}
	if t.Temporal() {
		if s.Kind != query.StringLiteral && s.Kind != query.NumberLiteral {
			return nil, refuse("bad_value", "%s is no date", s.Text)
		}
		p, err := b.periodOf(t, s.Text)
		return func(v Value) bool { return !v.IsNull() && p.compares(op, v) }, err
	}
	want, err := typed(t, s)
	return func(v Value) bool { return !v.IsNull() && ordered(op, compare(v, want)) }, err
}

// typed reads a constant as a value of the type (decision 44).
func typed(t value.Type, s query.Scalar) (Value, error) {
	bad := refuse("bad_value", "%q is not of type %s", s.Text, t.Name())
	switch {
	case t.Numeric() && (s.Kind == query.NumberLiteral || s.Kind == query.StringLiteral):
		r, ok := new(big.Rat).SetString(s.Text)
		if !ok || strings.ContainsAny(s.Text, "/_xXbBoOpP") {
			return Value{}, bad
		}
		return number(t.Kind, r), nil
	case t.Kind == value.String && s.Kind == query.StringLiteral:
		return Str(s.Text), nil
	case t.Kind == value.String:
		return Value{}, unclear("a constant that is no text beside a text")
	case t.Kind == value.Boolean && s.Kind == query.BoolLiteral:
		return Flag(s.Text == "true"), nil
	case t.Kind == value.Boolean && s.Kind == query.StringLiteral:
		return Value{}, unclear("a text beside a boolean")
	}
	return Value{}, bad
}

func (b *binder) inList(t value.Type, operand query.Operand) (func(Value) bool, error) {
	list, ok := operand.(query.List)
	if !ok {
		return nil, refuse("bad_value", "in wants a list")
	}
	var tests []func(Value) bool
	for _, s := range list {
		one, err := b.scalar(t, query.Equal, s)
		if err != nil {
			return nil, err
		}
		tests = append(tests, one)
	}
	return func(v Value) bool {
		for _, holds := range tests {
			if holds(v) {
				return true
			}
		}
		return false
	}, nil
}

func likeTester(t value.Type, op query.Op, operand query.Operand) (func(Value) bool, error) {
	s, ok := operand.(query.Scalar)
	if t.Kind != value.String || !ok || s.Kind != query.StringLiteral && s.Kind != query.NumberLiteral {
		return nil, refuse("bad_value", "%s is for texts", op)
	}
	match := map[query.Op]func(s, part string) bool{
		query.Contains: strings.Contains, query.StartsWith: strings.HasPrefix, query.EndsWith: strings.HasSuffix,
	}[op]
	want := folded(s.Text)
	return func(v Value) bool { return !v.IsNull() && match(folded(v.Text), want) }, nil
}

// interval binds two bounds; a null bound is open. Null is in no interval.
func (b *binder) interval(t value.Type, op query.Op, operand query.Operand) (func(Value) bool, error) {
	list, ok := operand.(query.List)
	if !ok || len(list) != 2 || t.Kind == value.Boolean {
		return nil, refuse("bad_value", "an interval has two bounds")
	}
	low, high := query.GreaterEqual, query.LessEqual
	if op == query.LeftOpenInterval || op == query.OpenInterval {
		low = query.Greater
	}
	if op == query.RightOpenInterval || op == query.OpenInterval {
		high = query.Less
	}
	var tests []func(Value) bool
	for i, bound := range list {
		if bound.Kind == query.NullLiteral {
			continue
		}
		one, err := b.scalar(t, []query.Op{low, high}[i], bound)
		if err != nil {
			return nil, err
		}
		tests = append(tests, one)
	}
	return func(v Value) bool {
		for _, holds := range tests {
			if !holds(v) {
				return false
			}
		}
		return !v.IsNull()
	}, nil
}

func bitsTester(t value.Type, operand query.Operand) (func(Value) bool, error) {
	list, ok := operand.(query.List)
	if !ok || t.Kind != value.Integer {
		return nil, refuse("bad_value", "bit_in is for integers")
	}
	if len(list) == 0 {
		return nil, unclear("bit_in of nothing")
	}
	mask := new(big.Int)
	for _, s := range list {
		v, err := typed(t, s)
		if err != nil {
			return nil, err
		}
		mask.Or(mask, v.Num.Num())
	}
	return func(v Value) bool {
		return !v.IsNull() && new(big.Int).And(v.Num.Num(), mask).Cmp(mask) == 0
	}, nil
}
