package catalog

import (
	"slices"
	"strings"

	"parlance/internal/query"
	"parlance/internal/semantic"
)

// checkMeasures checks what filters, expressions and additivities refer to.
func (b *builder) checkMeasures() {
	for _, m := range b.model.Measures {
		raw := b.measures[m.Name]
		if raw == nil || m.Of != nil {
			continue
		}
		if m.Filter != nil {
			b.checkFilter(m.Filter, raw.filter.at)
		}
		if m.Expression != nil {
			if b.checkExpression(m.Expression, raw.expression.at) == 0 {
				b.r.add(raw.expression.at, "the expression uses no measure and no aggregate")
			}
		}
		if raw.additivity.value != nil && m.SemiAdd != nil {
			b.checkAdditivity(raw.additivity.value)
		}
	}
	b.checkCycles()
}

// checkFilter checks the filter of a measure: a condition on rows.
func (b *builder) checkFilter(e query.Expr, at pos) {
	query.Walk(e, func(e query.Expr) bool {
		switch e := e.(type) {
		case *query.Ref:
			b.rowField(e.Name, at, "a filter")
		case *query.Call:
			if e.Over != nil || query.IsAggregate(e.Func) {
				b.r.add(at, "the filter of a measure is a condition on rows and cannot use %s", e.Func)
				return false
			}
		}
		return true
	})
}

// checkExpression checks an expression of aggregates: outside of an aggregate function only measures may stand,
// inside of one only what has a value in a row. It returns how many measures and aggregates there are.
func (b *builder) checkExpression(e query.Expr, at pos) (uses int) {
	query.Walk(e, func(e query.Expr) bool {
		switch e := e.(type) {
		case *query.Ref:
			uses++
			if f := b.field(e.Name, at); f != nil && f.Measure == nil {
				b.r.add(at, "%q is not a measure; an expression uses measures, and other fields within an aggregate such as max(%s)", e.Name, e.Name)
			}
		case *query.Call:
			switch {
			case e.Over != nil:
				uses++
				b.r.add(at, "a measure cannot use the window function %s", e.Func)
				return false
			case query.IsAggregate(e.Func):
				uses++
				b.checkAggregated(e, at)
				return false
			}
		}
		return true
	})
	return uses
}

// checkAggregated checks what stands inside an aggregate function.
func (b *builder) checkAggregated(outer *query.Call, at pos) {
	query.Walk(outer, func(e query.Expr) bool {
		switch e := e.(type) {
		case *query.Ref:
			b.rowField(e.Name, at, outer.Func)
		case *query.Call:
			if e != outer && (e.Over != nil || query.IsAggregate(e.Func)) {
				b.r.add(at, "%s cannot stand inside %s", e.Func, outer.Func)
				return false
			}
		}
		return true
	})
}

// checkCycles reports every measure that is computed from itself, once for each ring.
func (b *builder) checkCycles() {
	const (
		open = iota + 1
		done
	)
	state := map[*semantic.Measure]int{}
	var trail []string
	var visit func(m *semantic.Measure)
	visit = func(m *semantic.Measure) {
		state[m] = open
		trail = append(trail, m.Name)
		for _, next := range b.usedMeasures(m.Expression) {
			switch state[next] {
			case open:
				ring := append(slices.Clone(trail[slices.Index(trail, next.Name):]), next.Name)
				b.r.add(b.measures[next.Name].expression.at, "measure %q is computed from itself: %s", next.Name, strings.Join(ring, " → "))
			case done:
			default:
				visit(next)
			}
		}
		trail = trail[:len(trail)-1]
		state[m] = done
	}
	for _, m := range b.model.Measures {
		if m.Expression != nil && m.Of == nil && state[m] == 0 {
			visit(m)
		}
	}
}

// usedMeasures returns the measures with an expression that an expression uses.
func (b *builder) usedMeasures(e query.Expr) []*semantic.Measure {
	var used []*semantic.Measure
	query.Walk(e, func(e query.Expr) bool {
		if ref, ok := e.(*query.Ref); ok {
			if f := b.model.Field(ref.Name); f != nil && f.Measure != nil && f.Measure.Expression != nil {
				used = append(used, f.Measure)
			}
		}
		return true
	})
	return used
}
