package question

import (
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// fields gives every mentioned field its role, where its marks tell it; the others wait for subjects.
func (d *draft) fields() *doubt {
	var before *item
	for i, it := range d.items {
		if it.kind == field {
			d.fieldRole(i, it, before)
		}
		if it.kind != span {
			before = it
		}
	}
	return nil
}

func (d *draft) fieldRole(i int, it, before *item) {
	continued := before != nil && before.kind == field && (before.role == grouped || before.role == perEach) && it.has(and, comma, or)
	switch {
	case it.field.Type.Kind == value.Boolean && it.has(by, per, each, which, whichMany) && it.key != phrase(tokenise(it.field.Caption)):
		d.odd = it // by weekday asks for days, not for whether they are at the weekend
		return
	case it.has(count, howMany, distinct):
		d.countDistinct(it)
	case it.has(average, sum, maximum, minimum, median) && it.field.Type.Numeric() && it.field.Dimension == nil:
		d.aggregated(it)
	case it.has(which, whichMany, rankTop, rankBottom, most, least, moreIn, fewest, number):
		it.take(by, each)
		it.role = subject
	case it.take(by) != nil:
		it.take(each, sorted)
		d.group(it, grouped)
	case it.take(per, each) != nil:
		it.take(and, comma)
		d.group(it, perEach)
	case (it.has(versus) || it.has(and) && it.field.Type.Kind == value.Boolean) && d.mentioned(it.field, i):
		it.take(versus, and)
		d.sideBySide(it)
	case continued && it.loose():
		it.take(and, comma, or)
		d.group(it, before.role)
	case d.ofTime(it.field) && it.field.Type.Kind != value.Boolean && it.loose() && !d.ownedValue(i):
		if before != nil && before.kind == measure && before.has(maximum, minimum) {
			return // the day of the maximum, or the maximum of each day
		}
		d.group(it, perEach)
	}
}

func (d *draft) group(it *item, r role) {
	it.role = r
	for _, g := range d.groups {
		if g.field == it.field {
			if r == perEach && !it.has(and, comma) && d.ofTime(it.field) {
				d.odd = it // quarter on quarter
			}
			return
		}
	}
	d.groups = append(d.groups, group{it.field, d.name(it.field), r})
}

// mentioned reports whether a field was spoken of before item i, itself or by a value.
func (d *draft) mentioned(f *semantic.Field, i int) bool {
	for _, it := range d.items[:i] {
		if it.field == f && (it.kind == field || it.kind == member) {
			return true
		}
	}
	return false
}

// sideBySide splits the answer by a field of which two sides are set against each other.
func (d *draft) sideBySide(it *item) {
	kept := d.filters[:0]
	for _, f := range d.filters {
		if f.field != it.field || it.field.Type.Kind != value.Boolean {
			kept = append(kept, f)
		}
	}
	d.filters = kept
	for _, other := range d.items {
		if other.kind == field && other.field == it.field {
			other.role = absorbed
		}
	}
	d.group(it, grouped)
}

// ownedValue reports whether a value of the field, or of what it names, stands beside it.
func (d *draft) ownedValue(i int) bool {
	it := d.items[i]
	for _, n := range []int{i - 1, i + 1} {
		if n >= 0 && n < len(d.items) && d.items[n].kind == member && owns(it, d.items[n].field) {
			return true
		}
	}
	return false
}

// countDistinct asks how many different values a field has: of a dimension, how many of its rows are met. A
// distinct that is not counted splits the answer, as the Chinese for different does.
func (d *draft) countDistinct(it *item) {
	counted := it.take(count, howMany) != nil
	if counted && it.cost >= costOnlyName && it.field.Role == semantic.Plain && it.field.Dimension != nil {
		d.odd = it // how many phones: a word that only the file's name has is too little to count its values by
	}
	different := it.take(distinct) != nil
	it.take(sum)
	if !counted && d.lang == chinese {
		d.group(it, perEach)
		return
	}
	if !counted && !different {
		return
	}
	if counted && !different && d.passive(it) {
		d.vagueCount = it
	}
	f := it.field
	if id := d.id(f); id != nil {
		f = id
	}
	it.role = asked
	d.cost += costName + costFound
	if it.field.Dimension == nil {
		d.cost -= costName / 2 // where the field is at home
	}
	d.asks = append(d.asks, ask{field: f, agg: semantic.CountDistinct, text: d.name(it.field)})
}

// passive reports whether something is done to what is counted: how many parts were ordered may ask for pieces.
func (d *draft) passive(it *item) bool {
	if it.field.Role != semantic.Label {
		return false
	}
	for i := it.to; i+1 < len(d.tokens) && i < it.to+3; i++ {
		if isOneOf(d.tokens[i].fold, "were", "was", "been", "are", "got", "is") && participle(d.tokens[i+1]) {
			return true
		}
		if isOneOf(d.tokens[i].fold, "we", "they", "you") && i > it.to && len(d.roots[root(d.tokens[i+1].word)]) > 0 {
			return true
		}
	}
	return false
}

// aggregated asks for an aggregate of an attribute of the model's own rows.
func (d *draft) aggregated(it *item) {
	if it.has(sum) {
		d.odd = it // a property of each row is not said to add up
	}
	it.take(and, comma)
	it.role = asked
	d.cost += costName
	d.asks = append(d.asks, ask{
		field: it.field, agg: aggOf(it.take(average, sum, maximum, minimum, median).mark), text: d.name(it.field),
	})
}

func aggOf(m marker) semantic.Agg {
	switch m {
	case average:
		return semantic.Avg
	case maximum, most:
		return semantic.Max
	case minimum, least:
		return semantic.Min
	case median:
		return semantic.Median
	}
	return semantic.Sum
}
