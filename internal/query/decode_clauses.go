package query

import (
	"strings"

	"parlance/internal/fault"
	"parlance/internal/jsontree"
	"parlance/internal/value"
)

var (
	groupKeys      = []string{"field", "agg"}
	orderKeys      = []string{"field", "order", "dir", "direction", "nullFirst", "nullLast", "nulls"}
	directionKeys  = []string{"order", "dir", "direction"}
	calculatedKeys = []string{
		"name", "expression", "caption", "description", "agg", "type", "partitionBy", "windowOrderBy", "windowFrame",
	}
)

// groups reads groupBy: strings or {field, agg}.
func (d *decoder) groups(n jsontree.Node, path string) ([]Group, error) {
	var groups []Group
	err := d.each(n, path, "strings or {\"field\"} objects", func(item jsontree.Node, path string) error {
		g, err := group(item, path)
		groups = append(groups, g)
		return err
	})
	return groups, err
}

func group(n jsontree.Node, path string) (g Group, err error) {
	if n.Kind == jsontree.String {
		g.Field, err = fieldName(n, path)
		return g, err
	}
	if n.Kind != jsontree.Object {
		return g, wrongType(path, "a string or an object with the key field", n)
	}
	if err := checkKeys(n, path, groupKeys, nil); err != nil {
		return g, err
	}
	field, ok := member(n, "field")
	if !ok {
		return g, missingKey(path, "field")
	}
	if g.Field, err = fieldName(field, ""); err != nil {
		return g, fault.Under(below(path, "field"), err)
	}
	g.Agg, err = aggregation(n, path)
	return g, err
}

// aggregation reads the key agg: an aggregate in any case and by any of its names.
func aggregation(n jsontree.Node, path string) (string, error) {
	word, err := optional(n, path, "agg")
	if err != nil || word == "" {
		return "", err
	}
	agg := CanonicalFunction(strings.TrimSpace(word))
	if !IsAggregate(agg) {
		return "", unknownWord(below(path, "agg"), "aggregation", word, aggregates)
	}
	return agg, nil
}

// orders reads orderBy and windowOrderBy: strings or objects.
func (d *decoder) orders(n jsontree.Node, path string) ([]Order, error) {
	var orders []Order
	err := d.each(n, path, "strings or {\"field\", \"order\"} objects", func(item jsontree.Node, path string) error {
		o, err := order(item, path)
		orders = append(orders, o)
		return err
	})
	return orders, err
}

func order(n jsontree.Node, path string) (o Order, err error) {
	if n.Kind == jsontree.String {
		text, err := str(n, path)
		if err != nil {
			return o, err
		}
		o, err = ParseOrder(text)
		return o, fault.Under(path, err)
	}
	if n.Kind != jsontree.Object {
		return o, wrongType(path, "a string or an object with the keys field and order", n)
	}
	if err := checkKeys(n, path, orderKeys, nil); err != nil {
		return o, err
	}
	field, err := required(n, path, "field")
	if err != nil {
		return o, err
	}
	if o.Expr, err = ParseField(field); err != nil {
		return o, fault.Under(below(path, "field"), err)
	}
	if o.Desc, err = descending(n, path); err != nil {
		return o, err
	}
	o.Nulls, err = nullOrder(n, path)
	return o, err
}

// descending reads the direction under any of its keys; two keys must agree.
func descending(n jsontree.Node, path string) (desc bool, err error) {
	first := ""
	for _, key := range directionKeys {
		word, err := optional(n, path, key)
		if err != nil {
			return false, err
		}
		if _, ok := member(n, key); !ok {
			continue
		}
		lower := strings.ToLower(strings.TrimSpace(word))
		if lower != "asc" && lower != "desc" {
			return false, unknownWord(below(path, key), "direction", word, []string{"asc", "desc"})
		}
		if first != "" && desc != (lower == "desc") {
			return false, givenTwice(path, first, key)
		}
		first, desc = key, lower == "desc"
	}
	return desc, nil
}

