package plan

import (
	"parlance/internal/compile/resolve"
	"parlance/internal/fault"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// Build plans a resolved query: the page, the count and, where asked for, the totals.
func Build(q *resolve.Query) (*Plan, error) {
	var p Plan
	err := checkTrees(q)
	if err != nil {
		return nil, err
	}
	if p.Page, err = page(q); err != nil {
		return nil, err
	}
	if p.Count, err = count(q); err != nil {
		return nil, err
	}
	if p.Extra, err = extra(q); err != nil {
		return nil, err
	}
	if len(q.Totals) > 0 {
		if p.Totals, err = totals(q); err != nil {
			return nil, err
		}
	}
	return &p, nil
}

// checkTrees refuses groups by the names of a hierarchy's ancestors where rows cannot be told apart: a row below two
// ancestors of one name could not be counted once.
func checkTrees(q *resolve.Query) error {
	for i, k := range q.Keys {
		_, bare := k.(resolve.Field)
		if f := resolve.TreeOf(k); f != nil && (f.Role != semantic.ID || !bare) && len(q.Model.Key) == 0 && q.Model.Multi == nil {
			return fault.Invalidf("key_required", "groupBy", "groups by %s need rows that can be told apart, and %s declares no key", q.KeyNames[i], q.Model.Name)
		}
	}
	return nil
}

var one = resolve.Literal{V: value.Of(value.Integer, "1"), T: value.Type{Kind: value.Integer}}

func countRows() Output {
	return Output{Name: "n", Expr: &resolve.Agg{Fn: semantic.Count, T: value.Type{Kind: value.Integer, Wide: true}}}
}

func outputName(i int) string { return outputNames.of(i) }

// stage makes the grouping of a query's rows by keys.
func stage(q *resolve.Query, keys []resolve.Expr) (grouper, error) {
	switch {
	case q.Model.Multi != nil:
		return facts(q, keys)
	case q.Time != nil:
		if len(seriesOf(q)) > 0 {
			return nil, fault.Invalidf("unsupported", "timeWindow", "a measure that is averaged or bounded along a time cannot be set beside another stretch of it")
		}
		return timed(q, keys), nil
	}
	if list := seriesOf(q); len(list) > 0 {
		return withSeries(q, keys, list), nil
	}
	return newGroups(newRows(q.Model), q.Rows, keys), nil
}

// groupValue replaces the keys and aggregates of an expression by the columns of a stage. A total is over one group
// even of no rows, whose sums are 0 (decision 45).
func groupValue(g grouper, keys map[string]int, e resolve.Expr, total bool) resolve.Expr {
	return resolve.Rewrite(e, func(x resolve.Expr) (resolve.Expr, bool) {
		if i, ok := keys[x.String()]; ok {
			return g.key(i), true
		}
		a, ok := x.(*resolve.Agg)
		if !ok {
			return nil, false
		}
		col := g.aggregate(a)
		if total && (a.Semi == nil || a.Semi.AtEnd()) && (a.Fn == semantic.Sum || a.Fn == semantic.Count || a.Fn == semantic.CountDistinct) {
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
