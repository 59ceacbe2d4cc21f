package resolve

import (
	"slices"
	"time"

	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// TimeWindow is the periods of a query and, for each, the other stretch of time that it is set beside.
type TimeWindow struct {
	Field   Expr
	Periods []Period
	Within  Expr // the rows of the whole range, for totals
}

// Period is one period of the answer: its name, its own stretch of time and the one beside it.
type Period struct {
	Label string
	Spans [2]Span // Own and Beside
}

// The two spans of a period; an Agg's Part says over which it is taken.
const (
	Own    = 0
	Beside = 1
)

// Span is [From, To) in the type of the time field. An empty span has no bounds.
type Span struct{ From, To Literal }

// PeriodName is the name of the period that a row was counted in: a group key.
type PeriodName struct{}

// Type is text.
func (PeriodName) Type() value.Type { return text }

// Level is RowLevel.
func (PeriodName) Level() Level { return RowLevel }

// String names it.
func (PeriodName) String() string { return "period:" }

func (PeriodName) bound() {}

const (
	periodKey  = "period"
	maxPeriods = 1500
)

// bindTime binds timeWindow: it adds the column period and, for every metric, its value beside.
func (c *clauses) bindTime() error {
	t := c.in.Time
	if t == nil {
		return nil
	}
	if c.model.Multi != nil {
		return notInMultiFact("timeWindow", c.model, "timeWindow")
	}
	field, err := c.timeField(t.Field)
	if err != nil {
		return err
	}
	from, to, err := c.timeRange(field)
	if err != nil {
		return err
	}
	spans, err := c.periods(field, from, to)
	if err != nil {
		return err
	}
	c.out.Time = &TimeWindow{Field: field, Periods: spans, Within: op(And, boolean,
		op(Ge, boolean, field, c.today.literal(from, field.Type())), op(Lt, boolean, field, c.today.literal(to, field.Type())))}
	c.ranges = append(c.ranges, Range{Field: field.(Field).Name, From: from.Format(time.DateOnly), To: to.Format(time.DateOnly)})
	if c.names[periodKey] != nil || c.lookup(periodKey) != nil {
		return nameTaken(periodKey, "timeWindow gives that name to the period", c.whereNamed(periodKey))
	}
	period := &column{Named: Named{Key: periodKey, Expr: PeriodName{}, Caption: "Period"}, path: "timeWindow", text: periodKey}
	c.names[periodKey] = &definition{bound: &period.Named}
	c.addKey(PeriodName{}, periodKey)
	c.columns = append([]*column{period}, c.columns...)
	return nil
}

// timeField returns the date or timestamp that periods are cut from: a field, or a date dimension.
func (c *clauses) timeField(name string) (Expr, error) {
	const path = "timeWindow.field"
	if c.lookup(name) == nil && c.lookup(name+"$caption") != nil {
		name += "$caption"
	}
	f, err := c.field(name, path)
	if err != nil {
		return nil, err
	}
	if err := c.unmasked(f, name, path); err != nil {
		return nil, err
	}
	if !cuttable(f) {
		return nil, c.notATime(name, Field{f}.Type(), path)
	}
	return Field{f}, nil
}

// cuttable reports whether periods can be cut from a field: a date or time as it is stored.
func cuttable(f *semantic.Field) bool {
	return f.Type.Temporal() && f.Of == nil && !f.Tree
}

func (c *clauses) timeRange(field Expr) (from, to time.Time, err error) {
	const path = "timeWindow.range"
	for i, s := range c.in.Time.Range {
		at := path
		if len(c.in.Time.Range) > 1 {
			at += "[" + itoa(i) + "]"
		}
		p, err := c.periodOf(field, s, at)
		if err != nil {
			return from, to, err
		}
		if i == 0 {
			from = p.from
		}
		to = p.to
	}
	if !midnight(from) || !midnight(to) || !from.Before(to) {
		return from, to, badRange(c.in.Time.Range, path)
	}
	return from, to, nil
}

// periods cuts the range into periods of the grain and finds the stretch beside each.
func (c *clauses) periods(field Expr, from, to time.Time) ([]Period, error) {
	t := c.in.Time
	if err := checkComparison(t); err != nil {
		return nil, err
	}
	var list []Period
	for at := from; at.Before(to); {
		start, end := grainAround(t.Grain, at)
		end = earlier(end, to)
		own, beside := stretch{at, end}, c.beside(t, at, end)
		list = append(list, Period{Label: grainLabel(t.Grain, start), Spans: [2]Span{c.bounds(own, field.Type()), c.bounds(beside, field.Type())}})
		if len(list) > maxPeriods {
			return nil, tooManyPeriods(t, "timeWindow.range")
		}
		at = end
	}
	return list, nil
}

func (c *clauses) bounds(s stretch, t value.Type) Span {
	if !s.from.Before(s.to) {
		return Span{}
	}
	return Span{c.today.literal(s.from, t), c.today.literal(s.to, t)}
}

// checkComparison refuses a comparison that has no meaning at the grain.
func checkComparison(t *query.TimeWindow) error {
	fits := map[query.Comparison][]query.Grain{
		query.MonthOnMonth: {query.DayGrain, query.MonthGrain},
		query.WeekOnWeek:   {query.DayGrain, query.WeekGrain},
		query.MonthToDate:  {query.DayGrain, query.WeekGrain},
	}
	grains, limited := fits[t.Comparison]
	if !limited {
		return nil
	}
	var words []string
	for _, g := range grains {
		if g == t.Grain {
			return nil
		}
		words = append(words, string(g))
	}
	return noSuchComparison(t, words)
}

// besideColumns puts the values beside right behind each metric's column.
func (c *clauses) besideColumns() error {
	if c.out.Time == nil {
		return nil
	}
	metrics := c.in.Time.Metrics
	met := map[string]bool{}
	var all []*column
	for _, col := range c.columns {
		all = append(all, col)
		named := slices.Contains(metrics, col.Key) || slices.Contains(metrics, col.text)
		if len(metrics) > 0 && !named || col.Expr.Level() != GroupLevel {
			continue
		}
		met[col.Key], met[col.text] = true, true
		more, err := c.besideOf(col)
		if err != nil {
			return err
		}
		all = append(all, more...)
	}
	for i, m := range metrics {
		if !met[m] {
			return c.unknownMetric(m, "timeWindow.targetMetrics["+itoa(i)+"]")
		}
	}
	c.columns = all
	return nil
}

// whereNamed returns where the query gives a name that timeWindow gives as well: at timeWindow itself where it is the
// model that has it.
func (c *clauses) whereNamed(name string) string {
	for i, f := range c.in.Calculated {
		if f.Name == name {
			return "calculatedFields[" + itoa(i) + "].name"
		}
	}
	for i, col := range c.in.Columns {
		if col.Alias == name {
			return query.Entry("columns", i)
		}
	}
	return "timeWindow"
}

func (c *clauses) besideOf(col *column) ([]*column, error) {
	if !col.Expr.Type().Numeric() {
		if len(c.in.Time.Metrics) == 0 {
			return nil, nil
		}
		return nil, wrongOperand("timeWindow", operand{col.Expr, col.text}, "a number", col.path)
	}
	other := taken(col.Expr, Beside)
	named := func(suffix string, e Expr) *column {
		return &column{Named: Named{Key: col.Key + "__" + suffix, Expr: e, Caption: col.Caption + " " + suffix, Summed: true}, path: col.path, text: col.Key + "__" + suffix}
	}
	var list []*column
	switch t := c.in.Time; t.Comparison {
	case query.YearOnYear, query.MonthOnMonth, query.WeekOnWeek:
		diff := arithmetic(Sub, col.Expr, other)
		if diff == nil {
			return nil, tooManyDigits(col.Key+"__diff", col.path)
		}
		rate := arithmetic(Div, diff, other)
		if rate == nil {
			return nil, tooManyDigits(col.Key+"__ratio", col.path)
		}
		list = []*column{named("prior", other), named("diff", diff), named("ratio", rate)}
	default:
		list = []*column{named(string(t.Comparison), other)}
	}
	for _, n := range list {
		if c.names[n.Key] != nil || c.lookup(n.Key) != nil {
			return nil, nameTaken(n.Key, "timeWindow gives that name to a value beside", c.whereNamed(n.Key))
		}
		c.names[n.Key] = &definition{bound: &n.Named}
	}
	return list, nil
}

// taken returns an aggregate expression over the other span of each period.
func taken(e Expr, part int) Expr {
	return Rewrite(e, func(x Expr) (Expr, bool) {
		a, ok := x.(*Agg)
		if !ok {
			return nil, false
		}
		moved := *a
		moved.Part = part
		return &moved, true
	})
}

// checkTimeFree refuses other uses of the time field: the periods decide which rows count, and a second condition on
// the same time would cut the stretch that they are set beside.
func (c *clauses) checkTimeFree() error {
	if c.out.Time == nil {
		return nil
	}
	own := c.out.Time.Field.(Field)
	uses := func(e Expr) (found bool) {
		Visit(e, func(x Expr) bool {
			if f, ok := x.(Field); ok && sameTime(f.Field, own.Field) {
				found = true
			}
			_, agg := x.(*Agg)
			return !agg
		})
		return found
	}
	if uses(c.out.Rows) {
		return timeFilteredTwice(own.Name)
	}
	for i, k := range c.out.Keys {
		if uses(k) {
			return timeGroupedTwice(c.out.KeyNames[i])
		}
	}
	return nil
}

func sameTime(a, b *semantic.Field) bool {
	if b.Dimension != nil {
		return a.Dimension == b.Dimension
	}
	return a == b
}
