package plan

import (
	"slices"
	"strconv"

	"parlance/internal/compile/resolve"
)

// inputs is a stage that computes values once and hands out their columns.
type inputs interface {
	output(e resolve.Expr) resolve.Column
	finish() *Select
}

// finish gives a row once for each set of values: two ancestors of one name, or of one mask, would count it twice in
// their group.
func (r *rows) finish() *Select {
	if len(r.named) > 0 || r.mixed {
		r.sel.Distinct = true
		for _, k := range r.model.Key {
			r.output(resolve.Stored{Name: k})
		}
	}
	if len(r.sel.Columns) == 0 {
		r.sel.Columns = []Output{{Name: "r0", Expr: one}}
	}
	return r.sel
}

// grouping is the stage over groups: what is made of their keys and aggregates, under the filter on groups.
type grouping struct {
	grouper
	keys  map[string]int
	sel   *Select
	names map[string]string
}

func newGrouping(q *resolve.Query) (*grouping, error) {
	g, err := stage(q, q.Keys)
	if err != nil {
		return nil, err
	}
	s := &grouping{grouper: g, keys: keyIndex(q.Keys), sel: &Select{}}
	if q.Groups != nil {
		s.sel.Where = s.value(q.Groups)
	}
	return s, nil
}

func (g *grouping) value(e resolve.Expr) resolve.Expr {
	return groupValue(g.grouper, g.keys, e, len(g.keys) == 0)
}

func (g *grouping) output(e resolve.Expr) resolve.Column {
	key := e.String()
	name, ok := g.names[key]
	if !ok {
		name = rowNames.of(len(g.names))
		if g.names == nil {
			g.names = map[string]string{}
		}
		g.names[key] = name
		g.sel.Columns = append(g.sel.Columns, Output{Name: name, Expr: g.value(e)})
	}
	return resolve.Column{Rel: rowsAlias, Name: name, T: e.Type()}
}

func (g *grouping) finish() *Select {
	if len(g.sel.Columns) == 0 {
		g.sel.Columns = []Output{{Name: "r0", Expr: one}}
	}
	inner := g.grouper.finish()
	if len(inner.Columns) == 0 {
		inner.Columns = []Output{countRows()}
	}
	g.sel.From = Derived{Select: inner, Alias: groupsAlias}
	return g.sel
}

// results plans everything of a query but its page: the selected values, filtered, in no order.
type results struct {
	sel   *Select
	value func(resolve.Expr) resolve.Expr
	close func() *Select
	names map[string]string
}

func newResults(q *resolve.Query) (*results, error) {
	r, err := openResults(q)
	if err != nil {
		return nil, err
	}
	r.sel.Distinct = q.Distinct
	return r, nil
}

func openResults(q *resolve.Query) (*results, error) {
	if !q.Grouped {
		rows := newRows(q.Model)
		rows.filter(q.Rows)
		if q.Windowed() {
			return windowed(q, rows), nil
		}
		return &results{sel: rows.sel, value: rows.bind, close: func() *Select { return rows.sel }}, nil
	}
	groups, err := newGrouping(q)
	if err != nil {
		return nil, err
	}
	if q.Windowed() {
		return windowed(q, groups), nil
	}
	return &results{sel: groups.sel, value: groups.value, close: groups.finish}, nil
}

// columns adds the selected values.
func (r *results) columns(outputs []resolve.Output) {
	r.sel.Columns = slices.Grow(r.sel.Columns, len(outputs))
	for i, c := range outputs {
		name := outputName(i)
		r.sel.Columns = append(r.sel.Columns, Output{Name: name, Expr: r.value(c.Expr)})
		r.call(c.Expr, name)
	}
}

// call notes the name of a value.
func (r *results) call(e resolve.Expr, name string) {
	if r.names == nil {
		r.names = map[string]string{}
	}
	r.names[e.String()] = name
}

// order adds the order: by a selected column where the term is one, otherwise by the value itself.
func (r *results) order(terms []resolve.Order) {
	r.sel.OrderBy = slices.Grow(r.sel.OrderBy, len(terms))
	for _, o := range terms {
		if name, ok := r.names[o.Expr.String()]; ok {
			o.Expr = resolve.Column{Name: name, T: o.Expr.Type(), Stored: r.stored(name)}
		} else {
			o.Expr = r.value(o.Expr)
		}
		r.sel.OrderBy = append(r.sel.OrderBy, o)
	}
}

// stored reports whether a selected column is one of a table, just as it holds it.
func (r *results) stored(name string) bool {
	for _, c := range r.sel.Columns {
		if c.Name == name {
			col, ok := c.Expr.(resolve.Column)
			return ok && col.Stored
		}
	}
	return false
}

func page(q *resolve.Query) (*Select, error) {
	r, err := newResults(q)
	if err != nil {
		return nil, err
	}
	r.columns(q.Columns)
	if q.Top != nil {
		return topPage(q, r), nil
	}
	r.order(q.Order)
	r.sel.Limit = &Limit{q.Start, q.Limit}
	return r.close(), nil
}

// topPage ranks the groups first and orders and pages what is left.
func topPage(q *resolve.Query, r *results) *Select {
	outer := &Select{Limit: &Limit{q.Start, q.Limit}}
	for _, c := range r.sel.Columns {
		outer.Columns = append(outer.Columns, Output{Name: c.Name, Expr: resolve.Column{Rel: rowsAlias, Name: c.Name, T: c.Expr.Type()}})
	}
	for i, o := range q.Order {
		name, ok := r.names[o.Expr.String()]
		if !ok {
			name = "o" + strconv.Itoa(i)
			r.sel.Columns = append(r.sel.Columns, Output{Name: name, Expr: r.value(o.Expr)})
		}
		o.Expr = resolve.Column{Rel: rowsAlias, Name: name, T: o.Expr.Type()}
		outer.OrderBy = append(outer.OrderBy, o)
	}
	r.order(ranking(q))
	r.sel.Limit = &Limit{0, q.Top.N}
	outer.From = Derived{Select: r.close(), Alias: rowsAlias}
	return outer
}

// count is the number of result rows. Where windows and distinct play no part, neither do the selected values.
func count(q *resolve.Query) (*Select, error) {
	if !q.Grouped && !q.Distinct && !q.Windowed() {
		rows := newRows(q.Model)
		rows.filter(q.Rows)
		rows.sel.Columns = []Output{countRows()}
		return rows.sel, nil
	}
	inner, err := counted(q)
	if err != nil {
		return nil, err
	}
	return &Select{Columns: []Output{countRows()}, From: Derived{Select: inner, Alias: rowsAlias}}, nil
}

func counted(q *resolve.Query) (*Select, error) {
	if q.Top != nil {
		return ranked(q, 0, q.Top.N)
	}
	r, err := newResults(q)
	if err != nil {
		return nil, err
	}
	if q.Distinct {
		r.columns(q.Columns)
	}
	inner := r.close()
	if len(inner.Columns) == 0 {
		inner.Columns = []Output{{Name: outputName(0), Expr: one}}
	}
	return inner, nil
}
