package execute

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math/big"
	"slices"
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
	"parlance/test/evaluate"
)

const (
	namespace   = "default"
	defaultRows = 1000
	maxRows     = 10_000
)

// pipeline is the program over one small database: the catalogue of its models, the compiler, the engine, the encoder.
type pipeline struct {
	engine     *engine
	source     *datasource.Source
	remove     func() error // takes away what the source leaves behind
	service    *service.Service
	generation *catalog.Generation
	tables     []table
	files      fs.FS
	today      string
	data       *evaluate.Data // the tables as the evaluator reads them
	twin       *pipeline      // the same on DuckDB, once somebody asked for it
}

// world opens an engine with tables and model files. Today is what relative dates count from.
func (e *engine) world(ctx context.Context, tables []table, files fs.FS, today string) (*pipeline, error) {
	if e.seconds {
		tables = wholeSeconds(tables)
	}
	return e.made(ctx, nil, tables, files, today)
}

// made is world on a database that some statements made.
func (e *engine) made(ctx context.Context, statements []string, tables []table, files fs.FS, today string) (*pipeline, error) {
	source, remove, err := e.open(ctx, slog.New(slog.DiscardHandler), statements...)
	if err != nil {
		return nil, err
	}
	p := &pipeline{engine: e, source: source, remove: remove, tables: tables, files: files, today: today}
	if err := p.load(ctx); err != nil {
		return nil, errors.Join(err, p.close())
	}
	p.data = evaluate.NewData(p.evaluated())
	return p, nil
}

// beside returns the same world on DuckDB, opened on first use.
func (p *pipeline) beside(ctx context.Context) (*pipeline, error) {
	if p.twin == nil {
		e := &engine{name: "duckdb", open: openDuckDB}
		twin, err := e.world(ctx, p.tables, p.files, p.today)
		if err != nil {
			return nil, err
		}
		p.twin = twin
	}
	return p.twin, nil
}

func (p *pipeline) load(ctx context.Context) error {
	for _, t := range p.tables {
		if err := p.source.Load(ctx, t.loaded()); err != nil {
			return err
		}
	}
	if !p.engine.writes {
		if err := p.source.Seal(ctx); err != nil {
			return err
		}
	}
	models, err := catalog.New(catalog.Options{
		Namespace: namespace, FS: p.files, Datasource: "db", Schema: schema{p.source},
		Calendar: semantic.Calendar{Zone: time.UTC, WeekStart: time.Monday, FiscalStart: time.January, Today: semantic.Today{Fixed: p.today}},
	})
	if err != nil {
		return err
	}
	if problems := models.Reload(ctx, namespace); len(problems) > 0 {
		return fmt.Errorf("the models have problems: %v", problems)
	}
	p.generation, _ = models.Namespace(namespace)
	p.service = service.New(service.Deps{
		Catalog: models, Sources: map[string]service.Source{"db": p.source}, DefaultNamespace: namespace,
		Namespaces: []string{namespace}, Limits: compile.Limits{DefaultRows: defaultRows, MaxRows: maxRows},
	})
	return nil
}

func (p *pipeline) close() error {
	err := errors.Join(p.source.Close(), p.remove())
	if p.twin != nil {
		err = errors.Join(err, p.twin.close())
	}
	return err
}

// run answers a query as the transports would ask it, for anybody.
func (p *pipeline) run(ctx context.Context, model string, q *query.Query) (*service.Answer, error) {
	return p.runAs(ctx, access.Identity{}, model, q)
}

func (p *pipeline) runAs(ctx context.Context, who access.Identity, model string, q *query.Query) (*service.Answer, error) {
	return p.service.Query(ctx, service.Caller{Identity: who}, model, q, service.QueryOptions{ShowSQL: true})
}

// decode reads a payload.
func decode(payload string) (*query.Query, error) {
	n, err := jsontree.Parse([]byte(payload))
	if err != nil {
		return nil, err
	}
	return query.Decode(n, query.DecodeOptions{})
}

// evaluated returns the tables as the evaluator reads them.
func (p *pipeline) evaluated() evaluate.Tables {
	all := evaluate.Tables{}
	for _, t := range p.tables {
		rows := make([]evaluate.Row, len(t.rows))
		for i, cells := range t.rows {
			rows[i] = evaluate.Row{}
			for j, c := range t.columns {
				rows[i][c.name] = cells[j]
			}
		}
		all[t.name] = rows
	}
	return all
}

// schema tells the catalogue what columns the database has.
type schema struct{ source *datasource.Source }

// Columns returns the types of a table's columns.
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

// table is one table of a test.
type table struct {
	name    string
	sharded bool // spread over the servers of a cluster, as the rows of models are
	key     []string
	columns []column
	rows    [][]evaluate.Value
}

type column struct {
	name string
	typ  value.Type
}

// loaded returns the table as the datasource takes it.
func (t table) loaded() datasource.Table {
	columns := make([]datasource.Column, len(t.columns))
	for i, c := range t.columns {
		columns[i] = datasource.Column{Name: c.name, Type: c.typ, Nullable: !slices.Contains(t.key, c.name)}
	}
	return datasource.Table{Name: t.name, Columns: columns, Key: t.key, Sharded: t.sharded, Rows: func(yield func([]any) bool) {
		for _, row := range t.rows {
			cells := make([]any, len(row))
			for i, v := range row {
				cells[i] = loadedCell(t.columns[i].typ, v)
			}
			if !yield(cells) {
				return
			}
		}
	}}
}

func loadedCell(t value.Type, v evaluate.Value) any {
	switch v.Kind {
	case value.Null:
		return nil
	case value.Integer, value.Decimal:
		scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(t.Scale)), nil)
		unscaled := new(big.Rat).Mul(v.Num, new(big.Rat).SetInt(scale))
		return unscaled.Num().Int64()
	case value.Float:
		return v.F
	case value.String:
		return v.Text
	case value.Boolean:
		return v.Bool
	case value.Date, value.Timestamp:
	}
	return v.Time
}
