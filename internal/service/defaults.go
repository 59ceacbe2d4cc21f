package service

import (
	"parlance/internal/compile"
	"parlance/internal/query"
	"parlance/internal/semantic"
)

// defaultsOf returns what a query left to the model, nil if nothing.
func defaultsOf(m seen, q *query.Query, c *compile.Compiled) *Defaults {
	d := Defaults{OrderBy: orderOf(m, q, c), Aggregations: aggregationsOf(m, q, c)}
	if d.OrderBy == nil && d.Aggregations == nil {
		return nil
	}
	return &d
}

// orderOf returns the order of rows that the query did not name: the keys of groups, or what the model says of its rows.
func orderOf(m seen, q *query.Query, c *compile.Compiled) []string {
	switch {
	case len(q.OrderBy) > 0 || q.Top != nil || q.Distinct:
		return nil
	case c.Grouped:
		return c.Applied.GroupBy
	}
	if order := defaultOrder(m); len(order) > 0 {
		return order
	}
	return nil
}

// aggregationsOf returns how plainly named measures were added up.
func aggregationsOf(m seen, q *query.Query, c *compile.Compiled) map[string]string {
	if !c.Grouped {
		return nil
	}
	given := map[*semantic.Field]bool{}
	for _, g := range q.GroupBy {
		if g.Agg != "" {
			given[m.Field(g.Field)] = true
		}
	}
	var taken map[string]string
	for _, column := range q.Columns {
		ref, ok := column.Expr.(*query.Ref)
		if !ok {
			continue
		}
		f := m.Field(ref.Name)
		if f == nil || f.Measure == nil || given[f] || origin(f.Measure).AggregateOnly() {
			continue
		}
		if taken == nil {
			taken = map[string]string{}
		}
		taken[ref.Name] = aggregation(f.Measure)
	}
	return taken
}
