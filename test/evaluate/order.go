package evaluate

import (
	"slices"

	"parlance/internal/query"
)

// ordering is one entry of the order of rows.
type ordering struct {
	node       *node
	descending bool
	nullsFirst bool
}

// line is one row of the answer with what it is ordered by.
type line struct {
	group *group // nil of a row
	cells []Value
	by    []Value
	tie   []Value
}

// bindOrder binds the order: the query's, or of the model's rows its own. Groups and distinct rows are not the model's.
func (r *run) bindOrder() error {
	orders := r.input.Query.OrderBy
	chosen := len(orders) > 0
	if !chosen && !r.grouped && !r.input.Query.Distinct {
		orders = slices.DeleteFunc(slices.Clone(r.model.DefaultOrder), func(o query.Order) bool { return !r.plainlySeen(o.Expr) })
	}
	for _, o := range orders {
		m := r.later(r.grouped)
		if !chosen {
			m = mode{}
		}
		n, err := r.expr(o.Expr, m)
		if err != nil {
			return err
		}
		if r.grouped && !r.keyed(n.loose) {
			return refuse("not_grouped", "%s is no group key", o.Expr)
		}
		if r.input.Query.Distinct && !r.selected(o.Expr) {
			return refuse("not_distinct", "%s is not selected", o.Expr)
		}
		r.order = append(r.order, ordering{n, o.Desc, o.Nulls == query.NullsFirst})
	}
	return nil
}

// selected reports whether an expression is a column, by its alias or by what it is.
func (r *run) selected(e query.Expr) bool {
	id := r.id(e)
	ref, _ := e.(*query.Ref)
	return slices.ContainsFunc(r.columns, func(o output) bool {
		return r.id(o.expr) == id || ref != nil && o.Key == ref.Name
	})
}

func (r *run) line(s *scope, tie []Value) (line, error) {
	l := line{tie: tie}
	for _, o := range r.columns {
		v, err := o.node.eval(s)
		if err != nil {
			return l, err
		}
		l.cells = append(l.cells, v)
	}
	for _, o := range r.order {
		v, err := o.node.eval(s)
		if err != nil {
			return l, err
		}
		l.by = append(l.by, v)
	}
	return l, nil
}

// arranged returns the lines in order, each once where they must be distinct. Ties are broken by the keys, and those
// of distinct rows by all that they hold.
func (r *run) arranged(lines []line) []line {
	if r.input.Query.Distinct {
		seen := map[string]bool{}
		lines = slices.DeleteFunc(lines, func(l line) bool {
			id := identities(l.cells)
			again := seen[id]
			seen[id] = true
			return again
		})
		for i := range lines {
			lines[i].tie = lines[i].cells
		}
	}
	if r.input.Query.Top != nil && len(r.order) == 0 {
		return lines
	}
	slices.SortStableFunc(lines, func(a, b line) int {
		for i, o := range r.order {
			if c := o.compare(a.by[i], b.by[i]); c != 0 {
				return c
			}
		}
		for i := range a.tie {
			if c := (ordering{}).compare(a.tie[i], b.tie[i]); c != 0 {
				return c
			}
		}
		return 0
	})
	return lines
}

// compare orders two values; nulls stand last in either direction unless the order says first.
func (o ordering) compare(a, b Value) int {
	switch {
	case a.IsNull() && b.IsNull():
		return 0
	case a.IsNull() == o.nullsFirst && (a.IsNull() || b.IsNull()):
		return -1
	case a.IsNull() || b.IsNull():
		return 1
	case o.descending:
		return -compare(a, b)
	}
	return compare(a, b)
}
