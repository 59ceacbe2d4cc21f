package question

import (
	"slices"
	"strings"

	"parlance/internal/semantic"
	"parlance/internal/value"
)

// bare reports whether no mark but one that says nothing of the item stands before it.
func (it *item) bare() bool {
	return !slices.ContainsFunc(it.marks, func(m *markUse) bool { return !m.used })
}

// countedValue doubts what is counted where only a value of something else is named: how many phones did we sell.
func (d *draft) countedValue() {
	things := slices.ContainsFunc(d.items, func(it *item) bool { return it.kind == field || it.counts() && !d.verb(it) })
	for _, it := range d.items {
		counted := slices.ContainsFunc(it.marks, func(m *markUse) bool { return m.mark == count || m.mark == howMany })
		if it.kind == member && it.field.Dimension != nil && counted && !things {
			d.vagueCount = it
		}
	}
}

// verb reports whether a word for the model's rows only says what is done: which parts sold more than 500 pieces.
func (d *draft) verb(it *item) bool {
	return it.to-it.from == 1 && !d.tokens[it.from].han && participle(d.tokens[it.from])
}

// phrase returns the words of the item as the vocabulary holds them.
func (it *item) phrase() string { return it.key }

// meansNumber reports whether a phrase is also a measure that does not count rows: costs over 1000 may be their sum.
func (d *draft) meansNumber(key string) bool {
	return slices.ContainsFunc(d.phrases[key], func(s sense) bool {
		return s.kind == measure && s.field.Measure.Agg != semantic.Count
	})
}

func (d *draft) anyField(roles ...role) bool {
	return slices.ContainsFunc(d.items, func(it *item) bool {
		return it.kind == field && slices.Contains(roles, it.role)
	})
}

// measures turns measures and counted things into what is asked for.
func (d *draft) measures() *doubt {
	d.countedValue()
	var before *item
	for i, it := range d.items {
		var doubt *doubt
		switch {
		case it.kind == measure && it.role == noRole:
			if i > 0 && d.items[i-1].role == ordered && it.has(and) {
				d.asks, before = append(d.asks, d.order.by), d.items[i-1] // by number of visits and their cost
			}
			doubt = d.measure(it, before)
		case it.kind == entity && it.role == noRole:
			doubt = d.entity(i, before)
		}
		if doubt != nil {
			return doubt
		}
		if it.role == asked {
			before = it
		}
	}
	if len(d.asks) == 0 && len(d.having) == 0 {
		d.askSize()
		d.countOwn()
	}
	if len(d.asks) == 0 {
		for _, t := range d.having {
			d.asks = append(d.asks, ask{field: t.field, text: t.text})
		}
	}
	return nil
}

func (d *draft) measure(it, before *item) *doubt {
	a := ask{field: it.field, text: d.name(it.field)}
	if it.take(by, sorted) != nil {
		agg, doubt := d.aggregation(it)
		if doubt != nil {
			return doubt
		}
		a.agg, it.role = agg, ordered
		d.order = &ordering{a, true}
		return nil
	}
	if size := d.sizeOf(it.phrase()); it.counts() && size != nil && it.has(most, least) && !d.anyField(noRole, subject) {
		return d.largest(it, size)
	}
	if d.addsUp(it) {
		return nil
	}
	counted := it.has(count, howMany)
	agg, doubt := d.aggregation(it)
	if doubt != nil {
		return doubt
	}
	a.agg = agg
	a.bare = !counted && it.counts() && d.means(it.phrase(), entity)
	tie := it.take(and, or, comma, versus)
	if tie != nil && tie.mark == versus && before == nil {
		return d.unclear(tie.sense) // beside something of another kind
	}
	it.role = asked
	if slices.ContainsFunc(d.asks, func(other ask) bool { return other.field == a.field && other.agg == a.agg }) {
		if tie != nil && tie.mark == versus {
			return d.unclear(tie.sense) // beside itself
		}
		return nil
	}
	if before != nil && tie == nil {
		return d.unclear(it.sense)
	}
	d.asks = append(d.asks, a)
	return nil
}

// aggregation returns how the measure is to be aggregated, "" for its own way.
func (d *draft) aggregation(it *item) (semantic.Agg, *doubt) {
	m := it.field.Measure
	if asked := it.take(howMany, howMuch); asked != nil {
		it.take(sum)
		if asked.mark == howMuch && m.Agg == semantic.Count && d.lang == english {
			d.cost += costPassed
		}
		pieces := asked.mark == howMany && !isOneOf(asked.text, "多少", "有多少", "几", "有几")
		money := m.Type.Style == value.Money
		if pieces && money || asked.text == "多少钱" && !money {
			return "", d.unclear(asked.sense)
		}
	}
	if it.take(count) != nil {
		whole := m.Agg == semantic.Count || m.Agg == semantic.CountDistinct || m.Agg == semantic.Sum && m.Type.Kind == value.Integer
		it.take(distinct)
		if !whole {
			return "", d.unclear(it.sense)
		}
	}
	if it.take(distinct) != nil && m.Agg != semantic.CountDistinct {
		return "", d.unclear(it.sense)
	}
	if d.averagesThings(it) {
		return "", d.unclear(it.sense)
	}
	mark := it.take(sum, average, maximum, minimum, median)
	if mark == nil {
		return "", nil
	}
	agg := aggOf(mark.mark)
	switch {
	case agg == m.Agg, agg == semantic.Avg && isAverage(it.field):
		return "", nil
	case agg == semantic.Sum && (m.Agg == semantic.Count || m.Agg == semantic.CountDistinct):
		return "", nil
	case agg == semantic.Sum || m.AggregateOnly() || m.SemiAdd != nil || m.Agg != semantic.Sum && m.Agg != semantic.Avg:
		return "", d.unclear(mark.sense)
	}
	return agg, nil
}

