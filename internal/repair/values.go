package repair

import (
	"regexp"
	"strconv"
	"strings"

	"parlance/internal/jsontree"
	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// valueMeant writes a value as the field's type wants it. Which of the readings fits the type the trial tells; a text
// that is two days in two countries has none.
func (m *mistake) valueMeant() []Patch {
	if !m.found || !m.filtering() && m.clause() != "timeWindow" {
		return nil
	}
	var mends []Patch
	put := func(n jsontree.Node) { mends = append(mends, Patch{replace(m.at, n)}) }
	switch m.node.Kind {
	case jsontree.String:
		if period, ok := periodOf(m.node.Text); ok {
			put(text(period))
		} else if day, ok := m.dayOf(m.node.Text); ok {
			put(text(day))
		} else if n, ok := numberOf(m.node.Text); ok {
			put(number(n))
		}
	case jsontree.Number:
		if period, ok := periodOf(m.node.Text); ok {
			put(text(period))
		}
		put(text(m.node.Text))
	case jsontree.Bool:
		put(text(m.node.Text))
	case jsontree.Null, jsontree.Array, jsontree.Object:
		return nil
	}
	if b, ok := boolOf(m.node); ok && m.node.Kind != jsontree.Bool {
		put(flag(b))
	}
	if list, ok := m.listOf(); ok {
		put(list)
	}
	return append(mends, m.dateForKey()...)
}

// listOf splits the text of an operator that takes a list: "1, 2, 3".
func (m *mistake) listOf() (jsontree.Node, bool) {
	_, condition := m.holder()
	op, _ := condition.Get("op")
	known, _ := query.ParseOp(op.Text)
	values := parts(m.node.Text)
	if m.at.last() != "value" || known.Arity() != query.TakesList || m.node.Kind != jsontree.String || len(values) < 2 {
		return jsontree.Node{}, false
	}
	return texts(values), true
}

// dateForKey compares the calendar's day instead of its key, 20240305, with a date.
func (m *mistake) dateForKey() []Patch {
	p, condition := m.condition()
	name, _ := condition.Get("field")
	f := m.field(name.Text)
	if f == nil || f.Role != semantic.ID || f.Tree || !f.Dimension.Date || f.Dimension.LabelType.Kind != value.Date {
		return nil
	}
	return one(replace(p.to("field"), text(f.Dimension.Path+"$caption")))
}

var (
	grouped = regexp.MustCompile(`^-?\d{1,3}((,\d{3}){2,}|([_ ]\d{3})+)(\.\d+)?$`)
	padded  = regexp.MustCompile(`^\s*-?\d+(\.\d+)?\s*$`)
)

// numberOf reads 1,234,567 and 1_000. One comma alone may be a decimal point's.
func numberOf(s string) (string, bool) {
	if padded.MatchString(s) {
		return strings.TrimSpace(s), true
	}
	return strings.NewReplacer(",", "", "_", "", " ", "").Replace(s), grouped.MatchString(s)
}

// interval reads the two bounds of an interval that came as an object or a text.
func (m *mistake) interval() []Patch {
	p, condition := m.holder()
	op, _ := condition.Get("op")
	known, _ := query.ParseOp(op.Text)
	if !m.filtering() || m.at.last() != "value" || known.Arity() != query.TakesInterval {
		return nil
	}
	switch m.node.Kind {
	case jsontree.Object:
		low, high, sign, ok := boundsOf(m.node)
		if !ok {
			return nil
		}
		patch := Patch{replace(m.at, array(low, high))}
		if sign != "" && sign != known.String() {
			patch = append(patch, replace(p.to("op"), text(sign)))
		}
		return []Patch{patch}
	case jsontree.String:
		if inner, ok := decoded(m.node, jsontree.Array); ok && len(inner.Items) == 2 {
			return one(replace(m.at, inner))
		}
		for _, separator := range []string{"..", " to ", " and ", " - ", "~", ","} {
			if ends := strings.Split(m.node.Text, separator); len(ends) == 2 {
				return one(replace(m.at, texts([]string{strings.TrimSpace(ends[0]), strings.TrimSpace(ends[1])})))
			}
		}
	case jsontree.Null, jsontree.Bool, jsontree.Number, jsontree.Array:
	}
	return nil
}

// ends are the names of an interval's bounds: which end, and whether the name says that it is within or without.
var ends = map[string]struct {
	high   bool
	strict string // "", "in" or "out"
}{
	"from": {}, "min": {}, "start": {}, "lower": {}, "low": {}, "begin": {}, "minimum": {}, "value1": {}, "since": {},
	"to": {high: true}, "max": {high: true}, "end": {high: true}, "upper": {high: true}, "high": {high: true},
	"maximum": {high: true}, "value2": {high: true}, "until": {high: true},
	"gte": {strict: "in"}, "ge": {strict: "in"}, "lte": {high: true, strict: "in"}, "le": {high: true, strict: "in"},
	"gt": {strict: "out"}, "lt": {high: true, strict: "out"},
}

// boundsOf returns the two bounds of an object, and the operator that their names ask for, if they do.
func boundsOf(n jsontree.Node) (low, high jsontree.Node, op string, ok bool) {
	if len(n.Members) != 2 {
		return low, high, "", false
	}
	signs := [2]string{}
	seen := [2]bool{}
	for _, member := range n.Members {
		end, known := ends[folded(member.Key)]
		side := 0
		if end.high {
			side = 1
		}
		if !known || seen[side] || member.Value.Kind == jsontree.Object || member.Value.Kind == jsontree.Array {
			return low, high, "", false
		}
		seen[side], signs[side] = true, end.strict
		if end.high {
			high = member.Value
		} else {
			low = member.Value
		}
	}
	if signs[0] == "" && signs[1] == "" {
		return low, high, "", true
	}
	if signs[0] == "" || signs[1] == "" {
		return low, high, "", false
	}
	left := map[string]string{"in": "[", "out": "("}[signs[0]]
	right := map[string]string{"in": "]", "out": ")"}[signs[1]]
	return low, high, left + right, true
}

// bounds reads {"field": "x", "op": "between", "from": 1, "to": 2}.
func (m *mistake) bounds() []Patch {
	p, condition := m.holder()
	if !m.filtering() {
		return nil
	}
	op, _ := condition.Get("op")
	if known, given := query.ParseOp(query.MeantOperator(op.Text)); given && known.Arity() != query.TakesInterval {
		return nil
	}
	pair := jsontree.Node{Kind: jsontree.Object}
	patch := Patch{}
	for _, member := range condition.Members {
		switch _, end := ends[folded(member.Key)]; {
		case member.Key == "field" || member.Key == "op":
			continue
		case !end && member.Key != "value":
			return nil
		case member.Key == "value":
			member.Key = "value1"
			patch = append(patch, remove(p.to("value")))
		default:
			patch = append(patch, remove(p.to(member.Key)))
		}
		pair.Members = append(pair.Members, member)
	}
	low, high, sign, ok := boundsOf(pair)
	if !ok || op.Kind == jsontree.Null && sign == "" {
		return nil // without an operator only names such as gte say whether the ends are within
	}
	patch = append(patch, add(p.to("value"), array(low, high)))
	if sign != "" {
		patch = append(patch, add(p.to("op"), text(sign)))
	}
	return []Patch{patch}
}

// operatorKeys reads {"x": {"$gt": 5, "$lt": 9}} and {"x": {"op": ">", "value": 5}}.
func (m *mistake) operatorKeys() []Patch {
	p, holder := m.holder()
	if !m.filtering() || m.node.Kind != jsontree.Object || holder.Kind != jsontree.Object || m.at.last() == "value" {
		return nil
	}
	list := array()
	for _, member := range holder.Members {
		if member.Key != m.at.last() {
			list.Items = append(list.Items, jsontree.Node{Kind: jsontree.Object, Members: []jsontree.Member{member}})
			continue
		}
		conditions, ok := conditionsOf(member.Key, m.node)
		if !ok {
			return nil
		}
		list.Items = append(list.Items, conditions...)
	}
	if len(list.Items) == 1 {
		return one(replace(p, list.Items[0]))
	}
	return one(replace(p, object("$and", list)))
}

// conditionsOf reads an object of operators over a field.
func conditionsOf(field string, n jsontree.Node) ([]jsontree.Node, bool) {
	if op, ok := n.Get("op"); ok && len(n.Members) <= 2 {
		value, _ := n.Get("value")
		return []jsontree.Node{object("field", field, "op", op, "value", value)}, true
	}
	var list []jsontree.Node
	for _, member := range n.Members {
		op := query.MeantOperator(member.Key)
		if op == "" {
			return nil, false
		}
		list = append(list, object("field", field, "op", op, "value", member.Value))
	}
	return list, len(list) > 0
}

func atoi(s string) int { n, _ := strconv.Atoi(s); return n }
