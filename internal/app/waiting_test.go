package app

import (
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"parlance/test/servers"
)

const ordersModel = `model: %s
datasource: store
source: {table: orders, key: [order_id]}
attributes:
  - {name: orderId, column: order_id}
  - {name: city, column: city}
measures:
  - {name: amount, column: %s, type: money, agg: sum}
`

// twoSources adds a PostgreSQL server, which stands still, to the shop: models of it stand beside those of the file, in
// the namespace shop and in a namespace odd, where one of them does not fit its table.
func twoSources(t *testing.T) (*servers.Postgres, Config) {
	t.Helper()
	server := servers.RunPostgres(t)
	inPostgres(t, server, `CREATE TABLE orders (order_id integer PRIMARY KEY, city text, amount numeric(18, 2));
INSERT INTO orders VALUES (1, 'Ulm', 5.05), (2, 'Bern', 7.07)`)
	server.Stop(t)
	c, models := shop(t)
	write(t, models, "orders.yaml", fmt.Sprintf(ordersModel, "Orders", "amount"))
	write(t, models, "closed.yaml", fmt.Sprintf(ordersModel, "Closed", "amount")+"access: {models: {roles: [boss]}}\n")
	write(t, models, "secret.yaml", fmt.Sprintf(ordersModel, "Secret", "amount")+"access: {models: {roles: [boss]}, conceal: true}\n")
	odd := filepath.Join(filepath.Dir(models), "odd")
	if err := os.Mkdir(odd, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, odd, "sales.yaml", shopModel)
	write(t, odd, "misfit.yaml", fmt.Sprintf(ordersModel, "Misfit", "price"))
	c.Datasources = append(c.Datasources, DatasourceConfig{Name: "store", Type: "postgres", DSN: server.DSN})
	other := c.Namespaces[0]
	other.Name, other.Models = "odd", odd
	c.Namespaces = append(c.Namespaces, other)
	return server, c
}

func inPostgres(t *testing.T, server *servers.Postgres, statements string) {
	t.Helper()
	conn, err := pgconn.Connect(t.Context(), server.DSN)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if err := conn.Exec(t.Context(), statements).Close(); err != nil {
		t.Fatal(err)
	}
}

func (r *running) kpi(t *testing.T, namespace, model string) (int, string) {
	t.Helper()
	status, body := r.post(t, "/jdbc-model/query-model/queryKpi", `{"queryModel":"`+model+`","columns":["amount"]}`, "X-NS", namespace)
	return status, strings.TrimSpace(body)
}

// refusal calls a tool that must refuse, and returns its error as it stands.
func (r *running) refusal(t *testing.T, name, arguments string) string {
	t.Helper()
	_, body := r.post(t, "/mcp/admin/rpc", `{"jsonrpc":"2.0","id":"1","method":"tools/call","params":{"name":"`+name+`","arguments":`+arguments+`}}`)
	if !strings.Contains(body, `"isError":true`) {
		t.Errorf("%s %s is answered: %s", name, arguments, body)
	}
	return body
}

const ordersSum = `{"code":0,"data":{"amount":12.12},"msg":"success"}`

func TestADatabaseThatIsAwayAtTheStartIsAwaited(t *testing.T) {
	server, c := twoSources(t)
	r := run(t, c)
	r.log.await(t, 0, "datasource cannot be reached", "datasource=store", "nobody answers at its address")
	r.log.await(t, 0, "models wait for their database", "namespace=shop", "models=3", "store")
	if _, got := r.kpi(t, "shop", "Sales"); got != shopSum {
		t.Errorf("a model of the other database: %s", got)
	}
	awayStatus, away := r.kpi(t, "shop", "Orders")
	if awayStatus != http.StatusServiceUnavailable || !strings.Contains(away, "The database cannot be reached") {
		t.Errorf("a model that waits: %d %s", awayStatus, away)
	}
	r.nothingIsTold(t)
	if status, body := r.read(t, "/readyz"); status != http.StatusServiceUnavailable || !strings.Contains(body, "3 of 4 models wait for their database") || !strings.Contains(body, "datasource store") {
		t.Errorf("readyz: %d %s", status, body)
	}
	if _, text := r.read(t, "/metrics"); !strings.Contains(text, `parlance_models_waiting{namespace="shop"} 3`+"\n") || !strings.Contains(text, `parlance_models{namespace="shop"} 1`+"\n") {
		t.Error("the metrics do not tell of models that wait")
	}

	mark := r.log.mark()
	server.Start(t)
	r.log.await(t, mark, "models loaded", "namespace=shop", "models=4")
	if _, got := r.kpi(t, "shop", "Orders"); got != ordersSum {
		t.Errorf("after the database came: %s", got)
	}
	if _, got := r.kpi(t, "shop", "Sales"); got != shopSum {
		t.Errorf("a model of the other database: %s", got)
	}
	for model, want := range map[string]string{"Closed": `"code":403`, "Secret": `"code":404`} {
		if _, got := r.kpi(t, "shop", model); !strings.Contains(got, want) {
			t.Errorf("%s after the database came: %s", model, got)
		}
	}
	if _, text := r.read(t, "/metrics"); !strings.Contains(text, `parlance_models_waiting{namespace="shop"} 0`+"\n") {
		t.Error("the metrics still tell of models that wait")
	}
	r.misfit(t, server, mark)
	if status, body := r.read(t, "/readyz"); status != http.StatusOK {
		t.Errorf("readyz: %d %s", status, body)
	}

	server.Stop(t) // now it reads the same as before
	if status, got := r.kpi(t, "shop", "Orders"); status != awayStatus || got != away {
		t.Errorf("a database that goes is told by %d %s, one that never came by %d %s", status, got, awayStatus, away)
	}
	r.hangup <- os.Interrupt
	r.log.await(t, mark, "models not changed", "namespace=shop")
	server.Start(t)
	if _, got := r.kpi(t, "shop", "Orders"); got != ordersSum {
		t.Errorf("after the models were read without the database: %s", got)
	}
}

