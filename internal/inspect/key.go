package inspect

import (
	"context"
	"fmt"
	"strconv"

	"parlance/internal/compile/plan"
	"parlance/internal/compile/resolve"
)

// key checks that the declared key of the model tells its rows apart.
func (c *check) key(ctx context.Context) error {
	m := c.model
	if len(m.Key) == 0 {
		return nil
	}
	found, err := findDuplicates(ctx, c.source, m.Source, m.Key, true)
	if err != nil {
		return err
	}
	if found.keys > 0 {
		if err := c.sameKey(ctx, found); err != nil {
			return err
		}
	}
	n, err := nulls(ctx, c.source, m.Source, m.Key)
	if n > 0 {
		c.add(c.finding(Warning, "null_key", fmt.Sprintf("%s of %s %s no %s, which is the model's key", counted(n, "row"), named(m.Source), have(n), oneOf(m.Key)),
			"numbers stay right, but nothing can point to such a row"))
	}
	return err
}

// sameKey tells what rows that share a key hold, and what cannot be told of them.
func (c *check) sameKey(ctx context.Context, found duplicates) error {
	m := c.model
	counts := tally(m.Source, m.Key, true)
	counts.Columns = append(counts.Columns, sums("t", c.measures)...)
	n := number("d", "n")
	stage := &plan.Select{From: plan.Derived{Select: counts, Alias: "d"}, GroupBy: []resolve.Expr{n}}
	stage.Columns = []plan.Output{{Name: "n", Expr: n}, sum("c", n, integer)}
	for i, measure := range c.measures {
		name := "s" + strconv.Itoa(i)
		stage.Columns = append(stage.Columns, sum(name, column("d", name), measure.Type))
	}
	classes, err := rows(ctx, c.source, stage)
	if err != nil {
		return err
	}
	var all, shared worth
	for _, r := range classes {
		w := read(r[1:])
		all = all.plus(w, 1)
		if r.int(0) > 1 {
			shared = shared.plus(w, 1)
		}
	}
	effect := "a page may repeat one such row and lose another, and totals of filtered windows may count them more often"
	if shared.rows > 0 {
		if text := shared.of(all, c.measures); text != "" {
			effect = fmt.Sprintf("if the %d rows are copies, sums are too high, for they hold %s; %s", shared.rows, text, effect)
		}
	}
	c.add(c.finding(Error, "duplicate_key", found.message(m.Source)+", where it is the model's key", effect))
	return nil
}

func pointing(rel string, names []string) []resolve.Column {
	list := make([]resolve.Column, len(names))
	for i, n := range names {
		list[i] = column(rel, n)
	}
	return list
}
