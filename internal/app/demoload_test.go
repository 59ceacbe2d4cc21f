package app

import (
	"bytes"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/test/servers"
)

// demoQueries are calls that every database must answer with the very bytes of the embedded demo: path and body.
var demoQueries = [][2]string{
	{"/jdbc-model/query-model/v2/FactSalesQueryModel", `{"param":{"columns":["product$categoryName","salesAmount","profitRate","uniqueCustomers"],"groupBy":[{"field":"product$categoryName"}],"orderBy":[{"field":"salesAmount","order":"desc"}],"returnTotal":true}}`},
	{"/jdbc-model/query-model/v2/FactSalesQueryModel", `{"param":{"columns":["orderId","orderLineNo","salesDate$caption","customer$caption","product.category$caption","unitPrice","salesAmount"],"orderBy":["-salesAmount","orderId"]},"start":40,"limit":25}`},
	{"/jdbc-model/query-model/v2/FactSalesQueryModel", `{"param":{"columns":["salesDate$yearMonth","channel$channelType","quantity","avg(unitPrice) as price"],"slice":[{"field":"salesDate$caption","op":"[)","value":["2023-02-01","2023-05-01"]},{"field":"customer$caption","op":"like","value":"a"}],"returnTotal":true}}`},
	{"/jdbc-model/query-model/v2/FactSalesQueryModel", `{"param":{"columns":["store$province","salesAmount","perOrder"],"calculatedFields":[{"name":"perOrder","expression":"sum(salesAmount) / countd(orderId)"}],"having":[{"field":"salesAmount","op":">","value":1000000}],"orderBy":["-perOrder"],"returnTotal":true}}`},
	{"/jdbc-model/query-model/v2/FactOrderQueryModel", `{"param":{"columns":["orderId","orderTime","paymentStatus","promotion$caption","totalAmount"],"slice":[{"field":"paymentStatus","op":"is null"}],"orderBy":["orderTime","orderId"]},"limit":50}`},
	{"/jdbc-model/query-model/v2/FactOrderQueryModel", `{"param":{"columns":["orderTime$hour","orderCount","median(totalAmount) as middle"],"slice":[{"field":"orderDate$caption","op":"=","value":"2024-11"}]},"limit":200}`},
	{"/jdbc-model/query-model/v2/FactInventorySnapshotQueryModel", `{"param":{"columns":["snapshotDate$yearQuarter","quantityOnHand","inventoryValue"],"returnTotal":true}}`},
	{"/jdbc-model/query-model/v2/FactTeamSalesQueryModel", `{"param":{"columns":["team$caption","salesAmount","avgSalesAmount"],"slice":[{"field":"team$id","op":"selfAndDescendantsOf","value":1}],"returnTotal":true}}`},
	{"/jdbc-model/query-model/v2/OrderPaymentQueryModel", `{"param":{"columns":["date$year","totalAmount","orderCount","payAmount","paymentCount"],"returnTotal":true}}`},
	{"/jdbc-model/query-model/v2/DimCustomerQueryModel", `{"param":{"orderBy":["customerName"]},"limit":20}`},
	{"/jdbc-model/query-model/queryKpi", `{"queryModel":"FactReturnQueryModel","columns":["returnQuantity","returnAmount"]}`},
	{"/mcp/analyst/rpc", `{"jsonrpc":"2.0","id":"1","method":"tools/call","params":{"name":"dataset.query_model","arguments":{"model":"FactPaymentQueryModel","payload":{"columns":["payMethod","payDate$yearQuarter","payAmount"],"slice":[{"field":"payStatus","op":"=","value":"SUCCESS"}],"returnTotal":true}}}}`},
}

// commandWith runs the program in an environment and returns what it printed.
func commandWith(t *testing.T, env map[string]string, args ...string) (code int, out, log string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = Run(t.Context(), args, Streams{Out: &stdout, Err: &stderr, Env: func(name string) (string, bool) {
		v, ok := env[name]
		return v, ok
	}})
	return code, stdout.String(), stderr.String()
}

// loadedShop loads the demo into a datasource and returns a configuration that serves it.
func loadedShop(t *testing.T, source string, env map[string]string) Config {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "parlance.yaml")
	text := "listen: 127.0.0.1:0\nlimits: {timeout: 10m}\ndatasources: {warehouse: " + source + "}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, log := commandWith(t, env, "demo", "load", "--config", file, "--datasource", "warehouse")
	if code != exitOK {
		t.Fatalf("demo load ends with %d: %s", code, log)
	}
	checkProgress(t, log)
	if code, _, log := commandWith(t, env, "demo", "models", "--out", filepath.Join(dir, "models", "demo")); code != exitOK {
		t.Fatal(log)
	}
	line := regexp.MustCompile(`(?m)^  namespaces: .*$`).FindString(out)
	if line == "" {
		t.Fatalf("no line for the configuration in %s", out)
	}
	c, err := readConfig(file, []byte(text+strings.TrimSpace(line)+"\n"), func(name string) (string, bool) { v, ok := env[name]; return v, ok })
	if err != nil {
		t.Fatal(err)
	}
	if code, _, log := commandWith(t, env, "demo", "load", "--config", file, "--datasource", "warehouse"); code != exitFailed || !strings.Contains(log, `datasource "warehouse" has 16 tables of the demo already (dim_date, `) {
		t.Errorf("loading it again ends with %d: %s", code, log)
	}
	return c
}

