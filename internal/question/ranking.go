package question

import (
	"slices"

	"parlance/internal/semantic"
)

// subjects decides what the fields do that no mark spoke for: the one that is ranked or tested is the subject, one
// beside its own value is said already, and the rest is asked back about.
func (d *draft) subjects() *doubt {
	if d.odd != nil {
		return d.unclear(d.odd.sense)
	}
	all := append(slices.Clone(d.items), d.end)
	ranked := d.order != nil || len(d.having) > 0 || slices.ContainsFunc(all, func(it *item) bool {
		return it.has(rankTop, rankBottom, most, least, moreIn, fewest)
	})
	var open []*item
	hasSubject := d.anyField(subject)
	for i, it := range d.items {
		hasSubject = hasSubject || ranked && it.kind == field && it.role == noRole && !d.ownedValue(i)
	}
	for i, it := range d.items {
		if it.kind != field || it.role != noRole {
			continue
		}
		if (d.described(i) || d.doer(i)) && len(d.groups) == 0 && !ranked {
			it.role = absorbed
			continue
		}
		if d.ownedValue(i) && (!ranked || hasSubject || len(d.groups) > 0) {
			it.role = absorbed
			continue
		}
		open = append(open, it)
	}
	if ranked && !d.anyField(subject) && len(d.groups) == 0 && len(open) == 1 {
		open[0].role = subject
		open = nil
	}
	for _, it := range d.items {
		if it.kind == field && it.role == subject {
			it.take(and, comma)
			d.group(it, subject)
		}
	}
	d.maybe = open
	return nil
}

// described reports whether a plural noun follows a value of the model's own rows: defective goods, urgent patients.
func (d *draft) described(i int) bool {
	if i == 0 || d.items[i-1].kind != member || d.items[i-1].field.Dimension != nil || !d.items[i].bare() {
		return false
	}
	it := d.items[i]
	return it.field.Role == semantic.Label && it.from == d.items[i-1].to && (d.lang == chinese || plural(it.text))
}

// doer reports whether a plural noun only says who does what is asked about: how much did the patients pay.
func (d *draft) doer(i int) bool {
	it := d.items[i]
	if i+1 >= len(d.items) || d.items[i+1].kind != measure || d.items[i+1].from != it.to || !it.bare() || it.field.Role != semantic.Label || !plural(it.text) {
		return false
	}
	for at := it.from - 1; at >= 0 && at >= it.from-3; at-- {
		switch t := d.tokens[at].fold; {
		case isOneOf(t, "did", "do", "does", "have", "has", "had"):
			return true
		case !isOneOf(t, "our", "the", "all", "these") && !d.valueAt(i, at):
			return false
		}
	}
	return false
}

// valueAt reports whether the item before i is a value that holds a token.
func (d *draft) valueAt(i, at int) bool {
	return i > 0 && d.items[i-1].kind == member && d.items[i-1].from <= at && at < d.items[i-1].to
}

// rank is what the question says about order and number of groups.
type rank struct {
	on      *item // what bears the superlative
	n       int
	desc    bool
	numbers bool // top, bottom: n groups are wanted, whether or not n is said
	super   bool // highest, lowest
	sorted  bool // in order, whichever
	one     bool // which one
}

// ranking gives the answer its order and its limit.
func (d *draft) ranking() *doubt {
	r, doubt := d.rank()
	if doubt != nil {
		return doubt
	}
	switch {
	case r.super && !r.numbers && len(d.groups) == 0:
		return d.extreme(r)
	case (r.super || r.numbers || r.sorted || d.order != nil) && len(d.groups) == 0:
		return d.unclear(d.first())
	}
	if r.super || r.numbers {
		if doubt := d.orderBy(r); doubt != nil {
			return doubt
		}
		for _, it := range append(slices.Clone(d.items), d.end) {
			if d.order.desc {
				it.take(descend)
			} else {
				it.take(ascend)
			}
		}
		return d.limitTo(r)
	}
	if r.n > 0 && d.order == nil {
		return d.unclear(d.first())
	}
	if r.n > 0 {
		d.limit = r.n
	}
	if r.sorted && d.order == nil {
		r.desc = true
		if doubt := d.orderBy(r); doubt != nil {
			return doubt
		}
	}
	if d.order != nil && len(d.asks) == 0 {
		d.asks = append(d.asks, d.order.by)
	}
	if r.one && d.order == nil && len(d.having) == 0 && len(d.asks) == 1 && len(d.groups) == 1 && !d.follows {
		return d.whichOne()
	}
	return d.direction()
}

