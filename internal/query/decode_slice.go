package query

import (
	"strings"

	"parlance/internal/fault"
	"parlance/internal/jsontree"
)

var (
	compareKeys = []string{"field", "op", "value", "maxDepth", "max_depth"}
	logicKeys   = []string{"$and", "$or", "$not", "$expr"}
)

// slice reads a list of conditions: slice, having, or what they nest.
func (d *decoder) slice(n jsontree.Node, path string) ([]Condition, error) {
	return d.conditionList(n, path, 1)
}

func (d *decoder) conditionList(n jsontree.Node, path string, depth int) ([]Condition, error) {
	if n.Kind != jsontree.Array {
		return nil, wrongType(path, "an array of conditions", n)
	}
	var conds []Condition
	for i, item := range n.Items {
		c, err := d.condition(item, indexed(path, i), depth)
		if err != nil {
			return nil, err
		}
		conds = append(conds, c)
	}
	return conds, nil
}

// condition reads {field, op, value}, or an object whose every key is a condition of its own: $or, $and, $not,
// $expr, or a field with its value.
func (d *decoder) condition(n jsontree.Node, path string, depth int) (Condition, error) {
	if n.Kind != jsontree.Object {
		return nil, wrongType(path, "a condition such as {\"field\", \"op\", \"value\"}", n)
	}
	if len(n.Members) == 0 {
		return nil, emptyCondition(path)
	}
	if err := d.checkDepth(path, depth); err != nil {
		return nil, err
	}
	for _, key := range compareKeys {
		if _, ok := n.Get(key); ok {
			return d.compare(n, path)
		}
	}
	if len(n.Members) == 1 {
		return d.part(n.Members[0], path, depth)
	}
	all := &Logic{Op: AllOf, Path: path}
	for _, m := range n.Members {
		c, err := d.part(m, path, depth+1)
		if err != nil {
			return nil, err
		}
		all.Conds = append(all.Conds, c)
	}
	return all, nil
}

func (d *decoder) checkDepth(path string, depth int) error {
	if depth > d.limits.Depth {
		return conditionsTooDeep(path, d.limits.Depth)
	}
	return nil
}

// part reads one key that is a condition of its own.
func (d *decoder) part(m jsontree.Member, path string, depth int) (Condition, error) {
	at := below(path, m.Key)
	if err := d.checkDepth(path, depth); err != nil {
		return nil, err
	}
	switch m.Key {
	case "$and":
		return d.logic(AllOf, m.Value, at, depth)
	case "$or":
		return d.logic(AnyOf, m.Value, at, depth)
	case "$not":
		return d.logic(NoneOf, m.Value, at, depth)
	case "$expr":
		return d.exprCondition(m.Value, at)
	}
	if strings.HasPrefix(m.Key, "$") {
		return nil, unknownKey(path, m.Key, logicKeys)
	}
	return d.shorthand(m, path)
}

func (d *decoder) logic(op LogicOp, n jsontree.Node, path string, depth int) (Condition, error) {
	c := &Logic{Op: op, Path: path}
	var err error
	if op == NoneOf && n.Kind == jsontree.Object {
		var only Condition
		only, err = d.condition(n, path, depth+1)
		c.Conds = []Condition{only}
	} else {
		c.Conds, err = d.conditionList(n, path, depth+1)
	}
	if err != nil {
		return nil, err
	}
	if len(c.Conds) == 0 {
		return nil, emptyLogic(path)
	}
	return c, nil
}

func (d *decoder) exprCondition(n jsontree.Node, path string) (Condition, error) {
	if err := d.count(path); err != nil {
		return nil, err
	}
	text, err := str(n, path)
	if err != nil {
		return nil, err
	}
	e, err := ParseExpr(text)
	if err != nil {
		return nil, fault.Under(path, err)
	}
	return &ExprCondition{Expr: e, Path: path}, nil
}

// count counts one more comparison or expression.
func (d *decoder) count(path string) error {
	d.conditions++
	if d.conditions > d.limits.Conditions {
		return tooManyConditions(path, d.limits.Conditions)
	}
	return nil
}

// shorthand reads {"status": "done"}: a value is =, an array is in, null is is null.
func (d *decoder) shorthand(m jsontree.Member, path string) (Condition, error) {
	at := below(path, m.Key)
	if misplaced := misplacedFilter(path, m); misplaced != nil {
		return nil, misplaced
	}
	if err := d.count(at); err != nil {
		return nil, err
	}
	field, err := ParseField(m.Key)
	if err != nil {
		return nil, fault.Under(at, err)
	}
	c := &Compare{Field: field, Op: Equal, Path: at}
	switch m.Value.Kind {
	case jsontree.Null:
		c.Op = Null
		return c, nil
	case jsontree.Array:
		c.Op = InList
	case jsontree.Object:
		if _, other := m.Value.Get("$field"); !other {
			return nil, objectValue(at, m.Key)
		}
	case jsontree.Bool, jsontree.Number, jsontree.String:
	}
	c.Value, err = d.operand(m.Value, c)
	return c, err
}
