package question

import "parlance/internal/semantic"

// doubt is why a way to read the question does not make a query.
type doubt struct {
	unknown []sense // words that the model does not know
	message string
	choices []*draft // what it could become
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
	doubt := &doubt{message: sayings[d.lang].whichMeasure}
	var asks []ask
	for _, it := range d.items {
		if it.kind == entity && d.model.Multi == nil {
			asks = append(asks, d.rowCount(it.text))
			break
		}
	}
	for _, f := range d.grant.Fields() {
		if f.Kind == semantic.MeasureKind && (len(asks) == 0 || f != asks[0].field) {
			asks = append(asks, ask{field: f, text: d.name(f, "")})
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

// perhapsBy asks whether the answer is to be split by the fields that the question only names.
func (d *draft) perhapsBy() *doubt {
	split, whole := *d, *d
	split.groups = append([]group{}, d.groups...)
	for _, it := range d.maybe {
		split.groups = append(split.groups, group{it.field, d.name(it.field, it.text), grouped})
	}
	return &doubt{message: sayings[d.lang].perhapsBy(d.name(d.maybe[0].field, d.maybe[0].text)), choices: []*draft{&split, &whole}}
}
