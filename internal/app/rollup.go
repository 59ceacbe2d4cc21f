package app

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"log/slog"

	"parlance/internal/catalog"
	"parlance/internal/compile"
	"parlance/internal/datasource"
	"parlance/internal/rollup"
	"parlance/internal/semantic"
	"parlance/internal/service"
)

// rollups is the keeper of pre-aggregations with the database that holds them.
type rollups struct {
	*rollup.Keeper
	store *rollupStore
}

// newRollups returns the rollups of a world's models. Nothing is built yet.
func newRollups(c Config, w *world, models *catalog.Catalog, log *slog.Logger) *rollups {
	store := &rollupStore{config: datasource.Config{
		Type: "duckdb", MaxConns: c.Limits.Concurrency, Queue: c.Limits.Queue, Timeout: c.Limits.Timeout,
	}, log: log}
	if c.Limits.Queue == 0 {
		store.config.Queue = -1
	}
	if c.Rollups.Memory > 0 {
		store.config.Memory = fmt.Sprintf("%dKiB", max(1, c.Rollups.Memory>>10))
	}
	origins, marks := map[string]rollup.Origin{}, map[string]string{}
	for name, source := range w.sources {
		origins[name] = source
	}
	for _, d := range c.Datasources {
		marks[d.Name] = markOf(d)
	}
	return &rollups{store: store, Keeper: rollup.New(rollup.Options{
		Origins: origins, Marks: marks, Store: store, Models: func() iter.Seq2[string, *semantic.Model] { return allModels(models) },
		Folder: c.Rollups.Folder, Patience: c.Rollups.Timeout, AtOnce: c.Rollups.AtOnce, Log: log,
	})}
}

// Source returns the one database that holds rollups.
func (r *rollups) Source(compile.Rollup) service.Source { return r.store }

func (r *rollups) close() error {
	if r == nil {
		return nil
	}
	return r.store.close()
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
