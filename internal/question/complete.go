package question

import (
	"slices"

	"parlance/internal/semantic"
)

// periods turns the periods of the question into a filter on the model's time. Several are set side by side.
func (d *draft) periods() *doubt {
	first, tied := true, false
	alternatives := false
	for _, it := range d.items {
		if it.kind != span {
			continue
		}
		if d.ofEachYear(*it.span) {
			return d.unclear(it.sense)
		}
		if m := it.take(and, comma, or, versus); m != nil {
			if first && m.mark == versus {
				return d.unclear(it.sense) // set beside nothing
			}
			tied, alternatives = true, alternatives || m.mark == or
		} else {
			tied = false
		}
		if !first && !tied {
			return d.unclear(it.sense)
		}
		first = false
		d.spans = append(d.spans, *it.span)
	}
	if len(d.spans) == 0 && d.when != nil && !d.follows {
		d.spans = d.hints.TimeRange.spans()
		return nil
	}
	if len(d.spans) == 0 {
		return nil
	}
	if d.spans[0].end && !d.standing() {
		return &doubt{message: sayings[d.lang].twoPeriods}
	}
	if d.when == nil {
		return &doubt{message: sayings[d.lang].noTime(d.model.Caption)}
	}
	if len(d.spans) > 1 && !alternatives {
		return d.sideBySidePeriods()
	}
	return nil
}

// ofEachYear reports whether a month or quarter without a year is split by years: one of every year is meant.
func (d *draft) ofEachYear(p period) bool {
	return p.assumed && p.unit != semantic.Year && slices.ContainsFunc(d.groups, func(g group) bool { return d.ofTime(g.field) && d.grainOf(g.field) == semantic.Year })
}

// sideBySidePeriods splits the answer by the unit of its periods, unless it is split by time already.
func (d *draft) sideBySidePeriods() *doubt {
	d.end.take(versus)
	if slices.ContainsFunc(d.groups, func(g group) bool { return d.ofTime(g.field) }) {
		return nil
	}
	unit := d.spans[0].unit
	for _, p := range d.spans {
		if p.unit != unit {
			unit = semantic.NoGrain
		}
	}
	f := d.grainField(unit)
	if unit == semantic.NoGrain || f == nil {
		return &doubt{message: sayings[d.lang].twoPeriods}
	}
	d.groups = append([]group{{f, d.name(f), grouped}}, d.groups...)
	return nil
}

// complete checks that the draft is a whole question: something is asked for, every grammar word is used, and no part
// contradicts another.
func (d *draft) complete() *doubt {
	if s := d.unused(); s != nil {
		return d.unclear(*s)
	}
	if len(d.asks) == 0 {
		if !d.countable() {
			return d.noMeasure(rank{})
		}
		d.asks = append(d.asks, d.rowCount())
	}
	if doubt := d.contradiction(); doubt != nil {
		return doubt
	}
	if d.vagueCount != nil {
		return d.whichCount()
	}
	if d.order != nil && !slices.ContainsFunc(d.asks, func(a ask) bool { return a.field == d.order.by.field && a.agg == d.order.by.agg }) {
		d.cost += costPassed // ranked by what is not shown
	}
	if len(d.maybe) > 0 {
		return d.perhapsBy()
	}
	if d.listed && len(d.groups) == 0 && d.asks[0].bare {
		return &doubt{message: sayings[d.lang].noLists, choices: []*draft{d}}
	}
	return nil
}

// countable reports whether rows are what is asked for without a word that says so: a model that has no measures is
// split by something.
func (d *draft) countable() bool {
	named := slices.ContainsFunc(d.items, func(it *item) bool { return it.kind == entity })
	noMeasures := !slices.ContainsFunc(d.grant.Fields(), func(f *semantic.Field) bool { return f.Kind == semantic.MeasureKind })
	return named && noMeasures && len(d.groups) > 0
}

// unused returns a grammar word that found no use, or nil. Commas, and words that tie clauses together, need none.
func (d *draft) unused() *sense {
	for _, it := range append(slices.Clone(d.items), d.end) {
		for _, m := range it.marks {
			clause := m.mark == comma || m.mark == and && (it.kind == member || it.kind == test || it.kind == span)
			if !m.used && !clause {
				return &m.sense
			}
		}
	}
	return nil
}

// contradiction returns a doubt where the parts do not make one query.
func (d *draft) contradiction() *doubt {
	for _, t := range d.having {
		if len(d.groups) == 0 {
			return &doubt{message: sayings[d.lang].testWhat(t.text)}
		}
		for _, a := range d.asks {
			if a.agg != "" || !slices.ContainsFunc(d.having, func(t trial) bool { return t.field == a.field }) {
				return &doubt{message: sayings[d.lang].testWhat(t.text)}
			}
		}
	}
	for _, a := range d.asks {
		if a.agg != semantic.Avg {
			continue
		}
		for _, g := range d.groups {
			if g.role == perEach && (d.ofTime(g.field) || g.field.Role == semantic.Label) {
				return d.whichAverage(a, g)
			}
		}
	}
	return nil
}
