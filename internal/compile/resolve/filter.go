package resolve

import (
	"slices"

	"parlance/internal/query"
)

// bindSlice binds the filters and sorts them into those on rows and those on groups (decision 47).
func (c *clauses) bindSlice() error {
	for _, cond := range flattened(c.in.Slice) {
		e, err := c.condition(cond, scope{rows: true})
		if err != nil {
			return err
		}
		if e.Level() <= RowLevel {
			c.out.Rows = and(c.out.Rows, e)
			c.out.Before = append(c.out.Before, cond.String())
			continue
		}
		if stray := c.stray(e); stray != nil && c.grouped {
			return mixedCondition(stray, cond.Where())
		}
		c.after(e, cond)
	}
	return nil
}

// after adds a filter on groups or, where windows are in it, on the result's rows.
func (c *clauses) after(e Expr, cond query.Condition) {
	if e.Level() == WindowLevel {
		c.out.Results = and(c.out.Results, e)
	} else {
		c.out.Groups = and(c.out.Groups, e)
	}
	c.out.After = append(c.out.After, cond.String())
}

// flattened opens nested ands, whose parts may go to different sides.
func flattened(conds []query.Condition) []query.Condition {
	var flat []query.Condition
	for _, c := range conds {
		if l, ok := c.(*query.Logic); ok && l.Op == query.AllOf {
			flat = append(flat, flattened(l.Conds)...)
			continue
		}
		flat = append(flat, c)
	}
	return flat
}

func and(x, y Expr) Expr {
	if x == nil {
		return y
	}
	return op(And, boolean, x, y)
}

// bindHaving binds the filters on groups, where a measure's name is its aggregate.
func (c *clauses) bindHaving() error {
	if len(c.in.Having) > 0 && !c.grouped {
		return havingWithoutGroups()
	}
	for _, cond := range c.in.Having {
		e, err := c.condition(cond, scope{mode: groupMeasures, later: true, tree: true})
		if err != nil {
			return err
		}
		if err := c.covered(e, cond.Where()); err != nil {
			return err
		}
		c.after(e, cond)
	}
	return nil
}

// requireFilters refuses a query that does not filter on the fields that the model demands. A timeWindow filters on
// its field.
func (c *clauses) requireFilters() error {
	rows := c.out.Rows
	if c.out.Time != nil {
		rows = and(rows, c.out.Time.Within)
	}
	for _, name := range c.model.RequireFilter {
		d := c.model.Dimension(name)
		if !bounds(rows, func(f Field) bool { return f.Name == name || d != nil && f.Dimension == d }) {
			return c.filterRequired(name, d)
		}
	}
	return nil
}

// bounds reports whether every row that passes a condition has a value of its choice in a wanted field. A condition
// that only leaves values out, such as != or is not null, chooses none.
func bounds(e Expr, wanted func(Field) bool) bool {
	sides := func(s Expr) bool { return bounds(s, wanted) }
	if o, ok := e.(*Op); ok {
		switch o.Fn {
		case And:
			return slices.ContainsFunc(o.Args, sides)
		case Or:
			return !slices.ContainsFunc(o.Args, func(s Expr) bool { return !sides(s) })
		case Not:
			return false
		}
	}
	found := false
	Visit(e, func(x Expr) bool {
		f, ok := x.(Field)
		found = found || ok && wanted(f)
		return !found
	})
	return found
}
