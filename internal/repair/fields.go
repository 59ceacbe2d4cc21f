package repair

import (
	"slices"
	"strings"

	"parlance/internal/jsontree"
	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// fieldMeant puts the field that was meant where a name is that the model does not have.
func (m *mistake) fieldMeant() []Patch {
	var mends []Patch
	for _, name := range m.candidates(m.fault.Got) {
		if patch := m.renamed(m.fault.Got, name); patch != nil {
			mends = append(mends, patch)
		}
	}
	return mends
}

// closestName puts the only name near.
func (m *mistake) closestName() []Patch {
	if len(m.fault.Closest) != 1 {
		return nil
	}
	if patch := m.renamed(m.fault.Got, m.fault.Closest[0]); patch != nil {
		return []Patch{patch}
	}
	return nil
}

// candidates returns what a name may stand for: nothing where it is unclear, several where the trial decides.
func (m *mistake) candidates(got string) []string {
	fields := m.fields()
	names := append(fieldNames(fields), m.aliases()...)
	if alike := same(got, names); len(alike) > 0 {
		return only(alike)
	}
	if d := dimensionOf(got, fields); d != nil {
		return m.ofDimension(d)
	}
	if name := attributeMeant(got, fields); name != "" {
		return []string{name}
	}
	if called := calledSo(got, fields); len(called) > 0 {
		if f := called[0]; len(called) == 1 && f.Role == semantic.Label {
			return m.ofDimension(f.Dimension)
		}
		return only(fieldNames(called))
	}
	if name := nearest(got, names); name != "" {
		return []string{name}
	}
	return nil
}

func only(names []string) []string {
	if len(names) == 1 {
		return names
	}
	return nil
}

func fieldNames(fields []*semantic.Field) []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return names
}

// aliases are the names that the payload itself gives.
func (m *mistake) aliases() []string {
	var names []string
	columns, _ := m.payload("columns")
	for _, c := range columns.Items {
		if parsed, err := query.ParseColumn(c.Text); err == nil && parsed.Alias != "" {
			names = append(names, parsed.Alias)
		}
	}
	calculated, _ := m.payload("calculatedFields")
	for _, c := range calculated.Items {
		if name, ok := c.Get("name"); ok {
			names = append(names, name.Text)
		}
	}
	return names
}

// dimensionOf returns the dimension that a bare name is.
func dimensionOf(got string, fields []*semantic.Field) *semantic.Dimension {
	for _, f := range fields {
		if d := f.Dimension; d != nil && !f.Tree && (folded(d.Path) == folded(got) || d.Alias != "" && folded(d.Alias) == folded(got)) {
			return d
		}
	}
	return nil
}

// ofDimension returns the fields that a dimension's bare name may stand for where it stands: its caption as a column,
// its id in a tree or a count of different ones, and in a filter whichever fits the value.
func (m *mistake) ofDimension(d *semantic.Dimension) []string {
	var seen []string
	for _, role := range []semantic.Role{semantic.Label, semantic.ID} {
		for _, f := range m.fields() {
			if f.Dimension == d && f.Role == role && !f.Tree {
				seen = append(seen, f.Name)
			}
		}
	}
	caption, id := d.Path+"$caption", d.Path+"$id"
	keep := func(name string) []string {
		if slices.Contains(seen, name) {
			return []string{name}
		}
		return nil
	}
	function := m.functionAround(m.fault.Got)
	switch {
	case m.hierarchical() || function == "count_distinct" || function == "count":
		return keep(id)
	case function != "":
		return nil
	case m.filtering() && d.Date && d.LabelType.Kind == value.Date:
		if together.MatchString(m.valueText()) && d.IDType.Kind == value.Integer {
			return keep(id)
		}
		return keep(caption)
	case m.filtering():
		return seen
	}
	return keep(caption)
}

// functionAround is the function whose only argument a name is, in the text of the place; "" where it is none.
func (m *mistake) functionAround(name string) string {
	found := ""
	walkTexts(m.node, nil, func(_ pointer, s string) {
		c, err := query.ParseColumn(s)
		if err != nil {
			return
		}
		query.Walk(c.Expr, func(e query.Expr) bool {
			if call, ok := e.(*query.Call); ok && len(call.Args) == 1 && call.Args[0].String() == name {
				found = call.Func
			}
			return true
		})
	})
	return found
}

