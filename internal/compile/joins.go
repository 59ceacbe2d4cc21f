package compile

import (
	"slices"

	"parlance/internal/compile/plan"
	"parlance/internal/semantic"
)

// Join is a table that a statement joins to rows. The statement trusts that Key tells its rows apart; where it does
// not, rows count more than once.
type Join struct {
	Dimension *semantic.Dimension // whose table, or whose hierarchy's closure, it is
	Source    semantic.Source
	Key       []string // columns of Source
}

// same reports whether two joins trust the same.
func (j Join) same(other Join) bool {
	return j.Source == other.Source && slices.Equal(j.Key, other.Key)
}

// joins returns what the statements of a plan join, each once, in the order in which they do.
func joins(m *semantic.Model, p *plan.Plan) []Join {
	w := joinWalk{models: []*semantic.Model{m}}
	if m.Multi != nil {
		w.models = m.Multi.Facts
	}
	for _, s := range append([]*plan.Select{p.Page, p.Count, p.Totals}, p.Extra...) {
		w.stage(s)
	}
	return w.found
}

// joinWalk goes through the stages of a plan.
type joinWalk struct {
	models []*semantic.Model
	found  []Join
}

func (w *joinWalk) stage(s *plan.Select) {
	if s == nil {
		return
	}
	w.source(s.From)
	for _, j := range s.Joins {
		w.join(j)
	}
}

func (w *joinWalk) source(s plan.Source) {
	switch x := s.(type) {
	case plan.Table, plan.Tree, plan.Values:
	case plan.Derived:
		w.stage(x.Select)
	case plan.Union:
		for _, inner := range x.Selects {
			w.stage(inner)
		}
	}
}

func (w *joinWalk) join(j plan.Join) {
	switch to := j.To.(type) {
	case plan.Table:
		if d := w.dimension(to.Source, j.On); d != nil && !w.has(to.Source, j.On) {
			w.found = append(w.found, Join{Dimension: d, Source: to.Source, Key: rightColumns(j.On)})
		}
	case plan.Tree:
		w.add(treeJoin(to.Dimension))
	case plan.Values, plan.Derived, plan.Union:
		w.source(to)
	}
}

// treeJoin is the closure of a hierarchy, or the table of nodes that one is built from.
func treeJoin(d *semantic.Dimension) Join {
	h := d.Hierarchy
	if h.Parent != "" {
		return Join{Dimension: d, Source: d.Source, Key: []string{d.ID}}
	}
	return Join{Dimension: d, Source: h.Closure, Key: []string{h.Ancestor, h.Descendant}}
}

func (w *joinWalk) add(j Join) {
	if !slices.ContainsFunc(w.found, j.same) {
		w.found = append(w.found, j)
	}
}

// has reports whether a join that trusts the same was found already.
func (w *joinWalk) has(source semantic.Source, on []plan.Pair) bool {
	return slices.ContainsFunc(w.found, func(j Join) bool {
		return j.Source == source && slices.EqualFunc(j.Key, on, func(key string, p plan.Pair) bool { return key == p.Right.Name })
	})
}

func rightColumns(on []plan.Pair) []string {
	columns := make([]string, len(on))
	for i, p := range on {
		columns[i] = p.Right.Name
	}
	return columns
}

// dimension returns the dimension that a join reads: the role whose columns it matches, or else one of its table.
func (w *joinWalk) dimension(src semantic.Source, on []plan.Pair) *semantic.Dimension {
	var found *semantic.Dimension
	for _, m := range w.models {
		for d := range semantic.Dimensions(m.Dimensions) {
			switch {
			case d.Source != src:
			case matches(d.Join, on):
				return d
			case found == nil:
				found = d
			}
		}
	}
	return found
}

func matches(join []semantic.JoinColumn, on []plan.Pair) bool {
	return slices.EqualFunc(join, on, func(c semantic.JoinColumn, p plan.Pair) bool {
		return c.From == p.Left.Name && c.To == p.Right.Name
	})
}
