package question

import (
	"slices"
	"time"

	"parlance/internal/query"
	"parlance/internal/semantic"
)

// draft is a query in the making.
type draft struct {
	Asked
	*line
	items []*item
	end   *item

	asks    []ask
	groups  []group
	filters []filter
	spans   []period
	rowTest []trial
	having  []trial
	order   *ordering
	limit   int
	listed  bool // show, list
	cost    int
	maybe   []*item // fields whose role the question does not tell
	days    []time.Weekday
	part    []filter  // what a share is of
	derived []derived // numbers made of the asks
	alone   bool      // the derived numbers are shown without the asks
	against *against

	adds    bool // to that question, and takes nothing away
	changed bool // its period

	vagueCount *item // counted, though its pieces may be meant
	odd        *item // a field of which the answer is to be split in a way that it has not
	wish       wishes
}

// wishes are the marks that speak of the answer as a whole.
type wishes struct {
	share, growth, year, month, week, running, often, trend, present *markUse
}

// ask is a number that the answer shows.
type ask struct {
	field *semantic.Field // nil for the count of rows where no measure counts them
	agg   semantic.Agg    // "" for the measure as it is
	text  string
	bare  bool // a count of rows that no word asks for: urgent tickets
}

// group is a field that the answer is split by.
type group struct {
	field *semantic.Field
	text  string
	role  role
}

// filter keeps the rows with one of the values, or those without.
type filter struct {
	field  *semantic.Field
	values []query.Scalar
	texts  []string
	not    bool
	split  bool // the values are set side by side
	at     int  // the token at which it is said
}

// trial is a comparison of a field or measure with numbers.
type trial struct {
	field *semantic.Field
	comparison
	text string
}

// ordering says by which ask, of asks, and in which direction.
type ordering struct {
	by   ask
	desc bool
}

// interpret makes a draft of what a path says, or a doubt.
func (a Asked) interpret(p *path, l *line) (*draft, *doubt) {
	senses := p.senses()
	if unknown := unknownWords(senses); len(unknown) > 0 {
		return nil, &doubt{unknown: unknown}
	}
	d := a.draftOf(p.cost, senses, l)
	for _, step := range []func(*draft) *doubt{
		(*draft).settle, (*draft).members, (*draft).fields, (*draft).tests, (*draft).measures, (*draft).subjects,
		(*draft).periods, (*draft).ranking, (*draft).shape, (*draft).complete,
	} {
		if doubt := step(d); doubt != nil {
			return nil, doubt
		}
	}
	return d, nil
}

// draftOf lays out what a path says.
func (a Asked) draftOf(cost int, senses []*sense, l *line) *draft {
	items := itemsOf(senses)
	d := &draft{Asked: a, line: l, cost: cost, items: items[:len(items)-1], end: items[len(items)-1]}
	if a.model.Multi != nil {
		d.cost += costName
	}
	return d
}

// unknownWords returns the runs of tokens that nothing knows, as written.
func unknownWords(senses []*sense) []sense {
	var unknown []sense
	for _, s := range senses {
		if s.kind != unknownWord {
			continue
		}
		if n := len(unknown); n > 0 && unknown[n-1].to == s.from {
			glue := " "
			if []rune(s.text)[0] >= 0x2E80 {
				glue = ""
			}
			unknown[n-1].text += glue + s.text
			unknown[n-1].to = s.to
			continue
		}
		unknown = append(unknown, *s)
	}
	return unknown
}

// settle uses up marks whose place does not matter, and hands those at the end of the question back to what they
// speak of.
func (d *draft) settle() *doubt {
	all := append(slices.Clone(d.items), d.end)
	for _, it := range all {
		for it.take(list) != nil {
			d.listed = true
		}
		d.wish.collect(it)
		for it.kind != member && it.kind != measure && it.kind != field && it.kind != span && it.take(comma, and) != nil {
			continue
		}
	}
	d.passNouns()
	d.passAverages()
	d.passHowMuch()
	for _, m := range d.end.marks {
		switch m.mark {
		case sum, average, maximum, minimum, median, count, howMuch, howMany, most, least, moreIn, fewest, distinct:
			if to := d.lastThing(m.mark); to != nil && !m.used {
				m.used = true
				to.marks = append(to.marks, &markUse{sense: m.sense})
			}
		}
	}
	return nil
}

