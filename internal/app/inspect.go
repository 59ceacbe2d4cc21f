package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"parlance/internal/catalog"
	"parlance/internal/inspect"
)

// inspectTimeout is how long a statement of an inspection may take at least: it reads whole tables.
const inspectTimeout = 10 * time.Minute

// data checks the models of every namespace against its database and prints what it finds.
func (c validateCommand) data(ctx context.Context, s Streams) (err error) {
	config, err := serveCommand{Config: c.Config}.configuration(s.Env)
	if err != nil {
		return err
	}
	patient(&config)
	w, err := openWorld(ctx, config, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	if err := w.bring(ctx); err != nil {
		return err
	}
	namespaces, err := c.namespaces(w.distinct())
	if err != nil {
		return err
	}
	var sum tally
	for _, n := range namespaces {
		if err := inspectNamespace(ctx, s, w, n, len(namespaces) > 1, &sum); err != nil {
			return err
		}
	}
	return sum.outcome(s)
}

// patient gives statements the time that reading whole tables takes.
func patient(c *Config) {
	c.Limits.Timeout = max(c.Limits.Timeout, inspectTimeout)
	for i := range c.Datasources {
		c.Datasources[i].Timeout = max(c.Datasources[i].Timeout, inspectTimeout)
	}
}

// namespaces returns those to check. A folder on the command line stands for the models of the namespace that has it,
// or of the only one.
func (c validateCommand) namespaces(all []catalog.Options) ([]catalog.Options, error) {
	if c.Dir == "" {
		return all, nil
	}
	for _, n := range all {
		if samePath(n.Dir, c.Dir) {
			return []catalog.Options{n}, nil
		}
	}
	if len(all) != 1 {
		return nil, fmt.Errorf("parlance: %s is the folder of none of the %d namespaces, so that it cannot be told which database to read", c.Dir, len(all))
	}
	n := all[0]
	n.FS, n.Dir = nil, c.Dir
	return []catalog.Options{n}, nil
}

func samePath(a, b string) bool {
	x, errX := filepath.Abs(a)
	y, errY := filepath.Abs(b)
	return a != "" && errX == nil && errY == nil && x == y
}

// tally counts what was found in all namespaces.
type tally struct{ models, errors, warnings int }

func inspectNamespace(ctx context.Context, s Streams, w *world, o catalog.Options, several bool, sum *tally) error {
	o.Schema = liveSchema(w.sources)
	g, problems := catalog.Load(ctx, o)
	if err := printProblems(s, o.Dir, problems); err != nil {
		return err
	}
	sources := map[string]inspect.Source{}
	for name, source := range w.sources {
		sources[name] = source
	}
	found, err := inspect.Models(ctx, g.Models, sources)
	if err != nil {
		return err
	}
	sum.models += len(g.Models)
	for _, f := range found {
		if several {
			f.Model = o.Namespace + "/" + f.Model
		}
		fmt.Fprintf(s.Out, "%s: %s\n", f.Severity, f)
		if f.Severity == inspect.Error {
			sum.errors++
		} else {
			sum.warnings++
		}
	}
	return nil
}

// outcome prints how it went; errors among the findings make it fail.
func (t tally) outcome(s Streams) error {
	found := counted(t.errors, "error") + ", " + counted(t.warnings, "warning")
	switch {
	case t.errors > 0:
		return errors.New(found)
	case t.warnings > 0:
		fmt.Fprintf(s.Out, "%s, %s\n", counted(t.models, "model"), found)
	default:
		fmt.Fprintf(s.Out, "%s, no findings\n", counted(t.models, "model"))
	}
	return nil
}
