package question

import (
	"slices"
	"strings"

	"parlance/internal/semantic"
)

// passNouns lets the thing that a value describes say nothing where another number is asked for: the freight without
// cancelled orders.
func (d *draft) passNouns() {
	for i, it := range d.items {
		if i == 0 || !it.counts() || !d.means(it.phrase(), entity) || it.has(count, howMany) || !it.loose() {
			continue
		}
		described := d.items[i-1].kind == member && d.items[i-1].to == it.from
		if described && slices.ContainsFunc(d.items, func(o *item) bool { return o.kind == measure && o != it && !o.counts() }) {
			it.role = absorbed
		}
	}
}

// passAverages hands an average before a period on to the number behind it: average monthly cost is the average of what
// a month costs.
func (d *draft) passAverages() {
	for i, it := range d.items[:max(len(d.items)-1, 0)] {
		next := d.items[i+1]
		if it.kind == field && next.kind == measure && (d.ofTime(it.field) || it.field.Role == semantic.Label && it.has(each, per)) && next.bare() {
			if m := it.take(average); m != nil {
				next.marks = append(next.marks, &markUse{sense: m.sense})
			}
		}
	}
}

// passHowMuch hands how much before whoever does something on to the number behind: how much did the patients pay.
func (d *draft) passHowMuch() {
	for i, it := range d.items {
		if it.kind != field && it.kind != entity {
			continue
		}
		for _, next := range d.items[i+1:] {
			if next.kind == measure && it.has(howMuch) && !next.has(howMuch) {
				m := it.take(howMuch)
				next.marks = append(next.marks, &markUse{sense: m.sense})
			}
		}
	}
}

// lastThing returns the last item that a mark at the end can speak of: a count of the rows, anything else of a measure.
func (d *draft) lastThing(m marker) *item {
	order := [][]kind{{measure}, {entity}, {field}}
	if m == count || m == howMany {
		order = [][]kind{{entity}, {measure}, {field}}
	}
	for _, kinds := range order {
		for i := len(d.items) - 1; i >= 0; i-- {
			if slices.Contains(kinds, d.items[i].kind) {
				return d.items[i]
			}
		}
	}
	return nil
}

// saidByNext reports whether a verb that is also a value only introduces the value behind it: paid in cash, where the
// way of paying is told.
func (d *draft) saidByNext(i int) bool {
	it := d.items[i]
	if i+1 == len(d.items) || d.items[i+1].kind != member || d.items[i+1].field == it.field || it.to-it.from != 1 || d.items[i+1].from == it.to {
		return false
	}
	verb := d.tokens[it.from]
	if verb.han || !participle(verb) {
		return false
	}
	next := d.items[i+1].field
	for _, text := range append([]string{next.Caption}, next.Synonyms...) {
		for _, t := range tokenise(text) {
			if root(t.word) == root(verb.word) {
				return true
			}
		}
	}
	return false
}

// participle reports whether a word can be the past form of a verb.
func participle(t token) bool {
	_, irregular := families[t.word]
	return irregular || strings.HasSuffix(t.fold, "ed")
}
