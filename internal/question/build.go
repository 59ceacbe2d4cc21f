package question

import (
	"fmt"
	"strings"
	"time"

	"parlance/internal/query"
	"parlance/internal/semantic"
)

// proposal makes the query of a complete draft, with its words.
func (d *draft) proposal() Proposal {
	q := &query.Query{ReturnTotal: len(d.groups) > 0}
	p := Proposal{Model: d.model.Name, Query: q, Language: d.lang.tag(), Confidence: 1}
	for _, g := range d.groups {
		d.addGroup(q, g.field)
		if id := d.id(g.field); id != nil {
			d.addGroup(q, id)
		}
		p.Keys = append(p.Keys, d.keyColumn(g))
	}
	if d.against != nil {
		q.Time = d.window()
		q.ReturnTotal = false
		p.Keys = append([]Named{{Key: "period", Name: periodNames[d.lang][d.against.grain], Kind: TimeColumn}}, p.Keys...)
	}
	for _, a := range d.asks {
		if d.alone {
			break
		}
		c := d.column(a)
		q.Columns = append(q.Columns, c)
		p.Values = append(p.Values, d.valueColumn(a, c.Key()))
		if d.against != nil {
			p.Values = append(p.Values, d.comparedColumns(p.Values[len(p.Values)-1])...)
		}
	}
	for _, x := range d.derived {
		q.Calculated = append(q.Calculated, query.Calculated{Name: x.name, Expr: x.expr})
		q.Columns = append(q.Columns, query.Column{Expr: &query.Ref{Name: x.name}, Text: x.name})
		p.Values = append(p.Values, Named{Key: x.name, Name: x.text, Kind: NumberColumn, Type: x.unit})
	}
	d.conditions(q)
	d.orders(q)
	if d.limit > 0 {
		n := int64(d.limit)
		q.Paging.Limit = &n
	}
	p.Text = d.sentence()
	p.state = d.state()
	return p
}

func (d *draft) addGroup(q *query.Query, f *semantic.Field) {
	q.Columns = append(q.Columns, query.Column{Expr: ref(f), Text: f.Name})
	q.GroupBy = append(q.GroupBy, query.Group{Field: f.Name})
}

func ref(f *semantic.Field) *query.Ref { return &query.Ref{Name: f.Name} }

// column returns the column of what is asked for: the measure itself, or an aggregate under a name of its own.
func (d *draft) column(a ask) query.Column {
	if a.agg == "" && (len(d.groups) > 0 || d.against != nil || a.field.Measure.AggregateOnly()) {
		return query.Column{Expr: ref(a.field), Text: a.field.Name}
	}
	if a.agg == "" { // without a group the plain name would be each row's own value
		call := &query.Call{Func: string(a.field.Measure.Agg), Args: []query.Expr{ref(a.field)}}
		return query.Column{Expr: call, Alias: a.field.Name, Text: call.String()}
	}
	call := &query.Call{Func: string(a.agg), Star: a.field == nil}
	alias := "rows"
	if a.field != nil {
		call.Args = []query.Expr{ref(a.field)}
		alias = aliases[a.agg] + letters(a.field.Name)
	}
	for d.model.Field(alias) != nil {
		alias += "_"
	}
	return query.Column{Expr: call, Alias: alias, Text: call.String()}
}

var aliases = map[semantic.Agg]string{
	semantic.Sum: "total", semantic.Avg: "average", semantic.Max: "highest", semantic.Min: "lowest", semantic.Median: "median",
	semantic.CountDistinct: "distinct", semantic.Count: "count",
}

// letters returns the last part of a name with a capital, cut to what an alias may be.
func letters(name string) string {
	name = strings.NewReplacer("$", "_", ".", "_").Replace(name)
	runes := []rune(name)
	runes = runes[:min(len(runes), 40)]
	return strings.ToUpper(string(runes[:1])) + string(runes[1:])
}

