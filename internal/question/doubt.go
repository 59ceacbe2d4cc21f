package question

import (
	"fmt"
	"slices"

	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// doubt is why a way to read the question does not make a query.
type doubt struct {
	unknown []sense // words that the model does not know
	message string
	choices []*draft // what it could become
	open    bool     // nothing was asked for: any other reading is better
}

// unclear doubts the use of one word.
func (d *draft) unclear(s sense) *doubt {
	return &doubt{message: sayings[d.lang].unclear(s.text)}
}

// first returns the first word of the question that is not harmless.
func (d *draft) first() sense {
	it := d.end
	if len(d.items) > 0 {
		it = d.items[0]
	}
	if len(it.marks) > 0 && (it == d.end || it.marks[0].from < it.from) {
		return it.marks[0].sense
	}
	return it.sense
}

// noMeasure asks what is to be shown, with the model's first measures as choices.
func (d *draft) noMeasure(r rank) *doubt {
	doubt := &doubt{message: sayings[d.lang].whichMeasure, open: true}
	var asks []ask
	for _, it := range d.items {
		if it.kind == entity && d.model.Multi == nil {
			asks = append(asks, d.rowCount())
			break
		}
	}
	for _, f := range d.grant.Fields() {
		if f.Kind == semantic.MeasureKind && (len(asks) == 0 || f != asks[0].field) {
			asks = append(asks, ask{field: f, text: d.name(f)})
		}
	}
	for _, a := range asks {
		if len(doubt.choices) == maxChoices {
			break
		}
		with := *d
		with.asks = []ask{a}
		if r.numbers || r.super {
			with.order, with.limit = &ordering{with.asks[0], r.desc}, r.n
		}
		if with.unused() == nil && with.contradiction() == nil && len(with.maybe) == 0 {
			doubt.choices = append(doubt.choices, &with)
		}
	}
	return doubt
}

// whichOrder asks by which of several numbers the groups are ranked.
func (d *draft) whichOrder(r rank) *doubt {
	doubt := &doubt{message: sayings[d.lang].whichOrder}
	if d.unused() != nil || len(d.maybe) > 0 || len(d.groups) != 1 {
		return doubt
	}
	for _, a := range d.asks[:min(len(d.asks), maxChoices)] {
		with := *d
		with.order, with.limit = &ordering{a, r.desc}, r.n
		doubt.choices = append(doubt.choices, &with)
	}
	return doubt
}

// whichOne asks which end of a ranking is meant where the question asks for one group and does not say which.
func (d *draft) whichOne() *doubt {
	doubt := &doubt{message: sayings[d.lang].several}
	if d.unused() != nil || len(d.maybe) > 0 {
		return doubt
	}
	for _, desc := range []bool{true, false} {
		with := *d
		with.order, with.limit = &ordering{d.asks[0], desc}, 1
		doubt.choices = append(doubt.choices, &with)
	}
	all := *d
	doubt.choices = append(doubt.choices, &all)
	return doubt
}

// howMany asks how many groups are wanted.
func (d *draft) howMany(open bool) *doubt {
	doubt := &doubt{message: sayings[d.lang].howMany}
	limits := []int{1, 5, 10}
	if open {
		limits = []int{0, 1, 5}
	}
	if d.unused() != nil || len(d.maybe) > 0 {
		return doubt
	}
	for _, n := range limits {
		with := *d
		with.limit = n
		doubt.choices = append(doubt.choices, &with)
	}
	return doubt
}

// whichCount asks whether the different things or their pieces are counted.
func (d *draft) whichCount() *doubt {
	doubt := &doubt{message: sayings[d.lang].howCounted}
	first := *d
	first.vagueCount = nil
	doubt.choices = append(doubt.choices, &first)
	for _, f := range d.grant.Fields() {
		if f.Measure != nil && f.Measure.Agg == semantic.Sum && f.Type.Kind == value.Integer && len(doubt.choices) < maxChoices {
			with := first
			with.asks = []ask{{field: f, text: d.name(f)}}
			doubt.choices = append(doubt.choices, &with)
		}
	}
	return doubt
}

// whichAverage asks whether the average is over the members of a group or over the rows of each.
func (d *draft) whichAverage(a ask, g group) *doubt {
	doubt := &doubt{message: sayings[d.lang].averagePer(lower(g.text))}
	if len(d.asks) > 1 || d.unused() != nil || len(d.maybe) > 0 || d.order != nil {
		return doubt
	}
	if a.field != nil && a.field.Measure != nil && a.field.Measure.Agg == semantic.Sum {
		of := g.field
		if id := d.id(of); id != nil {
			of = id
		}
		with := *d
		with.groups = slices.DeleteFunc(slices.Clone(d.groups), func(o group) bool { return o.field == g.field })
		members := &query.Call{Func: "count_distinct", Args: []query.Expr{ref(of)}}
		total := &query.Call{Func: "sum", Args: []query.Expr{ref(a.field)}}
		with.alone = true
		with.derive("average", &query.Binary{Op: query.Div, X: total, Y: members}, fmt.Sprintf(sayings[d.lang].averageOf, lower(a.text), lower(g.text)))
		with.derived[len(with.derived)-1].unit = semantic.RatioType(a.field.Type)
		doubt.choices = append(doubt.choices, &with)
	}
	if len(doubt.choices) == 1 && d.ofTime(g.field) {
		*d = *doubt.choices[0] // the average row of each month is no one's question
		return nil
	}
	for i := range d.groups {
		if d.groups[i].field == g.field {
			rows := *d
			rows.groups = slices.Clone(d.groups)
			rows.groups[i].role = grouped
			doubt.choices = append(doubt.choices, &rows)
		}
	}
	return doubt
}

// perhapsBy asks whether the answer is to be split by the fields that the question only names.
func (d *draft) perhapsBy() *doubt {
	split, whole := *d, *d
	split.groups = append([]group{}, d.groups...)
	for _, it := range d.maybe {
		split.groups = append(split.groups, group{it.field, d.name(it.field), grouped})
	}
	return &doubt{message: sayings[d.lang].perhapsBy(d.name(d.maybe[0].field)), choices: []*draft{&split, &whole}}
}
