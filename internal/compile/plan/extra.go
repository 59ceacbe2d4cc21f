package plan

import (
	"math"
	"slices"

	"parlance/internal/compile/resolve"
)

// extra plans the rows over several groups: the rest behind a top N, or a subtotal for each prefix of the keys that
// the page shows, the longest first, and the total. Every value is taken from base rows again, so each measure is
// exact whatever its kind.
func extra(q *resolve.Query) ([]*Select, error) {
	if !q.Extra() {
		return nil, nil
	}
	if q.Top != nil {
		rest, err := others(q)
		return []*Select{rest}, err
	}
	var list []*Select
	for n := len(q.Keys) - 1; n > 0; n-- {
		s, err := subtotals(q, n)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	g, err := passing(q, nil)
	if err != nil {
		return nil, err
	}
	return append(list, over(q, g, nil, resolve.TotalRow).close()), nil
}

// passing groups the rows of the groups that pass the filters by a prefix of the keys.
func passing(q *resolve.Query, keys []resolve.Expr) (grouper, error) {
	g, err := stage(q, keys)
	if err != nil || q.Groups == nil && q.Results == nil {
		return g, err
	}
	return g, within(g, q, func() (*Select, error) { return survivors(q) })
}

// over starts rows by a prefix of the keys. The values of later keys, and of windows, are null.
func over(q *resolve.Query, g grouper, keys []resolve.Expr, rowType string) *results {
	index := keyIndex(keys)
	r := &results{sel: &Select{}, names: map[string]string{}}
	r.value = func(e resolve.Expr) resolve.Expr { return groupValue(g, index, e, rowType == resolve.TotalRow) }
	r.close = func() *Select {
		inner := g.finish()
		if len(inner.Columns) == 0 {
			inner.Columns = []Output{countRows()}
		}
		r.sel.From = Derived{Select: inner, Alias: groupsAlias}
		return r.sel
	}
	for i, c := range q.Columns {
		e := c.Expr
		switch {
		case c.Key == resolve.RowTypeKey:
			e = resolve.Text(rowType)
		case !defined(e, keys), laterKey(e, q.Keys[len(keys):]):
			e = resolve.Literal{T: e.Type()}
		}
		r.sel.Columns = append(r.sel.Columns, Output{Name: outputName(i), Expr: r.value(e)})
	}
	return r
}

// laterKey reports whether a value is a key beyond the prefix, which a row over several groups does not have.
func laterKey(e resolve.Expr, later []resolve.Expr) bool {
	return slices.ContainsFunc(later, func(k resolve.Expr) bool { return k.String() == e.String() })
}

// defined reports whether a value can be told from the keys at hand and aggregates.
func defined(e resolve.Expr, keys []resolve.Expr) bool {
	if e.Level() == resolve.WindowLevel {
		return false
	}
	ok := true
	resolve.Visit(e, func(x resolve.Expr) bool {
		if slices.ContainsFunc(keys, func(k resolve.Expr) bool { return k.String() == x.String() }) {
			return false
		}
		switch x.(type) {
		case *resolve.Agg:
			return false
		case resolve.Field, resolve.Stored, resolve.PeriodName:
			ok = false
		}
		return true
	})
	return ok
}

// subtotals is a row for each prefix of n keys that the page shows, in the order of the keys.
func subtotals(q *resolve.Query, n int) (*Select, error) {
	keys := q.Keys[:n]
	g, err := passing(q, keys)
	if err != nil {
		return nil, err
	}
	r := over(q, g, keys, resolve.SubtotalRow)
	shown, err := shownKeys(q, n)
	if err != nil {
		return nil, err
	}
	j := Join{To: Derived{Select: shown, Alias: "s"}, Required: true}
	for i, k := range keys {
		col := r.value(k).(resolve.Column)
		j.On = append(j.On, Pair{Left: col, Right: resolve.Column{Rel: "s", Name: keyName(i)}, NullSafe: true})
		r.sel.OrderBy = append(r.sel.OrderBy, resolve.Order{Expr: col})
	}
	r.sel.Joins = []Join{j}
	return r.close(), nil
}

// shownKeys is the distinct prefixes of n keys on the page.
func shownKeys(q *resolve.Query, n int) (*Select, error) {
	p, err := openResults(q)
	if err != nil {
		return nil, err
	}
	p.names = map[string]string{}
	for i, k := range q.Keys {
		p.sel.Columns = append(p.sel.Columns, Output{Name: keyName(i), Expr: p.value(k)})
		p.names[k.String()] = keyName(i)
	}
	p.order(q.Order)
	p.sel.Limit = &Limit{q.Start, q.Limit}
	outer := &Select{Distinct: true, From: Derived{Select: p.close(), Alias: rowsAlias}}
	for i, k := range q.Keys[:n] {
		outer.Columns = append(outer.Columns, Output{Name: keyName(i), Expr: resolve.Column{Rel: rowsAlias, Name: keyName(i), T: k.Type()}})
	}
	return outer, nil
}

// others is one row for the groups behind the first N; none when there are none.
func others(q *resolve.Query) (*Select, error) {
	g, err := stage(q, nil)
	if err != nil {
		return nil, err
	}
	behind := func() (*Select, error) { return ranked(q, q.Top.N, math.MaxInt64) }
	if err := within(g, q, behind); err != nil {
		return nil, err
	}
	rest, err := behind()
	if err != nil {
		return nil, err
	}
	r := over(q, g, nil, resolve.OthersRow)
	first := &Select{Columns: []Output{{Name: keyName(0), Expr: one}}, From: Derived{Select: rest, Alias: rowsAlias}, Limit: &Limit{Rows: 1}}
	r.sel.Joins = []Join{{To: Derived{Select: first, Alias: "s"}, Required: true}}
	return r.close(), nil
}