// averagesThings reports whether an average is named by the plural of the rows: average tickets may be their number.
func (d *draft) averagesThings(it *item) bool {
	at := strings.LastIndexByte(it.key, ' ')
	return d.lang == english && at > 0 && isAverage(it.field) && d.means(it.key[at+1:], entity) && plural(it.text)
}

// isAverage reports whether a measure is an average by itself.
func isAverage(f *semantic.Field) bool {
	for _, t := range tokenise(f.Caption) {
		if isOneOf(t.word, "average", "avg", "mean") {
			return true
		}
	}
	return f.Measure.Agg == semantic.Avg
}

// entity asks for the number of rows where the words say so; otherwise the thing is only named. A thing that stands in a
// list with measures is not named in passing.
func (d *draft) entity(i int, before *item) *doubt {
	it := d.items[i]
	if size := d.sizeOf(it.phrase()); size != nil && it.has(most, least) && !d.anyField(noRole, subject) {
		return d.largest(it, size)
	}
	if d.addsUp(it) {
		return nil
	}
	listed := it.joined() || i+1 < len(d.items) && d.items[i+1].kind == measure && d.items[i+1].joined()
	if d.means(it.phrase(), measure) {
		d.cost += costPassed
	}
	if !it.has(count, howMany) && !it.has(moreIn, fewest) && len(d.rowTest) == 0 || !d.means(it.key, entity) {
		it.role = absorbed
		if listed {
			return d.unclear(it.sense)
		}
		return nil
	}
	if before != nil && it.take(and, comma, versus) == nil {
		return d.unclear(it.sense)
	}
	it.take(count, howMany)
	it.take(sum)
	it.role = asked
	d.asks = append(d.asks, d.rowCount())
	return nil
}

// askSize asks for the size of the rows where the question has only a word for size: the value of urgent tickets.
func (d *draft) askSize() {
	for _, it := range d.items {
		size := d.sizeOf(it.phrase())
		if it.kind != entity || it.role != absorbed || size == nil {
			continue
		}
		for _, other := range append(slices.Clone(d.items), d.end) {
			if other.take(sizeOfRow) != nil {
				other.take(sum)
				other.take(howMuch)
				d.asks = append(d.asks, ask{field: size, text: d.name(size)})
				return
			}
		}
	}
}

// countOwn counts the model's rows where the question counts what only a value of their own names: how many gold
// members.
func (d *draft) countOwn() {
	own := slices.ContainsFunc(d.filters, func(f filter) bool { return f.field.Dimension == nil })
	things := slices.ContainsFunc(d.items, func(it *item) bool {
		return it.kind == entity || it.kind == measure || it.kind == field && it.role == noRole
	})
	if own && d.model.Multi == nil && (!things && d.end.take(count, howMany) != nil || d.namesRows()) {
		d.asks = append(d.asks, d.rowCount())
	}
}

// namesRows reports whether a value's own words end with the word for the rows: follow-up visits.
func (d *draft) namesRows() bool {
	return slices.ContainsFunc(d.items, func(it *item) bool {
		at := strings.LastIndexByte(it.key, ' ')
		return it.kind == member && it.field.Dimension == nil && at > 0 && d.means(it.key[at+1:], entity)
	})
}

// rowCount asks for the number of rows: by the measure that counts them, if there is one.
func (d *draft) rowCount() ask {
	text := calledModel(d.model, d.lang)
	if d.rows != nil {
		return ask{field: d.rows, text: d.name(d.rows)}
	}
	if d.lang == chinese && d.means(phrase(tokenise(text+"数量")), measure) {
		text += "记录" // the plain word is another number's
	}
	return ask{agg: semantic.Count, text: text}
}

// addsUp asks for the size of all rows where a word for their sum says that it is not their number: total amount of visits.
func (d *draft) addsUp(it *item) bool {
	size := d.sizeOf(it.phrase())
	sizes := slices.ContainsFunc(it.marks, func(m *markUse) bool {
		return m.mark == sum && slices.ContainsFunc(tokenise(m.text), func(t token) bool { return isOneOf(t.word, "amount", "value", "额") })
	})
	if size == nil || !it.counts() || !sizes || it.has(count, howMany) {
		return false
	}
	it.take(sum)
	it.take(and, comma)
	it.role = asked
	d.asks = append(d.asks, ask{field: size, text: d.name(size)})
	return true
}

// largest asks for the size of the largest or smallest row.
func (d *draft) largest(it *item, size *semantic.Field) *doubt {
	if plural(it.text) && d.lang == english {
		return d.unclear(it.sense)
	}
	m := it.take(most, least)
	if isOneOf(m.text, "longest", "shortest", "最长", "最短") && size.Type.Style == value.Money {
		return d.unclear(m.sense) // no amount is long
	}
	it.take(single)
	it.role = asked
	d.asks = append(d.asks, ask{field: size, agg: aggOf(m.mark), text: d.name(size)})
	return nil
}

// plural reports whether an English noun is in the plural.
func plural(text string) bool {
	tokens := tokenise(text)
	last := tokens[len(tokens)-1]
	return !last.han && last.fold != last.word && last.fold[len(last.fold)-1] == 's'
}
