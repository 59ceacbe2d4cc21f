package question

import (
	"slices"

	"parlance/internal/semantic"
	"parlance/internal/value"
)

// tests ties every comparison to what it compares: the measure behind its number, or the thing before it.
func (d *draft) tests() *doubt {
	for i, it := range d.items {
		if it.kind != test {
			continue
		}
		if doubt := d.testOf(i, it); doubt != nil {
			return doubt
		}
	}
	return nil
}

func (d *draft) testOf(i int, it *item) *doubt {
	if i+1 < len(d.items) && d.items[i+1].kind == measure && d.items[i+1].bare() && !it.has(sizeOfRow) {
		if i > 0 && (d.items[i-1].kind == measure && !d.items[i-1].counts() || d.items[i-1].kind == field && d.items[i-1].field.Type.Numeric()) && d.items[i-1].to == it.from {
			return d.unclear(it.sense) // of two numbers
		}
		return d.testMeasure(it, d.items[i+1])
	}
	if it.take(sizeOfRow) != nil {
		return d.testSize(it)
	}
	if i == 0 {
		return d.unclear(it.sense)
	}
	switch before := d.items[i-1]; {
	case before.kind == measure && before.counts() && saysCount(before) && d.anyField(noRole, subject, grouped, perEach):
		return d.testMeasure(it, before)
	case before.counts():
		size := d.sizeOf(before.phrase())
		if size == nil || d.anyField(noRole, subject) || before.kind == entity && d.meansNumber(before.phrase()) {
			return d.unclear(it.sense)
		}
		d.rowTest = append(d.rowTest, trial{size, *it.test, d.name(size)})
	case before.kind == measure:
		return d.testMeasure(it, before)
	case i > 1 && before.to-before.from == 1 && isOneOf(d.tokens[before.from].fold, "cost", "costs") && d.items[i-2].to == before.from:
		return d.unclear(before.sense) // what things cost may be their price
	case before.kind == field && before.role == noRole && before.field.Type.Numeric() && before.loose():
		before.role = absorbed
		d.rowTest = append(d.rowTest, trial{before.field, *it.test, d.name(before.field)})
	default:
		return d.unclear(it.sense)
	}
	return nil
}

// saysCount reports whether the words for a count say that it is one: number of visits, 就诊数.
func saysCount(it *item) bool {
	for _, t := range tokenise(it.text) {
		if isOneOf(t.word, "number", "count", "数", "量", "次") {
			return true
		}
	}
	return false
}

// testSize compares the size of the model's rows, whichever measure that is.
func (d *draft) testSize(it *item) *doubt {
	for _, text := range append([]string{d.model.Caption}, d.model.Synonyms...) {
		if size := d.sizeOf(phrase(tokenise(text))); size != nil && slices.ContainsFunc(d.items, (*item).counts) {
			d.rowTest = append(d.rowTest, trial{size, *it.test, d.name(size)})
			return nil
		}
	}
	return d.unclear(it.sense)
}

// testMeasure filters groups by a measure or, where rows are counted, the rows.
func (d *draft) testMeasure(it, of *item) *doubt {
	t := trial{of.field, *it.test, d.name(of.field)}
	rows := slices.ContainsFunc(d.items, func(other *item) bool {
		return other != of && other.counts() && other.role != absorbed && !d.verb(other)
	})
	if m := of.field.Measure; m.Agg == semantic.Sum && m.Type.Kind == value.Integer || m.Agg == semantic.Count {
		of.take(count, howMany)
	}
	if of.has(average, maximum, minimum, median, count, howMany, distinct) {
		return d.unclear(of.sense)
	}
	of.role = tested
	if rows {
		if of.field.Measure.AggregateOnly() || of.field.Measure.SemiAdd != nil {
			return d.unclear(of.sense)
		}
		d.rowTest = append(d.rowTest, t)
		return nil
	}
	d.having = append(d.having, t)
	return nil
}
