package plan

import (
	"strconv"

	"parlance/internal/compile/resolve"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// Build plans a resolved query: the page, the count and, where asked for, the totals.
func Build(q *resolve.Query) (*Plan, error) {
	if !q.Grouped {
		return detail(q)
	}
	return grouped(q)
}

var one = resolve.Literal{V: value.Of(value.Integer, "1"), T: value.Type{Kind: value.Integer}}

func countRows() Output {
	return Output{Name: "n", Expr: &resolve.Agg{Fn: semantic.Count, T: value.Type{Kind: value.Integer, Wide: true}}}
}

func outputName(i int) string { return "c" + strconv.Itoa(i) }

func detail(q *resolve.Query) (*Plan, error) {
	p := &Plan{Page: detailPage(q), Count: detailCount(q)}
	if q.Totals == nil {
		return p, nil
	}
	var err error
	p.Totals, err = totals(q)
	return p, err
}

func detailPage(q *resolve.Query) *Select {
	r := newRows(q.Model)
	names := map[string]string{}
	for i, c := range q.Columns {
		name := outputName(i)
		r.sel.Columns = append(r.sel.Columns, Output{Name: name, Expr: r.bind(c.Expr)})
		names[c.Expr.String()] = name
	}
	r.filter(q.Rows)
	r.sel.Distinct = q.Distinct
	for _, o := range q.Order {
		r.sel.OrderBy = append(r.sel.OrderBy, orderTerm(o, names, r.bind))
	}
	r.sel.Limit = &Limit{q.Start, q.Limit}
	return r.sel
}

// orderTerm orders by an output column where the term is one, and otherwise by the expression itself.
func orderTerm(o resolve.Order, names map[string]string, bind func(resolve.Expr) resolve.Expr) resolve.Order {
	if name, ok := names[o.Expr.String()]; ok {
		o.Expr = resolve.Column{Name: name, T: o.Expr.Type()}
		return o
	}
	o.Expr = bind(o.Expr)
	return o
}

func detailCount(q *resolve.Query) *Select {
	if q.Distinct {
		page := detailPage(q)
		page.OrderBy, page.Limit = nil, nil
		return &Select{Columns: []Output{countRows()}, From: Derived{Select: page, Alias: rowsAlias}}
	}
	r := newRows(q.Model)
	r.filter(q.Rows)
	r.sel.Columns = []Output{countRows()}
	return r.sel
}

func grouped(q *resolve.Query) (*Plan, error) {
	page, err := groupedPage(q)
	if err != nil {
		return nil, err
	}
	survivors, err := survivors(q)
	if err != nil {
		return nil, err
	}
	if q.Distinct {
		if survivors, err = groupedPage(q); err != nil {
			return nil, err
		}
		survivors.OrderBy, survivors.Limit = nil, nil
	}
	count := &Select{Columns: []Output{countRows()}, From: Derived{Select: survivors, Alias: groupsAlias}}
	p := &Plan{Page: page, Count: count}
	if q.Totals != nil {
		p.Totals, err = totals(q)
	}
	return p, err
}

// stage makes the grouping of a query's rows by keys.
func stage(q *resolve.Query, keys []resolve.Expr) (grouper, error) {
	if q.Model.Multi != nil {
		return newFacts(q.Model, q.Rows, keys)
	}
	return newGroups(q.Model, q.Rows, keys), nil
}

// value replaces the keys and aggregates of an expression by the columns of a stage. Over no keys there is one group
// even of no rows, whose sums are 0 (decision 45).
func groupValue(g grouper, keys map[string]int, e resolve.Expr) resolve.Expr {
	return resolve.Rewrite(e, func(x resolve.Expr) (resolve.Expr, bool) {
		if i, ok := keys[x.String()]; ok {
			return g.key(i), true
		}
		a, ok := x.(*resolve.Agg)
		if !ok {
			return nil, false
		}
		col := g.aggregate(a)
		if len(keys) == 0 && (a.Fn == semantic.Sum || a.Fn == semantic.Count || a.Fn == semantic.CountDistinct) {
			zero := resolve.Literal{V: value.Of(value.Integer, "0"), T: a.T}
			return &resolve.Op{Fn: resolve.Coalesce, Args: []resolve.Expr{col, zero}, T: a.T}, true
		}
		return col, true
	})
}

func keyIndex(keys []resolve.Expr) map[string]int {
	index := map[string]int{}
	for i, k := range keys {
		index[k.String()] = i
	}
	return index
}

func groupedPage(q *resolve.Query) (*Select, error) {
	g, err := stage(q, q.Keys)
	if err != nil {
		return nil, err
	}
	keys := keyIndex(q.Keys)
	outer := &Select{Distinct: q.Distinct, Limit: &Limit{q.Start, q.Limit}}
	names := map[string]string{}
	for i, c := range q.Columns {
		outer.Columns = append(outer.Columns, Output{Name: outputName(i), Expr: groupValue(g, keys, c.Expr)})
		names[c.Expr.String()] = outputName(i)
	}
	if q.Groups != nil {
		outer.Where = groupValue(g, keys, q.Groups)
	}
	for _, o := range q.Order {
		outer.OrderBy = append(outer.OrderBy, orderTerm(o, names, func(e resolve.Expr) resolve.Expr { return groupValue(g, keys, e) }))
	}
	outer.From = Derived{Select: g.finish(), Alias: groupsAlias}
	return outer, nil
}

// survivors is the keys of the groups that pass the filter on groups: one row a group.
func survivors(q *resolve.Query) (*Select, error) {
	g, err := stage(q, q.Keys)
	if err != nil {
		return nil, err
	}
	keys := keyIndex(q.Keys)
	outer := &Select{}
	for i := range q.Keys {
		outer.Columns = append(outer.Columns, Output{Name: keyName(i), Expr: g.key(i)})
	}
	if len(q.Keys) == 0 {
		outer.Columns = []Output{{Name: "k0", Expr: one}}
		if groups, ok := g.(*groups); ok {
			groups.sel.Columns = append(groups.sel.Columns, countRows())
		}
	}
	if q.Groups != nil {
		outer.Where = groupValue(g, keys, q.Groups)
	}
	outer.From = Derived{Select: g.finish(), Alias: groupsAlias}
	return outer, nil
}

// totals aggregates the base rows as one group, under the same filters (law 6); under a filter on groups, the rows of
// the groups that passed.
func totals(q *resolve.Query) (*Select, error) {
	g, err := stage(q, nil)
	if err != nil {
		return nil, err
	}
	if q.Groups != nil {
		if err := within(g, q); err != nil {
			return nil, err
		}
	}
	outer := &Select{}
	for i, c := range q.Totals {
		outer.Columns = append(outer.Columns, Output{Name: outputName(i), Expr: groupValue(g, nil, c.Expr)})
	}
	if len(outer.Columns) == 0 {
		return nil, nil
	}
	outer.From = Derived{Select: g.finish(), Alias: groupsAlias}
	return outer, nil
}

func within(g grouper, q *resolve.Query) error {
	switch x := g.(type) {
	case *groups:
		alive, err := survivors(q)
		if err != nil {
			return err
		}
		x.within(alive, q.Keys)
	case *facts:
		for _, p := range x.parts {
			alive, err := survivors(q)
			if err != nil {
				return err
			}
			own, err := translateAll(q.Model, p.rows.model, q.Keys)
			if err != nil {
				return err
			}
			p.within(alive, own)
		}
	}
	return nil
}
