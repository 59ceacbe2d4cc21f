package inspect

import (
	"context"
	"fmt"

	"parlance/internal/compile/plan"
	"parlance/internal/compile/resolve"
	"parlance/internal/semantic"
)

// hierarchy checks the closure of a dimension's tree, or the parent column that one is built from.
func (c *check) hierarchy(ctx context.Context, d *semantic.Dimension) error {
	if d.Hierarchy.Parent != "" {
		return c.parents(ctx, d)
	}
	for _, part := range []func(context.Context, *semantic.Dimension) error{
		c.closureNulls, c.closureRepeats, c.closureSelves, c.closureDistances, c.closureOrphans, c.closureCycles,
	} {
		if err := part(ctx, d); err != nil {
			return err
		}
	}
	return nil
}

func pair(h *semantic.Hierarchy) []string { return []string{h.Ancestor, h.Descendant} }

func (c *check) closureNulls(ctx context.Context, d *semantic.Dimension) error {
	h := d.Hierarchy
	n, err := nulls(ctx, c.source, h.Closure, pair(h))
	if n > 0 {
		c.addOnce(c.finding(Warning, "closure_null", fmt.Sprintf("%s of %s %s no %s", counted(n, "row"), named(h.Closure), have(n), oneOf(pair(h))),
			"such a row joins no two nodes and has no effect"))
	}
	return err
}

func (c *check) closureRepeats(ctx context.Context, d *semantic.Dimension) error {
	h := d.Hierarchy
	found, err := findDuplicates(ctx, c.source, h.Closure, pair(h), false)
	if found.keys > 0 {
		c.addOnce(c.finding(Error, "closure_duplicate", found.message(h.Closure),
			fmt.Sprintf("rows below would count more than once in groups by %s$hierarchy$caption; queries that use it are refused until it is mended", d.Path)))
	}
	return err
}

// closureSelves looks for nodes that are not their own ancestor.
func (c *check) closureSelves(ctx context.Context, d *semantic.Dimension) error {
	h := d.Hierarchy
	selves := tally(h.Closure, []string{h.Ancestor}, false)
	selves.Where = op(resolve.Eq, column("t", h.Ancestor), column("t", h.Descendant))
	missing := without(tally(d.Source, []string{d.ID}, false), selves)
	n, examples, err := c.keysOf(ctx, missing, []string{d.ID})
	if err != nil || n == 0 {
		return err
	}
	held, err := c.heldBy(ctx, d, missing)
	if err != nil {
		return err
	}
	effect := fmt.Sprintf("selfAndDescendantsOf and groups by %s$hierarchy$caption lose the %s of %s that %s there", d.Path, counted(held.rows, "row"), c.model.Name, agreed(held.rows, "is", "are"))
	all, err := c.total(ctx)
	if text := held.of(all, c.measures); err == nil && text != "" {
		effect += " with " + text
	}
	c.add(c.finding(Error, "closure_self", fmt.Sprintf("%s of %s %s in %s (%s)", counted(n, "node"), d.Path, agreed(n, "does not stand under itself", "do not stand under themselves"), named(h.Closure), examples), effect))
	return err
}

// closureDistances checks that a node, and it alone, is at distance 0 from itself.
func (c *check) closureDistances(ctx context.Context, d *semantic.Dimension) error {
	h := d.Hierarchy
	if h.Distance == "" {
		return nil
	}
	self := op(resolve.Eq, column("t", h.Ancestor), column("t", h.Descendant))
	distance := number("t", h.Distance)
	wrong := op(resolve.Or,
		op(resolve.IsNull, distance),
		op(resolve.And, self, op(resolve.Ne, distance, literal(0))),
		op(resolve.And, op(resolve.Not, self), op(resolve.Lt, distance, literal(1))))
	n, err := one(ctx, c.source, &plan.Select{
		Columns: []plan.Output{countRows("n")}, From: plan.Table{Source: h.Closure, Alias: "t"},
		Where: op(resolve.And, noneNull(columns("t", pair(h))), wrong),
	})
	if err == nil && n.int(0) > 0 {
		c.addOnce(c.finding(Error, "closure_distance", fmt.Sprintf("%s of %s %s a wrong %s (0 is from a node to itself, 1 or more to any other)", counted(n.int(0), "row"), named(h.Closure), have(n.int(0)), h.Distance),
			"childrenOf, descendantsOf and maxDepth choose the wrong nodes"))
	}
	return err
}

// closureOrphans looks for nodes of the closure that the dimension does not have.
func (c *check) closureOrphans(ctx context.Context, d *semantic.Dimension) error {
	h := d.Hierarchy
	for _, end := range []struct{ column, effect string }{
		{h.Ancestor, "groups by " + d.Path + "$hierarchy$caption include an empty one"},
		{h.Descendant, "rows that point there have an empty " + d.Path + "$caption and still count for the nodes above"},
	} {
		n, examples, err := c.keysOf(ctx, without(tally(h.Closure, []string{end.column}, false), tally(d.Source, []string{d.ID}, false)), []string{end.column})
		if err != nil {
			return err
		}
		if n > 0 {
			c.addOnce(c.finding(Warning, "closure_orphan", fmt.Sprintf("%s of %s %s not in %s (%s)", counted(n, "node"), named(h.Closure), agreed(n, "is", "are"), named(d.Source), examples), end.effect))
		}
	}
	return nil
}

// closureCycles looks for two nodes that stand above each other.
func (c *check) closureCycles(ctx context.Context, d *semantic.Dimension) error {
	h := d.Hierarchy
	there := tally(h.Closure, pair(h), false)
	back := matching(tally(h.Closure, []string{h.Descendant, h.Ancestor}, false), "o", pointing("x", keyNames(2)))
	back.Required = true
	stage := &plan.Select{
		Columns: []plan.Output{{Name: "k0", Expr: column("x", "k0")}, {Name: "k1", Expr: column("x", "k1")}, countRows("n")},
		From:    plan.Derived{Select: there, Alias: "x"}, Joins: []plan.Join{back},
		Where: op(resolve.Lt, column("x", "k0"), column("x", "k1")),
	}
	stage.GroupBy = []resolve.Expr{stage.Columns[0].Expr, stage.Columns[1].Expr}
	n, examples, err := c.keysOf(ctx, stage, []string{"node", "node"})
	if err == nil && n > 0 {
		c.addOnce(c.finding(Error, "closure_cycle", fmt.Sprintf("%s of nodes in %s %s above each other (%s)", counted(n, "pair"), named(h.Closure), agreed(n, "stands", "stand"), examples),
			"rows of either node count in both, as if each were part of the other"))
	}
	return err
}
