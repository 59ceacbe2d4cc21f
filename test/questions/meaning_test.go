package questions

import (
	"fmt"
	"slices"
	"strings"

	"parlance/internal/query"
	"parlance/internal/question"
)

// meaning is a query without its wording: what two readings of a question are compared by.
type meaning struct {
	model   string
	values  []string // measures, or agg(measure) where it is not the measure's own
	groups  []string
	filters []string
	order   string // +value or -value; only where the question asks for it
	limit   int64
}

func (m meaning) String() string {
	sorted := func(list []string) string { return strings.Join(slices.Sorted(slices.Values(list)), ", ") }
	return fmt.Sprintf("%s: %s by [%s] where [%s] order %s limit %d", m.model, sorted(m.values), sorted(m.groups), sorted(m.filters), m.order, m.limit)
}

// own are the measures' own aggregations, which a query may spell out.
var own = map[string]string{"count(*)": "", "count_distinct(customer$id)": "uniqueCustomers"}

// meaningOf reads the meaning off a proposal; order counts only where the expected meaning has one.
func meaningOf(p *question.Proposal, counts string, ordered bool) meaning {
	m := meaning{model: p.Model}
	groups := map[string]bool{}
	for _, g := range p.Query.GroupBy {
		if !strings.HasSuffix(g.Field, "$id") {
			m.groups = append(m.groups, g.Field)
			groups[g.Field] = true
		}
	}
	names := map[string]string{}
	for _, c := range p.Query.Columns {
		text := c.Expr.String()
		if groups[text] || strings.HasSuffix(text, "$id") {
			continue
		}
		value := plainly(text, counts)
		names[c.Key()] = value
		m.values = append(m.values, value)
	}
	for _, c := range append(p.Query.Slice, p.Query.Having...) {
		m.filters = append(m.filters, conditionOf(c))
	}
	if ordered {
		for _, o := range p.Query.OrderBy {
			sign := "+"
			if o.Desc {
				sign = "-"
			}
			m.order += sign + names[o.Expr.String()]
		}
	}
	if p.Query.Paging.Limit != nil {
		m.limit = *p.Query.Paging.Limit
	}
	return m
}

// plainly writes sum(x) as x and count(*) as the model's measure for it.
func plainly(text, counts string) string {
	switch {
	case text == "count(*)":
		return counts
	case own[text] != "":
		return own[text]
	case strings.HasPrefix(text, "sum(") && strings.HasSuffix(text, ")"):
		return text[4 : len(text)-1]
	case text == "avg(unitPrice)":
		return "unitPrice"
	}
	return text
}

func conditionOf(c query.Condition) string {
	compare, ok := c.(*query.Compare)
	if !ok {
		return c.String()
	}
	text := compare.Field.String() + " " + compare.Op.String() + " "
	switch v := compare.Value.(type) {
	case query.Scalar:
		return text + v.Text
	case query.List:
		var values []string
		for _, item := range v {
			values = append(values, item.Text)
		}
		if compare.Op == query.InList || compare.Op == query.NotInList {
			slices.Sort(values)
		}
		return text + strings.Join(values, "|")
	}
	return c.String()
}
