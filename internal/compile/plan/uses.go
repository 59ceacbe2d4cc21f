package plan

import (
	"slices"

	"parlance/internal/compile/resolve"
)

// Uses reports whether any expression of a stage, or of the stages within it, is of some kind.
func Uses(s *Select, is func(resolve.Expr) bool) bool {
	found := false
	see := func(e resolve.Expr) {
		resolve.Visit(e, func(x resolve.Expr) bool {
			found = found || is(x)
			return !found
		})
	}
	for _, c := range s.Columns {
		see(c.Expr)
	}
	see(s.Where)
	for _, g := range s.GroupBy {
		see(g)
	}
	for _, o := range s.OrderBy {
		see(o.Expr)
	}
	sources := []Source{s.From}
	for _, j := range s.Joins {
		sources = append(sources, j.To)
		for _, e := range j.If {
			see(e)
		}
	}
	for _, source := range sources {
		for _, inner := range stagesOf(source) {
			found = found || Uses(inner, is)
		}
	}
	return found
}

func stagesOf(s Source) []*Select {
	switch x := s.(type) {
	case Derived:
		return []*Select{x.Select}
	case Union:
		return x.Selects
	case Table, Tree, Values:
	}
	return nil
}

// BuildsTree reports whether a stage, or one within it, reads a hierarchy that must be built from a parent column.
func BuildsTree(s *Select) bool {
	built := func(e resolve.Expr) bool {
		w, ok := e.(*resolve.Within)
		return ok && w.Tree.Hierarchy.Parent != ""
	}
	return Uses(s, built) || readsBuiltTree(s)
}

func readsBuiltTree(s *Select) bool {
	sources := []Source{s.From}
	for _, j := range s.Joins {
		sources = append(sources, j.To)
	}
	for _, source := range sources {
		if t, ok := source.(Tree); ok && t.Dimension.Hierarchy.Parent != "" {
			return true
		}
		if slices.ContainsFunc(stagesOf(source), readsBuiltTree) {
			return true
		}
	}
	return false
}
