package question

import (
	"fmt"
	"slices"
	"strconv"

	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// derived is a number made of what is asked for: a share, a growth, a running total.
type derived struct {
	name string
	expr query.Expr
	text string
	unit value.Type
}

// against sets every period beside another stretch of time.
type against struct {
	comparison query.Comparison
	grain      query.Grain
}

func (w *wishes) collect(it *item) {
	for _, m := range it.marks {
		if to := w.of(m.mark); to != nil && !m.used {
			m.used = true
			*to = m
		}
	}
}

// of returns the wish that a mark speaks of, or nil.
func (w *wishes) of(m marker) **markUse {
	switch m {
	case share:
		return &w.share
	case growth:
		return &w.growth
	case yearOnYear:
		return &w.year
	case monthOnMonth:
		return &w.month
	case weekOnWeek:
		return &w.week
	case running:
		return &w.running
	case often:
		return &w.often
	case trend:
		return &w.trend
	case atPresent:
		return &w.present
	}
	return nil
}

// shape turns the plain numbers into shares, growths or running totals where the question wishes so.
func (d *draft) shape() *doubt {
	if d.wish.often != nil && len(d.asks) == 0 && d.model.Multi == nil {
		d.asks = append(d.asks, d.rowCount())
	}
	if d.wish.often != nil && !slices.ContainsFunc(d.asks, d.countsRows) {
		return d.unclear(d.wish.often.sense)
	}
	if d.wish.trend != nil && len(d.maybe) == 0 {
		if doubt := d.alongTime(); doubt != nil {
			return doubt
		}
	}
	if d.wish.present != nil && !d.standing() {
		return d.unclear(d.wish.present.sense)
	}
	switch w := d.wish; {
	case len(d.asks) == 0:
		return nil
	case w.running != nil:
		return d.runningTotal()
	case w.year != nil || w.month != nil || w.week != nil || w.growth != nil:
		return d.growing()
	case w.share != nil:
		return d.shares()
	}
	return nil
}

// countsRows reports whether what is asked for is the number of rows.
func (d *draft) countsRows(a ask) bool {
	return a.field == d.rows && a.agg == "" || a.field == nil || a.field.Measure != nil && a.field.Measure.Agg == semantic.Count && a.agg == ""
}

// alongTime splits the answer by time, finer than the period that is asked about.
func (d *draft) alongTime() *doubt {
	if d.timeGroup() != nil {
		return nil
	}
	unit := semantic.Month
	if len(d.spans) == 1 && (d.spans[0].unit == semantic.Month || d.spans[0].unit == semantic.Week) {
		unit = semantic.Day
	}
	f := d.grainField(unit)
	if f == nil {
		return d.unclear(d.wish.trend.sense)
	}
	d.groups = append([]group{{f, d.name(f), grouped}}, d.groups...)
	return nil
}

// timeGroup returns the group that cuts the model's time, or nil.
func (d *draft) timeGroup() *group {
	for i, g := range d.groups {
		if d.ofTime(g.field) && g.field.Type.Kind != value.Boolean {
			return &d.groups[i]
		}
	}
	return nil
}

// standing reports whether the numbers are as of today anyway: levels, or rows without a time.
func (d *draft) standing() bool {
	for _, a := range d.asks {
		if a.field != nil && a.field.Measure != nil && a.field.Measure.SemiAdd == nil && d.when != nil {
			return false
		}
	}
	return len(d.asks) > 0 || d.when == nil
}

// additive reports whether the parts of what is asked for add up to the whole.
func additive(a ask) bool {
	if a.field == nil {
		return true
	}
	m := a.field.Measure
	return a.agg == "" && m != nil && m.SemiAdd == nil && (m.Agg == semantic.Sum || m.Agg == semantic.Count)
}

// shares puts beside each number its share of the whole or, where the answer is not split, gives the share of the rows
// that the question names.
func (d *draft) shares() *doubt {
	a := d.asks[0]
	if len(d.asks) > 1 || !additive(a) || len(d.having) > 0 {
		return d.unclear(d.wish.share.sense)
	}
	if len(d.groups) > 0 && len(d.filters) > 0 && d.shareOfMore() {
		return d.unclear(d.wish.share.sense)
	}
	if len(d.groups) > 0 {
		whole := &query.Call{Func: "sum", Args: []query.Expr{d.reference(a)}, Over: &query.Window{}}
		d.derive("share", times100(&query.Binary{Op: query.Div, X: d.reference(a), Y: whole}), sayings[d.lang].shareOf)
		return nil
	}
	part, whole := d.partOf()
	switch {
	case len(part) == 0:
		return &doubt{message: sayings[d.lang].shareOfWhat}
	case len(part) > 1 && len(whole) == 0:
		return d.whichShare(part)
	}
	return d.shareOf(part, whole)
}

// shareOfMore reports whether the share of each group may be one of more than the rows that the question names: VIP sales
// as a share of the total by year.
func (d *draft) shareOfMore() bool {
	said := d.wish.share.sense
	whole := false
	for _, t := range d.tokens[said.to-1 : min(said.to+2, len(d.tokens))] {
		whole = whole || isOneOf(t.word, "total", "whole", "总")
	}
	return whole || slices.ContainsFunc(d.items, func(it *item) bool {
		return it.kind == member && (it.to == said.from || it.from >= said.to && it.from <= said.to+1)
	})
}

// partOf tells the filters that make the part from those that make the whole: in the share of online orders that are
// cancelled, the part is told behind what is counted.
func (d *draft) partOf() (part, whole []filter) {
	if len(d.filters) == 1 {
		return d.filters, nil
	}
	thing := -1
	for _, it := range d.items {
		if it.kind == measure || it.kind == entity {
			thing = it.from
			break
		}
	}
	for _, f := range d.filters {
		if f.at > thing && d.lang == english {
			part = append(part, f)
		} else {
			whole = append(whole, f)
		}
	}
	if len(part) == 0 {
		return whole, nil
	}
	return part, whole
}

// shareOf asks for the share of the rows of part among those of whole.
func (d *draft) shareOf(part, whole []filter) *doubt {
	var cond query.Expr
	for _, f := range part {
		if f.not {
			return d.unclear(d.wish.share.sense)
		}
		c := f.expression()
		if cond == nil {
			cond = c
		} else {
			cond = &query.Binary{Op: query.And, X: cond, Y: c}
		}
	}
	a := d.asks[0]
	var counted, all query.Expr = &query.Literal{Kind: query.NumberLiteral, Text: "1"}, &query.Call{Func: "count", Star: true}
	if a.field != nil && a.field.Measure.Agg == semantic.Sum {
		if a.field.Measure.Filter != nil {
			return d.unclear(d.wish.share.sense)
		}
		counted, all = ref(a.field), &query.Call{Func: "sum", Args: []query.Expr{ref(a.field)}}
	} else if a.field != nil && (a.field.Measure.Filter != nil || a.field.Measure.Column != "") {
		return d.unclear(d.wish.share.sense)
	}
	zero := &query.Literal{Kind: query.NumberLiteral, Text: "0"}
	partly := &query.Call{Func: "sum", Args: []query.Expr{&query.Call{Func: "if", Args: []query.Expr{cond, counted, zero}}}}
	d.filters, d.part, d.alone = whole, part, true
	d.derive("share", times100(&query.Binary{Op: query.Div, X: partly, Y: all}), d.sayPart(part, a))
	return nil
}

// whichShare asks which of several conditions make the part.
func (d *draft) whichShare(filters []filter) *doubt {
	doubt := &doubt{message: sayings[d.lang].whichShare}
	try := func(part, whole []filter) {
		with := *d
		with.derived = nil
		if with.shareOf(part, whole) == nil && with.unused() == nil && len(with.maybe) == 0 {
			doubt.choices = append(doubt.choices, &with)
		}
	}
	for i := range filters {
		var rest []filter
		rest = append(append(rest, filters[:i]...), filters[i+1:]...)
		try(filters[i:i+1:i+1], rest)
	}
	try(filters, nil)
	doubt.choices = doubt.choices[:min(len(doubt.choices), maxChoices)]
	return doubt
}

// runningTotal adds up along the time that the answer is split by.
func (d *draft) runningTotal() *doubt {
	along := d.timeGroup()
	a := d.asks[0]
	if along == nil || len(d.asks) > 1 || !additive(a) {
		return d.unclear(d.wish.running.sense)
	}
	over := &query.Window{OrderBy: []query.Order{{Expr: ref(along.field)}}}
	for i := range d.groups {
		if &d.groups[i] != along {
			over.PartitionBy = append(over.PartitionBy, ref(d.groups[i].field))
		}
	}
	d.derive("running", &query.Call{Func: "sum", Args: []query.Expr{d.reference(a)}, Over: over}, d.sayRunning(a))
	d.derived[len(d.derived)-1].unit = d.valueColumn(a, "").Type
	return nil
}

// derive adds a derived number under a name that the model does not have.
func (d *draft) derive(name string, e query.Expr, text string) {
	for d.model.Field(name) != nil {
		name += "_"
	}
	d.derived = append(d.derived, derived{name, e, text, value.Type{Kind: value.Decimal, Scale: value.MinRatioScale, Style: value.Percent}})
}

// reference names what is asked for within an expression over groups.
func (d *draft) reference(a ask) query.Expr {
	if a.field == nil {
		return &query.Call{Func: "count", Star: true}
	}
	return ref(a.field)
}

func times100(e query.Expr) query.Expr {
	return &query.Binary{Op: query.Mul, X: e, Y: &query.Literal{Kind: query.NumberLiteral, Text: "100"}}
}

// expression returns a filter as a condition within an expression.
func (f filter) expression() query.Expr {
	literal := func(v query.Scalar) query.Expr { return &query.Literal{Kind: v.Kind, Text: v.Text} }
	if len(f.values) == 1 {
		return &query.Binary{Op: query.Eq, X: ref(f.field), Y: literal(f.values[0])}
	}
	in := &query.In{X: ref(f.field)}
	for _, v := range f.values {
		in.List = append(in.List, literal(v))
	}
	return in
}

// onDays returns the condition that a row happened on one of the days of the week; Monday is 1.
func (d *draft) onDays(path string) query.Condition {
	number := func(i int) query.Expr {
		return &query.Literal{Kind: query.NumberLiteral, Text: strconv.Itoa((int(d.days[i])+6)%7 + 1)}
	}
	of := &query.Call{Func: "day_of_week", Args: []query.Expr{ref(d.when)}}
	if len(d.days) == 1 {
		return &query.ExprCondition{Expr: &query.Binary{Op: query.Eq, X: of, Y: number(0)}, Path: path}
	}
	in := &query.In{X: of}
	for i := range d.days {
		in.List = append(in.List, number(i))
	}
	return &query.ExprCondition{Expr: in, Path: path}
}

func (d *draft) sayRunning(a ask) string { return fmt.Sprintf(sayings[d.lang].running, d.phraseOf(a)) }