// members turns values into filters: values of one field that follow each other in a list are one filter.
func (d *draft) members() *doubt {
	for i, it := range d.items {
		if it.kind != member {
			continue
		}
		if d.saidByNext(i) {
			it.role = absorbed
			continue
		}
		if it.vague && !d.besideOwner(i) {
			return d.unclear(it.sense)
		}
		if i+1 < len(d.items) && d.items[i+1].kind == field && d.items[i+1].field == it.field && d.items[i+1].bare() {
			d.cost -= costFound + costMark // the day shift
		}
		if before := i - 1; before >= 0 && d.items[before].kind == measure && !d.items[before].counts() && it.bare() && d.items[before].to == it.from && participle(d.tokens[it.from]) {
			return d.unclear(it.sense) // the amount paid is another amount
		}
		negated := it.take(not) != nil
		if it.has(by) && !d.ownerFollows(i) {
			it.take(by)
		}
		at := slices.IndexFunc(d.filters, func(f filter) bool { return f.field == it.field })
		if at < 0 {
			tie := it.take(and, or, comma)
			if tie != nil && len(d.filters) > 0 && (tie.mark == or || d.filters[len(d.filters)-1].not != negated) {
				return d.unclear(tie.sense) // either, or neither, of two things
			}
			d.filters = append(d.filters, filter{it.field, []query.Scalar{it.value}, []string{it.text}, negated, false, it.from})
			continue
		}
		f := &d.filters[at]
		if slices.Contains(f.values, it.value) {
			return d.unclear(it.sense)
		}
		tie := it.take(and, or, comma, versus)
		if tie == nil && i > 0 && d.items[i-1].kind == member && d.items[i-1].to == it.from && d.tokens[it.from].han {
			tie = &markUse{sense: sense{mark: and}} // 男女
		}
		if tie == nil || negated && !f.not {
			return d.unclear(it.sense)
		}
		it.take(and, or)
		f.values, f.texts = append(f.values, it.value), append(f.texts, it.text)
		f.split = f.split || tie.mark == and || tie.mark == versus
	}
	if doubt := d.leftOut(); doubt != nil {
		return doubt
	}
	if doubt := d.weekdays(); doubt != nil {
		return doubt
	}
	for _, f := range d.filters {
		if f.split && !f.not && !d.together() {
			d.end.take(versus)
			for _, it := range append(slices.Clone(d.items), d.end) {
				if it.kind != field {
					it.take(each) // 各有多少
				}
			}
			d.groups = append(d.groups, group{f.field, d.name(f.field), grouped})
		}
	}
	return nil
}

// together reports whether the question adds up what it lists.
func (d *draft) together() bool {
	for _, it := range append(slices.Clone(d.items), d.end) {
		for _, m := range it.marks {
			if m.mark == sum && isOneOf(m.text, "combined", "all together", "altogether", "合计", "总共", "一共", "共计") {
				return true
			}
		}
	}
	return false
}

// leftOut turns the values before 以外 into what is left out, with whatever they describe in between: VIP客户以外.
func (d *draft) leftOut() *doubt {
	all := append(slices.Clone(d.items), d.end)
	for i, it := range all {
		m := it.take(notBehind)
		if m == nil {
			continue
		}
		last := i - 1
		for last >= 0 && (all[last].kind == field || all[last].counts()) {
			last--
		}
		if last < 0 || all[last].kind != member || all[last].role == absorbed {
			return d.unclear(m.sense)
		}
		at := slices.IndexFunc(d.filters, func(f filter) bool { return f.field == all[last].field })
		d.filters[at].not = true
	}
	return nil
}

// weekdays turns days of the week into a filter on the model's time.
func (d *draft) weekdays() *doubt {
	for _, it := range d.items {
		if it.kind != dayName {
			continue
		}
		if d.when == nil || it.has(not, versus) || len(d.days) > 0 && !it.joined() {
			return d.unclear(it.sense)
		}
		it.take(and, or, comma)
		d.days = append(d.days, time.Weekday(it.n))
	}
	return nil
}

// owns reports whether an item names what a field describes: the field itself, its dimension, or the model's rows.
func owns(it *item, f *semantic.Field) bool {
	switch it.kind {
	case field:
		return it.field == f || f.Dimension != nil && it.field.Dimension == f.Dimension && it.field.Role == semantic.Label
	case entity, measure:
		return f.Dimension == nil && it.counts()
	}
	return false
}

func (d *draft) besideOwner(i int) bool {
	f := d.items[i].field
	return i > 0 && owns(d.items[i-1], f) || d.ownerFollows(i)
}

// ownerFollows reports whether what the value describes stands behind it, or behind a list of such values.
func (d *draft) ownerFollows(i int) bool {
	next := i + 1
	for next < len(d.items) && d.items[next].kind == member && d.items[next].field == d.items[i].field {
		next++
	}
	return next < len(d.items) && owns(d.items[next], d.items[i].field)
}
