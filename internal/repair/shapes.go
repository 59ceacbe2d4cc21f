package repair

import (
	"strconv"
	"strings"

	"parlance/internal/jsontree"
	"parlance/internal/query"
)

// stringOfJSON decodes a clause that came as a string of JSON.
func (m *mistake) stringOfJSON() []Patch {
	inner, ok := decoded(m.node, jsontree.Array, jsontree.Object)
	if !ok || !m.found || m.clause() == "" {
		return nil
	}
	return one(replace(m.at, inner))
}

// lists are the clauses that hold names or columns.
var lists = map[string]bool{"columns": true, "exColumns": true, "groupBy": true, "orderBy": true, "partitionBy": true, "windowOrderBy": true, "targetMetrics": true}

// listInWords splits a text of names, "a, b", into a list.
func (m *mistake) listInWords() []Patch {
	if m.node.Kind != jsontree.String || !lists[m.at.last()] || strings.TrimSpace(m.node.Text) == "" {
		return nil
	}
	return one(replace(m.at, texts(parts(m.node.Text))))
}

// oneForList makes a list of what stands alone, or of the members of an object that maps names.
func (m *mistake) oneForList() []Patch {
	if m.node.Kind != jsontree.Object {
		return nil
	}
	list := array(m.node)
	switch m.at.last() {
	case "slice", "having", "$and", "$or":
	case "columns":
		column, ok := columnText(m.node)
		if !ok {
			return nil
		}
		list = texts([]string{column})
	case "groupBy":
		if _, ok := m.node.Get("field"); !ok {
			return nil
		}
	case "orderBy", "windowOrderBy":
		if _, ok := m.node.Get("field"); !ok {
			return m.ordersOf(m.node)
		}
	case "calculatedFields":
		if _, ok := m.node.Get("expression"); !ok {
			return m.expressionsOf(m.node)
		}
	default:
		return nil
	}
	return one(replace(m.at, list))
}

// ordersOf reads {"a": "desc", "b": "asc"}.
func (m *mistake) ordersOf(n jsontree.Node) []Patch {
	list := array()
	for _, member := range n.Members {
		direction := query.MeantDirection(member.Value.Text)
		if direction == "" {
			return nil
		}
		list.Items = append(list.Items, object("field", member.Key, "order", direction))
	}
	return one(replace(m.at, list))
}

// expressionsOf reads {"margin": "a - b"}.
func (m *mistake) expressionsOf(n jsontree.Node) []Patch {
	list := array()
	for _, member := range n.Members {
		if member.Value.Kind != jsontree.String {
			return nil
		}
		list.Items = append(list.Items, object("name", member.Key, "expression", member.Value.Text))
	}
	return one(replace(m.at, list))
}

// orderByName reads an entry {"a": "desc"} of orderBy.
func (m *mistake) orderByName() []Patch {
	p, entry := m.holder()
	clause := p.up().last()
	if clause != "orderBy" && clause != "windowOrderBy" || len(entry.Members) != 1 {
		return nil
	}
	only := entry.Members[0]
	direction := query.MeantDirection(only.Value.Text)
	if direction == "" || only.Value.Kind == jsontree.Bool {
		return nil
	}
	return one(replace(p, object("field", only.Key, "order", direction)))
}

// orderFlag reads {"field": "a", "desc": true} and {"field": "a", "sort": "desc"}.
func (m *mistake) orderFlag() []Patch {
	p, entry := m.holder()
	clause := p.up().last()
	_, directed := firstOf(entry, "order", "dir", "direction")
	if clause != "orderBy" && clause != "windowOrderBy" || directed.Kind != jsontree.Null || !m.found {
		return nil
	}
	key := strings.ToLower(m.at.last())
	word := query.MeantDirection(m.node.Text)
	if m.node.Kind == jsontree.Bool {
		named := query.MeantDirection(key)
		if key == "isdesc" {
			named = "desc"
		}
		word = map[string]string{"desc true": "desc", "desc false": "asc", "asc true": "asc", "asc false": "desc"}[named+" "+m.node.Text]
	}
	if word == "" {
		return nil
	}
	return one(remove(m.at), add(p.to("order"), text(word)))
}