// checkProgress reads the line of each table: name, rows, seconds, rate; nothing that only a terminal understands.
func checkProgress(t *testing.T, log string) {
	t.Helper()
	lines := regexp.MustCompile(`(?m)^(\w+) +([0-9]+) rows +[0-9.]+ s +[0-9]+ rows/s$`).FindAllStringSubmatch(log, -1)
	rows := map[string]string{}
	for _, l := range lines {
		rows[l[1]] = l[2]
	}
	if len(lines) != 16 || rows["fact_order"] != "20000" || rows["dim_date"] != "1096" || strings.ContainsAny(log, "\x1b\r") {
		t.Errorf("the progress is\n%s", log)
	}
}

func TestDemoAnswersTheSameFromEveryDatabase(t *testing.T) {
	embedded := servedDemo(t)
	want := make([]string, len(demoQueries))
	for i, q := range demoQueries {
		if _, want[i] = embedded.post(t, q[0], q[1], "X-Trace-Id", "same"); strings.Contains(want[i], `"data":null`) || strings.Contains(want[i], "isError") {
			t.Fatalf("%s: %s", q[1], want[i])
		}
	}
	same := func(t *testing.T, c Config) {
		t.Helper()
		r := run(t, c)
		for i, q := range demoQueries {
			if raced && c.Datasources[0].Type == "sqlite" && strings.Contains(q[0], "FactSales") {
				continue // over the largest table
			}
			if _, got := r.post(t, q[0], q[1], "X-Trace-Id", "same"); got != want[i] {
				t.Errorf("%s\n%s", q[1], cmp.Diff(want[i], got))
			}
		}
	}
	for name, source := range map[string]string{
		"sqlite": "{type: sqlite, path: ./shop.db}", "duckdb file": "{type: duckdb, path: ./shop.duckdb}", "duckdb folder": "{type: duckdb, folder: ./data}",
	} {
		t.Run(name, func(t *testing.T) { same(t, loadedShop(t, source, nil)) })
	}
	t.Run("postgres", func(t *testing.T) {
		same(t, loadedShop(t, `{type: postgres, dsn: "${DSN}"}`, map[string]string{"DSN": servers.StartPostgres(t)}))
	})
	t.Run("mysql", func(t *testing.T) {
		same(t, loadedShop(t, `{type: mysql, dsn: "${DSN}"}`, map[string]string{"DSN": servers.StartMySQL(t)}))
	})
	for name, nodes := range map[string]int{"clickhouse": 1, "clickhouse cluster": 3} {
		t.Run(name, func(t *testing.T) {
			s := servers.RunClickHouse(t, nodes, "UTC")
			cluster := ""
			if nodes > 1 {
				cluster = ", cluster: " + servers.ClickHouseClusterName
			}
			source := fmt.Sprintf(`{type: clickhouse, addresses: [%q], database: default, user: %s, password: "${PASSWORD}"%s}`, s.Addresses[0], s.User, cluster)
			same(t, loadedShop(t, source, map[string]string{"PASSWORD": s.Password}))
		})
	}
}

func TestLoadThatFailsSaysWhatIsThere(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "parlance.yaml")
	write(t, dir, "parlance.yaml", "datasources: {lite: {type: duckdb, path: ./shop.duckdb}}\n")
	if err := makeDatabase(filepath.Join(dir, "shop.duckdb"), "CREATE TABLE dim_date (mine INTEGER); CREATE VIEW fact_return AS SELECT 1 AS mine"); err != nil {
		t.Fatal(err)
	}
	code, _, log := commandWith(t, nil, "demo", "load", "--config", file, "--datasource", "lite")
	if code != exitFailed || !strings.Contains(log, "has 2 tables of the demo already (dim_date, fact_return); --replace drops them") {
		t.Errorf("got %d: %s", code, log)
	}
	code, out, log := commandWith(t, nil, "demo", "load", "--config", file, "--datasource", "lite", "--replace")
	if code != exitFailed || out != "" {
		t.Errorf("got %d, %s", code, out)
	}
	for _, want := range []string{
		`Table "fact_return" could not be loaded`, "13 of 16 tables are loaded (dim_date, ", "fact_payment), the others are not", "run it again with --replace",
	} {
		if !strings.Contains(log, want) {
			t.Errorf("no %q in\n%s", want, log)
		}
	}
	if err := makeDatabase(filepath.Join(dir, "shop.duckdb"), "SELECT date_key FROM dim_date; SELECT mine FROM fact_return; DROP VIEW fact_return"); err != nil {
		t.Error(err)
	}
	if code, _, log := commandWith(t, nil, "demo", "load", "--config", file, "--datasource", "lite", "--replace"); code != exitOK {
		t.Errorf("got %d: %s", code, log)
	}
}

func TestLoadShowsNoSecret(t *testing.T) {
	dsn := servers.StartPostgres(t)
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword("parlance", "hunter2-wrong")
	file := filepath.Join(t.TempDir(), "parlance.yaml")
	write(t, filepath.Dir(file), "parlance.yaml", "datasources: {warehouse: {type: postgres, dsn: \"${DSN}\"}}\n")
	code, out, log := commandWith(t, map[string]string{"DSN": u.String()}, "demo", "load", "--config", file, "--datasource", "warehouse")
	if code != exitFailed || strings.Contains(out+log, "hunter2") || !strings.Contains(log, "datasources.warehouse") {
		t.Errorf("got %d: %s%s", code, out, log)
	}
	code, _, log = commandWith(t, nil, "demo", "load", "--config", file, "--datasource", "warehous")
	if code != exitFailed {
		t.Errorf("got %d: %s", code, log)
	}
}
