package resolve

import (
	"parlance/internal/fault"
	"parlance/internal/query"
	"parlance/internal/semantic"
)

// bindSlice binds the filters and sorts them into those on rows and those on groups (decision 47).
func (c *clauses) bindSlice() error {
	for _, cond := range flattened(c.in.Slice) {
		e, err := c.condition(cond, scope{})
		if err != nil {
			return err
		}
		if e.Level() <= RowLevel {
			c.out.Rows = and(c.out.Rows, e)
			c.out.Before = append(c.out.Before, cond.String())
			continue
		}
		if err := c.after(e, cond); err != nil {
			return mixedCondition(err)
		}
	}
	return nil
}

// after adds a filter on groups or, where windows are in it, on the result's rows.
func (c *clauses) after(e Expr, cond query.Condition) error {
	if c.grouped {
		if err := c.covered(e, cond.Where()); err != nil {
			return err
		}
	}
	if e.Level() == WindowLevel {
		c.out.Results = and(c.out.Results, e)
	} else {
		c.out.Groups = and(c.out.Groups, e)
	}
	c.out.After = append(c.out.After, cond.String())
	return nil
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
		return fault.Invalidf("having_without_groups", "having", "having filters groups, and this query has none").
			With(func(e *fault.Error) { e.Hint = "give groupBy, or filter rows with slice" })
	}
	for _, cond := range c.in.Having {
		e, err := c.condition(cond, scope{mode: groupMeasures, later: true})
		if err != nil {
			return err
		}
		if err := c.after(e, cond); err != nil {
			return err
		}
	}
	return nil
}

// requireFilters refuses a query that does not filter on the fields that the model demands.
func (c *clauses) requireFilters() error {
	if len(c.model.RequireFilter) == 0 {
		return nil
	}
	filtered := map[*semantic.Dimension]bool{}
	names := map[string]bool{}
	Visit(c.out.Rows, func(x Expr) bool {
		if f, ok := x.(Field); ok {
			names[f.Name] = true
			filtered[f.Dimension] = f.Dimension != nil
		}
		return true
	})
	for _, name := range c.model.RequireFilter {
		if !names[name] && !filtered[c.model.Dimension(name)] {
			return filterRequired(name, c.model.Name)
		}
	}
	return nil
}
