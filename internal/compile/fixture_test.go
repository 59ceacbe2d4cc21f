package compile_test

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"parlance/internal/access"
	"parlance/internal/catalog"
	"parlance/internal/compile"
	"parlance/internal/dialect"
	"parlance/internal/jsontree"
	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

var update = flag.Bool("update", false, "rewrite the expected statements and refusals")

// dialects are the databases whose statements stand side by side in the golden files, in this order.
var dialects = []struct {
	name    string
	dialect dialect.Dialect
}{
	{"duckdb", dialect.DuckDB()},
	{"sqlite", dialect.SQLite()},
	{"postgres", dialect.Postgres(dialect.PostgresServer{})},
	{"mysql", dialect.MySQL(dialect.MySQLServer{Text: "utf8mb4_nopad_bin", Case: "utf8mb4_uca1400_as_cs", Zones: true})},
	{"clickhouse", dialect.ClickHouse(dialect.ClickHouseServer{Version: "18.16.1", Zone: "UTC", Database: "shop"})},
	{"cluster", dialect.ClickHouse(dialect.ClickHouseServer{Version: "18.16.1", Zone: "UTC", Database: "shop", Cluster: true})},
}

// clock is the time of every test; models that fix a day of their own do not look at it.
var clock = time.Date(2024, time.August, 15, 10, 30, 0, 0, time.UTC)

var limits = compile.Limits{DefaultRows: 100, MaxRows: 10_000}

// shop loads the models of testdata/models over the tables of testdata/schema.txt.
func shop(tb testing.TB) map[string]*semantic.Model {
	tb.Helper()
	g, problems := catalog.Load(tb.Context(), catalog.Options{
		Namespace: "shop", FS: os.DirFS("testdata/models"), Datasource: "db", Schema: readSchema(tb, "testdata/schema.txt"),
	})
	for _, p := range problems {
		tb.Error(p.String())
	}
	if g == nil {
		tb.FailNow()
	}
	return g.ByName
}

// liveTables are the columns of a database that does not exist: a line for each table, each column:type.
type liveTables map[string]map[string]value.Type

var liveTypes = map[string]value.Type{
	"string": {Kind: value.String}, "integer": {Kind: value.Integer}, "bigint": {Kind: value.Integer, Wide: true},
	"decimal2": {Kind: value.Decimal, Scale: 2}, "decimal4": {Kind: value.Decimal, Scale: 4}, "float": {Kind: value.Float},
	"boolean": {Kind: value.Boolean}, "date": {Kind: value.Date}, "timestamp": {Kind: value.Timestamp},
	"zoned": {Kind: value.Timestamp, Zoned: true},
}

func readSchema(tb testing.TB, file string) liveTables {
	tb.Helper()
	f, err := os.Open(file)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	tables := liveTables{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		words := strings.Fields(lines.Text())
		tables[words[0]] = map[string]value.Type{}
		for _, w := range words[1:] {
			column, name, _ := strings.Cut(w, ":")
			t, ok := liveTypes[name]
			if !ok {
				tb.Fatalf("%s: unknown type in %q", file, w)
			}
			tables[words[0]][column] = t
		}
	}
	return tables
}

func (l liveTables) Columns(_ context.Context, _ string, s semantic.Source) (map[string]value.Type, error) {
	name := s.Table
	switch {
	case s.Schema != "":
		name = s.Schema + "." + name
	case s.SQL != "":
		name = "sql"
	}
	columns, ok := l[name]
	if !ok {
		return nil, fmt.Errorf("no table %s", name)
	}
	return columns, nil
}

// decode reads a payload as a tool call would.
func decode(payload []byte) (*query.Query, error) {
	n, err := jsontree.Parse(payload)
	if err != nil {
		return nil, err
	}
	return query.Decode(n, query.DecodeOptions{})
}

// request is a payload over a model, as whoever may see everything asks it.
func request(m *semantic.Model, q *query.Query, d dialect.Dialect) compile.Request {
	return compile.Request{Model: m, Query: q, Grant: access.For(access.Identity{}, m), Dialect: d, Limits: limits, Now: clock}
}
