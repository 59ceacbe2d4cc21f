package repair

import (
	"strings"

	"parlance/internal/jsontree"
	"parlance/internal/query"
)

// columnObject writes a column that came as an object, {"field": "x", "agg": "sum", "alias": "y"}, as "sum(x) as y".
func (m *mistake) columnObject() []Patch {
	if m.at.up().last() != "columns" || m.node.Kind != jsontree.Object {
		return nil
	}
	if column, ok := columnText(m.node); ok {
		return one(replace(m.at, text(column)))
	}
	return nil
}

// columnText returns a column as text. An object that says more than a column can is none.
func columnText(n jsontree.Node) (string, bool) {
	switch n.Kind {
	case jsontree.String:
		return n.Text, true
	case jsontree.Object:
	case jsontree.Null, jsontree.Bool, jsontree.Number, jsontree.Array:
		return "", false
	}
	if len(n.Members) == 1 && n.Members[0].Value.Kind == jsontree.String {
		if column, ok := pairText(n.Members[0].Key, n.Members[0].Value.Text); ok {
			return column, true
		}
	}
	part := map[string]string{}
	for _, member := range n.Members {
		role := columnRoles[folded(member.Key)]
		if role == "" || part[role] != "" || member.Value.Kind != jsontree.String {
			return "", false
		}
		part[role] = member.Value.Text
	}
	if part["name"] != "" { // a field's name, or beside one the alias
		role := "field"
		if part["field"] != "" || part["expression"] != "" {
			role = "alias"
		}
		if part[role] != "" {
			return "", false
		}
		part[role] = part["name"]
	}
	return joined(part["field"], part["expression"], part["agg"], part["alias"])
}

var columnRoles = map[string]string{
	"field": "field", "column": "field", "measure": "field", "dimension": "field", "member": "field", "name": "name",
	"expression": "expression", "expr": "expression", "formula": "expression", "sql": "expression",
	"agg": "agg", "aggregation": "agg", "aggregate": "agg", "function": "agg", "func": "agg", "fn": "agg", "aggfunc": "agg", "aggregator": "agg",
	"alias": "alias", "as": "alias", "label": "alias", "rename": "alias",
}

func joined(field, expression, agg, alias string) (string, bool) {
	of := field
	if of == "" {
		of = expression
	}
	if of == "" || field != "" && expression != "" {
		return "", false
	}
	if agg != "" {
		fn := query.MeantFunction(agg)
		if fn == "" {
			return "", false
		}
		of = fn + "(" + of + ")"
	}
	if alias != "" && alias != of {
		of += " as " + alias
	}
	return of, true
}

// pairText reads an object of one member: {"sum": "x"} or {"total": "sum(x)"}.
func pairText(key, value string) (string, bool) {
	if fn := query.MeantFunction(key); fn != "" && !query.IsCall(value) {
		return fn + "(" + value + ")", true
	}
	if query.IsCall(value) && query.CheckAlias(key) == nil && columnRoles[folded(key)] == "" {
		return value + " as " + key, true
	}
	return "", false
}

// parts splits a text at its commas, leaving those within parentheses and quotes.
func parts(list string) []string {
	var found []string
	depth, quote, from := 0, rune(0), 0
	for i, r := range list {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '\'' || r == '`':
			quote = r
		case r == '(' || r == '[':
			depth++
		case r == ')' || r == ']':
			depth--
		case (r == ',' || r == ';' || r == '，') && depth == 0:
			found = append(found, strings.TrimSpace(list[from:i]))
			from = i + len(string(r))
		}
	}
	return append(found, strings.TrimSpace(list[from:]))
}
