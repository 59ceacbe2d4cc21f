package evaluate

import "parlance/internal/query"

// bindFilters tells conditions on rows from conditions on groups (decision 47).
func (r *run) bindFilters() error {
	for _, c := range r.input.Query.Slice {
		if err := r.slice(c); err != nil {
			return err
		}
	}
	for _, c := range r.input.Query.Having {
		n, err := r.condition(c, r.later(true))
		switch {
		case err != nil:
			return err
		case !r.keyed(n.loose):
			return refuse("not_grouped", "having reads what is no group key")
		case n.tree != nil:
			return unclear("having on a hierarchy's view")
		}
		r.addAfter(n)
	}
	return nil
}

// slice binds one condition; what $and joins is told apart one by one.
func (r *run) slice(c query.Condition) error {
	if l, ok := c.(*query.Logic); ok && l.Op == query.AllOf {
		for _, one := range l.Conds {
			if err := r.slice(one); err != nil {
				return err
			}
		}
		return nil
	}
	n, err := r.condition(c, r.plain())
	switch {
	case err != nil:
		return err
	case n.level < perGroup:
		r.before = append(r.before, n)
		return nil
	case !r.grouped:
		r.addAfter(n)
		return nil
	case !r.keyed(n.loose):
		if e, ok := c.(*query.ExprCondition); ok {
			if and, ok := e.Expr.(*query.Binary); ok && and.Op == query.And {
				return unclear("an expression that joins rows and groups by and")
			}
		}
		return refuse("mixed_condition", "a condition on rows and groups")
	}
	r.addAfter(n)
	return nil
}

// addAfter adds a condition on groups, or one on windows, which comes after all others.
func (r *run) addAfter(n *node) {
	if n.level == perWindow {
		r.last = append(r.last, n)
		return
	}
	r.after = append(r.after, n)
}
