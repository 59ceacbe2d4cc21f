package resolve

import (
	"strconv"

	"parlance/internal/query"
	"parlance/internal/value"
)

// condition binds one filter.
func (r *resolver) condition(c query.Condition, s scope) (Expr, error) {
	s.path = c.Where()
	switch x := c.(type) {
	case *query.Logic:
		return r.logic(x, s)
	case *query.ExprCondition:
		e, err := r.operand(x.Expr, s)
		if err != nil {
			return nil, err
		}
		if e.Type().Kind != value.Boolean {
			return nil, wrongOperand("$expr", e, "a condition", s.path)
		}
		return e.x, nil
	case *query.Compare:
		return r.compare(x, s)
	}
	return nil, unsupportedExpression("condition", s.path)
}

func (r *resolver) logic(l *query.Logic, s scope) (Expr, error) {
	parts := make([]Expr, len(l.Conds))
	for i, c := range l.Conds {
		var err error
		if parts[i], err = r.condition(c, s); err != nil {
			return nil, err
		}
	}
	switch l.Op {
	case query.AnyOf:
		return joined(Or, parts), nil
	case query.NoneOf:
		return complement(joined(And, parts)), nil
	case query.AllOf:
	}
	return joined(And, parts), nil
}

// joined is the and, or the or, of conditions: of none, true and false.
func joined(fn Fn, parts []Expr) Expr {
	switch {
	case len(parts) == 1:
		return parts[0]
	case len(parts) == 0 && fn == Or:
		return never
	case len(parts) == 0:
		return always
	}
	return op(fn, boolean, parts...)
}

var positive = map[query.Op]query.Op{
	query.NotEqual: query.Equal, query.NotInList: query.InList, query.NotContains: query.Contains,
	query.NotStartsWith: query.StartsWith, query.NotEndsWith: query.EndsWith, query.NotNull: query.Null,
	query.NotNullOrEmpty: query.NullOrEmpty,
}

// compare binds {field, op, value}. A negative operator is the exact complement of its positive (decision 41).
func (r *resolver) compare(c *query.Compare, s scope) (Expr, error) {
	s.path = c.At("field")
	if d, err := r.treeOf(c, s); err != nil || d != nil {
		if err != nil {
			return nil, err
		}
		return r.walk(d, c)
	}
	x, err := r.operand(c.Field, s)
	if err != nil {
		return nil, err
	}
	if pos, ok := positive[c.Op]; ok {
		e, err := r.positive(x, pos, c, s)
		if err != nil {
			return nil, err
		}
		return complement(e), nil
	}
	return r.positive(x, c.Op, c, s)
}

func (r *resolver) positive(x operand, o query.Op, c *query.Compare, s scope) (Expr, error) {
	if x.Type().Kind == value.Boolean && ordering[o] {
		return nil, wrongOperator(c.Op.String(), x, c.At("op"))
	}
	s.path = c.At("value")
	if ref, ok := c.Value.(query.FieldRef); ok {
		return r.compareFields(x, o, ref, c, s)
	}
	switch o {
	case query.Null:
		return op(IsNull, boolean, x.x), nil
	case query.NullOrEmpty:
		if x.Type().Kind != value.String {
			return op(IsNull, boolean, x.x), nil
		}
		return op(Or, boolean, op(IsNull, boolean, x.x), op(Eq, boolean, x.x, Text(""))), nil
	case query.InList:
		return r.membership(x.x, listOf(c.Value), func(i int) string { return itemPath(c, i) })
	case query.ClosedInterval, query.RightOpenInterval, query.LeftOpenInterval, query.OpenInterval:
		return r.interval(x.x, o, listOf(c.Value), s.path)
	case query.Contains, query.StartsWith, query.EndsWith:
		return r.textMatch(x, o, c, s)
	case query.BitsSet:
		return r.bitsSet(x, c)
	}
	scalar, _ := c.Value.(query.Scalar)
	return r.compareScalar(x.x, o, scalar, s.path)
}

// ordering are the operators that ask which of two values comes first.
var ordering = map[query.Op]bool{
	query.Greater: true, query.GreaterEqual: true, query.Less: true, query.LessEqual: true,
	query.ClosedInterval: true, query.RightOpenInterval: true, query.LeftOpenInterval: true, query.OpenInterval: true,
}

func listOf(o query.Operand) query.List {
	switch v := o.(type) {
	case query.List:
		return v
	case query.Scalar:
		return query.List{v}
	case query.FieldRef:
	}
	return nil
}

// itemPath returns the path of a value of a list; one that is alone may stand without brackets, so it is the list's.
func itemPath(c *query.Compare, i int) string {
	if len(listOf(c.Value)) == 1 {
		return c.At("value")
	}
	return c.At("value") + "[" + itoa(i) + "]"
}

// compareFields is {"$field": …}: two values of one row, or of one group.
func (r *resolver) compareFields(x operand, o query.Op, ref query.FieldRef, c *query.Compare, s scope) (Expr, error) {
	s.path += ".$field"
	y, err := r.operand(ref.Expr, s)
	if err != nil {
		return nil, err
	}
	if o == query.StrictEqual {
		o = query.Equal
	}
	fn, ok := opFns[o]
	if !ok || fn == Contains || fn == StartsWith || fn == EndsWith {
		return nil, onlyConstants(c.Op, c.At("op"))
	}
	return r.comparison(fn, x, y, s.path)
}

func (r *resolver) textMatch(x operand, o query.Op, c *query.Compare, s scope) (Expr, error) {
	if x.Type().Kind != value.String {
		return nil, wrongOperator(c.Op.String(), x, c.At("op"))
	}
	scalar, ok := c.Value.(query.Scalar)
	if !ok || scalar.Kind == query.NullLiteral || scalar.Kind == query.BoolLiteral {
		return nil, badValue(scalar, text, s.path)
	}
	return op(opFns[o], boolean, x.x, Text(scalar.Text)), nil
}

func (r *resolver) bitsSet(x operand, c *query.Compare) (Expr, error) {
	if x.Type().Kind != value.Integer {
		return nil, wrongOperator(c.Op.String(), x, c.At("op"))
	}
	var parts []Expr
	for i, item := range listOf(c.Value) {
		at := itemPath(c, i)
		l, err := typed(item, x.Type(), at)
		if err != nil {
			return nil, err
		}
		if _, err := strconv.ParseUint(l.V.Text, 10, 63); err != nil {
			return nil, badBits(item, at)
		}
		parts = append(parts, op(BitsSet, boolean, x.x, l))
	}
	return joined(And, parts), nil
}
