package bench

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"testing/fstest"
	"time"

	_ "github.com/duckdb/duckdb-go/v2" // the driver that makes the facts

	"parlance/internal/catalog"
	"parlance/internal/compile"
	"parlance/internal/datasource"
	"parlance/internal/jsontree"
	"parlance/internal/query"
	"parlance/internal/rollup"
	"parlance/internal/semantic"
	"parlance/internal/service"
	"parlance/internal/value"
)

// manyFacts is how many rows the benchmark of rollups reads; PARLANCE_FACTS sets another number.
const manyFacts = 20_000_000

const factModel = `model: Facts
source: {table: facts, key: [id]}
time: day
dimensions:
  - {name: store, table: stores, join: {store: store}, id: store, label: name, attributes: [{name: province, column: province}]}
attributes:
  - {name: day, column: day}
  - {name: status, column: status}
measures:
  - {name: amount, column: amount, agg: sum, type: money}
  - {name: quantity, column: quantity, agg: sum}
  - {name: orders, agg: count}
  - {name: price, expression: "amount / quantity"}
rollups:
  - {name: monthly, dimensions: [store$province, status], time: {field: day, grain: month}, measures: [amount, quantity, orders, price]}
`

var rollupQuestions = []struct{ name, payload string }{
	{"a year a row", `{"columns": ["day$year", "amount", "orders"], "groupBy": ["day$year"]}`},
	{"a quarter and province a row", `{"columns": ["day$quarter", "store$province", "amount", "price"], "groupBy": ["day$quarter", "store$province"], "limit": 1000, "returnTotal": true}`},
	{"one year's total", `{"columns": ["amount", "price"], "slice": [{"field": "day", "op": "=", "value": "2021"}]}`},
}

// BenchmarkRollup asks the same of many facts and of a rollup of them, in turns, and compares the medians.
func BenchmarkRollup(b *testing.B) {
	f := openFacts(b)
	for _, q := range rollupQuestions {
		b.Run(q.name, func(b *testing.B) {
			var fromRows, fromRollup []time.Duration
			for b.Loop() {
				fromRows = append(fromRows, f.ask(b, f.rows, q.payload, false))
				for range 20 {
					fromRollup = append(fromRollup, f.ask(b, f.kept, q.payload, true))
				}
			}
			slices.Sort(fromRows)
			slices.Sort(fromRollup)
			one, other := fromRows[len(fromRows)/2], fromRollup[len(fromRollup)/2]
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(micros(one), "µs-rows")
			b.ReportMetric(micros(other), "µs-rollup")
			b.ReportMetric(float64(one)/float64(other), "×")
			rolledUp = append(rolledUp, fmt.Sprintf("| %s | %s | %s | %.0f × | %s to %s |", q.name, millis(one), millis(other),
				float64(one)/float64(other), millis(fromRollup[len(fromRollup)/20]), millis(fromRollup[len(fromRollup)*19/20])))
		})
	}
}

// facts is a service over many rows with a rollup, and one without.
type facts struct{ rows, kept *service.Service }

func (f facts) ask(b *testing.B, s *service.Service, payload string, rolled bool) time.Duration {
	b.Helper()
	tree, err := jsontree.Parse([]byte(payload))
	if err != nil {
		b.Fatal(err)
	}
	began := time.Now()
	q, err := query.Decode(tree, query.DecodeOptions{})
	if err != nil {
		b.Fatal(err)
	}
	a, err := s.Query(b.Context(), service.Caller{}, "Facts", q, service.QueryOptions{})
	took := time.Since(began)
	if err != nil {
		b.Fatal(err)
	}
	if (a.Applied.Rollup != nil) != rolled || a.Returned == 0 {
		b.Fatalf("%d rows, from %v", a.Returned, a.Applied.Rollup)
	}
	a.Release()
	return took
}

func openFacts(b *testing.B) facts {
	b.Helper()
	log := slog.New(slog.DiscardHandler)
	source, err := datasource.Open(b.Context(), "db", datasource.Config{Type: "duckdb", Path: makeFacts(b), Timeout: 5 * time.Minute}, log)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { source.Close() })
	store, err := datasource.Open(b.Context(), "rollups", datasource.Config{Type: "duckdb"}, log)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { store.Close() })
	models, err := catalog.New(catalog.Options{
		Namespace: "default", FS: fstest.MapFS{"facts.yaml": {Data: []byte(factModel)}}, Datasource: "db", Schema: factSchema{source},
	})
	if err != nil {
		b.Fatal(err)
	}
	if problems := models.Reload(b.Context(), "default"); len(problems) > 0 {
		b.Fatal(problems)
	}
	keeper := rollup.New(rollup.Options{
		Origins: map[string]rollup.Origin{"db": source}, Store: store,
		Models: func() iter.Seq2[string, *semantic.Model] { return func(func(string, *semantic.Model) bool) {} },
	})
	g, _ := models.Namespace("default")
	built, err := keeper.Build(b.Context(), "default", g.Models[0], g.Models[0].Rollups[0])
	if err != nil {
		b.Fatal(err)
	}
	b.Logf("the rollup was built in %.1f s and has %d rows", built.Took.Seconds(), built.Rows)
	deps := service.Deps{
		Catalog: models, Sources: map[string]service.Source{"db": source}, DefaultNamespace: "default",
		Limits: compile.Limits{DefaultRows: 1000, MaxRows: 10_000},
	}
	f := facts{rows: service.New(deps)}
	deps.Rollups = keptRollups{keeper, store}
	f.kept = service.New(deps)
	return f
}

// makeFacts makes a database file of many facts.
func makeFacts(b *testing.B) string {
	b.Helper()
	n := manyFacts
	if text := os.Getenv("PARLANCE_FACTS"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			b.Fatal(err)
		}
	}
	path := filepath.Join(b.TempDir(), "facts.duckdb")
	db, err := sql.Open("duckdb", path)
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	for _, statement := range []string{
		`CREATE TABLE stores AS SELECT i::INTEGER AS store, 'Store ' || i AS name, 'Province ' || (i % 20) AS province FROM range(200) t(i)`,
		fmt.Sprintf(`CREATE TABLE facts AS SELECT i AS id, DATE '2015-01-01' + ((hash(i) %% 3652)::INTEGER) AS day, (hash(i + 1) %% 200)::INTEGER AS store,
			['PAID', 'SHIPPED', 'COMPLETED', 'CANCELLED'][1 + (hash(i + 2) %% 4)::INTEGER] AS status,
			((hash(i + 3) %% 100000)::DECIMAL(12,2) / 100)::DECIMAL(12,2) AS amount, (1 + hash(i + 4) %% 9)::INTEGER AS quantity FROM range(%d) t(i)`, n),
	} {
		if _, err := db.ExecContext(b.Context(), statement); err != nil {
			b.Fatal(err)
		}
	}
	return path
}

type factSchema struct{ source *datasource.Source }

// Columns returns the types of a table's columns.
func (s factSchema) Columns(ctx context.Context, _ string, src semantic.Source) (map[string]value.Type, error) {
	columns, err := s.source.Columns(ctx, src.Schema, src.Table, src.SQL)
	types := map[string]value.Type{}
	for _, c := range columns {
		types[c.Name] = c.Type
	}
	return types, err
}

// keptRollups is a keeper with the database of its rollups.
type keptRollups struct {
	*rollup.Keeper
	store *datasource.Source
}

// Source returns the one database of rollups.
func (k keptRollups) Source(compile.Rollup) service.Source { return k.store }
