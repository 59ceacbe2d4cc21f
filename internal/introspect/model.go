package introspect

import (
	"slices"
	"strings"

	"parlance/internal/relation"
	"parlance/internal/value"
)

// model is a model file before it is written.
type model struct {
	name, caption, description string
	table                      *relation.Table
	key                        []string
	keyGuess                   string // a column that by its name is the key, where none is declared
	time                       string
	dimensions                 []*dimension
	attributes                 []*field
	measures                   []*field
	remarks                    []string // what could not be taken over
}

// field is an attribute, or a measure where it has an aggregation.
type field struct {
	name, column, agg, typ, caption, description string
	remark                                       string
	nullable                                     bool
	kind                                         value.Kind
}

// dimension is a dimension of a model or of another dimension.
type dimension struct {
	name, caption, description string
	link                       link
	id, label                  string
	date                       bool
	parent                     string // the column of a tree
	parentGuessed              bool
	nullable                   bool
	attributes                 []*field
	dimensions                 []*dimension
	remarks                    []string
}

// The size of a model: how deep dimensions are nested, and how many there may be before another is nested. Those that
// the rows themselves point to are always there.
const (
	maxDepth      = 3
	maxDimensions = 40
)

// builder makes one model.
type builder struct {
	world      *world
	dimensions int // made so far, and those still to come that are not nested
}

func (w *world) model(t *relation.Table, taken names) *model {
	b := &builder{world: w, dimensions: len(w.links[t])}
	m := &model{table: t, name: taken.take(spelledModel(t.Name)), key: rowKey(t)}
	m.caption, m.description = told(t.Comment, about(t.Name))
	if len(m.key) == 0 {
		m.keyGuess = ownKey(t, func(column string) bool { return shown(*t.Column(column)) })
	}
	scope := newNames()
	var covered []string
	m.dimensions, covered, m.remarks = b.nested(t, []*relation.Table{t}, scope)
	m.remarks = append(m.remarks, w.remarks[t]...)
	var rest []relation.Column
	for _, c := range t.Columns {
		switch agg, counted := w.aggregation(t, c); {
		case !shown(c):
			m.remarks = append(m.remarks, leftOut(c))
		case slices.Contains(covered, c.Name):
		case counted:
			m.measures = append(m.measures, measure(scope, c, agg))
		default:
			rest = append(rest, c)
		}
	}
	for _, c := range rest {
		m.attributes = append(m.attributes, attribute(scope, c, "field"))
	}
	m.measures = append(m.measures, count(scope, t))
	m.time = m.when()
	m.levels()
	return m
}

func spelledModel(table string) string {
	if name := pascal(words(table)); name != "" {
		return title(spelled(name, "model"))
	}
	return "Model"
}

// about is a table's subject for people.
func about(table string) string {
	list := words(table)
	if len(list) > 1 && slices.Contains(tablePrefixes, list[0]) {
		list = list[1:]
	}
	if len(list) == 0 {
		return table
	}
	return sentence(list)
}

// rowKey returns the columns that tell a table's rows apart: of the primary key, or of a unique set that is never null.
func rowKey(t *relation.Table) []string {
	for _, key := range t.Keys() {
		if !slices.ContainsFunc(key, func(name string) bool {
			c := t.Column(name)
			return c == nil || !shown(*c) || c.Nullable && !slices.Contains(t.Primary, name)
		}) {
			return key
		}
	}
	return nil
}

// shown reports whether a model can name a column without more ado.
func shown(c relation.Column) bool { return c.Type.Kind != value.Null && usable(c.Name) }

func leftOut(c relation.Column) string {
	if !usable(c.Name) {
		return "a column whose name cannot be written is left out"
	}
	return "column " + c.Name + " is left out: its type " + strings.ToLower(c.Native) + " cannot be queried"
}

// reserved are names that the attributes of every dimension have by rule.
var reserved = []string{"id", "caption", "hierarchy"}

// attribute makes an attribute of a column; word begins a name that could not be one, or may not.
func attribute(scope names, c relation.Column, word string, taken ...string) *field {
	list := words(c.Name)
	if len(list) == 1 && slices.Contains(taken, list[0]) {
		list = append([]string{word}, list...)
	}
	f := &field{name: scope.field(list, word), column: c.Name, typ: typeWord(c), nullable: c.Nullable, kind: c.Type.Kind}
	f.caption, f.description = told(c.Comment, named(c.Name))
	return f
}

func named(column string) string {
	if list := words(column); len(list) > 0 {
		return sentence(list)
	}
	return column
}

// typeWord returns the type as a model file writes it; "" for text, which needs no word.
func typeWord(c relation.Column) string {
	switch c.Type.Kind {
	case value.Integer:
		return "integer"
	case value.Decimal:
		if list := words(c.Name); c.Type.Scale == 2 && hasWord(list, moneyWords) && !hasWord(list, ratioWords) {
			return "money"
		}
		return "decimal"
	case value.Float:
		return "decimal"
	case value.Boolean:
		return "boolean"
	case value.Date:
		return "date"
	case value.Timestamp:
		return "timestamp"
	case value.Null, value.String:
	}
	return ""
}

// told turns a comment into a caption if it is short, otherwise into a description beside the fallback.
func told(comment, fallback string) (caption, description string) {
	const short = 40
	comment = strings.Join(strings.Fields(strings.ToValidUTF8(comment, "")), " ")
	comment = strings.Map(printable, comment)
	switch {
	case comment == "":
		return fallback, ""
	case len([]rune(comment)) <= short:
		return strings.TrimRight(comment, "."), ""
	}
	return fallback, comment
}