// orderPair reads an entry ["a", "desc"] of orderBy.
func (m *mistake) orderPair() []Patch {
	clause := m.at.up().last()
	if clause != "orderBy" && clause != "windowOrderBy" || m.node.Kind != jsontree.Array || len(m.node.Items) != 2 {
		return nil
	}
	direction := query.MeantDirection(m.node.Items[1].Text)
	if direction == "" || m.node.Items[0].Kind != jsontree.String {
		return nil
	}
	return one(replace(m.at, object("field", m.node.Items[0], "order", direction)))
}

// calculatedText reads a calculated field in words: "a / b as margin".
func (m *mistake) calculatedText() []Patch {
	if m.at.up().last() != "calculatedFields" || m.node.Kind != jsontree.String {
		return nil
	}
	c, err := query.ParseColumn(m.node.Text)
	if err != nil || c.Alias == "" {
		return nil
	}
	return one(replace(m.at, object("name", c.Alias, "expression", c.Text)))
}

// nestedList takes the list out of a list that holds nothing else, and the text out of a list where a text belongs.
func (m *mistake) nestedList() []Patch {
	if m.node.Kind != jsontree.Array || len(m.node.Items) != 1 && m.at.last() != "0" {
		return nil
	}
	p, holder := m.holder()
	switch {
	case m.at.last() == "0" && holder.Kind == jsontree.Array && len(holder.Items) == 1:
		return one(replace(p, m.node))
	case m.at.last() == "field" && len(m.node.Items) == 1:
		return one(replace(m.at, m.node.Items[0]))
	}
	return nil
}

// flagInWords reads "true", "yes" or 1 as true.
func (m *mistake) flagInWords() []Patch {
	switch m.at.last() {
	case "returnTotal", "distinct", "withSubtotals", "others", "nullFirst", "nullLast", "showSql":
	default:
		return nil
	}
	if b, ok := boolOf(m.node); ok {
		return one(replace(m.at, flag(b)))
	}
	return nil
}

// boolOf reads a word or a digit as a boolean.
func boolOf(n jsontree.Node) (value, ok bool) {
	switch strings.ToLower(strings.TrimSpace(n.Text)) {
	case "true", "yes", "y", "1", "t", "on", "是":
		return true, true
	case "false", "no", "n", "0", "f", "off", "否":
		return false, true
	}
	return false, false
}

// numberInWords reads "10" as 10.
func (m *mistake) numberInWords() []Patch {
	switch m.at.last() {
	case "limit", "start", "page", "pageSize", "n", "maxDepth", "max_depth":
	default:
		return nil
	}
	if whole, err := strconv.ParseInt(strings.TrimSpace(m.node.Text), 10, 64); err == nil && m.node.Kind == jsontree.String {
		return one(replace(m.at, number(strconv.FormatInt(whole, 10))))
	}
	return nil
}

// mostRows asks for as many rows as anybody gets.
func (m *mistake) mostRows() []Patch {
	if m.fault.Meant == "" || !m.found {
		return nil
	}
	return one(replace(m.at, number(m.fault.Meant)))
}

// wholeNumber reads 10.0 and 1e3 as the whole numbers that they are.
func (m *mistake) wholeNumber() []Patch {
	if m.node.Kind != jsontree.Number || !strings.ContainsAny(m.node.Text, ".eE") {
		return nil
	}
	f, err := strconv.ParseFloat(m.node.Text, 64)
	if err != nil || f != float64(int64(f)) || f < 0 || f > 1e9 {
		return nil
	}
	return one(replace(m.at, number(strconv.FormatInt(int64(f), 10))))
}

// wordMeant puts the word that was meant: one that is known to stand for it, or the only one near.
func (m *mistake) wordMeant() []Patch {
	if m.node.Kind != jsontree.String && m.node.Kind != jsontree.Number || !m.found || len(m.fault.Allowed) == 0 {
		return nil
	}
	to := m.fault.Meant
	if to == "" {
		to = meantName(m.node.Text, m.fault.Allowed)
	}
	if to == "" {
		return nil
	}
	return one(replace(m.at, text(to)))
}
