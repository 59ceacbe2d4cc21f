package plan

import "parlance/internal/compile/resolve"

// totals aggregates the base rows as one group, under the same filters (law 6); under a filter on groups or on
// windows, the rows of what passed.
func totals(q *resolve.Query) (*Select, error) {
	g, err := stage(q, nil)
	if err != nil {
		return nil, err
	}
	if q.Groups != nil || q.Results != nil {
		if err := within(g, q); err != nil {
			return nil, err
		}
	}
	outer := &Select{}
	for i, c := range q.Totals {
		outer.Columns = append(outer.Columns, Output{Name: outputName(i), Expr: groupValue(g, nil, c.Expr)})
	}
	outer.From = Derived{Select: g.finish(), Alias: groupsAlias}
	return outer, nil
}

// survivors is the identity of the result rows that pass every filter: one row each.
func survivors(q *resolve.Query) (*Select, error) {
	r, err := openResults(q)
	if err != nil {
		return nil, err
	}
	for i, e := range q.Identity {
		r.sel.Columns = append(r.sel.Columns, Output{Name: keyName(i), Expr: r.value(e)})
	}
	if len(q.Identity) == 0 {
		r.sel.Columns = []Output{{Name: keyName(0), Expr: one}}
	}
	return r.close(), nil
}

// within keeps, of every fact, the rows that the surviving results are made of.
func within(g grouper, q *resolve.Query) error {
	keep := func(part *groups, keys []resolve.Expr) error {
		alive, err := survivors(q)
		if err != nil {
			return err
		}
		part.within(alive, keys)
		return nil
	}
	switch x := g.(type) {
	case *groups:
		return keep(x, q.Identity)
	case *facts:
		for _, p := range x.parts {
			own, err := translateAll(q.Model, p.rows.model, q.Identity)
			if err != nil {
				return err
			}
			if err := keep(p, own); err != nil {
				return err
			}
		}
	}
	return nil
}
