package catalog

import (
	"context"
	"slices"

	"parlance/internal/semantic"
)

// setApart takes the models out of a generation that could not be held against their database: they wait for it, and so
// do models of several facts of which one waits. Only models of the first load wait, until they are served: later what is
// served goes on, and that another cannot be checked is a problem of the load.
func setApart(o Options, g *Generation, builders []*builder) []Problem {
	var problems []Problem
	for _, b := range builders {
		switch unread := len(b.r.unread) > 0; {
		case unread && o.Await && mayWait(o.Previous, b.model.Name):
			g.Waiting = append(g.Waiting, b.model)
		case unread:
			problems = append(problems, b.r.unread...)
		}
	}
	for _, b := range builders {
		m := b.model
		switch waits := m.Multi != nil && slices.ContainsFunc(m.Multi.Facts, func(fact *semantic.Model) bool { return slices.Contains(g.Waiting, fact) }); {
		case waits && mayWait(o.Previous, m.Name):
			g.Waiting = append(g.Waiting, m)
		case waits:
			problems = append(problems, b.r.problem(b.raw.facts.at, "a fact of the model cannot be checked: its database cannot be reached"))
		}
	}
	for _, m := range g.Waiting {
		delete(g.ByName, m.Name)
	}
	g.Models = slices.DeleteFunc(g.Models, func(m *semantic.Model) bool { return slices.Contains(g.Waiting, m) })
	return problems
}

func mayWait(previous *Generation, model string) bool {
	return previous == nil || slices.ContainsFunc(previous.Waiting, func(m *semantic.Model) bool { return m.Name == model })
}

// Waits returns the datasources that models of a namespace wait for, sorted.
func (c *Catalog) Waits(name string) []string {
	g, ok := c.Namespace(name)
	if !ok {
		return nil
	}
	var names []string
	for _, m := range g.Waiting {
		names = append(names, m.Datasource)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Resume loads a namespace whose models wait, once one of their databases may be reached. Models that are served stay as
// they are unless their files have changed. It returns what Reload returns.
func (c *Catalog) Resume(ctx context.Context, name string) []Problem {
	ns, ok := c.namespaces[name]
	if !ok {
		return nil
	}
	ns.mu.Lock()
	defer ns.mu.Unlock()
	files, problems := readFiles(ns.options.folder(), ns.generation())
	return ns.reload(ctx, files, problems, false)
}
