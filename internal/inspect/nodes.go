package inspect

import (
	"context"
	"fmt"
	"slices"

	"parlance/internal/compile/plan"
	"parlance/internal/compile/resolve"
	"parlance/internal/semantic"
)

// without keeps the keys of a tally that another has not. Both have one key.
func without(these, those *plan.Select) *plan.Select {
	return &plan.Select{
		Columns: []plan.Output{{Name: "k0", Expr: column("x", "k0")}},
		From:    plan.Derived{Select: these, Alias: "x"},
		Joins:   []plan.Join{matching(those, "y", pointing("x", keyNames(1)))},
		Where:   op(resolve.IsNull, number("y", "n")),
	}
}

// keysOf counts the rows of a stage of keys and writes the first of them.
func (c *check) keysOf(ctx context.Context, stage *plan.Select, names []string) (int64, string, error) {
	n, err := one(ctx, c.source, &plan.Select{Columns: []plan.Output{countRows("n")}, From: plan.Derived{Select: stage, Alias: "s"}})
	if err != nil || n.int(0) == 0 {
		return 0, "", err
	}
	first := &plan.Select{From: plan.Derived{Select: stage, Alias: "s"}, Limit: &plan.Limit{Rows: shown + 1}}
	for i := range names {
		e := column("s", keyName(i))
		first.Columns = append(first.Columns, plan.Output{Name: keyName(i), Expr: e})
		first.OrderBy = append(first.OrderBy, resolve.Order{Expr: e})
	}
	found, err := rows(ctx, c.source, first)
	return n.int(0), firstKeys(names, found), err
}

// heldBy adds up the model's rows that point to members of a dimension; the members are k0 of a stage.
func (c *check) heldBy(ctx context.Context, d *semantic.Dimension, members *plan.Select) (worth, error) {
	stage, link, _ := way(c.model.Source, chain(d))
	for i, j := range d.Join {
		if j.To == d.ID {
			join := matching(members, "m", link[i:i+1])
			join.Required = true
			stage.Joins = append(stage.Joins, join)
		}
	}
	stage.Columns = append([]plan.Output{countRows("n")}, sums("b", c.measures)...)
	found, err := one(ctx, c.source, stage)
	if err != nil {
		return worth{}, err
	}
	return read(found), nil
}

// total adds up all rows of the model.
func (c *check) total(ctx context.Context) (worth, error) {
	found, err := one(ctx, c.source, &plan.Select{
		Columns: append([]plan.Output{countRows("n")}, sums("b", c.measures)...), From: plan.Table{Source: c.model.Source, Alias: "b"},
	})
	if err != nil {
		return worth{}, err
	}
	return read(found), nil
}

// parents checks the parent column that a tree is built from: every parent is a node, and no node is above itself.
func (c *check) parents(ctx context.Context, d *semantic.Dimension) error {
	h := d.Hierarchy
	parent := tally(d.Source, []string{h.Parent}, false)
	n, examples, err := c.keysOf(ctx, without(parent, tally(d.Source, []string{d.ID}, false)), []string{h.Parent})
	if err != nil {
		return err
	}
	if n > 0 {
		c.addOnce(c.finding(Warning, "parent_orphan", fmt.Sprintf("%s in %s %s no node of it (%s)", counted(n, "parent"), named(d.Source), agreed(n, "is", "are"), examples),
			"the nodes below are roots of their own"))
	}
	edges := tally(d.Source, []string{d.ID, h.Parent}, false)
	edges.Columns = edges.Columns[:2]
	found, err := rows(ctx, c.source, edges)
	if err != nil {
		return err
	}
	if loop := cycle(found); loop != nil {
		c.addOnce(c.finding(Error, "parent_cycle", fmt.Sprintf("%s of %s %s above %s (%s)", counted(len(loop), "node"), named(d.Source), agreed(int64(len(loop)), "stands", "stand"),
			agreed(int64(len(loop)), "itself", "themselves"), ended(loop[:min(len(loop), shown)], int64(len(loop)))),
			"a query over the tree of "+d.Path+" never ends"))
	}
	return nil
}

// cycle returns the nodes of one cycle of child-parent rows, each under the next, or nil.
func cycle(edges []row) []string {
	above := map[string]string{}
	for _, e := range edges {
		above[e[0]] = e[1]
	}
	const walking, done = 1, 2
	state := map[string]int{}
	for _, e := range edges {
		var path []string
		node := e[0]
		for state[node] == 0 && above[node] != "" {
			state[node] = walking
			path = append(path, node)
			node = above[node]
		}
		if state[node] == walking {
			return path[slices.Index(path, node):]
		}
		for _, p := range path {
			state[p] = done
		}
	}
	return nil
}
