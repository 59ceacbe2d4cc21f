package sqlgen

import (
	"parlance/internal/compile/resolve"
	"parlance/internal/semantic"
)

// closure writes a hierarchy's closure: its table, or one built from the parent column.
func (p *printer) closure(d *semantic.Dimension) {
	h := d.Hierarchy
	if h.Parent == "" {
		p.relation(h.Closure)
		return
	}
	p.w.Text("(WITH RECURSIVE tree(ancestor, descendant, distance) AS (SELECT n.")
	p.w.Name(d.ID)
	p.w.Text(", n.")
	p.w.Name(d.ID)
	p.w.Text(", 0 FROM ")
	p.relation(d.Source)
	p.w.Text(" AS n UNION ALL SELECT tree.ancestor, n.")
	p.w.Name(d.ID)
	p.w.Text(", tree.distance + 1 FROM tree INNER JOIN ")
	p.relation(d.Source)
	p.w.Text(" AS n ON n.")
	p.w.Name(h.Parent)
	p.w.Text(" = tree.descendant) SELECT ancestor, descendant, distance FROM tree)")
}

// within writes a condition over a tree as a semi-join.
func (p *printer) within(x *resolve.Within) {
	h := x.Tree.Hierarchy
	from, to := h.AncestorColumn(), h.DescendantColumn()
	if x.Up {
		from, to = to, from
	}
	p.w.Text("(")
	p.expr(x.X)
	p.w.Text(" IN (SELECT h.")
	p.w.Name(to)
	p.w.Text(" FROM ")
	p.closure(x.Tree)
	p.w.Text(" AS h WHERE h.")
	p.w.Name(from)
	p.w.Text(" IN (")
	for i, n := range x.Nodes {
		p.comma(i)
		p.expr(n)
	}
	p.w.Text(")")
	p.distances(x)
	p.w.Text("))")
}

func (p *printer) distances(x *resolve.Within) {
	h := x.Tree.Hierarchy
	column := h.DistanceColumn()
	if column == "" && x.Min > 0 {
		p.w.Text(" AND h.")
		p.w.Name(h.AncestorColumn())
		p.w.Text(" <> h.")
		p.w.Name(h.DescendantColumn())
		return
	}
	bound := func(sign string, n int64) {
		p.w.Text(" AND h.")
		p.w.Name(column)
		p.w.Text(sign)
		p.w.Bind(n)
	}
	if x.Min > 0 {
		bound(" >= ", x.Min)
	}
	if x.Max >= 0 {
		bound(" <= ", x.Max)
	}
}
