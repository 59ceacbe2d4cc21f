package compile

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"parlance/internal/compile/sqlgen"
	"parlance/internal/query"
	"parlance/internal/value"
)

// template is a compiled query whose arguments, and whose words of what was applied, have open places for values. It is
// never changed.
type template struct {
	compiled *Compiled
	args     []openArg
	words    []openWord
}

// openArg is an argument that holds a value, or a list of which one element does.
type openArg struct {
	statement, at int // which statement, in the order of statementsOf, and which of its arguments
	element       int // of a list; -1: the argument itself
	value         int
}

// openWord is a text of what was applied with values in it: parts[0] value[0] parts[1] value[1] … parts[n].
type openWord struct {
	after  bool // in Applied.After, not in Before
	at     int
	parts  []string
	values []int
}

// newTemplate returns the template of a shape, or nil if its statements depend on the values. It compiles the query twice
// with values that nobody else has: what differs between the two is where values stand. Whatever a value was turned into
// other than itself is then found nowhere, and there is no template.
func newTemplate(compile func(*query.Query) (*Compiled, error), q *query.Query, values []query.Scalar) *template {
	first, second := stand('1', values), stand('2', values)
	a, err := compile(replaced(q, values, first))
	if err != nil {
		return nil
	}
	b, err := compile(replaced(q, values, second))
	if err != nil {
		return nil
	}
	t := &template{compiled: a}
	d := differ{t: t, first: first, second: second}
	if !d.statements(a, b) || !d.words(a.Applied.Before, b.Applied.Before, false) || !d.words(a.Applied.After, b.Applied.After, true) {
		return nil
	}
	if !reflect.DeepEqual(t.fill(second), b) {
		return nil
	}
	return t
}

// stand returns values to stand for others, of the same classes, each unlike all others. Every text has what any way of
// quoting, folding or escaping would change.
func stand(set byte, values []query.Scalar) []query.Scalar {
	list := make([]query.Scalar, len(values))
	for i, v := range values {
		text := strconv.Itoa(i + 100)
		if v.Kind == query.StringLiteral {
			text = "\x01Ss'\"%_\\.(É" + string(set) + text + "\x01"
		} else {
			text = string(set) + "0918273645546" + text
		}
		list[i] = query.Scalar{Kind: v.Kind, Text: text}
	}
	return list
}

// replaced returns a query with other values in the places that a shape leaves open.
func replaced(q *query.Query, values, others []query.Scalar) *query.Query {
	c := *q
	c.Slice, c.Having = replacedIn(q.Slice, values, others), replacedIn(q.Having, values, others)
	return &c
}

func replacedIn(list []query.Condition, values, others []query.Scalar) []query.Condition {
	swap := func(v query.Scalar) query.Scalar {
		if i := slices.Index(values, v); i >= 0 {
			return others[i]
		}
		return v
	}
	out := make([]query.Condition, len(list))
	for i, c := range list {
		switch c := c.(type) {
		case *query.Compare:
			changed := *c
			if v, ok := c.Value.(query.Scalar); ok && leavesOpen(c.Op) {
				changed.Value = swap(v)
			}
			if l, ok := c.Value.(query.List); ok && leavesOpen(c.Op) {
				other := make(query.List, len(l))
				for i, v := range l {
					other[i] = swap(v)
				}
				changed.Value = other
			}
			out[i] = &changed
		case *query.Logic:
			changed := *c
			changed.Conds = replacedIn(c.Conds, values, others)
			out[i] = &changed
		case *query.ExprCondition:
			out[i] = c
		}
	}
	return out
}

// statementsOf returns the statements of a compiled query, to be read or filled.
func statementsOf(c *Compiled) []*sqlgen.Statement {
	list := []*sqlgen.Statement{&c.Page, &c.Count}
	for i := range c.Extra {
		list = append(list, &c.Extra[i])
	}
	if c.Totals != nil {
		list = append(list, c.Totals)
	}
	return list
}

// fill returns the compiled query with these values in its places.
func (t *template) fill(values []query.Scalar) *Compiled {
	c := *t.compiled
	if len(t.args) == 0 && len(t.words) == 0 {
		return &c
	}
	if c.Totals != nil {
		totals := *c.Totals
		c.Totals = &totals
	}
	c.Extra = slices.Clone(c.Extra)
	last := openArg{statement: -1}
	for _, open := range t.args {
		st := c.statement(open.statement)
		if open.statement != last.statement {
			st.Args = slices.Clone(st.Args)
		}
		if list, ok := st.Args[open.at].([]string); ok && (open.statement != last.statement || open.at != last.at) {
			st.Args[open.at] = slices.Clone(list)
		}
		fillArg(&st.Args[open.at], open.element, values[open.value].Text)
		last = open
	}
	c.Applied.Before, c.Applied.After = t.fillWords(c.Applied.Before, false, values), t.fillWords(c.Applied.After, true, values)
	return &c
}

// statement returns one statement in the order of statementsOf.
func (c *Compiled) statement(i int) *sqlgen.Statement {
	switch {
	case i == 0:
		return &c.Page
	case i == 1:
		return &c.Count
	case i-2 < len(c.Extra):
		return &c.Extra[i-2]
	}
	return c.Totals
}

// fillArg puts a text into an argument, in the form that the argument has.
func fillArg(arg *any, element int, text string) {
	switch was := (*arg).(type) {
	case int64:
		n, _ := strconv.ParseInt(text, 10, 64) // a class of numbers that 64 bits hold
		*arg = n
	case value.Value:
		*arg = value.Of(was.Kind, text)
	case []string:
		was[element] = text
	default:
		*arg = text
	}
}

func (t *template) fillWords(list []string, after bool, values []query.Scalar) []string {
	copied := false
	for _, w := range t.words {
		if w.after != after {
			continue
		}
		if !copied {
			list, copied = slices.Clone(list), true
		}
		var b strings.Builder
		for i, part := range w.parts {
			b.WriteString(part)
			if i < len(w.values) {
				b.WriteString(values[w.values[i]].String())
			}
		}
		list[w.at] = b.String()
	}
	return list
}
