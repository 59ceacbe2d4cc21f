package evaluate

import "slices"

// bindTop binds what groups are ranked by.
func (r *run) bindTop() error {
	top := r.input.Query.Top
	if r.input.Query.Subtotals && !r.grouped {
		return refuse("groups_required", "subtotals of rows")
	}
	if top == nil {
		return nil
	}
	switch {
	case !r.grouped || r.single:
		return refuse("top_without_groups", "topN ranks groups")
	case len(r.last) > 0 || slices.ContainsFunc(r.columns, func(o output) bool { return o.node.level == perWindow }):
		return unclear("topN beside windows")
	case r.input.Query.Distinct || r.input.Query.Subtotals || r.overlapping():
		return unclear("topN of distinct, subtotalled or overlapping groups")
	}
	n, err := r.expr(top.By.Expr, r.later(true))
	if err != nil {
		return err
	}
	if !r.keyed(n.loose) {
		return refuse("not_grouped", "%s is no group key", top.By.Expr)
	}
	r.ranking = ordering{n, top.By.Desc, false}
	return nil
}

func (r *run) overlapping() bool {
	return slices.ContainsFunc(r.keys, func(k key) bool { return k.node.tree != nil })
}

// derivedKey reports whether a key is made of other keys.
func (r *run) derivedKey() bool {
	for _, k := range r.keys {
		rest := &binder{keys: map[string]bool{}}
		for _, other := range r.keys {
			if other.id != k.id {
				rest.keys[other.id] = true
			}
		}
		if rest.keyed(k.node.loose) {
			return true
		}
	}
	return false
}

// cutTop keeps the groups that rank first, in that order, and returns the rows of all others.
func (r *run) cutTop(groups []*group) (kept []*group, others *group, err error) {
	top := r.input.Query.Top
	if top == nil {
		return groups, nil, nil
	}
	by := map[*group]Value{}
	for _, g := range groups {
		if by[g], err = r.ranking.node.eval(g.over(false)); err != nil {
			return nil, nil, err
		}
	}
	ranked := slices.SortedStableFunc(slices.Values(groups), func(a, b *group) int {
		if c := r.ranking.compare(by[a], by[b]); c != 0 {
			return c
		}
		return compareKeys(a.keys, b.keys)
	})
	kept = ranked[:min(len(ranked), int(top.N))]
	if rest := ranked[len(kept):]; top.Others && len(rest) > 0 {
		others = newGroup(nil)
		for _, g := range rest {
			others.add(g)
		}
	}
	return kept, others, nil
}

// compareKeys orders keys, nulls last.
func compareKeys(a, b []Value) int {
	for i := range a {
		if c := (ordering{}).compare(a[i], b[i]); c != 0 {
			return c
		}
	}
	return 0
}

// summaryLine returns a row over many groups: what is of the groups, and of the keys the first few of a group's.
func (r *run) summaryLine(g *group, like *group, prefix int, kind string) ([]Value, error) {
	cells := make([]Value, 0, len(r.columns)+1)
	for _, o := range r.columns {
		switch {
		case o.node.level == perWindow:
			return nil, unclear("a window over many groups")
		case o.node.level == perGroup && len(o.node.loose) > 0:
			return nil, unclear("an aggregate beside a key over many groups")
		case o.node.level == perGroup:
			v, err := o.node.eval(g.over(kind == "total"))
			if err != nil {
				return nil, err
			}
			cells = append(cells, v)
			continue
		}
		at := slices.IndexFunc(r.keys, func(k key) bool { return k.id == r.id(o.expr) })
		if at < 0 {
			return nil, unclear("a column that is no key")
		}
		v := Value{}
		if at < prefix {
			v = like.keys[at]
		}
		cells = append(cells, v)
	}
	return append(cells, Str(kind)), nil
}

// subtotals returns a row for every prefix of the keys of the page's groups, the longest first, and one for all.
func (r *run) subtotals(page, all []*group) ([][]Value, error) {
	var rows [][]Value
	for length := len(r.keys) - 1; length > 0; length-- {
		heads := map[string]*group{}
		for _, g := range page {
			heads[identities(g.keys[:length])] = g
		}
		sorted := make([]*group, 0, len(heads))
		for _, g := range heads {
			sorted = append(sorted, g)
		}
		slices.SortFunc(sorted, func(a, b *group) int { return compareKeys(a.keys[:length], b.keys[:length]) })
		for _, head := range sorted {
			sum := newGroup(nil)
			for _, g := range all {
				if identities(g.keys[:length]) == identities(head.keys[:length]) {
					sum.add(g)
				}
			}
			row, err := r.summaryLine(sum, head, length, "subtotal")
			if err != nil {
				return nil, err
			}
			rows = append(rows, row)
		}
	}
	sum := newGroup(nil)
	for _, fact := range r.facts() {
		sum.parts[fact] = nil
	}
	for _, g := range all {
		sum.add(g)
	}
	row, err := r.summaryLine(sum, nil, 0, "total")
	return append(rows, row), err
}
