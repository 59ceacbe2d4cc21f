package question

import (
	"slices"
	"time"

	"parlance/internal/access"
	"parlance/internal/semantic"
)

// state is what a draft says, kept for the question after it. Its fields are those of the model as it was then; they are
// looked up by name before they are used again.
type state struct {
	asks    []ask
	groups  []group
	filters []filter
	spans   []period
	days    []time.Weekday
	rowTest []trial
	having  []trial
	order   *ordering
	limit   int
	wish    wishes
	lang    language // of the names
}

func (d *draft) state() *state {
	filters := append(slices.Clone(d.filters), d.part...)
	return &state{d.asks, d.groups, filters, d.spans, d.days, d.rowTest, d.having, d.order, d.limit, d.wish, d.lang}
}

// follow reads a question as a change of the one before it: over its model or, where the question asks for a number that
// only another model has, over that one. It returns nil when it is no such change.
func follow(l *line, a Ask) *Reading {
	l.readGrammar()
	var best []*draft
	for _, m := range a.Models {
		was, ok := m.rebind(a.Previous.state)
		if !ok {
			continue
		}
		same := m.model.Name == a.Previous.Model
		for _, d := range m.changes(l, was, same) {
			if same && len(best) > 0 && best[0].model.Name != a.Previous.Model {
				best = nil
			}
			if same || len(best) == 0 || best[0].model.Name != a.Previous.Model {
				best = append(best, d)
			}
		}
	}
	if len(best) == 0 {
		return nil
	}
	slices.SortStableFunc(best, func(x, y *draft) int { return x.cost - y.cost })
	r := decide(l, best)
	r.FollowUp = true
	return &r
}

// changes returns the drafts that the question makes of what was asked before, cheapest first.
func (a Asked) changes(l *line, was *state, same bool) []*draft {
	var drafts []*draft
	seen := map[string]bool{}
	for _, p := range a.lattice(l).paths(l) {
		if p.cost >= costUnknown {
			break
		}
		d, doubt := a.change(p, l, was, same)
		if doubt != nil {
			continue
		}
		if key := string(d.proposal().Query.JSON()); !seen[key] {
			seen[key] = true
			drafts = append(drafts, d)
		}
	}
	return drafts
}

// change makes a draft of a path that says only what is to be different.
func (a Asked) change(p *path, l *line, was *state, same bool) (*draft, *doubt) {
	d := a.draftOf(p.cost, p.senses(), l)
	was = d.renamed(was)
	for _, it := range append(slices.Clone(d.items), d.end) {
		for m := it.take(turnTo, ofThem); m != nil; m = it.take(turnTo, ofThem) {
			if m.mark == ofThem {
				it.take(which, whichMany)
			}
		}
		d.adds = it.take(also) != nil || d.adds
		it.take(and)
	}
	steps := []func(*draft) *doubt{(*draft).settle, (*draft).members, (*draft).fields}
	steps = append(steps, func(d *draft) *doubt { return d.testsOf(was) }, (*draft).measures, (*draft).subjects, (*draft).changedPeriods)
	steps = append(steps, func(d *draft) *doubt { return d.merge(was, same) }, (*draft).ranking, (*draft).shape, (*draft).complete)
	for _, step := range steps {
		if doubt := step(d); doubt != nil {
			return nil, doubt
		}
	}
	return d, nil
}

// testsOf is tests, where a comparison that stands alone is of the number asked for before.
func (d *draft) testsOf(was *state) *doubt {
	alone := len(d.items) == 1 && d.items[0].kind == test && len(was.asks) == 1 && was.asks[0].agg == "" && was.asks[0].field != nil
	if alone && len(was.groups) > 0 {
		d.having = append(d.having, trial{was.asks[0].field, *d.items[0].test, was.asks[0].text})
		return nil
	}
	return d.tests()
}

// changedPeriods is periods; one that follows a change of another kind needs no connective.
func (d *draft) changedPeriods() *doubt {
	doubt := d.periods()
	if doubt == nil && len(d.spans) > 0 {
		d.changed = true
	}
	return doubt
}

// merge puts what was asked before in the place of what the question leaves out. A question that changes nothing is no
// change.
func (d *draft) merge(was *state, same bool) *doubt {
	said := len(d.asks) + len(d.groups) + len(d.filters) + len(d.spans) + len(d.days) + len(d.rowTest) + len(d.having) + len(d.maybe)
	ranks := slices.ContainsFunc(append(slices.Clone(d.items), d.end), func(it *item) bool {
		return it.has(rankTop, rankBottom, most, least, moreIn, fewest, descend, ascend, rankAll)
	})
	whole := d.end.take(sum) != nil && said == 0 && len(was.groups) > 0
	if said == 0 && !ranks && !whole && d.wish == (wishes{}) || !same && len(d.asks) == 0 {
		return &doubt{message: sayings[d.lang].several}
	}
	d.mergeAsks(was)
	d.mergeGroups(was, ranks)
	if whole {
		d.groups, d.limit, d.order = nil, 0, nil
	}
	for _, f := range was.filters {
		if !slices.ContainsFunc(d.filters, func(o filter) bool { return o.field == f.field }) {
			d.filters = append(d.filters, f)
		}
	}
	if len(d.spans) == 0 {
		d.spans = was.spans
	}
	if len(d.days) == 0 {
		d.days = was.days
	}
	d.rowTest = mergeTrials(d.rowTest, was.rowTest)
	d.having = mergeTrials(d.having, was.having)
	for _, t := range d.having {
		if !slices.ContainsFunc(d.asks, func(a ask) bool { return a.field == t.field }) {
			d.asks = append(d.asks, ask{field: t.field, text: t.text})
		}
	}
	if d.wish == (wishes{}) {
		d.wish = was.wish
	}
	return nil
}

