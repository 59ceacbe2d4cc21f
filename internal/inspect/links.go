package inspect

import (
	"context"
	"slices"
	"strconv"

	"parlance/internal/compile/plan"
	"parlance/internal/compile/resolve"
	"parlance/internal/semantic"
)

// chain returns the dimensions on the way from the model's rows to d, d last.
func chain(d *semantic.Dimension) []*semantic.Dimension {
	var way []*semantic.Dimension
	for ; d != nil; d = d.Parent {
		way = append(way, d)
	}
	slices.Reverse(way)
	return way
}

// links is how rows point to a dimension.
type links struct {
	all      worth
	null     worth // without a value in the pointing columns
	orphan   worth // with one that no row of the dimension has
	repeated worth // with one that several rows have
	joined   worth // all, as often as a join would count them
	most     int64 // how often it would count a row at most
	least    int64 // of repeated rows
}

// way is the rows of a source together with where they point along a chain of dimensions, each found once whatever
// its table holds. The rows are b.
func way(base semantic.Source, chain []*semantic.Dimension) (stage *plan.Select, link []resolve.Column, reached resolve.Expr) {
	stage = &plan.Select{From: plan.Table{Source: base, Alias: "b"}}
	link = pointing("b", linkOf(chain[0]))
	for i, d := range chain[:len(chain)-1] {
		alias := "p" + strconv.Itoa(i)
		next := linkOf(chain[i+1])
		found := tally(d.Source, keyOf(d), false)
		for n, e := range columns("t", next) {
			found.Columns = append(found.Columns, plan.Output{Name: "l" + strconv.Itoa(n), Expr: &resolve.Agg{Fn: semantic.Min, Arg: e}})
		}
		stage.Joins = append(stage.Joins, matching(found, alias, link))
		link = make([]resolve.Column, len(next))
		for n := range next {
			link[n] = column(alias, "l"+strconv.Itoa(n))
		}
		reached = op(resolve.Not, op(resolve.IsNull, number(alias, "n")))
	}
	return stage, link, reached
}

// links sorts the rows of a source by how they point to the last dimension of a chain. Rows that do not even reach
// the one before it belong to that one.
func (c *check) links(ctx context.Context, base semantic.Source, chain []*semantic.Dimension, measures []*semantic.Measure) (links, error) {
	d := chain[len(chain)-1]
	stage, link, reached := way(base, chain)
	stage.Joins = append(stage.Joins, matching(tally(d.Source, keyOf(d), false), "d", link))
	stage.Columns = []plan.Output{{Name: "z", Expr: anyNull(expressions(link))}, {Name: "n", Expr: number("d", "n")}}
	if reached != nil {
		stage.Columns = append(stage.Columns, plan.Output{Name: "r", Expr: reached})
	}
	found, err := rows(ctx, c.source, classes(stage, measures))
	var l links
	for _, r := range found {
		if reached != nil {
			last := len(r) - 1
			l.take(r[0] == "true", r[last] == "true", r.int(1), read(r[2:last]))
			continue
		}
		l.take(r[0] == "true", true, r.int(1), read(r[2:]))
	}
	return l, err
}

// classes counts the rows b of a stage by its columns and adds up measures of them: first the columns z and n, then the
// count and the sums, then further columns. The columns are computed before the rows are grouped by them: not every
// database takes a computed column for the key that it is.
func classes(stage *plan.Select, measures []*semantic.Measure) *plan.Select {
	inner := *stage
	for i, m := range measures {
		inner.Columns = append(inner.Columns, plan.Output{Name: "m" + strconv.Itoa(i), Expr: resolve.Column{Rel: "b", Name: m.Column, T: m.Type}})
	}
	outer := &plan.Select{From: plan.Derived{Select: &inner, Alias: "q"}}
	for _, c := range stage.Columns {
		e := resolve.Column{Rel: "q", Name: c.Name, T: c.Expr.Type()}
		outer.GroupBy = append(outer.GroupBy, e)
		outer.Columns = append(outer.Columns, plan.Output{Name: c.Name, Expr: e})
	}
	values := []plan.Output{countRows("c")}
	for i, m := range measures {
		values = append(values, sum("s"+strconv.Itoa(i), column("q", "m"+strconv.Itoa(i)), m.Type))
	}
	outer.Columns = slices.Insert(outer.Columns, 2, values...)
	return outer
}

func expressions(list []resolve.Column) []resolve.Expr {
	out := make([]resolve.Expr, len(list))
	for i, c := range list {
		out[i] = c
	}
	return out
}

// take adds rows that point to n rows of the dimension.
func (l *links) take(null, reached bool, n int64, w worth) {
	l.all = l.all.plus(w, 1)
	l.joined = l.joined.plus(w, max(1, n))
	switch {
	case !reached:
	case null:
		l.null = l.null.plus(w, 1)
	case n == 0:
		l.orphan = l.orphan.plus(w, 1)
	case n > 1:
		l.repeated = l.repeated.plus(w, 1)
		l.most = max(l.most, n)
		if l.least == 0 || n < l.least {
			l.least = n
		}
	}
}
