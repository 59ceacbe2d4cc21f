package inspect

import (
	"context"
	"fmt"

	"parlance/internal/compile/plan"
	"parlance/internal/compile/resolve"
	"parlance/internal/semantic"
)

// dimension checks that a dimension's key finds one row at most, and that what points to it finds one.
func (c *check) dimension(ctx context.Context, d *semantic.Dimension) error {
	key := keyOf(d)
	if n, err := nulls(ctx, c.source, d.Source, key); err != nil {
		return err
	} else if n > 0 {
		c.addOnce(c.finding(Warning, "null_dimension_key", fmt.Sprintf("%s of %s %s no %s", counted(n, "row"), named(d.Source), have(n), oneOf(key)),
			"nothing can point to such a row, so it never shows"))
	}
	found, err := findDuplicates(ctx, c.source, d.Source, key, false)
	if err != nil {
		return err
	}
	facts, err := c.links(ctx, c.model.Source, chain(d), c.measures)
	if err != nil {
		return err
	}
	if found.keys > 0 {
		c.add(c.finding(Error, "duplicate_dimension_key", found.message(d.Source), c.doubled(d, facts)))
	}
	table := facts
	if d.Parent != nil {
		if table, err = c.links(ctx, d.Parent.Source, []*semantic.Dimension{d}, nil); err != nil {
			return err
		}
	}
	return c.loose(ctx, d, table, facts)
}

// keyOf returns the columns by which a dimension's rows are found.
func keyOf(d *semantic.Dimension) []string {
	key := make([]string, len(d.Join))
	for i, j := range d.Join {
		key[i] = j.To
	}
	return key
}

func linkOf(d *semantic.Dimension) []string {
	link := make([]string, len(d.Join))
	for i, j := range d.Join {
		link[i] = j.From
	}
	return link
}

// doubled tells what a join to a dimension with repeated keys would do.
func (c *check) doubled(d *semantic.Dimension, l links) string {
	refused := "queries that join " + d.Path + " are refused until it is mended"
	if l.repeated.rows == 0 {
		return sentence("no row of "+c.model.Name+" points to it", refused)
	}
	often := times(l.most)
	if l.least != l.most {
		often = "up to " + often
	}
	return sentence(fmt.Sprintf("%s would count %s once %s$caption is selected", counted(l.repeated.rows, "row"), often, d.Path),
		l.joined.insteadOf(l.all, c.measures), refused)
}

// loose reports rows of the pointing table that find no row of the dimension, and what they hold of the model's.
func (c *check) loose(ctx context.Context, d *semantic.Dimension, table, facts links) error {
	where, link := "", linkOf(d)
	if d.Parent != nil {
		where = " of " + named(d.Parent.Source)
	}
	rowsOf := func(w worth) string {
		return fmt.Sprintf("%d of %s%s%s", w.rows, counted(table.all.rows, "row"), where, rowShare(w.rows, table.all.rows))
	}
	if table.null.rows > 0 {
		c.add(c.finding(Warning, "null_join", fmt.Sprintf("%s %s no %s", rowsOf(table.null), have(table.null.rows), oneOf(link)), c.empty(d, facts.null, facts)))
	}
	if table.orphan.rows == 0 {
		return nil
	}
	examples, err := c.orphans(ctx, d)
	if err != nil {
		return err
	}
	c.add(c.finding(Warning, "orphan", fmt.Sprintf("%s %s to no row of %s (%s)", rowsOf(table.orphan), agreed(table.orphan.rows, "points", "point"), named(d.Source), examples), c.empty(d, facts.orphan, facts)))
	return nil
}

// empty tells under what rows stand that find no row of a dimension.
func (c *check) empty(d *semantic.Dimension, w worth, l links) string {
	under := "an empty " + d.Path + "$caption"
	holding := w.of(l.all, c.measures)
	if holding != "" {
		holding = " with " + holding
	}
	switch {
	case d.Parent == nil:
		return agreed(w.rows, "it stands under ", "they stand under ") + under + holding
	case w.rows == 0:
		return "no row of " + c.model.Name + " is affected"
	}
	return fmt.Sprintf("%d of %s of %s%s %s under %s%s", w.rows, counted(l.all.rows, "row"), c.model.Name, rowShare(w.rows, l.all.rows), agreed(w.rows, "stands", "stand"), under, holding)
}

// orphans returns the first keys of the pointing table that the dimension does not have.
func (c *check) orphans(ctx context.Context, d *semantic.Dimension) (string, error) {
	base, link := c.model.Source, linkOf(d)
	if d.Parent != nil {
		base = d.Parent.Source
	}
	s := &plan.Select{
		From:  plan.Derived{Select: tally(base, link, false), Alias: "b"},
		Joins: []plan.Join{matching(tally(d.Source, keyOf(d), false), "d", pointing("b", keyNames(len(link))))},
		Where: op(resolve.IsNull, number("d", "n")), Limit: &plan.Limit{Rows: shown + 1},
	}
	for i := range link {
		e := column("b", keyName(i))
		s.Columns = append(s.Columns, plan.Output{Name: keyName(i), Expr: e})
		s.OrderBy = append(s.OrderBy, resolve.Order{Expr: e})
	}
	found, err := rows(ctx, c.source, s)
	return firstKeys(link, found), err
}
