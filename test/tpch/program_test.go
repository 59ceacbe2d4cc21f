package tpch

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"testing"
	"time"

	"parlance/internal/access"
	"parlance/internal/catalog"
	"parlance/internal/compile"
	"parlance/internal/datasource"
	"parlance/internal/jsontree"
	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/service"
	"parlance/internal/value"
)

// program is the service over one database that holds the generated tables.
type program struct {
	source  *datasource.Source
	service *service.Service
}

const namespace = "tpch"

// start opens a database, fills it and serves the models over it.
func start(t testing.TB, c datasource.Config, tables map[string]*table) *program {
	t.Helper()
	source, err := datasource.Open(t.Context(), "db", c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := source.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, table := range tables {
		if err := source.Load(t.Context(), table.loaded()); err != nil {
			t.Fatal(err)
		}
	}
	if err := source.Seal(t.Context()); err != nil {
		t.Fatal(err)
	}
	models, err := catalog.New(catalog.Options{
		Namespace: namespace, FS: os.DirFS("models"), Datasource: "db", Schema: columns{source},
		Calendar: semantic.Calendar{Zone: time.UTC, WeekStart: time.Monday, FiscalStart: time.January, Today: semantic.Today{Fixed: "1998-12-01"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if problems := models.Reload(t.Context(), namespace); len(problems) > 0 {
		t.Fatalf("the models have problems: %v", problems)
	}
	return &program{source, service.New(service.Deps{
		Catalog: models, Sources: map[string]service.Source{"db": source}, DefaultNamespace: namespace,
		Namespaces: []string{namespace}, Limits: compile.Limits{DefaultRows: 100, MaxRows: 10_000},
	})}
}

// columns tells the catalogue what columns the database has.
type columns struct{ source *datasource.Source }

// Columns returns the types of a table's columns.
func (c columns) Columns(ctx context.Context, _ string, src semantic.Source) (map[string]value.Type, error) {
	list, err := c.source.Columns(ctx, src.Schema, src.Table, src.SQL)
	types := map[string]value.Type{}
	for _, column := range list {
		types[column.Name] = column.Type
	}
	return types, err
}

// ask answers a question, step by step.
func (p *program) ask(ctx context.Context, q question) (last answer, err error) {
	for i, s := range q.Steps {
		payload, err := s.filled(last)
		if err != nil {
			return last, err
		}
		served, err := p.query(ctx, s.Model, payload)
		if err != nil {
			return last, err
		}
		text := served.Items
		if q.Answer == "totals" && i == len(q.Steps)-1 {
			text = served.TotalData
		}
		last, err = read(text)
		served.Release()
		if err != nil {
			return last, err
		}
	}
	return last, nil
}

// query asks one payload as the transports would. What the program warns of is an error here.
func (p *program) query(ctx context.Context, model, payload string) (*service.Answer, error) {
	n, err := jsontree.Parse([]byte(payload))
	if err != nil {
		return nil, err
	}
	q, err := query.Decode(n, query.DecodeOptions{})
	if err != nil {
		return nil, err
	}
	a, err := p.service.Query(ctx, service.Caller{Identity: access.Identity{}}, model, q, service.QueryOptions{})
	if err != nil {
		return nil, err
	}
	if len(a.Warnings) > 0 {
		return nil, fmt.Errorf("warnings: %q", a.Warnings)
	}
	return a, nil
}

// hand sends a statement as it is and returns its rows.
func (p *program) hand(ctx context.Context, text string) ([][]any, error) {
	var rows [][]any
	err := p.source.Query(ctx, text, nil, func(cells []any) error {
		row := slices.Clone(cells)
		for i, cell := range row {
			row[i] = plain(cell)
		}
		rows = append(rows, row)
		return nil
	})
	return rows, err
}
