package evaluate

import (
	"slices"

	"parlance/internal/query"
	"parlance/internal/semantic"
)

// tree is who stands above whom in a hierarchy: for every node its ancestors, itself included, with their distance.
type tree map[string][]ancestor

type ancestor struct {
	id       Value
	distance int64
}

// tree reads the closure table of a dimension, or makes one from its parent column.
func (d *Data) tree(dim *semantic.Dimension) tree {
	h, t := dim.Hierarchy, tree{}
	if h.Parent == "" {
		for _, r := range d.tables[h.Closure.Table] {
			id := r[h.Descendant].identity()
			t[id] = append(t[id], ancestor{r[h.Ancestor], distance(h, r)})
		}
		return t
	}
	parents := map[string]Value{}
	for _, r := range d.tables[dim.Source.Table] {
		parents[r[dim.ID].identity()] = r[h.Parent]
	}
	for _, r := range d.tables[dim.Source.Table] {
		at := r[dim.ID]
		for steps := int64(0); !at.IsNull(); steps++ {
			parent, exists := parents[at.identity()]
			if !exists {
				break
			}
			t[r[dim.ID].identity()] = append(t[r[dim.ID].identity()], ancestor{at, steps})
			at = parent
		}
	}
	return t
}

// distance is how far a row of a closure reaches; without a column of distances, whether it reaches beyond the node.
func distance(h *semantic.Hierarchy, r Row) int64 {
	switch {
	case h.Distance != "":
		return r[h.Distance].Num.Num().Int64()
	case compare(r[h.Ancestor], r[h.Descendant]) == 0:
		return 0
	}
	return 1
}

// hierarchical binds an operator that walks a tree from given nodes.
func (b *binder) hierarchical(c *query.Compare) (*node, error) {
	ref, ok := c.Field.(*query.Ref)
	if !ok || b.model.Multi != nil {
		return nil, unclear("%s of an expression", c.Op)
	}
	f := b.model.Field(ref.Name)
	if f == nil || f.Role != semantic.ID || f.Dimension.Hierarchy == nil || f.Tree {
		return nil, refuse("bad_operator", "%s is for the id of a hierarchy", c.Op)
	}
	view := b.model.Field(f.Dimension.Path + "$hierarchy$id")
	if err := b.sees(view); err != nil {
		return nil, err
	}
	if !b.trusted && (b.sight.Masks[f] != nil || b.sight.Masks[view] != nil) {
		return nil, refuse("masked_field", "%s", f.Name)
	}
	list, ok := c.Value.(query.List)
	if !ok {
		return nil, refuse("bad_value", "%s wants ids", c.Op)
	}
	var given []Value
	for _, s := range list {
		if s.Kind == query.NullLiteral {
			return nil, unclear("null in a tree")
		}
		v, err := typed(f.Type, s)
		if err != nil {
			return nil, err
		}
		given = append(given, v)
	}
	if c.MaxDepth != nil && *c.MaxDepth < 1 {
		return nil, refuse("out_of_range", "maxDepth")
	}
	if h := f.Dimension.Hierarchy; h.Parent == "" && h.Distance == "" && (c.MaxDepth != nil || c.Op == query.ChildrenOf) {
		return nil, refuse("bad_operator", "%s needs distances", c.Op)
	}
	id, err := b.field(f, b.plain())
	if err != nil {
		return nil, err
	}
	if len(given) == 0 {
		return literal(boolean, Flag(false)), nil
	}
	nodes := b.data.tree(f.Dimension)
	return test(func(v Value) bool { return !v.IsNull() && nodes.walks(c, v, given) }, id), nil
}

// walks reports whether a node is reached from one of the given ones.
func (t tree) walks(c *query.Compare, v Value, given []Value) bool {
	low, high := int64(1), int64(1<<62)
	switch c.Op {
	case query.ChildrenOf:
		high = 1
	case query.SelfAndDescendantsOf, query.SelfAndAncestorsOf:
		low = 0
	}
	if c.MaxDepth != nil {
		high = min(high, *c.MaxDepth)
	}
	up := c.Op == query.AncestorsOf || c.Op == query.SelfAndAncestorsOf
	return slices.ContainsFunc(given, func(g Value) bool {
		below, above := v, g
		if up {
			below, above = g, v
		}
		return slices.ContainsFunc(t[below.identity()], func(a ancestor) bool {
			return compare(a.id, above) == 0 && a.distance >= low && a.distance <= high
		})
	})
}

// treeField binds a field of a hierarchy's view: of the ancestor that the row is seen under.
func (b *binder) treeField(f *semantic.Field, m mode) (*node, error) {
	if !m.treeKey {
		return nil, refuse("only_a_key", "%s stands for every ancestor of a row", f.Name)
	}
	if b.model.Multi != nil || f.Dictionary != nil {
		return nil, unclear("%s", f.Name)
	}
	byID := map[string]Row{}
	for _, r := range b.data.tables[f.Dimension.Source.Table] {
		byID[r[f.Dimension.ID].identity()] = r
	}
	return &node{
		typ: f.Type, level: perRow, loose: []loose{{id: "f:" + f.Name}}, tree: f.Dimension,
		eval: func(s *scope) (Value, error) {
			at := s.row.view[f.Dimension]
			v := at
			if f.Role != semantic.ID {
				v = byID[at.identity()][f.Column]
			}
			if mask, ok := b.sight.Masks[f]; ok && !b.trusted {
				v = mask(v)
			}
			return v, nil
		},
	}, nil
}

// treeCondition binds a filter on the id of a view: = is selfAndDescendantsOf.
func (b *binder) treeCondition(f *semantic.Field, c *query.Compare) (*node, error) {
	id := b.model.Field(f.Dimension.Path + "$id")
	if f.Role != semantic.ID || c.Op != query.Equal && c.Op != query.InList {
		return nil, refuse("only_a_key", "%s", f.Name)
	}
	down := &query.Compare{Field: &query.Ref{Name: id.Name}, Op: query.SelfAndDescendantsOf}
	switch v := c.Value.(type) {
	case query.List:
		down.Value = v
	case query.Scalar:
		if v.Kind == query.NullLiteral {
			return nil, unclear("null in a tree")
		}
		down.Value = query.List{v}
	default:
		return nil, unclear("a field beside a tree")
	}
	if err := b.sees(f); err != nil {
		return nil, err
	}
	if b.sight.Masks[f] != nil {
		return nil, refuse("masked_field", "%s", f.Name)
	}
	return b.trusting().hierarchical(down)
}

// seen returns a row once for every way to stand under the ancestors of a dimension; under none it stands once.
func (r *run) seen(row *base, dim *semantic.Dimension, t tree) []*base {
	above := t[row.id(dim).identity()]
	if len(above) == 0 {
		above = []ancestor{{}}
	}
	list := make([]*base, len(above))
	for i, a := range above {
		c := *row
		c.view = map[*semantic.Dimension]Value{dim: a.id}
		list[i] = &c
	}
	return list
}