// rank collects the ranks and superlatives of all items.
func (d *draft) rank() (rank, *doubt) {
	var r rank
	for _, it := range append(slices.Clone(d.items), d.end) {
		if m := it.take(which, whichMany); m != nil && m.mark == which && it.role == subject && !(d.lang == english && plural(it.text)) {
			r.one = true
		}
		if it.kind != measure && d.lang == chinese && it.take(sorted) != nil {
			r.sorted = true
		}
		if it.take(rankAll) != nil {
			r.sorted = true
		}
		if m := it.take(rankTop, rankBottom); m != nil {
			if r.numbers {
				return r, d.unclear(m.sense)
			}
			r.numbers, r.n = true, m.n
			if !r.super {
				r.desc = m.mark == rankTop
			}
		}
		if m := it.take(most, least, moreIn, fewest); m != nil {
			size := it.counts() && (m.mark == most || m.mark == least) && d.sizeOf(it.phrase()) != nil
			if r.super || size { // the largest ticket of a group is not its number of tickets
				return r, d.unclear(m.sense)
			}
			r.super, r.on, r.desc = true, it, m.mark == most || m.mark == moreIn
		}
		if it.role == subject && it.has(number) {
			r.n = it.take(number).n
		}
	}
	return r, nil
}

// extreme asks for the highest value of a single row, where the measure is the size of a row.
func (d *draft) extreme(r rank) *doubt {
	it := r.on
	if it.kind != measure || len(d.asks) != 1 || d.asks[0].agg != "" || !d.isSize(it.field) {
		return d.unclear(d.first())
	}
	d.asks[0].agg = semantic.Min
	if r.desc {
		d.asks[0].agg = semantic.Max
	}
	it.take(single)
	return nil
}

// isSize reports whether a measure is the size of the model's rows: their amount, their value.
func (v *Vocabulary) isSize(f *semantic.Field) bool {
	for _, text := range append([]string{v.model.Caption}, v.model.Synonyms...) {
		if v.sizeOf(phrase(tokenise(text))) == f {
			return true
		}
	}
	return false
}

// orderBy orders by what the rank speaks of: the measure that is named for it, that bears it, or the only one.
func (d *draft) orderBy(r rank) *doubt {
	switch {
	case d.order != nil:
		d.order.desc = r.desc
		if len(d.asks) == 0 {
			d.asks = append(d.asks, d.order.by)
		}
		return nil
	case len(d.asks) == 1:
		d.order = &ordering{d.asks[0], r.desc}
		return nil
	case r.on != nil && r.on.kind == measure:
		for _, a := range d.asks {
			if a.field == r.on.field {
				d.order = &ordering{a, r.desc}
				return nil
			}
		}
	}
	if len(d.asks) == 0 {
		return d.noMeasure(r)
	}
	return d.whichOrder(r)
}

// limitTo cuts the answer to the groups that are wanted; how many is asked back where the words leave it open.
func (d *draft) limitTo(r rank) *doubt {
	if len(d.groups) != 1 {
		return &doubt{message: sayings[d.lang].oneGroup}
	}
	if r.n > 0 {
		d.limit = r.n
	}
	if d.limit > 0 {
		return nil
	}
	var said string
	one := false
	for _, it := range d.items {
		if it.kind == field && it.role == subject {
			said = it.text
			one = !r.numbers && !(d.lang == english && plural(said))
			for _, m := range it.marks {
				one = one && m.mark != whichMany
			}
		}
	}
	if one {
		d.limit = 1
		return nil
	}
	return d.howMany(said == "" && r.super)
}

// direction honours highest first and its like.
func (d *draft) direction() *doubt {
	for _, it := range append(slices.Clone(d.items), d.end) {
		m := it.take(descend, ascend)
		if m == nil {
			continue
		}
		if len(d.groups) == 0 || len(d.asks) == 0 {
			return d.unclear(m.sense)
		}
		by := d.asks[0]
		if d.order != nil {
			by = d.order.by
		}
		d.order = &ordering{by, m.mark == descend}
	}
	return nil
}