// conditions writes the filters: values, the time, and comparisons.
func (d *draft) conditions(q *query.Query) {
	slice := func(c func(path string) query.Condition) {
		q.Slice = append(q.Slice, c(fmt.Sprintf("slice[%d]", len(q.Slice))))
	}
	for _, f := range d.filters {
		slice(f.condition)
	}
	if len(d.spans) > 0 && d.against == nil {
		slice(d.during)
	}
	if len(d.days) > 0 {
		slice(d.onDays)
	}
	for _, t := range d.rowTest {
		slice(t.condition)
	}
	for i, t := range d.having {
		q.Having = append(q.Having, t.condition(fmt.Sprintf("having[%d]", i)))
	}
}

func (f filter) condition(path string) query.Condition {
	c := &query.Compare{Field: ref(f.field), Op: query.Equal, Value: f.values[0], Path: path}
	switch {
	case len(f.values) > 1 && f.not:
		c.Op, c.Value = query.NotInList, query.List(f.values)
	case len(f.values) > 1:
		c.Op, c.Value = query.InList, query.List(f.values)
	case f.not:
		c.Op = query.NotEqual
	}
	return c
}

// during returns the condition that a row happened in one of the periods.
func (d *draft) during(path string) query.Condition {
	if len(d.spans) == 1 {
		return within(d.when, d.spans[0], path)
	}
	either := &query.Logic{Op: query.AnyOf, Path: path}
	for i, p := range d.spans {
		either.Conds = append(either.Conds, within(d.when, p, fmt.Sprintf("%s.$or[%d]", path, i)))
	}
	return either
}

func within(f *semantic.Field, p period, path string) query.Condition {
	c := &query.Compare{Field: ref(f), Op: query.RightOpenInterval, Path: path}
	switch {
	case p.to.IsZero():
		c.Op, c.Value = query.GreaterEqual, date(p.from)
	case p.from.IsZero():
		c.Op, c.Value = query.Less, date(p.to)
	default:
		c.Value = query.List{date(p.from), date(p.to)}
	}
	return c
}

func date(t time.Time) query.Scalar {
	return query.Scalar{Kind: query.StringLiteral, Text: t.Format(time.DateOnly)}
}

func (t trial) condition(path string) query.Condition {
	c := &query.Compare{Field: ref(t.field), Op: t.op, Value: query.Scalar{Kind: query.NumberLiteral, Text: t.a}, Path: path}
	if t.op == query.ClosedInterval {
		c.Value = query.List{{Kind: query.NumberLiteral, Text: t.a}, {Kind: query.NumberLiteral, Text: t.b}}
	}
	return c
}

// orders puts time in its course and everything else by the first number, unless the question says how.
func (d *draft) orders(q *query.Query) {
	if d.order != nil && d.against != nil && (d.wish.growth != nil || d.wish.year != nil || d.wish.month != nil || d.wish.week != nil) {
		key := d.column(d.order.by).Key() + "__ratio"
		q.OrderBy = append(q.OrderBy, query.Order{Expr: &query.Ref{Name: key}, Desc: d.order.desc})
		return
	}
	if d.order != nil {
		e := query.Order{Expr: &query.Ref{Name: d.shown(d.order.by)}, Desc: d.order.desc}
		q.OrderBy = append(q.OrderBy, e)
		return
	}
	for _, g := range d.groups {
		if d.ofTime(g.field) {
			q.OrderBy = append(q.OrderBy, query.Order{Expr: ref(g.field)})
		}
	}
	if len(d.groups) > 0 && len(q.OrderBy) == 0 && d.against == nil {
		q.OrderBy = append(q.OrderBy, query.Order{Expr: &query.Ref{Name: d.shown(d.asks[0])}, Desc: true})
	}
}

// shown returns the name of the column that tells a number: its own, or that of what is shown in its place.
func (d *draft) shown(a ask) string {
	if d.alone {
		return d.derived[0].name
	}
	return d.column(a).Key()
}
