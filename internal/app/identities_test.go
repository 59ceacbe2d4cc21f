package app

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"parlance/internal/datasource"
	"parlance/internal/identity"
	"parlance/test/servers"
)

// Whatever runs a statement for somebody counts with what else he has running: while one place is all that he may have
// and his query holds it, explanations, values and samples wait, and others are answered.
func TestEveryStatementCountsForWhoAsks(t *testing.T) {
	server := servers.RunPostgres(t)
	inPostgres(t, server, `CREATE TABLE orders (order_id integer PRIMARY KEY, city text, amount numeric(18, 2)); INSERT INTO orders VALUES (1, 'Ulm', 5.05);
CREATE TABLE sales (sale_id integer PRIMARY KEY, amount numeric(18, 2)); INSERT INTO sales VALUES (1, 30.30)`)
	wang, li := identity.NewToken(), identity.NewToken()
	c, dir := guarded(t, "limits: {identity_concurrency: 1}\nnamespaces: {shop: {models: ./models, datasource: files, auth: {mode: tokens, file: tokens.yaml}}}\ndefault_namespace: shop\n",
		map[string]string{"tokens.yaml": tokensText(tokenLine(wang, "{user: wang, roles: [admin], attributes: {cities: [Ulm]}}"), tokenLine(li, "{user: li, roles: [admin]}"))})
	write(t, dir+"/models", "orders.yaml", fmt.Sprintf(ordersModel, "Orders", "amount"))
	write(t, dir+"/models", "own.yaml", fmt.Sprintf(ordersModel, "Own", "amount")+"access: {rows: [{field: city, op: in, attribute: cities}]}\n") // whose samples are each one's own
	write(t, dir+"/models", "sales.yaml", shopModel+"datasource: store\n")
	c.Datasources = append(c.Datasources, DatasourceConfig{Name: "store", Type: "postgres", DSN: server.DSN, MaxConns: 8})
	r := run(t, c)
	store := r.world.sources["store"]
	untilStats(t, store, "nothing is read for the server's own sake any more", func(s datasource.Stats) bool { return s == datasource.Stats{} })

	locked, err := pgconn.Connect(t.Context(), server.DSN)
	if err != nil {
		t.Fatal(err)
	}
	if err := locked.Exec(t.Context(), "BEGIN; LOCK TABLE orders IN ACCESS EXCLUSIVE MODE").Close(); err != nil {
		t.Fatal(err)
	}
	var calls sync.WaitGroup
	for i, call := range []string{
		`"dataset.query_model","arguments":{"model":"Orders","payload":{"columns":["amount"]}}`,
		`"dataset.explain_query","arguments":{"model":"Orders","payload":{"columns":["amount"]}}`,
		`"dataset.field_values","arguments":{"model":"Orders","field":"city","search":"zz"}`,
		`"dataset.describe_model_internal","arguments":{"model":"Own"}`,
	} {
		calls.Go(func() {
			body := `{"jsonrpc":"2.0","id":"1","method":"tools/call","params":{"name":` + call + `}}`
			request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.base+"/mcp/admin/rpc", strings.NewReader(body))
			if err != nil {
				t.Error(err)
				return
			}
			request.Header.Set("Authorization", "Bearer "+wang)
			answer, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Error(err)
				return
			}
			defer answer.Body.Close()
			if text, err := io.ReadAll(answer.Body); err != nil || strings.Contains(string(text), `"isError":true`) || answer.StatusCode != http.StatusOK {
				t.Errorf("%s: %d %s %v", call, answer.StatusCode, text, err)
			}
		})
		untilStats(t, store, "the call waits behind the first", func(s datasource.Stats) bool {
			if s.Running > 1 {
				t.Fatalf("one place is all there is for one, and with %s %d are taken", call, s.Running)
			}
			return s.Running == 1 && s.Waiting >= i
		})
	}
	if status, got := r.post(t, kpiPath, `{"queryModel":"Sales","columns":["amount"]}`, "Authorization", "Bearer "+li); status != http.StatusOK || strings.TrimSpace(got) != shopSum {
		t.Errorf("another: %d %s", status, got)
	}
	if err := locked.Close(t.Context()); err != nil {
		t.Error(err)
	}
	calls.Wait()
	untilStats(t, store, "every place is free", func(s datasource.Stats) bool { return s == datasource.Stats{} })
}

func untilStats(t *testing.T, source *datasource.Source, what string, holds func(datasource.Stats) bool) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(2 * time.Minute); !holds(source.Stats()); <-tick.C {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s; %+v", what, source.Stats())
		}
	}
}