// condition returns the condition that the place is in, and where it stands; the zero node where it is in its short
// form, or in none.
func (m *mistake) condition() (pointer, jsontree.Node) {
	for p := m.at; len(p) > 2; p = p.up() {
		n, _ := at(m.args, p)
		if _, ok := n.Get("field"); ok {
			return p, n
		}
	}
	return nil, jsontree.Node{}
}

func (m *mistake) hierarchical() bool {
	_, condition := m.condition()
	op, _ := condition.Get("op")
	known, _ := query.ParseOp(op.Text)
	return m.filtering() && known.Hierarchical()
}

// valueText is the value of the condition, or the first of its list.
func (m *mistake) valueText() string {
	_, condition := m.condition()
	v, ok := condition.Get("value")
	if !ok {
		v = m.node
	}
	if len(v.Items) > 0 {
		v = v.Items[0]
	}
	return v.Text
}

// attributeMeant reads what people write for a dimension's caption and id: customer$name, customer.key.
func attributeMeant(got string, fields []*semantic.Field) string {
	cut := strings.LastIndexAny(got, "$.")
	if cut < 0 {
		return ""
	}
	d := dimensionOf(got[:cut], fields)
	if d == nil {
		return ""
	}
	last := folded(got[cut+1:])
	role := ""
	switch strings.TrimPrefix(last, folded(d.Name)) {
	case "name", "label", "title", "text", "displayname":
		role = "caption"
	case "key", "code", "no", "number", "pk", "identifier", "id":
		role = "id"
	case "day", "date", "fulldate", "value":
		if d.Date {
			role = "caption"
		}
	}
	name := d.Path + "$" + role
	if role != "" && slices.Contains(fieldNames(fields), name) {
		return name
	}
	return ""
}

// calledSo returns the fields that people call by a word: by caption, by synonym, or an attribute without its
// dimension.
func calledSo(got string, fields []*semantic.Field) []*semantic.Field {
	var found []*semantic.Field
	for _, f := range fields {
		if f.Derived || f.Tree {
			continue
		}
		names := []string{f.Caption}
		if f.Type.Kind != value.Boolean { // weekday is a word for isWeekend in a question, not as a column
			names = append(names, f.Synonyms...)
		}
		if f.Dimension != nil && f.Role == semantic.Plain {
			names = append(names, f.Name[strings.LastIndexByte(f.Name, '$')+1:])
		}
		if len(same(got, names)) > 0 {
			found = append(found, f)
		}
	}
	return found
}

// renamed puts one name for another in the text, or the key, that the place is.
func (m *mistake) renamed(from, to string) Patch {
	if !m.found {
		return nil
	}
	if p, holder := m.holder(); m.at.last() == from && holder.Kind == jsontree.Object { // {"status": "done"}
		return Patch{move(m.at, p.to(to))}
	}
	var patch Patch
	walkTexts(m.node, m.at, func(p pointer, s string) {
		switch p.last() {
		case "value", "order", "dir", "direction", "op", "name", "caption", "description":
			if !slices.Equal(p, m.at) {
				return
			}
		}
		if replaced := replaceName(s, from, to); replaced != s {
			patch = append(patch, replace(p, text(replaced)))
		}
	})
	return patch
}

// replaceName replaces a name wherever it stands for itself in a text: not within a longer name, nor in quotes.
func replaceName(s, from, to string) string {
	if strings.TrimSpace(s) == from {
		return to
	}
	var b strings.Builder
	quote := rune(0)
	for i := 0; i < len(s); {
		r := rune(s[i])
		if quote != 0 || r == '\'' || r == '"' {
			if quote == 0 {
				quote = r
			} else if r == quote {
				quote = 0
			}
		} else if strings.HasPrefix(s[i:], from) && !namedBefore(s[:i]) && !namedAfter(s[i+len(from):]) {
			b.WriteString(to)
			i += len(from)
			continue
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}

func namedBefore(s string) bool { return s != "" && nameByte(s[len(s)-1]) }
func namedAfter(s string) bool  { return s != "" && nameByte(s[0]) }

// nameByte reports whether a byte can be part of a name; every byte of a letter beyond ASCII can.
func nameByte(c byte) bool {
	return c == '_' || c == '$' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
