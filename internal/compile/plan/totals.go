package plan

import (
	"parlance/internal/compile/resolve"
	"parlance/internal/semantic"
)

// totals aggregates the base rows as one group, under the same filters (law 6); under a filter on groups or on
// windows, the rows of what passed.
func totals(q *resolve.Query) (*Select, error) {
	g, err := passing(q, nil)
	if q.Time != nil {
		g, err = ownTime(q)
	}
	if err != nil {
		return nil, err
	}
	outer := &Select{}
	for i, c := range q.Totals {
		outer.Columns = append(outer.Columns, Output{Name: outputName(i), Expr: groupValue(g, nil, c.Expr, true)})
	}
	outer.From = Derived{Select: g.finish(), Alias: groupsAlias}
	return outer, nil
}

// ownTime groups the rows of all periods as one group; under a filter, each row goes by the period that holds it.
func ownTime(q *resolve.Query) (grouper, error) {
	r := newRows(q.Model)
	if q.Groups == nil && q.Results == nil {
		return newGroups(r, and(q.Rows, q.Time.Within), nil), nil
	}
	r.count(q.Time, resolve.Own)
	g := newGroups(r, q.Rows, nil)
	return g, within(g, q, func() (*Select, error) { return survivors(q) })
}

// survivors is the identity of the result rows that pass every filter: one row each.
func survivors(q *resolve.Query) (*Select, error) {
	r, err := identities(q)
	if err != nil {
		return nil, err
	}
	return r.close(), nil
}

func identities(q *resolve.Query) (*results, error) {
	r, err := openResults(q)
	if err != nil {
		return nil, err
	}
	for i, e := range q.Identity {
		r.sel.Columns = append(r.sel.Columns, Output{Name: keyName(i), Expr: r.value(e)})
		r.call(e, keyName(i))
	}
	if len(q.Identity) == 0 {
		r.sel.Columns = []Output{{Name: keyName(0), Expr: one}}
	}
	return r, nil
}

// ranked is the identity of some of the groups that pass every filter, in the order of the top N.
func ranked(q *resolve.Query, start, rows int64) (*Select, error) {
	r, err := identities(q)
	if err != nil {
		return nil, err
	}
	r.order(ranking(q))
	r.sel.Limit = &Limit{start, rows}
	return r.close(), nil
}

// ranking is the order in which groups are ranked, made total by their keys.
func ranking(q *resolve.Query) []resolve.Order {
	terms := []resolve.Order{q.Top.By}
	for _, k := range q.Keys {
		if k.String() != q.Top.By.Expr.String() {
			terms = append(terms, resolve.Order{Expr: k})
		}
	}
	return terms
}

// within keeps, of every part, the rows that some result rows are made of.
func within(g grouper, q *resolve.Query, alive func() (*Select, error)) error {
	return g.within(alive, func(m *semantic.Model) ([]resolve.Expr, error) {
		if q.Model.Multi != nil {
			return translateAll(q.Model, m, q.Identity)
		}
		return q.Identity, nil
	})
}
