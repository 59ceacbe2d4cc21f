package execute

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"parlance/internal/access"
	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
	"parlance/test/evaluate"
)

// rowRule keeps the rows that a condition holds for.
type rowRule struct {
	keeps  rowCondition
	unless exemption
}

// rowCondition is a comparison with an attribute or with constants, or an and or an or of some.
type rowCondition struct {
	and, or   []rowCondition
	field, op string
	attribute string   // "": values count
	values    []string // as YAML writes them
	depth     int
}

func (c rowCondition) yaml() string {
	nested := func(key string, list []rowCondition) string {
		texts := make([]string, len(list))
		for i, one := range list {
			texts[i] = one.yaml()
		}
		return "{" + key + ": [" + strings.Join(texts, ", ") + "]}"
	}
	switch {
	case c.and != nil:
		return nested("and", c.and)
	case c.or != nil:
		return nested("or", c.or)
	}
	text := fmt.Sprintf("{field: %s, op: %q", c.field, c.op)
	switch {
	case c.attribute != "":
		text += ", attribute: " + c.attribute
	case len(c.values) > 0:
		text += ", value: [" + strings.Join(c.values, ", ") + "]"
	}
	if c.depth > 0 {
		text += fmt.Sprintf(", max_depth: %d", c.depth)
	}
	return text + "}"
}

// errUnfit says that somebody has a value that a rule cannot read.
var errUnfit = errors.New("the identity has a value of another type")

// keeps returns which rows of each fact somebody sees: those that the fact's own rules and the model's keep.
func (g *granted) keeps(m *semantic.Model, id access.Identity, in evaluate.Input) (func(*semantic.Model, func(*semantic.Field) evaluate.Value) bool, error) {
	facts := []*semantic.Model{m}
	if m.Multi != nil {
		facts = m.Multi.Facts
	}
	tests := map[*semantic.Model][]rowTest{}
	for _, fact := range facts {
		for _, r := range g.policies[fact.Name].rows {
			if err := g.bind(tests, r, fact, id, in, func(name string) *semantic.Field { return fact.Field(name) }); err != nil {
				return nil, err
			}
		}
		if m.Multi == nil {
			continue
		}
		for _, r := range g.policies[m.Name].rows {
			if err := g.bind(tests, r, fact, id, in, func(name string) *semantic.Field { return m.Multi.Field(fact, m.Field(name)) }); err != nil {
				return nil, err
			}
		}
	}
	return func(fact *semantic.Model, read func(*semantic.Field) evaluate.Value) bool {
		return !slices.ContainsFunc(tests[fact], func(t rowTest) bool { return !t(read) })
	}, nil
}

type rowTest func(read func(*semantic.Field) evaluate.Value) bool

func (g *granted) bind(to map[*semantic.Model][]rowTest, r rowRule, fact *semantic.Model, id access.Identity, in evaluate.Input, named func(string) *semantic.Field) error {
	if r.unless.holds(id) {
		return nil
	}
	t, err := g.rowTest(r.keeps, fact, id, in, named)
	to[fact] = append(to[fact], t)
	return err
}

func (g *granted) rowTest(c rowCondition, fact *semantic.Model, id access.Identity, in evaluate.Input, named func(string) *semantic.Field) (rowTest, error) {
	if c.and == nil && c.or == nil {
		return g.comparison(c, fact, id, in, named(c.field))
	}
	var tests []rowTest
	for _, one := range slices.Concat(c.and, c.or) {
		t, err := g.rowTest(one, fact, id, in, named)
		if err != nil {
			return nil, err
		}
		tests = append(tests, t)
	}
	return func(read func(*semantic.Field) evaluate.Value) bool {
		holds := func(t rowTest) bool { return t(read) }
		if c.or != nil {
			return slices.ContainsFunc(tests, holds)
		}
		return !slices.ContainsFunc(tests, func(t rowTest) bool { return !holds(t) })
	}, nil
}

