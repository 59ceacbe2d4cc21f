package service

import (
	"fmt"
	"strings"

	"parlance/internal/access"
	"parlance/internal/compile"
	"parlance/internal/query"
	"parlance/internal/semantic"
)

// aggregated are the words of aggregations.
var aggregated = map[string]string{
	"sum": "sum of", "avg": "average of", "count": "number of", "count_distinct": "number of different", "min": "least", "max": "greatest",
	"median": "median of", "group_concat": "list of", "stddev_pop": "standard deviation (of all) of",
	"stddev_samp": "standard deviation (of a sample) of", "var_pop": "variance (of all) of", "var_samp": "variance (of a sample) of",
}

// explained returns the columns of the answer with what they mean.
func (t target) explained(q *query.Query, c *compile.Compiled) []ExplainedColumn {
	named := map[string]query.Expr{}
	for _, column := range q.Columns {
		named[column.Key()] = column.Expr
	}
	overrides := map[*semantic.Field]string{}
	for _, g := range q.GroupBy {
		if g.Agg != "" {
			overrides[t.Field(g.Field)] = strings.ToLower(g.Agg)
		}
	}
	columns := make([]ExplainedColumn, len(c.Columns))
	for i, column := range c.Columns {
		columns[i] = ExplainedColumn{Name: column.Key, Caption: column.Caption, DataType: column.Type.Name()}
		x, ok := named[column.Key]
		if !ok {
			x = &query.Ref{Name: column.Key}
		}
		columns[i].Meaning = t.meaning(x, q, c.Grouped, overrides)
		if !ok && columns[i].Meaning == column.Key {
			columns[i].Meaning = column.Caption // what a clause of the query adds, such as a period
		}
	}
	return columns
}

// meaning says in words what a column's values are, in names that the caller sees.
func (t target) meaning(x query.Expr, q *query.Query, grouped bool, overrides map[*semantic.Field]string) string {
	switch x := x.(type) {
	case *query.Ref:
		f := t.Field(x.Name)
		if f == nil || t.grant.Field(f) == access.Hidden {
			return t.computed(x.Name, q)
		}
		if f.Measure == nil {
			return t.described(f)
		}
		if word := aggregated[overrides[f]]; word != "" {
			return word + " " + f.Caption
		}
		if word := aggregated[aggregation(f.Measure)]; grouped && word != "" && !origin(f.Measure).AggregateOnly() {
			return word + " " + f.Caption
		}
		return t.described(f)
	case *query.Call:
		word := aggregated[x.Func]
		if x.Star && x.Func == "count" {
			return "number of rows"
		}
		if ref, ok := soleRef(x); ok && word != "" && x.Over == nil {
			if f := t.Field(ref.Name); f != nil && t.grant.Field(f) != access.Hidden {
				return word + " " + f.Caption
			}
		}
	}
	return x.String()
}

// described is a field's caption with what its author says of it.
func (t target) described(f *semantic.Field) string {
	text := f.Caption
	if f.Description != "" {
		text += ": " + strings.TrimSuffix(f.Description, ".")
	}
	if t.tellsMask(f) {
		text += " (masked)"
	}
	return text
}

// computed is the expression of a calculated field, or the name itself.
func (t target) computed(name string, q *query.Query) string {
	for _, c := range q.Calculated {
		if c.Name == name {
			return c.Expr.String()
		}
	}
	return name
}

func soleRef(c *query.Call) (*query.Ref, bool) {
	if len(c.Args) != 1 {
		return nil, false
	}
	ref, ok := c.Args[0].(*query.Ref)
	return ref, ok
}

// summary puts the query into a sentence.
func (t target) summary(e *Explanation, q *query.Query, c *compile.Compiled) string {
	parts := make([]string, len(e.Columns))
	for i, column := range e.Columns {
		parts[i], _, _ = strings.Cut(column.Meaning, ": ")
	}
	text := t.Caption + ": " + strings.Join(parts, ", ")
	switch keys := t.captions(c.Applied.GroupBy); {
	case c.Grouped && len(keys) > 0:
		text += "; one row for each " + strings.Join(keys, " and ")
	case c.Grouped:
		text += "; one row over all"
	case q.Distinct:
		text += "; each different row once"
	}
	if len(c.Applied.Before) > 0 {
		text += "; of the rows where " + strings.Join(c.Applied.Before, " and ")
	}
	if len(c.Applied.After) > 0 {
		text += "; then only where " + strings.Join(c.Applied.After, " and ")
	}
	if order := orderWords(e, q); order != "" {
		text += "; ordered by " + order
	}
	return text + "; " + e.Limit + "."
}

// captions returns the captions of fields, or the names of what is no field.
func (t target) captions(names []string) []string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = name
		if f := t.Field(name); f != nil && t.grant.Field(f) != access.Hidden {
			list[i] = f.Caption
		}
	}
	return list
}

func orderWords(e *Explanation, q *query.Query) string {
	orders := q.OrderBy
	if q.Top != nil && len(orders) == 0 {
		orders = []query.Order{q.Top.By}
	}
	var words []string
	for _, o := range orders {
		word := o.Expr.String()
		if o.Desc {
			word += " descending"
		}
		words = append(words, word)
	}
	if len(words) == 0 && e.Applied.Defaults != nil {
		for _, word := range e.Applied.Defaults.OrderBy {
			if name, desc := strings.CutPrefix(word, "-"); desc {
				word = name + " descending"
			}
			words = append(words, word)
		}
	}
	return strings.Join(words, ", ")
}

// limitWords says how many rows an answer has at most, and who chose that.
func limitWords(c *compile.Compiled) string {
	text := fmt.Sprintf("at most %d rows", c.Limit)
	if c.LimitSource == compile.LimitDefault {
		text += " (no limit was named)"
	}
	if c.Start > 0 {
		text += fmt.Sprintf(", from row %d on", c.Start+1)
	}
	return text
}
