package query

import (
	"strings"

	"parlance/internal/fault"
	"parlance/internal/jsontree"
)

// At returns the path of a key of the condition: slice[0].value. In the shorthand {"status": "done"} every key of the
// condition is the field's own, slice[0].status.
func (c *Compare) At(key string) string {
	if c.Path == "" || strings.HasSuffix(c.Path, "]") || strings.HasSuffix(c.Path, ".$not") {
		return jsontree.Join(c.Path, key)
	}
	return c.Path
}

// compare reads {field, op, value}.
func (d *decoder) compare(n jsontree.Node, path string) (Condition, error) {
	if err := d.count(path); err != nil {
		return nil, err
	}
	if err := checkKeys(n, path, compareKeys, nil); err != nil {
		return nil, err
	}
	c := &Compare{Path: path}
	field, err := required(n, path, "field")
	if err != nil {
		return nil, err
	}
	if c.Field, err = ParseField(field); err != nil {
		return nil, fault.Under(c.At("field"), err)
	}
	word, err := required(n, path, "op")
	if err != nil {
		return nil, err
	}
	var ok bool
	if c.Op, ok = ParseOp(word); !ok {
		return nil, unknownOperator(c.At("op"), word)
	}
	if c.MaxDepth, err = maxDepth(n, c); err != nil {
		return nil, err
	}
	v, ok := n.Get("value")
	if !ok && c.Op.Arity() != TakesNothing {
		return nil, missingValue(path, c.Op)
	}
	c.Value, err = d.operand(v, c)
	if err != nil {
		return nil, err
	}
	return c, nil
}

// maxDepth reads the depth of a hierarchy operator, in either spelling.
func maxDepth(n jsontree.Node, c *Compare) (*int64, error) {
	key := "maxDepth"
	v, ok := member(n, key)
	if snake, also := member(n, "max_depth"); also {
		if ok {
			return nil, givenTwice(c.Path, "maxDepth", "max_depth")
		}
		key, v, ok = "max_depth", snake, true
	}
	if !ok {
		return nil, nil
	}
	if !c.Op.Hierarchical() {
		return nil, depthWithoutHierarchy(c.At(key), c.Op)
	}
	depth, err := integer(v, c.At(key))
	if err == nil && *depth < 0 {
		return nil, fault.Under(c.Path, outOfRange(key, *depth, "at least", 0))
	}
	return depth, err
}

// operand reads the value that the condition's operator compares with. The zero node is absent or null.
func (d *decoder) operand(n jsontree.Node, c *Compare) (Operand, error) {
	path := c.At("value")
	switch c.Op.Arity() {
	case TakesNothing:
		if n.Kind == jsontree.Null || n.Kind == jsontree.Bool && n.Text == "true" {
			return nil, nil
		}
		return nil, needlessValue(path, c.Op, n)
	case TakesInterval:
		if n.Kind != jsontree.Array || len(n.Items) != 2 {
			return nil, notAnInterval(path, c.Op, n)
		}
		return d.values(n.Items, path)
	case TakesList:
		if n.Kind == jsontree.Null {
			return nil, missingValue(c.Path, c.Op)
		}
		if n.Kind == jsontree.Array {
			return d.values(n.Items, path)
		}
		s, err := scalar(n, path)
		return List{s}, err
	case TakesScalar:
	}
	switch n.Kind {
	case jsontree.Object:
		return otherField(n, path)
	case jsontree.Array:
		return nil, arrayForScalar(path, c.Op)
	case jsontree.Null, jsontree.Bool, jsontree.Number, jsontree.String:
	}
	return scalar(n, path)
}

// values reads the values of a list.
func (d *decoder) values(items []jsontree.Node, path string) (Operand, error) {
	if len(items) > d.limits.ListValues {
		return nil, tooMany(path, "values", len(items), d.limits.ListValues)
	}
	list := make(List, len(items))
	for i, item := range items {
		var err error
		if list[i], err = scalar(item, indexed(path, i)); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// otherField reads {"$field": "b"}.
func otherField(n jsontree.Node, path string) (Operand, error) {
	if err := checkKeys(n, path, []string{"$field"}, nil); err != nil {
		return nil, err
	}
	text, err := required(n, path, "$field")
	if err != nil {
		return nil, err
	}
	e, err := ParseField(text)
	if err != nil {
		return nil, fault.Under(below(path, "$field"), err)
	}
	return FieldRef{Expr: e}, nil
}
