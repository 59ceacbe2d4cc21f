package app

import (
	"context"
	"log/slog"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"parlance/internal/catalog"
	"parlance/internal/datasource"
	"parlance/internal/demo"
	"parlance/internal/fault"
	"parlance/internal/semantic"
	"parlance/internal/service"
	"parlance/internal/value"
	"parlance/models"
)

const (
	demoName  = "demo"       // of the demo's datasource
	demoToday = "2024-12-31" // the last day of its data
)

// openDemo opens an empty database while the shop is made; fill loads it, and until then the world is not ready.
func openDemo(ctx context.Context, c Config, log *slog.Logger) (*world, error) {
	made := make(chan []demo.Table, 1)
	go func() { made <- demo.Tables() }()
	source, err := datasource.Open(ctx, demoName, sourceConfig(DatasourceConfig{Type: "duckdb"}, c.Limits), log)
	tables := <-made
	if err != nil {
		return nil, err
	}
	var complete atomic.Bool
	calendar := defaultCalendar()
	calendar.Today = semantic.Today{Fixed: demoToday}
	return &world{
		sources: map[string]*datasource.Source{demoName: source},
		namespaces: []catalog.Options{
			{Namespace: defaults().DefaultNamespace, FS: models.Default(), Datasource: demoName, Calendar: calendar, Schema: demoSchema(tables)},
			{Namespace: secureName, FS: models.Secure(), Datasource: demoName, Calendar: calendar, Schema: demoSchema(tables)},
		},
		repeated: []string{secureName},
		fill: func(ctx context.Context) error {
			if err := loadDemo(ctx, source, tables); err != nil {
				return err
			}
			complete.Store(true)
			return nil
		},
		checks: []service.Check{{Name: "demo data", Run: func(context.Context) error {
			if !complete.Load() {
				return &fault.Error{Kind: fault.Unavailable, Reason: "loading", Message: "The demo is being loaded"}
			}
			return nil
		}}},
	}, nil
}

// loadDemo fills the database with every table and then seals it.
func loadDemo(ctx context.Context, source *datasource.Source, tables []demo.Table) error {
	g, loading := errgroup.WithContext(ctx)
	for _, t := range tables {
		g.Go(func() error { return source.Load(loading, loaded(t)) })
	}
	if err := g.Wait(); err != nil {
		return err
	}
	return source.Seal(ctx)
}

func loaded(t demo.Table) datasource.Table {
	columns := make([]datasource.Column, len(t.Columns))
	for i, c := range t.Columns {
		columns[i] = datasource.Column{Name: c.Name, Type: c.Type, Nullable: !c.NotNull}
	}
	return datasource.Table{Name: t.Name, Columns: columns, Key: t.Key, Rows: t.Rows, Sharded: strings.HasPrefix(t.Name, "fact_")}
}

// demoSchema tells the catalogue what the demo's tables will have, so that models are checked while rows are loaded.
type demoSchema []demo.Table

// Columns returns the columns of a table of the demo.
func (s demoSchema) Columns(_ context.Context, _ string, src semantic.Source) (map[string]value.Type, error) {
	for _, t := range s {
		if src.Schema == "" && src.Table == t.Name {
			types := map[string]value.Type{}
			for _, c := range t.Columns {
				types[c.Name] = c.Type
			}
			return types, nil
		}
	}
	return nil, &fault.Error{Kind: fault.NotFound, Reason: "unknown_table", Message: "the demo has no such table"}
}
