package app

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"

	"parlance/internal/catalog"
	"parlance/internal/datasource"
	"parlance/internal/fault"
	"parlance/internal/semantic"
	"parlance/internal/service"
	"parlance/internal/value"
)

// world is what a configuration opens: datasources, and the namespaces that stand on them.
type world struct {
	sources    map[string]*datasource.Source
	namespaces []catalog.Options
	repeated   []string                    // namespaces whose models are those of another, under policies
	fill       func(context.Context) error // brings the data; nil: it is there already
	checks     []service.Check
}

// opens opens a datasource: datasource.Open, or datasource.Await where models may wait for a database.
type opens func(ctx context.Context, name string, c datasource.Config, log *slog.Logger) (*datasource.Source, error)

// openWorld opens every datasource of the configuration, or the demo's. One that cannot be reached is an error.
func openWorld(ctx context.Context, c Config, log *slog.Logger) (*world, error) {
	return worldOf(ctx, c, log, datasource.Open)
}

// awaitWorld is openWorld for a server: models of a database that cannot be reached wait for it.
func awaitWorld(ctx context.Context, c Config, log *slog.Logger) (*world, error) {
	w, err := worldOf(ctx, c, log, datasource.Await)
	if err != nil {
		return nil, err
	}
	for i := range w.namespaces {
		w.namespaces[i].Await = true
	}
	return w, nil
}

func worldOf(ctx context.Context, c Config, log *slog.Logger, open opens) (*world, error) {
	if c.Demo() {
		return openDemo(ctx, c, log)
	}
	w := &world{sources: map[string]*datasource.Source{}}
	if err := w.open(ctx, c, log, open); err != nil {
		return nil, errors.Join(err, w.close())
	}
	for _, n := range c.Namespaces {
		w.namespaces = append(w.namespaces, catalog.Options{
			Namespace: n.Name, Dir: n.Models, Datasource: n.Datasource, Calendar: n.Calendar, Cache: n.Cache, Schema: liveSchema(w.sources),
			MaskSecret: maskKey(n),
		})
	}
	return w, nil
}

// open opens the datasources side by side: one that is long in coming holds nobody up but itself.
func (w *world) open(ctx context.Context, c Config, log *slog.Logger, open opens) error {
	opened, errs := make([]*datasource.Source, len(c.Datasources)), make([]error, len(c.Datasources))
	var all sync.WaitGroup
	for i, d := range c.Datasources {
		all.Go(func() { opened[i], errs[i] = open(ctx, d.Name, sourceConfig(d, c.Limits), log) })
	}
	all.Wait()
	for i, d := range c.Datasources {
		if errs[i] != nil {
			errs[i] = fmt.Errorf("datasources.%s: %w", d.Name, errs[i])
			continue
		}
		w.sources[d.Name] = opened[i]
	}
	return errors.Join(errs...)
}

// bring brings the data, where it is not there already.
func (w *world) bring(ctx context.Context) error {
	if w.fill == nil {
		return nil
	}
	return w.fill(ctx)
}

// distinct returns the namespaces without those that repeat the models of another.
func (w *world) distinct() []catalog.Options {
	return slices.DeleteFunc(slices.Clone(w.namespaces), func(n catalog.Options) bool { return slices.Contains(w.repeated, n.Namespace) })
}

// maskKey is the key of a namespace's pseudonyms: two namespaces with one secret still give a value two of them.
func maskKey(n NamespaceConfig) string {
	if n.MaskSecret == "" {
		return ""
	}
	mac := hmac.New(sha256.New, []byte(n.MaskSecret))
	mac.Write([]byte("mask " + n.Name))
	return hex.EncodeToString(mac.Sum(nil))
}

func (w *world) close() error {
	var errs []error
	for _, s := range w.sources {
		errs = append(errs, s.Close())
	}
	return errors.Join(errs...)
}

func sourceConfig(d DatasourceConfig, l LimitsConfig) datasource.Config {
	c := datasource.Config{
		Type: d.Type, DSN: d.DSN, Path: d.Path, Folder: d.Folder, Threads: d.Threads, MaxConns: d.MaxConns, MaxEach: l.IdentityConcurrency, Queue: l.Queue, Timeout: d.Timeout,
		Addresses: d.Addresses, Database: d.Database, Cluster: d.Cluster, User: d.User, Password: d.Password,
	}
	if d.Memory > 0 {
		c.Memory = fmt.Sprintf("%dKiB", max(1, d.Memory>>10))
	}
	if c.MaxConns == 0 {
		c.MaxConns = l.Concurrency
	}
	if c.Queue == 0 {
		c.Queue = -1 // none, where 0 would be the datasource's own default
	}
	if c.Timeout == 0 {
		c.Timeout = l.Timeout
	}
	return c
}

// liveSchema tells the catalogue what columns the datasources have.
type liveSchema map[string]*datasource.Source

// Columns asks the datasource that holds the source.
func (s liveSchema) Columns(ctx context.Context, name string, src semantic.Source) (map[string]value.Type, error) {
	source, ok := s[name]
	if !ok {
		return nil, fault.Invalidf("unknown_datasource", "", "there is no datasource %q", name)
	}
	columns, err := source.Columns(ctx, src.Schema, src.Table, src.SQL)
	if err != nil {
		return nil, err
	}
	types := make(map[string]value.Type, len(columns))
	for _, c := range columns {
		types[c.Name] = c.Type
	}
	return types, nil
}
