package execute

import (
	"fmt"
	"slices"
	"strconv"

	"parlance/internal/access"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

var (
	roles      = []string{"boss", "clerk", "guest"}
	clearances = []string{"low", "high"}
	maskWords  = []string{"full", "first", "last4", "email", "hash", "null"}
)

// policyOf makes a random policy for a model.
func (d dice) policyOf(w *world, m *semantic.Model) policy {
	p := policy{conceal: d.chance(25)}
	if d.chance(70) {
		for range d.between(1, 2) {
			p.fields = append(p.fields, d.fieldRule(m))
		}
	}
	if d.chance(60) {
		for range 1 + d.IntN(4)/3 {
			p.rows = append(p.rows, rowRule{d.rowCondition(w, m, 2), d.exemption()})
		}
	}
	if m.Multi == nil && d.chance(20) {
		p.groups = append(p.groups, groupRule{pick(d, []string{"item$id", "word", "place$id", "team$id", "kind$caption", "day$month", "item$caption"}), d.between(1, 4), d.exemption()})
	}
	return p
}

func (d dice) exemption() exemption {
	switch d.IntN(6) {
	case 0:
		return exemption{"role", pick(d, roles)}
	case 1:
		return exemption{"user", "ann"}
	case 2:
		return exemption{"attribute", pick(d, clearances)}
	}
	return exemption{}
}

func (d dice) fieldRule(m *semantic.Model) fieldRule {
	var names []string
	for _, f := range m.Fields() {
		names = append(names, f.Name)
	}
	r := fieldRule{unless: d.exemption(), mask: map[string]string{}}
	switch n := d.IntN(100); {
	case n < 40:
		r.hide = some(d, 1, 3, names)
	case n < 50:
		r.allow = some(d, len(names)*2/3, len(names), names)
	default:
		for _, name := range some(d, 1, 4, names) {
			r.mask[name] = d.maskOf(m.Field(name))
		}
	}
	if d.chance(30) {
		r.keep = slices.DeleteFunc(some(d, 1, 6, names), func(name string) bool { return r.mask[name] != "" || slices.Contains(r.hide, name) })
	}
	return r
}

func (d dice) maskOf(f *semantic.Field) string {
	if f.Measure == nil && f.Type.Kind == value.String {
		return pick(d, maskWords)
	}
	return pick(d, []string{"full", "null"})
}

// rowCondition makes a random condition on rows over attributes and constants of every number.
func (d dice) rowCondition(w *world, m *semantic.Model, depth int) rowCondition {
	if depth > 0 && d.chance(25) {
		var list []rowCondition
		for range d.between(1, 3) {
			list = append(list, d.rowCondition(w, m, depth-1))
		}
		if d.chance(50) {
			return rowCondition{and: list}
		}
		return rowCondition{or: list}
	}
	f := d.rowField(m)
	t := measured(f)
	c := rowCondition{field: f.Name, op: d.rowOperator(f, t)}
	if f.Role == semantic.ID && f.Dimension != nil && f.Dimension.Hierarchy != nil && d.chance(50) {
		c.op = pick(d, []string{"childrenOf", "descendantsOf", "selfAndDescendantsOf", "ancestorsOf", "selfAndAncestorsOf"})
		if d.chance(30) {
			c.depth = d.between(1, 2)
		}
	}
	kind := attributeOf(f, t)
	switch {
	case slices.Contains([]string{"is null", "is not null", "isNullAndEmpty", "isNotNullAndEmpty"}, c.op):
	case d.chance(70):
		c.attribute = kind
	default:
		n := 1
		switch c.op {
		case "[]", "[)", "(]", "()":
			n = 2
		case "in", "not in", "bit_in":
			n = d.between(1, 3)
		}
		for range n {
			c.values = append(c.values, strconv.Quote(d.constantOf(w, kind)))
		}
	}
	return c
}

// rowField returns a field that rules on rows can use.
func (d dice) rowField(m *semantic.Model) *semantic.Field {
	var list []*semantic.Field
	for _, f := range m.Fields() {
		if f.Tree || f.Type.Zoned || f.Of != nil && f.Of.Type.Zoned || f.Measure != nil && (m.Multi != nil || f.Name != "qty" && f.Name != "amount") || measured(f).Kind == value.Timestamp {
			continue
		}
		list = append(list, f)
	}
	return pick(d, list)
}

func (d dice) rowOperator(f *semantic.Field, t value.Type) string {
	ops := []string{"=", "!=", "===", "in", "not in", "in", "!=", "not in", "not in", "is null", "is not null"}
	switch {
	case t.Kind == value.String:
		ops = append(ops, "contains", "starts_with", "ends_with", "not contains", "not starts_with", "not ends_with", "isNullAndEmpty", "isNotNullAndEmpty", ">", "<=", "[)")
	case t.Kind != value.Boolean:
		ops = append(ops, ">", ">=", "<", "<=", "[]", "[)", "(]", "()")
	}
	if t.Kind == value.Integer && f.Measure == nil {
		ops = append(ops, "bit_in")
	}
	return pick(d, ops)
}

// attributeOf is the attribute of an identity that has values for a field.
func attributeOf(f *semantic.Field, t value.Type) string {
	switch {
	case f.Dimension != nil && f.Dimension.Name == "team" && f.Role == semantic.ID:
		return "teams"
	case t.Kind == value.String:
		return "texts"
	case t.Kind == value.Boolean:
		return "flags"
	case t.Temporal():
		return "days"
	}
	return "numbers"
}

func (d dice) constantOf(w *world, attribute string) string {
	switch attribute {
	case "teams":
		return pick(d, []string{"r", "s", "T", "u", "exile"})
	case "flags":
		return pick(d, []string{"true", "false"})
	case "days":
		return pick(d, []string{"2024-01-31", "2024-02", "2024-03-10", "2023-12-27", "2024", "this month"})
	case "numbers":
		return pick(d, []string{"0", "1", "2", "3", "2.5", "20240101", "9007199254740993", "7", "-1"})
	}
	return pick(d, append([]string{"NEW", "OLD", "Old", "p1", "p2", "2024-01", "2024-02", "x"}, w.words...))
}

// identity makes somebody: roles, and attributes of none, one or several values.
func (d dice) identity(w *world) access.Identity {
	id := access.Identity{User: pick(d, []string{"ann", "bob", ""}), Roles: some(d, 0, 2, roles), Attributes: map[string][]string{}}
	if d.chance(60) {
		id.Attributes["clearance"] = some(d, 1, 2, clearances)
	}
	counts := []int{-1, 0, 1, 1, 2, 3}
	if d.chance(60) {
		counts = []int{1, 4, 6, 8, 8}
	}
	for _, name := range []string{"texts", "numbers", "days", "flags", "teams"} {
		n := pick(d, counts)
		if n < 0 {
			continue
		}
		values := []string{}
		for range n {
			values = append(values, d.constantOf(w, name))
		}
		if len(values) > 0 && name != "texts" && name != "teams" && d.chance(4) {
			values[0] = "abc"
		}
		id.Attributes[name] = values
	}
	return id
}

func described(id access.Identity) string {
	return fmt.Sprintf("user %q roles %v attributes %v", id.User, id.Roles, id.Attributes)
}
