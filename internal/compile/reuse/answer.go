package reuse

import (
	"parlance/internal/compile/resolve"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// Kept is where the rows of a rollup stand.
type Kept struct {
	Source semantic.Source
	// SameEngine is set where the same database computes both answers. What is not exact, such as a square root, is
	// answered from the rollup only then.
	SameEngine bool
}

// Answer returns a query over the rollup that gives what q gives over the model; false where that is not proved. Every
// part of q must be kept: what the caller named, and what a policy added. Rows themselves are never answered, but groups
// of them and rows of which each counts once.
func (d *Definition) Answer(q *resolve.Query, kept Kept) (*resolve.Query, bool) {
	if q.Model != d.Model || !answerable(q) {
		return nil, false
	}
	table := &semantic.Model{Name: d.Model.Name, Source: kept.Source, Calendar: d.Model.Calendar}
	out := *q
	out.Model = table
	a := &answer{w: rewriter{d: d}, exact: !kept.SameEngine, ok: true, grouped: q.Grouped, keys: map[string]resolve.Expr{}}
	out.Rows = a.row(q.Rows)
	out.Keys = make([]resolve.Expr, len(q.Keys))
	for i, k := range q.Keys {
		out.Keys[i] = a.row(k)
		a.keys[k.String()] = out.Keys[i]
	}
	out.Groups, out.Results = a.value(q.Groups), a.value(q.Results)
	out.Columns, out.Totals = a.outputs(q.Columns), a.outputs(q.Totals)
	out.Identity = nil
	if q.Grouped {
		out.Identity = out.Keys
	}
	out.Order = a.orders(q.Order)
	if q.Top != nil {
		top := *q.Top
		top.By = a.orders([]resolve.Order{q.Top.By})[0]
		out.Top = &top
	}
	if q.Time != nil {
		out.Time = a.window(q.Time)
	}
	return &out, a.ok
}

// answerable reports whether the answer depends on rows only through groups of them: on which values there are, and on
// aggregates.
func answerable(q *resolve.Query) bool {
	if q.Model.Multi != nil || q.FactRows != nil {
		return false
	}
	return q.Grouped || q.Distinct && !q.Windowed() && len(q.Totals) == 0
}

// answer gathers the parts of a rewritten query.
type answer struct {
	w       rewriter
	exact   bool // what is not exact is not answered
	grouped bool
	keys    map[string]resolve.Expr // the rewritten keys of groups, by the text of what they were
	ok      bool
}

// value rewrites a value of a result row: of a group or, where rows are not put together, of a row.
func (a *answer) value(e resolve.Expr) resolve.Expr {
	if !a.grouped {
		return a.row(e)
	}
	if e == nil || !a.ok {
		return e
	}
	out, ok := a.w.group(e, a.keys)
	a.ok = ok && (!a.exact || exactly(out))
	return out
}

// row rewrites a value of a row.
func (a *answer) row(e resolve.Expr) resolve.Expr {
	if e == nil || !a.ok {
		return e
	}
	out, ok := a.w.row(e)
	a.ok = ok && (!a.exact || exactly(out))
	return out
}

func (a *answer) outputs(list []resolve.Output) []resolve.Output {
	if list == nil {
		return nil
	}
	out := make([]resolve.Output, len(list))
	for i, o := range list {
		o.Expr = a.value(o.Expr)
		out[i] = o
	}
	return out
}

func (a *answer) orders(list []resolve.Order) []resolve.Order {
	out := make([]resolve.Order, len(list))
	for i, o := range list {
		o.Expr = a.value(o.Expr)
		out[i] = o
	}
	return out
}

// window puts the periods of a time window on a time that the rollup keeps: as it is, or by periods with which all
// stretches of the window begin and end.
func (a *answer) window(t *resolve.TimeWindow) *resolve.TimeWindow {
	out := &resolve.TimeWindow{Periods: t.Periods}
	if field, ok := a.w.row(t.Field); ok {
		out.Field, out.Within = field, a.row(t.Within)
		return out
	}
	for _, p := range a.w.d.times {
		if p.raw != t.Field.String() {
			continue
		}
		if periods, ok := p.stretches(t.Periods); ok {
			out.Field, out.Periods, out.Within = p.first, periods, a.row(t.Within)
			return out
		}
	}
	a.ok = false
	return out
}

func (t period) stretches(list []resolve.Period) ([]resolve.Period, bool) {
	out := make([]resolve.Period, len(list))
	for i, p := range list {
		for part, s := range p.Spans {
			if s == (resolve.Span{}) {
				continue
			}
			from, begun := t.begins(s.From, 0)
			to, ended := t.begins(s.To, 0)
			if !begun || !ended {
				return nil, false
			}
			p.Spans[part] = resolve.Span{From: from, To: to}
		}
		out[i] = p
	}
	return out, true
}

// exactly reports whether no part of a value is a number that is not exact.
func exactly(e resolve.Expr) bool {
	exact := true
	resolve.Visit(e, func(x resolve.Expr) bool {
		exact = exact && x.Type().Kind != value.Float
		return exact
	})
	return exact
}