// nullOrder reads where nulls stand: nullFirst or nullLast as true, or as the value of nulls.
func nullOrder(n jsontree.Node, path string) (NullOrder, error) {
	found, by := NullsDefault, ""
	set := func(to NullOrder, key string) error {
		if by != "" && found != to {
			return givenTwice(path, by, key)
		}
		found, by = to, key
		return nil
	}
	for _, flag := range []struct {
		key string
		to  NullOrder
	}{{"nullFirst", NullsFirst}, {"nullLast", NullsLast}} {
		v, ok := member(n, flag.key)
		if !ok {
			continue
		}
		yes, err := boolean(v, below(path, flag.key))
		if err != nil {
			return found, err
		}
		if yes {
			if err := set(flag.to, flag.key); err != nil {
				return found, err
			}
		}
	}
	word, err := optional(n, path, "nulls")
	if err != nil || word == "" {
		return found, err
	}
	switch strings.ToLower(strings.TrimSpace(word)) {
	case "first", "nullfirst":
		return NullsFirst, set(NullsFirst, "nulls")
	case "last", "nulllast":
		return NullsLast, set(NullsLast, "nulls")
	}
	return found, unknownWord(below(path, "nulls"), "place of nulls", word, []string{"nullFirst", "nullLast"})
}

// calculated reads calculatedFields.
func (d *decoder) calculated(n jsontree.Node, path string) ([]Calculated, error) {
	var fields []Calculated
	err := d.each(n, path, "{\"name\", \"expression\"} objects", func(item jsontree.Node, path string) error {
		c, err := d.calculatedField(item, path)
		fields = append(fields, c)
		return err
	})
	return fields, err
}

func (d *decoder) calculatedField(n jsontree.Node, path string) (c Calculated, err error) {
	if n.Kind != jsontree.Object {
		return c, wrongType(path, "an object with the keys name and expression", n)
	}
	if err := checkKeys(n, path, calculatedKeys, nil); err != nil {
		return c, err
	}
	if c.Name, err = required(n, path, "name"); err != nil {
		return c, err
	}
	if err := CheckAlias(c.Name); err != nil {
		return c, fault.Under(below(path, "name"), err)
	}
	text, err := required(n, path, "expression")
	if err != nil {
		return c, err
	}
	if c.Expr, err = ParseExpr(text); err != nil {
		return c, fault.Under(below(path, "expression"), err)
	}
	if c.Caption, err = optional(n, path, "caption"); err != nil {
		return c, err
	}
	if c.Description, err = optional(n, path, "description"); err != nil {
		return c, err
	}
	if c.Agg, err = aggregation(n, path); err != nil {
		return c, err
	}
	if c.Type, err = typeName(n, path); err != nil {
		return c, err
	}
	c.Window, err = d.windowKeys(n, path)
	return c, err
}

func typeName(n jsontree.Node, path string) (string, error) {
	word, err := optional(n, path, "type")
	if err != nil || word == "" {
		return "", err
	}
	name := strings.ToLower(word)
	if _, ok := value.Named(name); !ok {
		return "", unknownWord(below(path, "type"), "type", word, value.TypeNames)
	}
	return name, nil
}

// windowKeys reads partitionBy, windowOrderBy and windowFrame; it returns nil where none is there.
func (d *decoder) windowKeys(n jsontree.Node, path string) (*Window, error) {
	w, there := &Window{}, false
	if v, ok := member(n, "partitionBy"); ok {
		there = true
		names, err := d.names(v, below(path, "partitionBy"))
		if err != nil {
			return nil, err
		}
		for i, name := range names {
			e, err := ParseField(name)
			if err != nil {
				return nil, fault.Under(indexed(below(path, "partitionBy"), i), err)
			}
			w.PartitionBy = append(w.PartitionBy, e)
		}
	}
	if v, ok := member(n, "windowOrderBy"); ok {
		there = true
		var err error
		if w.OrderBy, err = d.orders(v, below(path, "windowOrderBy")); err != nil {
			return nil, err
		}
	}
	if _, ok := member(n, "windowFrame"); ok {
		there = true
		text, err := optional(n, path, "windowFrame")
		if err != nil {
			return nil, err
		}
		if w.Frame, err = ParseFrame(text); err != nil {
			return nil, fault.Under(below(path, "windowFrame"), err)
		}
	}
	if !there {
		return nil, nil
	}
	return w, nil
}
