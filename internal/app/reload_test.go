package app

import (
	"database/sql"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	_ "github.com/duckdb/duckdb-go/v2"
)

const shopModel = `model: Sales
source: {table: sales, key: [sale_id]}
attributes:
  - {name: saleId, column: sale_id}
measures:
  - {name: amount, column: amount, type: money, agg: sum}
`

// shop makes a database file and a folder with one model, and returns a configuration that serves them.
func shop(t *testing.T) (c Config, models string) {
	t.Helper()
	dir := t.TempDir()
	db, err := sql.Open("duckdb", filepath.Join(dir, "shop.duckdb"))
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		"create table sales (sale_id integer primary key, amount decimal(18, 2))",
		"insert into sales values (1, 10.10), (2, 20.20)",
	} {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	models = filepath.Join(dir, "models")
	if err := os.Mkdir(models, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, models, "sales.yaml", shopModel)
	const text = "listen: 127.0.0.1:0\nnamespaces: {shop: {models: ./models, datasource: files}}\ndatasources: {files: {type: duckdb, path: ./shop.duckdb}}\n"
	if c, err = readConfig(filepath.Join(dir, "parlance.yaml"), []byte(text), environment); err != nil {
		t.Fatal(err)
	}
	return c, models
}

// write replaces a file in one step, as editors and deployments do.
func write(t *testing.T, dir, name, text string) {
	t.Helper()
	part := filepath.Join(dir, "."+name+".part")
	if err := os.WriteFile(part, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(part, filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
}

func (r *running) sum(t *testing.T, model string) string {
	t.Helper()
	_, body := r.post(t, "/jdbc-model/query-model/queryKpi", `{"queryModel":"`+model+`","columns":["amount"]}`)
	return strings.TrimSpace(body)
}

const shopSum = `{"code":0,"data":{"amount":30.30},"msg":"success"}`

func TestReloadServesTheNewModelsAndKeepsTheOldOnesWhenTheyAreBad(t *testing.T) {
	c, models := shop(t)
	r := run(t, c)
	if got := r.sum(t, "Sales"); got != shopSum {
		t.Fatalf("got %s", got)
	}

	mark := r.log.mark()
	write(t, models, "more.yaml", strings.Replace(shopModel, "model: Sales", "model: More", 1))
	r.log.await(t, mark, "models loaded", "namespace=shop", "models=2")
	if got := r.sum(t, "More"); got != shopSum {
		t.Errorf("got %s", got)
	}

	mark = r.log.mark()
	write(t, models, "sales.yaml", strings.Replace(shopModel, "table: sales", "table: nowhere", 1))
	r.log.await(t, mark, "model file has a problem", "sales.yaml:2:")
	r.log.await(t, mark, "the earlier ones go on serving")
	if got := r.sum(t, "Sales"); got != shopSum {
		t.Errorf("got %s", got)
	}
	if status, body := r.read(t, "/readyz"); status != http.StatusOK {
		t.Errorf("got %d %s", status, body)
	}
}

func TestHangupReadsTheModelsAgain(t *testing.T) {
	c, _ := shop(t)
	r := run(t, c)
	mark := r.log.mark()
	r.hangup <- syscall.SIGHUP
	r.log.await(t, mark, "models loaded", "namespace=shop", "models=1")
}

func TestNamespaceWithBadFilesFromTheStartIsNotReadyUntilMended(t *testing.T) {
	c, models := shop(t)
	write(t, models, "sales.yaml", "model: [")
	r := run(t, c)
	if status, body := r.read(t, "/readyz"); status != http.StatusServiceUnavailable || !strings.Contains(body, "namespace shop") {
		t.Errorf("got %d %s", status, body)
	}
	if got := r.sum(t, "Sales"); !strings.Contains(got, `"code":404`) {
		t.Errorf("got %s", got)
	}
	mark := r.log.mark()
	write(t, models, "sales.yaml", shopModel)
	r.log.await(t, mark, "models loaded", "namespace=shop")
	if got := r.sum(t, "Sales"); got != shopSum {
		t.Errorf("got %s", got)
	}
}

func TestDatabaseFileThatIsNotThereIsAnErrorAtStart(t *testing.T) {
	c, _ := shop(t)
	c.Datasources[0].Path = filepath.Join(t.TempDir(), "gone.duckdb")
	_, err := start(t.Context(), c, discard())
	if err == nil || !strings.Contains(err.Error(), "datasources.files") {
		t.Errorf("got %v", err)
	}
}