// nothingIsTold asks for models that wait in all ways there are.
func (r *running) nothingIsTold(t *testing.T) {
	t.Helper()
	for tool, arguments := range map[string]string{
		"dataset.query_model":             `{"model":"Orders","payload":{"columns":["city"]}}`,
		"dataset.describe_model_internal": `{"model":"Orders"}`,
		"dataset.explain_query":           `{"model":"Orders","payload":{"columns":["city"]}}`,
		"dataset.field_values":            `{"model":"Orders","field":"city"}`,
		"dataset_nl.query":                `{"query":"amount by city"}`,
	} {
		if got := r.refusal(t, tool, arguments); !strings.Contains(got, `\"reason\":\"unreachable\"`) || !strings.Contains(got, `\"retryable\":true`) {
			t.Errorf("%s answers %s", tool, got)
		}
	}
	if got := r.refusal(t, "dataset.query_model", `{"model":"Orders","payload":{"columns":["city"]},"mode":"validate"}`); !strings.Contains(got, "unreachable") {
		t.Errorf("a validation answers %s", got)
	}
	for model, want := range map[string]string{"Closed": `"code":403`, "Secret": `"code":404`} {
		if _, got := r.kpi(t, "shop", model); !strings.Contains(got, want) {
			t.Errorf("%s while it waits: %s", model, got)
		}
	}
	var list struct{ Models []struct{ Name string } }
	r.tool(t, "admin", "dataset.list_models", `{}`, &list)
	if len(list.Models) != 2 || list.Models[0].Name != "Sales" || list.Models[1].Name != "Orders" {
		t.Errorf("models listed: %+v", list.Models)
	}
	r.tool(t, "admin", "dataset.get_metadata", `{}`, &list)
	if len(list.Models) != 1 || list.Models[0].Name != "Sales" {
		t.Errorf("models of the metadata: %+v", list.Models)
	}
}

// misfit holds a namespace to its promises whose model does not fit the table of the database that came, and mends the
// table.
func (r *running) misfit(t *testing.T, server *servers.Postgres, mark int) {
	t.Helper()
	r.log.await(t, mark, "model file has a problem", "namespace=odd", "misfit.yaml:8")
	if _, got := r.kpi(t, "odd", "Sales"); got != shopSum {
		t.Errorf("beside a model that does not fit: %s", got)
	}
	if status, got := r.kpi(t, "odd", "Misfit"); status != http.StatusServiceUnavailable {
		t.Errorf("a model that does not fit: %s", got)
	}
	inPostgres(t, server, "ALTER TABLE orders ADD COLUMN price numeric(18, 2); UPDATE orders SET price = order_id")
	r.log.await(t, mark, "models loaded", "namespace=odd", "models=2")
	if _, got := r.kpi(t, "odd", "Misfit"); got != `{"code":0,"data":{"amount":3.00},"msg":"success"}` {
		t.Errorf("a model that fits now: %s", got)
	}
}

// What waiting does not mend stops the start: the server is there and refuses, or the models ask for what is not there.
func TestAStartDoesNotWaitForWhatIsWrong(t *testing.T) {
	server, c := twoSources(t)
	server.Start(t)
	c.Namespaces = c.Namespaces[:1]
	for name, wrong := range map[string]DatasourceConfig{
		"password": {Name: "store", Type: "postgres", DSN: strings.Replace(server.DSN, "parlance:", "parlance:wrong", 1)},
		"database": {Name: "store", Type: "postgres", DSN: strings.Replace(server.DSN, "/postgres?", "/nowhere?", 1)},
		"file":     {Name: "store", Type: "duckdb", Path: filepath.Join(t.TempDir(), "none.duckdb")},
		"type":     {Name: "store", Type: "oracle"},
	} {
		t.Run(name, func(t *testing.T) {
			c := c
			c.Datasources = []DatasourceConfig{c.Datasources[0], wrong}
			s, err := start(t.Context(), c, slog.New(slog.DiscardHandler))
			if err == nil {
				_ = s.close()
				t.Fatal("the server started")
			}
			if !strings.Contains(err.Error(), "datasources.store") {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

// A server that takes connections and says nothing holds up neither the start nor the other models.
func TestAFrozenDatabaseIsAwaited(t *testing.T) {
	server, c := twoSources(t)
	server.Start(t)
	server.Freeze(t)
	thawed := false
	defer func() {
		if !thawed {
			server.Thaw(t)
		}
	}()
	c.Namespaces = c.Namespaces[:1]
	c.Datasources[1].Timeout = 4 * time.Second // in which a busy machine answers too
	r := run(t, c)
	if _, got := r.kpi(t, "shop", "Sales"); got != shopSum {
		t.Errorf("a model of the other database: %s", got)
	}
	if status, got := r.kpi(t, "shop", "Orders"); status != http.StatusServiceUnavailable {
		t.Errorf("a model that waits: %d %s", status, got)
	}
	mark := r.log.mark()
	server.Thaw(t)
	thawed = true
	r.log.await(t, mark, "models loaded", "namespace=shop", "models=4")
	if _, got := r.kpi(t, "shop", "Orders"); got != ordersSum {
		t.Errorf("after the database woke: %s", got)
	}
}
