package evaluate

import (
	"slices"

	"parlance/internal/semantic"
)

// passed groups the rows of each fact by the keys and returns the groups that the conditions on groups let through.
func (r *run) passed(kept *group) ([]*group, error) {
	groups, err := r.split(kept)
	if err != nil {
		return nil, err
	}
	var passed []*group
	for _, g := range groups {
		ok, err := all(r.after, g.over(r.single))
		if err != nil {
			return nil, err
		}
		if ok {
			passed = append(passed, g)
		}
	}
	return passed, nil
}

// add adds the rows of another group, each once.
func (g *group) add(other *group) {
	for fact, rows := range other.parts {
		for _, row := range rows {
			if !slices.Contains(g.parts[fact], row) {
				g.parts[fact] = append(g.parts[fact], row)
			}
		}
		if g.parts[fact] == nil {
			g.parts[fact] = []*base{}
		}
	}
}

// split returns the groups; without keys there is one, also of nothing.
func (r *run) split(kept *group) ([]*group, error) {
	if r.single {
		return []*group{kept}, nil
	}
	byKey := map[string]*group{}
	var groups []*group
	views, err := r.views()
	if err != nil {
		return nil, err
	}
	for _, fact := range r.facts() {
		for _, row := range kept.parts[fact] {
			for _, seen := range views(row) {
				keys, err := values(r.keys, &scope{row: seen})
				if err != nil {
					return nil, err
				}
				g := byKey[identities(keys)]
				if g == nil {
					g = newGroup(keys)
					g.first = seen
					byKey[identities(keys)] = g
					groups = append(groups, g)
				}
				if rows := g.parts[fact]; len(rows) == 0 || rows[len(rows)-1] != row {
					g.parts[fact] = append(rows, row)
				}
			}
		}
	}
	return groups, nil
}

// views returns the ways in which the keys see a row: one, or one for each ancestor in a hierarchy's view.
func (r *run) views() (func(*base) []*base, error) {
	var dim *semantic.Dimension
	for _, k := range r.keys {
		if k.node.tree != nil && dim != nil && dim != k.node.tree {
			return nil, unclear("views of two hierarchies")
		}
		if k.node.tree != nil {
			dim = k.node.tree
		}
	}
	if dim == nil {
		return func(row *base) []*base { return []*base{row} }, nil
	}
	nodes := r.data.tree(dim)
	return func(row *base) []*base { return r.seen(row, dim, nodes) }, nil
}

func values(keys []key, s *scope) ([]Value, error) {
	list := make([]Value, len(keys))
	for i, k := range keys {
		v, err := k.node.eval(s)
		if err != nil {
			return nil, err
		}
		list[i] = v
	}
	return list, nil
}
