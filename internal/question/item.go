package question

import "parlance/internal/semantic"

// item is something that the query is about, with the grammar words that stand before it. The last item of a draft is
// the end of the question: it has marks only.
type item struct {
	sense
	marks []*markUse
	role  role
}

// markUse is a grammar word that must find its use.
type markUse struct {
	sense
	used bool
}

// role is what an item does in the query, once that is known.
type role uint8

const (
	noRole   role = iota
	grouped       // a field that the answer is split by
	perEach       // the same, said as per or each
	subject       // a field whose groups are ranked or tested: top 5 agents, which agents
	absorbed      // said already by something else: the patients of male patients
	asked         // a measure, a count
	ordered       // a measure that only orders
	tested        // a measure that only filters
)

// take uses up the first mark of the kinds and returns it, or nil.
func (it *item) take(kinds ...marker) *markUse {
	for _, m := range it.marks {
		if m.used {
			continue
		}
		for _, k := range kinds {
			if m.mark == k {
				m.used = true
				return m
			}
		}
	}
	return nil
}

// has reports whether an unused mark of the kinds is there.
func (it *item) has(kinds ...marker) bool {
	for _, m := range it.marks {
		for _, k := range kinds {
			if m.mark == k && !m.used {
				return true
			}
		}
	}
	return false
}

// joined reports whether the item is tied to the one before it as in a list.
func (it *item) joined() bool { return it.has(and, or, comma, versus) }

// loose reports whether no mark is left unused but those that only tie lists together.
func (it *item) loose() bool {
	for _, m := range it.marks {
		if !m.used && m.mark != and && m.mark != or && m.mark != comma {
			return false
		}
	}
	return true
}

// counts reports whether the item stands for the number of the model's rows.
func (it *item) counts() bool {
	return it.kind == entity || it.kind == measure && it.field.Measure.Agg == semantic.Count
}

// itemsOf splits the senses of a path into items; harmless words fall away. Marks that can only speak of a thing are
// carried over values and periods to the next thing: how many solved tickets.
func itemsOf(senses []*sense) []*item {
	var items []*item
	var marks, late []*markUse
	for _, s := range senses {
		switch s.kind {
		case harmless:
		case mark:
			use := &markUse{sense: *s}
			switch last := len(items) - 1; {
			case s.mark != count || last < 0 || !hasHan(s.text):
				marks = append(marks, use)
			case items[last].kind == member:
				late = append(late, use)
			default:
				items[last].marks = append(items[last].marks, use) // 就诊次数
			}
		case unknownWord, measure, field, member, entity, span, dayName, test:
			items = append(items, &item{sense: *s, marks: marks})
			marks = nil
		}
	}
	items = append(items, &item{marks: append(marks, late...)})
	for i, it := range items[:len(items)-1] {
		if it.kind == member || it.kind == span || it.kind == dayName || it.kind == test {
			it.carry(items[i+1])
		}
	}
	return items
}

func (it *item) carry(to *item) {
	var kept, moved []*markUse
	for _, m := range it.marks {
		switch m.mark {
		case and, or, comma, versus, not, by, sorted, descend, ascend, command, destroyer, forecast, reason, sizeOfRow:
			kept = append(kept, m)
		default:
			moved = append(moved, m)
		}
	}
	it.marks = kept
	to.marks = append(moved, to.marks...)
}
