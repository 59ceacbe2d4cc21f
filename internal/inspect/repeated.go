package inspect

import (
	"context"

	"parlance/internal/compile/plan"
	"parlance/internal/compile/resolve"
	"parlance/internal/semantic"
)

// shown is how many keys a message names.
const shown = 3

// Repeated reports whether any value of the columns stands in more than one row of a source, so that a join on them
// counts rows more than once. A null joins nothing and does not count.
func Repeated(ctx context.Context, source Source, src semantic.Source, columns []string) (bool, error) {
	s := repeats(tally(src, columns, false))
	s.Columns = []plan.Output{{Name: "n", Expr: number("g", "n")}}
	s.Limit = &plan.Limit{Rows: 1}
	found, err := rows(ctx, source, s)
	return len(found) > 0, err
}

// repeats keeps what a tally counted more than once.
func repeats(counted *plan.Select) *plan.Select {
	return &plan.Select{From: plan.Derived{Select: counted, Alias: "g"}, Where: moreThanOne(number("g", "n"))}
}

// duplicates is the keys of a table that stand in more than one of its rows.
type duplicates struct {
	columns []string
	keys    int64
	first   []repeatedKey // the most frequent
}

type repeatedKey struct {
	values row
	times  int64
}

func findDuplicates(ctx context.Context, source Source, src semantic.Source, by []string, nullsCount bool) (duplicates, error) {
	d := duplicates{columns: by}
	s := repeats(tally(src, by, nullsCount))
	s.Columns = []plan.Output{countRows("n")}
	total, err := one(ctx, source, s)
	if err != nil {
		return d, err
	}
	if d.keys = total.int(0); d.keys == 0 {
		return d, nil
	}
	s.Columns = []plan.Output{{Name: "n", Expr: number("g", "n")}}
	s.OrderBy = []resolve.Order{{Expr: number("g", "n"), Desc: true}}
	for i, e := range columns("g", keyNames(len(by))) {
		s.Columns = append(s.Columns, plan.Output{Name: keyName(i), Expr: e})
		s.OrderBy = append(s.OrderBy, resolve.Order{Expr: e})
	}
	s.Limit = &plan.Limit{Rows: shown}
	found, err := rows(ctx, source, s)
	for _, r := range found {
		d.first = append(d.first, repeatedKey{values: r[1:], times: r.int(0)})
	}
	return d, err
}

// nulls counts the rows of a source that have a null among the columns.
func nulls(ctx context.Context, source Source, src semantic.Source, among []string) (int64, error) {
	n, err := one(ctx, source, &plan.Select{
		Columns: []plan.Output{countRows("n")}, From: plan.Table{Source: src, Alias: "t"}, Where: anyNull(columns("t", among)),
	})
	if err != nil {
		return 0, err
	}
	return n.int(0), nil
}