func (d *draft) mergeAsks(was *state) {
	d.limit = was.limit
	switch {
	case len(d.asks) == 0 || onlyTested(d):
		d.asks = slices.Clone(was.asks)
		d.order = was.order
	case d.adds:
		added := d.asks
		d.asks = slices.Clone(was.asks)
		for _, a := range added {
			if !slices.ContainsFunc(d.asks, func(o ask) bool { return o.field == a.field && o.agg == a.agg }) {
				d.asks = append(d.asks, a)
			}
		}
		d.order = was.order
	case was.order != nil:
		d.order = &ordering{d.asks[0], was.order.desc}
	}
}

// onlyTested reports whether the numbers of a draft are there for a comparison alone.
func onlyTested(d *draft) bool {
	return !slices.ContainsFunc(d.asks, func(a ask) bool {
		return !slices.ContainsFunc(d.having, func(t trial) bool { return t.field == a.field })
	}) && !slices.ContainsFunc(d.items, func(it *item) bool { return it.kind == measure && it.role == asked })
}

func (d *draft) mergeGroups(was *state, ranks bool) {
	for _, it := range d.maybe {
		d.groups = append(d.groups, group{it.field, d.name(it.field), grouped})
	}
	d.maybe = nil
	split := func(g group) bool {
		return slices.ContainsFunc(d.filters, func(f filter) bool { return f.field == g.field && f.split })
	}
	said := slices.DeleteFunc(slices.Clone(d.groups), split)
	timely := func(g group) bool { return d.ofTime(g.field) }
	switch {
	case len(said) == 0:
		d.groups = mergeFields(was.groups, d.groups)
	case d.adds:
		d.groups = mergeFields(was.groups, said)
	case !slices.ContainsFunc(said, func(g group) bool { return !timely(g) }) && slices.ContainsFunc(was.groups, timely):
		kept := slices.DeleteFunc(slices.Clone(was.groups), timely)
		d.groups = mergeFields(said, kept)
	}
	if len(said) > 0 && slices.ContainsFunc(said, timely) && !ranks {
		d.limit, d.order = 0, nil
	}
}

func mergeFields(first, then []group) []group {
	list := slices.Clone(first)
	for _, g := range then {
		if !slices.ContainsFunc(list, func(o group) bool { return o.field == g.field }) {
			list = append(list, g)
		}
	}
	return list
}

func mergeTrials(now, was []trial) []trial {
	for _, t := range was {
		if !slices.ContainsFunc(now, func(o trial) bool { return o.field == t.field }) {
			now = append(now, t)
		}
	}
	return now
}

// rebind looks the fields of a state up in the model as the caller sees it now. It reports false when one is gone; the
// time of another model stands for that of the state's.
func (a Asked) rebind(s *state) (*state, bool) {
	ok := true
	find := func(f *semantic.Field) *semantic.Field {
		if f == nil {
			return nil
		}
		found := a.model.Field(f.Name)
		if found == nil || a.grant.Field(found) != access.Visible {
			if found = a.sameGrain(f); found == nil {
				ok = false
			}
		}
		return found
	}
	now := *s
	now.groups, now.filters = slices.Clone(s.groups), slices.Clone(s.filters)
	for i := range now.groups {
		now.groups[i].field = find(s.groups[i].field)
	}
	for i := range now.filters {
		now.filters[i].field = find(s.filters[i].field)
	}
	if len(s.spans) > 0 && a.when == nil {
		return nil, false
	}
	kept := ok
	now.asks, now.rowTest, now.having = slices.Clone(s.asks), slices.Clone(s.rowTest), slices.Clone(s.having)
	for i := range now.asks {
		now.asks[i].field = find(s.asks[i].field)
	}
	for _, list := range [][]trial{now.rowTest, now.having} {
		for i := range list {
			list[i].field = find(list[i].field)
		}
	}
	if s.order != nil {
		now.order = &ordering{s.order.by, s.order.desc}
		now.order.by.field = find(s.order.by.field)
	}
	if !ok && kept && len(s.having) == 0 && len(s.rowTest) == 0 { // only the numbers are another model's
		now.asks, now.wish = nil, wishes{}
		return &now, true
	}
	return &now, ok
}

// sameGrain returns the field that cuts this model's time as f cuts that of its own.
func (v *Vocabulary) sameGrain(f *semantic.Field) *semantic.Field {
	if f.Dimension == nil || v.when == nil || v.when.Dimension == nil || f.Dimension.Source != v.when.Dimension.Source {
		return nil
	}
	for _, other := range v.grant.Fields() {
		if other.Dimension == v.when.Dimension && other.Column == f.Column && other.Role == f.Role && v.grant.Field(other) == access.Visible {
			return other
		}
	}
	return nil
}