// comparison is one comparison by hand: a null matches nothing, nor does an attribute without a value; several values are
// alternatives, each of which a negative operator leaves out; what takes one value, or two, takes no other number.
func (g *granted) comparison(c rowCondition, fact *semantic.Model, id access.Identity, in evaluate.Input, f *semantic.Field) (rowTest, error) {
	op, _ := query.ParseOp(c.op)
	switch op {
	case query.Null:
		return func(read func(*semantic.Field) evaluate.Value) bool { return read(f).IsNull() }, nil
	case query.NotNull:
		return func(read func(*semantic.Field) evaluate.Value) bool { return !read(f).IsNull() }, nil
	case query.NullOrEmpty:
		return func(read func(*semantic.Field) evaluate.Value) bool {
			v := read(f)
			return v.IsNull() || v.Kind == value.String && v.Text == ""
		}, nil
	case query.NotNullOrEmpty:
		return func(read func(*semantic.Field) evaluate.Value) bool {
			v := read(f)
			return !v.IsNull() && (v.Kind != value.String || v.Text != "")
		}, nil
	}
	var list query.List
	for _, text := range g.values(c, id) {
		list = append(list, query.Scalar{Kind: query.StringLiteral, Text: text})
	}
	nothing := func(func(*semantic.Field) evaluate.Value) bool { return false }
	if len(list) == 0 {
		return nothing, nil
	}
	if op.Hierarchical() {
		return g.below(c, op, list, f), nil
	}
	if takes := op.Arity(); takes == query.TakesInterval && len(list) != 2 || ordered[op] && len(list) != 1 {
		return nothing, nil
	}
	if f.Type.Kind == value.Boolean {
		for i := range list {
			list[i].Kind = query.BoolLiteral
			if list[i].Text != "true" && list[i].Text != "false" {
				return nil, errUnfit
			}
		}
	}
	positive, negated := op, false
	if p, ok := positives[op]; ok {
		positive, negated = p, true
	}
	if op == query.InList || op == query.StrictEqual {
		positive = query.Equal
	}
	if op == query.BitsSet && slices.ContainsFunc(list, func(s query.Scalar) bool { return strings.Trim(s.Text, "0123456789") != "" }) {
		return nil, errUnfit
	}
	if op == query.BitsSet || op.Arity() == query.TakesInterval {
		holds, err := evaluate.Holder(fact, in, measured(f), op, list)
		if err != nil {
			return nil, errUnfit
		}
		return func(read func(*semantic.Field) evaluate.Value) bool { return holds(read(f)) }, nil
	}
	var tests []func(evaluate.Value) bool
	for _, s := range list {
		holds, err := evaluate.Holder(fact, in, measured(f), positive, s)
		if err != nil {
			return nil, errUnfit
		}
		tests = append(tests, holds)
	}
	return func(read func(*semantic.Field) evaluate.Value) bool {
		v := read(f)
		return !v.IsNull() && slices.ContainsFunc(tests, func(t func(evaluate.Value) bool) bool { return t(v) }) != negated
	}, nil
}

var (
	ordered   = map[query.Op]bool{query.Greater: true, query.GreaterEqual: true, query.Less: true, query.LessEqual: true}
	positives = map[query.Op]query.Op{
		query.NotEqual: query.Equal, query.NotInList: query.Equal, query.NotContains: query.Contains,
		query.NotStartsWith: query.StartsWith, query.NotEndsWith: query.EndsWith,
	}
)

// measured is the type of a field in a row: a measure's own column.
func measured(f *semantic.Field) value.Type {
	if f.Measure != nil {
		return f.Measure.Type
	}
	return f.Type
}

// values returns the texts that a comparison compares with.
func (g *granted) values(c rowCondition, id access.Identity) []string {
	if c.attribute != "" {
		return id.Attributes[c.attribute]
	}
	texts := make([]string, len(c.values))
	for i, v := range c.values {
		texts[i] = strings.Trim(v, `"`)
	}
	return texts
}

// below walks the tree of teams by the world's closure table.
func (g *granted) below(c rowCondition, op query.Op, nodes query.List, f *semantic.Field) rowTest {
	steps := map[[2]string]int64{}
	for _, t := range g.world.tables {
		if t.name == "closure" {
			for _, r := range t.rows {
				steps[[2]string{r[0].Text, r[1].Text}] = r[2].Num.Num().Int64()
			}
		}
	}
	low, high, up := int64(1), int64(1000), false
	switch op {
	case query.ChildrenOf:
		high = 1
	case query.SelfAndDescendantsOf:
		low = 0
	case query.AncestorsOf:
		up = true
	case query.SelfAndAncestorsOf:
		low, up = 0, true
	}
	if c.depth > 0 {
		high = min(high, int64(c.depth))
	}
	return func(read func(*semantic.Field) evaluate.Value) bool {
		v := read(f)
		return !v.IsNull() && slices.ContainsFunc(nodes, func(n query.Scalar) bool {
			pair := [2]string{n.Text, v.Text}
			if up {
				pair = [2]string{v.Text, n.Text}
			}
			d, ok := steps[pair]
			return ok && d >= low && d <= high
		})
	}
}
