package app

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"time"

	"parlance/internal/catalog"
	"parlance/internal/compile"
	"parlance/internal/datasource"
	"parlance/internal/rollup"
	"parlance/internal/semantic"
	"parlance/internal/service"
)

// rollups is the keeper of pre-aggregations with the databases that hold them and that they are built from.
type rollups struct {
	*rollup.Keeper
	store   rollupStore
	sources []*lazySource // of builds
	serving map[string]*datasource.Source
}

const rollupTimeout = 10 * time.Minute

// newRollups returns the rollups of a world's models. Nothing is built yet.
func newRollups(c Config, w *world, models *catalog.Catalog, log *slog.Logger) *rollups {
	l := c.Limits
	r := &rollups{serving: w.sources, store: rollupStore{&lazySource{name: "rollups", log: log, config: sourceConfig(DatasourceConfig{Type: "duckdb", Memory: c.Rollups.Memory}, l)}}}
	origins, marks := map[string]rollup.Origin{}, map[string]string{}
	keeping := map[string]rollup.Shared{}
	for name, source := range w.sources {
		origins[name] = source
	}
	timeout, atOnce := cmp.Or(c.Rollups.Timeout, rollupTimeout), max(1, c.Rollups.AtOnce)
	for _, d := range c.Datasources {
		marks[d.Name] = markOf(d)
		if serving := w.sources[d.Name]; serving != nil && hasServer(d) {
			d.Timeout, d.MaxConns = timeout, atOnce
			source := &lazySource{name: d.Name + " (rollups)", log: log, config: sourceConfig(d, l)}
			r.sources = append(r.sources, source)
			origins[d.Name] = buildSource{source, serving}
			if serving.Droppable() {
				keeping[d.Name] = serving
			}
		}
	}
	r.Keeper = rollup.New(rollup.Options{
		Origins: origins, Marks: marks, Store: r.store, Sources: keeping, Models: func() iter.Seq2[string, *semantic.Model] { return allModels(models) },
		Folder: c.Rollups.Folder, Patience: timeout, AtOnce: atOnce, Log: log,
	})
	return r
}

// hasServer reports whether a database is reached over connections to a server, which has time-outs of its own.
func hasServer(d DatasourceConfig) bool { return d.Path == "" && d.Folder == "" }

// Source returns the database that holds a rollup.
func (r *rollups) Source(of compile.Rollup) service.Source {
	if of.Definition.Rollup.InSource {
		return traced{r.serving[of.Definition.Model.Datasource]}
	}
	return r.store
}

func (r *rollups) close() error {
	if r == nil {
		return nil
	}
	errs := []error{r.store.close()}
	for _, s := range r.sources {
		errs = append(errs, s.close())
	}
	return errors.Join(errs...)
}

// allModels returns the models that every namespace serves now.
func allModels(c *catalog.Catalog) iter.Seq2[string, *semantic.Model] {
	return func(yield func(string, *semantic.Model) bool) {
		for _, name := range c.Names() {
			g, ok := c.Namespace(name)
			if !ok {
				continue
			}
			for _, m := range g.Models {
				if !yield(name, m) {
					return
				}
			}
		}
	}
}

// markOf tells a database from another that once had its name, without telling anything of it.
func markOf(d DatasourceConfig) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", []any{d.Type, d.DSN, d.Path, d.Folder, d.Addresses, d.Database, d.Cluster}))
	return hex.EncodeToString(sum[:])
}
