package resolve

import (
	"parlance/internal/access"
	"parlance/internal/query"
	"parlance/internal/semantic"
)

// treeOf returns the dimension whose tree a condition walks, or nil when it walks none: a hierarchy operator on
// dim$id, or dim$hierarchy$id = x, which is selfAndDescendantsOf x (decision 40). In having the view is a group key.
func (r *resolver) treeOf(c *query.Compare, s scope) (*semantic.Dimension, error) {
	name, isName := isRef(c.Field)
	f := r.lookup(name)
	if s.trusted {
		f = r.model.Field(name)
	}
	view := isName && f != nil && f.Tree
	if !c.Op.Hierarchical() && (!view || s.tree) {
		return nil, nil
	}
	if f == nil || f.Dimension == nil || f.Dimension.Hierarchy == nil || f.Role != semantic.ID {
		switch {
		case view:
			return nil, treeNotHere(name, s.path)
		case isName && f == nil && r.names[name] == nil:
			return nil, r.unknownField(name, s.path)
		}
		return nil, r.notAHierarchy(c.Field.String(), c.Op, s.path)
	}
	if !s.trusted {
		if _, err := r.field(name, s.path); err != nil {
			return nil, err
		}
		switch r.walked(f) {
		case access.Hidden:
			if r.grant.Conceals() {
				return nil, r.notAHierarchy(name, c.Op, s.path)
			}
			return nil, deniedField(name, s.path)
		case access.Masked:
			return nil, maskedHere(name, s.path)
		case access.Visible:
		}
	}
	if view && !c.Op.Hierarchical() && c.Op != query.Equal && c.Op != query.InList && c.Op != query.NotEqual && c.Op != query.NotInList {
		return nil, treeNotHere(name, s.path)
	}
	return f.Dimension, nil
}

// readsTree reports whether a value is one of the views of a hierarchy, under which a row stands once for every ancestor.
func readsTree(e Expr) bool {
	var found bool
	Visit(e, func(e Expr) bool {
		f, ok := e.(Field)
		found = found || ok && f.Tree
		return !found
	})
	return found
}

// walked returns how the caller meets the tree of a dimension by its id: as the id, and as what tells who stands above
// whom.
func (r *resolver) walked(id *semantic.Field) access.Visibility {
	return min(r.grant.Field(id), r.grant.Field(r.model.Field(id.Dimension.Path+"$hierarchy$id")))
}

// walk binds a condition over a tree. It is a semi-join: a row below two of the nodes counts once.
func (r *resolver) walk(d *semantic.Dimension, c *query.Compare) (Expr, error) {
	member := r.model.Field(d.Path + "$id")
	w := &Within{X: Field{member}, Tree: d, Max: -1}
	switch c.Op {
	case query.ChildrenOf:
		w.Min, w.Max = 1, 1
	case query.DescendantsOf:
		w.Min = 1
	case query.AncestorsOf:
		w.Min, w.Up = 1, true
	case query.SelfAndAncestorsOf:
		w.Up = true
	}
	if err := r.depth(w, c); err != nil {
		return nil, err
	}
	var null bool
	for i, item := range listOf(c.Value) {
		if item.Kind == query.NullLiteral {
			null = true
			continue
		}
		l, err := typed(item, member.Type, itemPath(c, i))
		if err != nil {
			return nil, err
		}
		w.Nodes = append(w.Nodes, l)
	}
	var e Expr = w
	if len(w.Nodes) == 0 {
		e = never
	}
	if null && !c.Op.Hierarchical() {
		e = op(Or, boolean, e, op(IsNull, boolean, w.X))
	}
	return complementIf(c.Op == query.NotEqual || c.Op == query.NotInList, e), nil
}

// depth applies maxDepth, for which the tree must know distances.
func (r *resolver) depth(w *Within, c *query.Compare) error {
	if c.MaxDepth != nil {
		if *c.MaxDepth < 1 {
			return badDepth(*c.MaxDepth, c.At("maxDepth"))
		}
		if c.Op != query.ChildrenOf {
			w.Max = *c.MaxDepth
		}
	}
	if w.Max >= 0 && w.Tree.Hierarchy.Distance == "" && w.Tree.Hierarchy.Parent == "" {
		return noDistance(w.Tree, c.Op, c.At("op"))
	}
	return nil
}
