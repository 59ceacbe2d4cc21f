package app

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"parlance/test/servers"
)

const checkedModel = `model: Sale
source: {table: sale, key: [sale_id]}
time: soldOn
dimensions:
  - {name: shop, table: shop, join: {shop_id: shop_id}, id: shop_id, label: name}
  - {name: area, table: area, schema: geo, join: {area_id: area_id}, id: area_id}
attributes:
  - {name: soldOn, column: sold_on}
measures:
  - {name: amount, column: amount, agg: sum}
`

// postgresShop fills a server with tables that declare little; area stands in a schema of its own.
func postgresShop(t *testing.T) (dsn string) {
	t.Helper()
	dsn = servers.StartPostgres(t)
	conn, err := pgconn.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(t.Context()))
	for _, text := range []string{
		"CREATE SCHEMA geo", "CREATE TABLE geo.area (area_id INTEGER PRIMARY KEY, area_name TEXT)",
		"CREATE TABLE shop (shop_id INTEGER, name TEXT)",
		"CREATE TABLE sale (sale_id INTEGER PRIMARY KEY, shop_id INTEGER, area_id INTEGER REFERENCES geo.area, sold_on DATE, amount NUMERIC(18, 2))",
		"CREATE INDEX ON sale (area_id)",
		"INSERT INTO geo.area VALUES (1, 'North')", "INSERT INTO sale VALUES (1, 1, 1, '2024-01-01', 12.50)",
	} {
		if err := conn.Exec(t.Context(), text).Close(); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	return dsn
}

// TestCheckHintsAndSchemas: hints alone do not fail a check, and a reference to another schema is followed.
func TestCheckHintsAndSchemas(t *testing.T) {
	dsn := postgresShop(t)
	dir := t.TempDir()
	write(t, dir, "parlance.yaml", "namespaces: {shop: {models: ./, datasource: store}}\ndatasources: {store: {type: postgres, dsn: \""+dsn+"\"}}\n")
	write(t, dir, "sale.yaml", checkedModel)
	config := filepath.Join(dir, "parlance.yaml")
	code, out, errs := program(t, "check", "--config", config)
	if code != 1 || !strings.Contains(out, "parlance.yaml") {
		t.Errorf("a folder whose other file is no model: %d\n%s%s", code, out, errs)
	}
	write(t, dir, "parlance.yaml", "namespaces: {shop: {models: ./models, datasource: store}}\ndatasources: {store: {type: postgres, dsn: \""+dsn+"\"}}\n")
	makeFolder(t, filepath.Join(dir, "models"))
	write(t, filepath.Join(dir, "models"), "sale.yaml", checkedModel)
	code, out, errs = program(t, "check", "--config", config)
	if code != 0 || errs != "" {
		t.Errorf("%d %s", code, errs)
	}
	for _, want := range []string{
		"datasource store (postgres): 2 tables", "the role of its dsn is a superuser",
		"1 join column shop_id of sale without an index", "the time column sold_on of sale has no index",
		"nothing keeps two rows of shop from sharing shop_id", "the key column shop_id of shop may be null", "1 model, 0 errors, 5 hints",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	code, out, errs = program(t, "introspect", "--config", config, "--tables", "sale")
	if code != 0 || !strings.Contains(out, "schema: geo") || !strings.Contains(out, "label: area_name") {
		t.Errorf("%d %s%s", code, out, errs)
	}
	code, out, errs = program(t, "introspect", "--config", config, "--schema", "geo")
	if code != 0 || !strings.Contains(out, "source: {table: area, schema: geo, key: [area_id]}") {
		t.Errorf("%d %s%s", code, out, errs)
	}
}

// TestCheckTellsNoSecret: whatever is wrong with the way to a database, neither password nor address is printed.
func TestCheckTellsNoSecret(t *testing.T) {
	pg, err := url.Parse(servers.StartPostgres(t))
	if err != nil {
		t.Fatal(err)
	}
	my := servers.StartMySQL(t)
	ch := servers.RunClickHouse(t, 1, "UTC")
	wrong := *pg
	wrong.User = url.UserPassword("parlance", "s3cret-9")
	none := *pg
	none.Path = "/s3cret-9"
	for name, c := range map[string]struct{ datasource, why string }{
		"refused":                 {`{type: postgres, dsn: "` + wrong.String() + `"}`, "the server refuses the user or the password"},
		"no such database":        {`{type: postgres, dsn: "` + none.String() + `"}`, "the server has no such database"},
		"no dsn":                  {`{type: postgres, dsn: "s3cret-9 s3cret-9"}`, "no connection string"},
		"mysql refused":           {`{type: mysql, dsn: "s3cret-9` + my + `"}`, "the server refuses the user or the password"},
		"mysql, no such database": {`{type: mysql, dsn: "` + my + `s3cret-9"}`, "the server has no such database"},
		"mysql, nobody there":     {`{type: mysql, dsn: "u:s3cret-9@tcp(127.0.0.1:1)/shop"}`, "nobody answers at its address"},
		"clickhouse refused":      {`{type: clickhouse, addresses: ["` + ch.Addresses[0] + `"], user: parlance, password: s3cret-9}`, "the server refuses the user or the password"},
		"clickhouse, nobody":      {`{type: clickhouse, addresses: ["127.0.0.1:1"], password: s3cret-9}`, "nobody answers at its address"},
		"duckdb, no file":         {`{type: duckdb, path: ./s3cret-9.duckdb}`, "there is no database file at its path"},
		"sqlite, no file":         {`{type: sqlite, path: ./s3cret-9.db}`, "there is no database file at its path"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "parlance.yaml", "datasources: {store: "+c.datasource+"}\n")
			for _, args := range [][]string{{"check"}, {"introspect", "--datasource", "store"}} {
				code, out, errs := program(t, append(args, "--config", filepath.Join(dir, "parlance.yaml"))...)
				said := out + errs
				if code != 1 || !strings.Contains(said, c.why) {
					t.Errorf("%v: %d %s", args, code, said)
				}
				for _, secret := range []string{"s3cret", "127.0.0.1", dir} {
					if strings.Contains(said, secret) {
						t.Errorf("%v tells %q: %s", args, secret, said)
					}
				}
			}
		})
	}
}

func makeFolder(t *testing.T, path string) {
	t.Helper()
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Fatal(err)
	}
}
