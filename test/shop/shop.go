// Package shop puts the demo's shop on a database behind a service, for tests that need real data on a real server.
// It starts no server and judges no answer.
package shop

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"parlance/internal/catalog"
	"parlance/internal/compile"
	"parlance/internal/datasource"
	"parlance/internal/demo"
	"parlance/internal/jsontree"
	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/service"
	"parlance/internal/value"
	"parlance/models"
)

// Name is what the models call the shop's datasource, and Namespace where they stand.
const (
	Name      = "shop"
	Namespace = "default"
)

// Shop is a service over the demo's models.
type Shop struct {
	Source  *datasource.Source
	Service *service.Service
}

// New opens an empty database, loads the demo into it and serves it until the test ends.
func New(t testing.TB, c datasource.Config) *Shop {
	t.Helper()
	source := open(t, c)
	for _, table := range demo.Tables() {
		if err := source.Load(t.Context(), loaded(table)); err != nil {
			t.Fatal(err)
		}
	}
	if err := source.Seal(t.Context()); err != nil {
		t.Fatal(err)
	}
	return Over(t, source, source)
}

// Again opens a database that another shop has loaded, and serves it until the test ends.
func Again(t testing.TB, c datasource.Config) *Shop {
	t.Helper()
	source := open(t, c)
	return Over(t, source, source)
}

// Over serves the demo's models from a source that is asked instead of the one that holds the tables.
func Over(t testing.TB, holds *datasource.Source, asked service.Source) *Shop {
	t.Helper()
	generations, err := catalog.New(catalog.Options{
		Namespace: Namespace, FS: models.Default(), Datasource: Name, Schema: schema{holds},
		Calendar: semantic.Calendar{Zone: time.UTC, WeekStart: time.Monday, FiscalStart: time.January, Today: semantic.Today{Fixed: "2024-12-31"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if problems := generations.Reload(t.Context(), Namespace); len(problems) > 0 {
		t.Fatalf("the models have problems: %v", problems)
	}
	const defaultRows, maxRows = 100, 10_000
	return &Shop{Source: holds, Service: service.New(service.Deps{
		Catalog: generations, Sources: map[string]service.Source{Name: asked}, DefaultNamespace: Namespace,
		Namespaces: []string{Namespace}, Limits: compile.Limits{DefaultRows: defaultRows, MaxRows: maxRows},
	})}
}

func open(t testing.TB, c datasource.Config) *datasource.Source {
	t.Helper()
	source, err := datasource.Open(t.Context(), Name, c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := source.Close(); err != nil {
			t.Error(err)
		}
	})
	return source
}

// Ask answers a payload over a model: its rows, its total and its totals as one JSON text.
func (s *Shop) Ask(ctx context.Context, model, payload string) (string, error) {
	q, err := Decode(payload)
	if err != nil {
		return "", err
	}
	a, err := s.Service.Query(ctx, service.Caller{}, model, q, service.QueryOptions{})
	if err != nil {
		return "", err
	}
	defer a.Release()
	return fmt.Sprintf(`{"items":%s,"total":%d,"totalData":%s}`, a.Items, a.Total, a.TotalData), nil
}

// Decode reads a payload.
func Decode(payload string) (*query.Query, error) {
	tree, err := jsontree.Parse([]byte(payload))
	if err != nil {
		return nil, err
	}
	return query.Decode(tree, query.DecodeOptions{})
}

func loaded(t demo.Table) datasource.Table {
	columns := make([]datasource.Column, len(t.Columns))
	for i, c := range t.Columns {
		columns[i] = datasource.Column{Name: c.Name, Type: c.Type, Nullable: !c.NotNull}
	}
	return datasource.Table{Name: t.Name, Columns: columns, Key: t.Key, Rows: t.Rows, Sharded: strings.HasPrefix(t.Name, "fact_")}
}

// schema tells the catalogue what columns the database has.
type schema struct{ source *datasource.Source }

// Columns returns the types of a source's columns.
func (s schema) Columns(ctx context.Context, _ string, src semantic.Source) (map[string]value.Type, error) {
	columns, err := s.source.Columns(ctx, src.Schema, src.Table, src.SQL)
	if err != nil {
		return nil, err
	}
	types := map[string]value.Type{}
	for _, c := range columns {
		types[c.Name] = c.Type
	}
	return types, nil
}
