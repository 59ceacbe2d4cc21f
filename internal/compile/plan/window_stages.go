package plan

import (
	"slices"
	"strings"

	"parlance/internal/compile/resolve"
	"parlance/internal/semantic"
)

// WindowStages rewrites a statement for databases that compute windows of several orders wrongly when they stand in
// one SELECT: every stage computes the windows of one order, and hands on what the stages within it have.
func WindowStages(s *Select) *Select {
	out := *s
	out.From = windowStages(s.From)
	out.Joins = slices.Clone(s.Joins)
	for i, j := range out.Joins {
		out.Joins[i].To = windowStages(j.To)
	}
	from, ok := out.From.(Derived)
	if !ok || len(s.Joins) > 0 || s.Where != nil || len(s.GroupBy) > 0 || len(s.OrderBy) > 0 || s.Limit != nil || s.Distinct {
		return &out
	}
	for orders := windowOrders(s.Columns); len(orders) > 1; orders = orders[1:] {
		inner := &Select{From: from}
		var rest []Output
		for _, c := range out.Columns {
			if w, ok := c.Expr.(*resolve.Window); ok && windowOrder(w) != orders[0] {
				rest = append(rest, c)
			} else {
				inner.Columns = append(inner.Columns, c)
			}
		}
		from = Derived{Select: inner, Alias: from.Alias}
		out.From, out.Columns = from, nil
		for _, c := range inner.Columns {
			out.Columns = append(out.Columns, Output{Name: c.Name, Expr: resolve.Column{Rel: from.Alias, Name: c.Name, T: c.Expr.Type()}})
		}
		out.Columns = append(out.Columns, rest...)
	}
	return &out
}

func windowStages(s Source) Source {
	switch x := s.(type) {
	case Derived:
		return Derived{Select: WindowStages(x.Select), Alias: x.Alias}
	case Union:
		selects := make([]*Select, len(x.Selects))
		for i, sel := range x.Selects {
			selects[i] = WindowStages(sel)
		}
		return Union{Selects: selects, Alias: x.Alias}
	case Table, Tree, Values:
	}
	return s
}

// windowOrders are the different orders in which the windows of some columns see the rows.
func windowOrders(columns []Output) []string {
	var list []string
	for _, c := range columns {
		if w, ok := c.Expr.(*resolve.Window); ok && !slices.Contains(list, windowOrder(w)) {
			list = append(list, windowOrder(w))
		}
	}
	return list
}

// windowOrder is a text of how a window's rows are sorted. An extreme of a whole partition may be written as the first
// value of an order.
func windowOrder(w *resolve.Window) string {
	var b strings.Builder
	for _, e := range w.PartitionBy {
		b.WriteString(e.String() + ", ")
	}
	b.WriteString("by ")
	for _, o := range w.OrderBy {
		b.WriteString(o.Expr.String())
		if o.Desc {
			b.WriteString(" desc")
		}
		if o.NullsFirst {
			b.WriteString(" nulls first")
		}
		b.WriteString(", ")
	}
	if fn := semantic.Agg(w.Fn); len(w.OrderBy) == 0 && (fn == semantic.Min || fn == semantic.Max) {
		b.WriteString(string(fn) + " " + w.Args[0].String())
	}
	return b.String()
}
