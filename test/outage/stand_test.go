package outage

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"parlance/test/servers"
)

// stand is a PostgreSQL server behind a proxy, and a folder of models over it: Sales reads a table, Slow the same rows
// after a tenth of a second, Wide ten megabytes.
type stand struct {
	pg     *servers.Postgres
	proxy  *proxy
	folder string
}

// sales is how many rows there are, numbered from 1; each amount is its number and a half.
const sales = 1000

func newStand(t testing.TB) stand {
	t.Helper()
	s := stand{pg: servers.RunPostgres(t), folder: t.TempDir()}
	db, err := sql.Open("pgx", s.pg.DSN)
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		"CREATE TABLE sales (sale_id integer PRIMARY KEY, region text NOT NULL, amount numeric(12,2) NOT NULL)",
		fmt.Sprintf("INSERT INTO sales SELECT g, 'r' || g %% 10, g + 0.5 FROM generate_series(1, %d) g", sales),
	} {
		if _, err := db.ExecContext(context.Background(), statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	s.proxy = between(t, loopback.FindString(s.pg.DSN))
	s.fill(t, filepath.Join(s.folder, "models"), "first")
	return s
}

func salesModel(name, source, caption string) string {
	return fmt.Sprintf("model: %s\ncaption: %s\nsource: %s\nattributes: [{name: saleId, column: sale_id}, {name: region, column: region}]\nmeasures: [{name: amount, column: amount, type: money, agg: sum}]\n", name, caption, source)
}

// fill makes a folder of the models, all with one caption.
func (s stand) fill(t testing.TB, folder, caption string) {
	t.Helper()
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, source := range map[string]string{
		"Sales": "{table: sales, key: [sale_id]}", "Slow": `{sql: "select s.* from sales s, pg_sleep(0.1)", key: [sale_id]}`,
	} {
		put(t, filepath.Join(folder, name+".yaml"), salesModel(name, source, caption))
	}
	put(t, filepath.Join(folder, "Wide.yaml"), "model: Wide\nsource: {sql: \"select g as id, repeat('x', 1000) as pad from generate_series(1, 10000) g\", key: [id]}\n"+
		"attributes: [{name: id, column: id}, {name: pad, column: pad}]\n")
}

// swap replaces the whole folder of models by another, whose models all have another caption.
func (s stand) swap(t testing.TB, caption string) {
	t.Helper()
	models, other := filepath.Join(s.folder, "models"), filepath.Join(s.folder, "other")
	s.fill(t, other, caption)
	for _, err := range []error{os.Rename(models, models+".old"), os.Rename(other, models), os.RemoveAll(models + ".old")} {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// launch starts a server over the stand. More is further configuration, limits what its key says.
func (s stand) launch(t testing.TB, limits, more string, env ...string) *program {
	t.Helper()
	config := fmt.Sprintf("default_namespace: shop\nnamespaces: {shop: {models: ./models, datasource: db}}\ndatasources: {db: {type: postgres, dsn: %q}}\nlimits: {%s}\n%s",
		loopback.ReplaceAllString(s.pg.DSN, s.proxy.address()), limits, more)
	return launch(t, s.folder, config, env...)
}
