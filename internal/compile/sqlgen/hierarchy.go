package sqlgen

import (
	"parlance/internal/compile/resolve"
	"parlance/internal/semantic"
)

// closure writes a hierarchy's closure: its table, or one built from the parent column.
func (p *printer) closure(d *semantic.Dimension) {
	if d.Hierarchy.Parent == "" {
		p.relation(d.Hierarchy.Closure)
		return
	}
	p.built(d, -1)
}

// built writes the closure of a tree that a parent column makes. Without steps it is a set of pairs, which is finite
// even where nodes are their own ancestors; with steps it counts distances, and ends at the last one asked for.
func (p *printer) built(d *semantic.Dimension, steps int64) {
	count, next, union := "", "", " UNION "
	if steps >= 0 {
		count, next, union = ", 0", ", tree.distance + 1", " UNION ALL "
	}
	p.w.Text("(WITH RECURSIVE tree(ancestor, descendant")
	if steps >= 0 {
		p.w.Text(", distance")
	}
	p.w.Text(") AS (SELECT ")
	p.node(d, "n", d.ID)
	p.w.Text(", ")
	p.node(d, "n", d.ID)
	p.w.Text(count, " FROM ")
	p.relation(d.Source)
	p.w.Text(" AS n", union, "SELECT tree.ancestor, ")
	p.node(d, "n", d.ID)
	p.w.Text(next, " FROM tree INNER JOIN ")
	p.relation(d.Source)
	p.w.Text(" AS n ON ")
	p.node(d, "n", d.Hierarchy.Parent)
	p.w.Text(" = tree.descendant")
	if steps >= 0 {
		p.w.Text(" WHERE tree.distance < ")
		p.w.Bind(steps)
	}
	p.w.Text(") SELECT * FROM tree)")
}

// node writes a column of nodes, which a tree is walked by: its texts compare by code point.
func (p *printer) node(d *semantic.Dimension, rel, column string) {
	p.column(resolve.Column{Rel: rel, Name: column, T: d.IDType, Stored: true})
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
	p.w.Text(" IN (SELECT ")
	p.node(x.Tree, "h", to)
	p.w.Text(" FROM ")
	if h.Parent != "" && x.Max >= 0 {
		p.built(x.Tree, x.Max)
	} else {
		p.closure(x.Tree)
	}
	p.w.Text(" AS h WHERE ")
	p.node(x.Tree, "h", from)
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
	if x.Min > 0 && (column == "" || h.Parent != "" && x.Max < 0) {
		p.w.Text(" AND ")
		p.node(x.Tree, "h", h.AncestorColumn())
		p.w.Text(" <> ")
		p.node(x.Tree, "h", h.DescendantColumn())
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
