package repair

import (
	"strings"

	"parlance/internal/jsontree"
	"parlance/internal/query"
)

// filtering reports whether the place is in slice or having.
func (m *mistake) filtering() bool { return m.clause() == "slice" || m.clause() == "having" }

// operatorMeant puts our operator for the word of another language, or for a slip.
func (m *mistake) operatorMeant() []Patch {
	to := m.fault.Meant
	if to == "" {
		to = query.MeantOperator(nearest(m.fault.Got, query.OpSpellings()))
	}
	if to == "" || !m.found {
		return nil
	}
	return one(replace(m.at, text(to)))
}

// notBetween writes the one negation that has no operator.
func (m *mistake) notBetween() []Patch {
	switch folded(m.fault.Got) {
	case "notbetween", "isnotbetween", "outside", "notinrange":
	default:
		return nil
	}
	p, condition := m.holder()
	inner, ok := edit(condition, pointer{m.at.last()}, ptr(text("[]")), false)
	if !ok {
		return nil
	}
	return one(replace(p, object("$not", inner)))
}

func ptr(n jsontree.Node) *jsontree.Node { return &n }

// plainEquality adds the operator that a condition without one has in its short form: = for a value, in for a list.
// Two numbers or days may be the ends of an interval as well.
func (m *mistake) plainEquality() []Patch {
	p, _, ok := locate(m.args, strings.TrimSuffix(m.fault.Path, ".op"))
	if !ok || !strings.HasSuffix(m.fault.Path, ".op") || !below("payload.slice", m.fault.Path) && !below("payload.having", m.fault.Path) {
		return nil
	}
	value, _ := at(m.args, p.to("value"))
	switch value.Kind {
	case jsontree.Array:
		if len(value.Items) == 2 && maybeBound(value.Items[0]) && maybeBound(value.Items[1]) {
			return nil
		}
		return one(add(p.to("op"), text("in")))
	case jsontree.Bool, jsontree.Number, jsontree.String:
		return one(add(p.to("op"), text("=")))
	case jsontree.Null, jsontree.Object:
	}
	return nil
}

// maybeBound reports whether a value has an order that people think in: a number or a day.
func maybeBound(n jsontree.Node) bool {
	return n.Kind == jsontree.Null || strings.ContainsAny(n.Text[:min(len(n.Text), 1)], "0123456789-")
}

// conditionInWords reads a condition that came as text, "a > 5", or as a list, ["a", ">", 5].
func (m *mistake) conditionInWords() []Patch {
	if !m.filtering() {
		return nil
	}
	var inner jsontree.Node
	ok := m.found
	list := m.at.last() == "slice" || m.at.last() == "having"
	switch {
	case m.node.Kind == jsontree.String && query.IsCondition(m.node.Text):
		inner = object("$expr", m.node.Text)
	case m.node.Kind == jsontree.Array && len(m.node.Items) == 3 && !list:
		op := query.MeantOperator(m.node.Items[1].Text)
		ok = ok && op != "" && m.node.Items[0].Kind == jsontree.String && m.node.Items[1].Kind == jsontree.String
		inner = object("field", m.node.Items[0], "op", op, "value", m.node.Items[2])
	default:
		return nil
	}
	if !ok {
		return nil
	}
	if list {
		inner = array(inner)
	}
	return one(replace(m.at, inner))
}

// foreignCondition reads {"column": "x", "operator": "=", "values": 1}, which else is three fields with their values.
func (m *mistake) foreignCondition() []Patch {
	p, holder := m.holder()
	if !m.filtering() || holder.Kind != jsontree.Object {
		return nil
	}
	condition := object()
	for _, member := range holder.Members {
		key := query.MeantKey(member.Key)
		if _, twice := condition.Get(key); twice || key != "field" && key != "op" && key != "value" {
			return nil
		}
		condition.Members = append(condition.Members, jsontree.Member{Key: key, Value: member.Value})
	}
	_, named := condition.Get("field")
	if _, compared := condition.Get("op"); !named || !compared {
		return nil
	}
	return one(replace(p, condition))
}

// listForScalar gives a list to the operator that takes one.
func (m *mistake) listForScalar() []Patch {
	p, condition := m.holder()
	op, _ := condition.Get("op")
	known, _ := query.ParseOp(op.Text)
	if !m.filtering() || m.node.Kind != jsontree.Array || known.Arity() != query.TakesScalar {
		return nil
	}
	switch known {
	case query.Equal, query.StrictEqual:
		return one(replace(p.to("op"), text("in")))
	case query.NotEqual:
		return one(replace(p.to("op"), text("not in")))
	}
	if len(m.node.Items) == 1 {
		return one(replace(m.at, m.node.Items[0]))
	}
	return nil
}

// needlessValue takes a value from an operator that takes none; false turns the operator around.
func (m *mistake) needlessValue() []Patch {
	p, condition := m.holder()
	op, _ := condition.Get("op")
	known, ok := query.ParseOp(op.Text)
	if !m.filtering() || !ok || known.Arity() != query.TakesNothing || m.at.last() != "value" {
		return nil
	}
	switch strings.ToLower(m.node.Text) {
	case "", "null", "none", "true", "1":
		return one(remove(m.at))
	case "false", "0":
		if turned := map[query.Op]query.Op{query.Null: query.NotNull, query.NotNull: query.Null}[known]; turned != query.NoOp {
			return one(replace(p.to("op"), text(turned.String())), remove(m.at))
		}
	}
	return nil
}

// aggregated reads {"field": "x", "agg": "sum", …} in a condition or an order as the field sum(x).
func (m *mistake) aggregated() []Patch {
	p, holder := m.holder()
	field, _ := holder.Get("field")
	fn := query.MeantFunction(m.node.Text)
	if columnRoles[folded(m.at.last())] != "agg" || fn == "" || field.Kind != jsontree.String {
		return nil
	}
	if m.clause() == "groupBy" || m.clause() == "calculatedFields" {
		return nil
	}
	return one(remove(m.at), replace(p.to("field"), text(fn+"("+field.Text+")")))
}

// logic reads {"op": "or", "conditions": […]} as {"$or": […]}.
func (m *mistake) logic() []Patch {
	p, holder := m.holder()
	if !m.filtering() {
		return nil
	}
	word, list := "", jsontree.Node{}
	for _, member := range holder.Members {
		switch folded(member.Key) {
		case "op", "operator", "logic", "type", "condition", "combinator", "conjunction", "relation", "connector", "logicaloperator":
			if w := folded(member.Value.Text); w == "or" || w == "and" || w == "not" || w == "any" || w == "all" {
				word = map[string]string{"any": "or", "all": "and"}[w]
				if word == "" {
					word = w
				}
				continue
			}
			return nil
		case "conditions", "filters", "rules", "clauses", "children", "value", "values", "args", "operands", "expressions":
			if list.Kind == jsontree.Array || member.Value.Kind != jsontree.Array {
				return nil
			}
			list = member.Value
		default:
			return nil
		}
	}
	if word == "" || len(list.Items) == 0 {
		return nil
	}
	return one(replace(p, object("$"+word, list)))
}
