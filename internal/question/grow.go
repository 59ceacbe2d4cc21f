package question

import (
	"time"

	"parlance/internal/query"
	"parlance/internal/semantic"
)

// grainNames are the grains as a time window writes them.
var grainNames = map[semantic.Grain]query.Grain{
	semantic.Year: query.YearGrain, semantic.Quarter: query.QuarterGrain, semantic.Month: query.MonthGrain, semantic.Week: query.WeekGrain, semantic.Day: query.DayGrain,
}

// growing sets every period beside an earlier one. Without a period to look at, each is set beside the one before it;
// otherwise the earlier stretch is read too, though it lies outside the period.
func (d *draft) growing() *doubt {
	said := d.growthWord()
	if len(d.asks) > 1 || d.model.Multi != nil || d.when == nil || d.wish.share != nil && d.wish.growth == nil || len(d.spans) > 1 || len(d.having) > 0 {
		return d.unclear(said)
	}
	grain := d.growthGrain()
	comparison := query.Comparison("")
	switch {
	case d.wish.year != nil:
		comparison = query.YearOnYear
	case d.wish.month != nil:
		comparison = query.MonthOnMonth
	case d.wish.week != nil:
		comparison = query.WeekOnWeek
	case grain == semantic.Year:
		comparison = query.YearOnYear
	}
	if comparison == "" {
		return d.whichGrowth(grain)
	}
	if grain == semantic.NoGrain {
		grain = map[query.Comparison]semantic.Grain{query.YearOnYear: semantic.Year, query.MonthOnMonth: semantic.Month, query.WeekOnWeek: semantic.Week}[comparison]
	}
	return d.compareTo(comparison, grain)
}

func (d *draft) growthWord() sense {
	for _, m := range []*markUse{d.wish.growth, d.wish.year, d.wish.month, d.wish.week} {
		if m != nil {
			return m.sense
		}
	}
	return d.first()
}

// growthGrain returns the grain that the answer is split by, or that of its period.
func (d *draft) growthGrain() semantic.Grain {
	if g := d.timeGroup(); g != nil {
		return d.grainOf(g.field)
	}
	switch {
	case d.wish.month != nil:
		return semantic.Month
	case d.wish.week != nil:
		return semantic.Week
	case len(d.spans) == 1:
		return d.spans[0].unit
	}
	return semantic.NoGrain
}

// grainOf returns the grain that a field cuts the model's time to.
func (v *Vocabulary) grainOf(f *semantic.Field) semantic.Grain {
	if f.Role == semantic.TimeGrain {
		return f.Grain
	}
	for _, g := range []semantic.Grain{semantic.Year, semantic.Quarter, semantic.Month, semantic.Week, semantic.Day} {
		if v.grainField(g) == f {
			return g
		}
	}
	return semantic.NoGrain
}

// compareTo makes the answer a comparison of periods.
func (d *draft) compareTo(c query.Comparison, g semantic.Grain) *doubt {
	grain, known := grainNames[g]
	fits := c == query.YearOnYear || c == query.MonthOnMonth && g == semantic.Month || c == query.WeekOnWeek && g == semantic.Week
	if !known || !fits || d.asks[0].field == nil || d.asks[0].agg != "" {
		return d.unclear(d.growthWord())
	}
	if len(d.spans) == 0 {
		if c == query.YearOnYear && g != semantic.Year {
			now := almanacOf(nil, d.model.Calendar, d.Now)
			d.spans = append(d.spans, now.current(semantic.Year))
		} else {
			return d.overBefore(g)
		}
	}
	if d.spans[0].from.IsZero() || d.spans[0].to.IsZero() {
		return d.unclear(d.growthWord())
	}
	groups := d.groups[:0:0]
	for _, other := range d.groups {
		if !d.ofTime(other.field) {
			groups = append(groups, other)
		}
	}
	d.groups = groups
	d.against = &against{comparison: c, grain: grain}
	return nil
}

// overBefore sets each period beside the one before it in the answer.
func (d *draft) overBefore(g semantic.Grain) *doubt {
	f := d.grainField(g)
	if along := d.timeGroup(); along != nil {
		f = along.field
	} else if f != nil {
		d.groups = append([]group{{f, d.name(f), grouped}}, d.groups...)
	}
	if f == nil || d.grainOf(f) != g || d.limit > 0 {
		return d.unclear(d.growthWord())
	}
	over := &query.Window{OrderBy: []query.Order{{Expr: ref(f)}}}
	for _, other := range d.groups {
		if other.field != f {
			over.PartitionBy = append(over.PartitionBy, ref(other.field))
		}
	}
	a := d.asks[0]
	before := func() query.Expr { return &query.Call{Func: "lag", Args: []query.Expr{d.reference(a)}, Over: over} }
	change := &query.Binary{Op: query.Sub, X: d.reference(a), Y: before()}
	d.derive("growth", times100(&query.Binary{Op: query.Div, X: change, Y: before()}), sayings[d.lang].growth)
	return nil
}

// whichGrowth asks with which earlier period a number is to be compared.
func (d *draft) whichGrowth(g semantic.Grain) *doubt {
	doubt := &doubt{message: sayings[d.lang].whichGrowth}
	comparisons := []query.Comparison{query.YearOnYear}
	switch g {
	case semantic.Month:
		comparisons = []query.Comparison{query.MonthOnMonth, query.YearOnYear}
	case semantic.Week:
		comparisons = []query.Comparison{query.WeekOnWeek, query.YearOnYear}
	case semantic.NoGrain:
		g = semantic.Year
	case semantic.Year, semantic.Quarter, semantic.Day, semantic.Hour:
	}
	for _, c := range comparisons {
		with := *d
		if with.compareTo(c, g) == nil && with.unused() == nil && len(with.maybe) == 0 {
			doubt.choices = append(doubt.choices, &with)
		}
	}
	return doubt
}

// window returns the time window of the comparison.
func (d *draft) window() *query.TimeWindow {
	p := d.spans[0]
	return &query.TimeWindow{
		Field: d.model.Time, Grain: d.against.grain, Comparison: d.against.comparison,
		Range: query.List{date(p.from), date(p.to.Add(-24 * time.Hour))},
	}
}
