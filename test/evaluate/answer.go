package evaluate

import (
	"slices"

	"parlance/internal/query"
	"parlance/internal/semantic"
)

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
		}
		r.after = append(r.after, n)
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
	case n.level != perGroup:
		r.before = append(r.before, n)
		return nil
	case !r.keyed(n.loose):
		if e, ok := c.(*query.ExprCondition); ok {
			if and, ok := e.Expr.(*query.Binary); ok && and.Op == query.And {
				return unclear("an expression that joins rows and groups by and")
			}
		}
		return refuse("mixed_condition", "a condition on rows and groups")
	}
	r.after = append(r.after, n)
	return nil
}

// answer reads the rows.
func (r *run) answer() (*Answer, error) {
	a := &Answer{Grouped: r.grouped}
	for _, o := range r.columns {
		a.Columns = append(a.Columns, o.Column)
	}
	kept := newGroup(nil)
	for _, fact := range r.facts() {
		rows, err := r.kept(fact)
		if err != nil {
			return nil, err
		}
		kept.parts[fact] = rows
		a.Examined += len(rows)
	}
	var lines []line
	var err error
	if r.grouped {
		lines, kept, err = r.groupLines(kept)
	} else {
		lines, err = r.rowLines(kept.parts[r.model])
	}
	if err != nil {
		return nil, err
	}
	lines = r.arranged(lines)
	for _, l := range lines {
		a.All = append(a.All, l.cells)
	}
	a.Total = int64(len(lines))
	if err := r.page(a); err != nil {
		return nil, err
	}
	return a, r.totals(a, kept)
}

// kept returns the base rows of a fact that the conditions on rows let through.
func (r *run) kept(fact *semantic.Model) ([]*base, error) {
	var kept []*base
	for _, row := range r.input.Data.rows(fact) {
		ok, err := all(r.before, &scope{row: row})
		if err != nil {
			return nil, err
		}
		if ok {
			kept = append(kept, row)
		}
	}
	return kept, nil
}

func all(conds []*node, s *scope) (bool, error) {
	for _, c := range conds {
		if ok, err := c.holds(s); err != nil || !ok {
			return false, err
		}
	}
	return true, nil
}

// groupLines groups the rows of each fact by the keys and returns the groups that pass, and all of their rows.
func (r *run) groupLines(kept *group) ([]line, *group, error) {
	groups, err := r.split(kept)
	if err != nil {
		return nil, nil, err
	}
	passed := newGroup(nil)
	for _, fact := range r.facts() {
		passed.parts[fact] = nil
	}
	var lines []line
	for _, g := range groups {
		s := g.over(r.single)
		ok, err := all(r.after, s)
		if err != nil {
			return nil, nil, err
		}
		if !ok {
			continue
		}
		for fact, rows := range g.parts {
			passed.parts[fact] = append(passed.parts[fact], rows...)
		}
		l, err := r.line(s, g.keys)
		if err != nil {
			return nil, nil, err
		}
		lines = append(lines, l)
	}
	return lines, passed, nil
}

// split returns the groups; without keys there is one, also of nothing.
func (r *run) split(kept *group) ([]*group, error) {
	if r.single {
		return []*group{kept}, nil
	}
	byKey := map[string]*group{}
	var groups []*group
	for _, fact := range r.facts() {
		for _, row := range kept.parts[fact] {
			keys := make([]Value, len(r.keys))
			for i, k := range r.keys {
				v, err := k.node.eval(&scope{row: row})
				if err != nil {
					return nil, err
				}
				keys[i] = v
			}
			id := identities(keys)
			if byKey[id] == nil {
				byKey[id] = newGroup(keys)
				groups = append(groups, byKey[id])
			}
			byKey[id].parts[fact] = append(byKey[id].parts[fact], row)
		}
	}
	return groups, nil
}

// rowLines returns a line for each row, its tie broken by the model's key.
func (r *run) rowLines(rows []*base) ([]line, error) {
	lines := make([]line, len(rows))
	for i, row := range rows {
		tie := make([]Value, len(r.model.Key))
		for j, column := range r.model.Key {
			tie[j] = row.own[column]
		}
		l, err := r.line(&scope{row: row}, tie)
		if err != nil {
			return nil, err
		}
		lines[i] = l
	}
	return lines, nil
}

// page cuts the page out of all rows.
func (r *run) page(a *Answer) error {
	start, limit, _, err := r.input.Query.Paging.Window(r.input.DefaultRows, 10_000)
	if err != nil {
		return refuse("out_of_range", "%v", err)
	}
	from := min(start, a.Total)
	a.Rows = slices.Clone(a.All[from:min(a.Total, from+limit)])
	return nil
}
