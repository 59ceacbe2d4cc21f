package bench

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"parlance/internal/app"
	"parlance/internal/datasource"
	"parlance/internal/query"
	"parlance/internal/service"
	"parlance/test/servers"
	"parlance/test/shop"
)

// question is one of those that are asked over HTTP.
type question struct{ name, path, body string }

const pagePath = "/jdbc-model/query-model/v2/"

var asked = []question{
	{"detail page", pagePath + "FactSalesQueryModel", `{"page":3,"pageSize":20,"param":{"columns":["orderId","orderLineNo","orderStatus","salesDate$caption","customer$caption","product$caption","quantity","salesAmount"],"slice":[{"field":"orderStatus","op":"=","value":"COMPLETED"}],"orderBy":[{"field":"salesAmount","order":"desc"}]}}`},
	{"two-dimension group", pagePath + "FactSalesQueryModel", `{"pageSize":100,"param":{"columns":["product$categoryName","customer$customerType","salesAmount","quantity"],"groupBy":[{"field":"product$categoryName"},{"field":"customer$customerType"}],"orderBy":[{"field":"salesAmount","order":"desc"}]}}`},
	{"KPI", "/jdbc-model/query-model/queryKpi", `{"queryModel":"FactSalesQueryModel","columns":["salesAmount","quantity","uniqueCustomers"],"slice":[{"field":"salesDate$year","op":"=","value":2024}]}`},
	{"tiny", pagePath + "DimStoreQueryModel", `{"param":{"columns":["storeKey","storeName","province"],"orderBy":["storeKey"]}}`},
}

// prepare returns how the program and a pool of connections reach a database that holds the shop, and what the program
// asks it.
func prepare(b *testing.B, engine, folder string) (config string, db *sql.DB, s *engineStatements) {
	b.Helper()
	switch engine {
	case "postgres":
		c := datasource.Config{Type: "postgres", DSN: servers.StartPostgres(b)}
		load(b, c)
		settings, err := pgx.ParseConfig(c.DSN)
		if err != nil {
			b.Fatal(err)
		}
		settings.RuntimeParams["jit"], settings.RuntimeParams["TimeZone"] = "off", "UTC"
		db = stdlib.OpenDB(*settings) // statements are prepared once a connection
		bound(b, db, 16)
		return fmt.Sprintf("{type: postgres, dsn: %q, max_conns: 16}", c.DSN), db, statementsOf(b, c)
	default:
		c := datasource.Config{Type: "duckdb", Path: filepath.Join(folder, "shop.duckdb"), Create: true}
		load(b, c)
		c.Create = false
		s = statementsOf(b, c)
		copied := filepath.Join(folder, "copy.duckdb")
		copyFile(b, c.Path, copied)
		return fmt.Sprintf("{type: duckdb, path: %q, max_conns: 16}", c.Path), opened(b, "duckdb", copied+"?access_mode=read_only", 16), s
	}
}

// engineStatements are what the program asks a database, by question.
type engineStatements struct{ stages map[string][][]statement }

func statementsOf(b *testing.B, c datasource.Config) *engineStatements {
	b.Helper()
	r := &recorder{Source: shop.Again(b, c).Source}
	s := shop.Over(b, r.Source, r)
	all := &engineStatements{stages: map[string][][]statement{}}
	for _, q := range asked {
		for range 2 { // what is looked up once is there the second time
			r.start()
			askService(b, s.Service, q)
		}
		all.stages[q.name] = r.stop()
	}
	if err := r.Source.Close(); err != nil {
		b.Fatal(err)
	}
	return all
}

func askService(b *testing.B, s *service.Service, q question) {
	b.Helper()
	tree := parse(b, q.body)
	if strings.HasSuffix(q.path, "queryKpi") {
		body, err := query.Decode(without(tree, "queryModel"), query.DecodeOptions{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := s.Summarize(b.Context(), service.Caller{}, service.Summary{Model: "FactSalesQueryModel", Columns: body.Columns, Slice: body.Slice}); err != nil {
			b.Fatal(err)
		}
		return
	}
	param, _ := tree.Get("param")
	body, err := query.Decode(param, query.DecodeOptions{})
	if err != nil {
		b.Fatal(err)
	}
	for _, m := range tree.Members {
		if _, err := body.Paging.Set(m.Key, m.Value); err != nil {
			b.Fatal(err)
		}
	}
	a, err := s.Query(b.Context(), service.Caller{}, strings.TrimPrefix(q.path, pagePath), body, service.QueryOptions{DefaultRows: 10})
	if err != nil {
		b.Fatal(err)
	}
	a.Release()
}

// byHand writes the handler of a question.
func byHand(b *testing.B, db *sql.DB, q question, stages [][]statement) *handwritten {
	b.Helper()
	h := &handwritten{db: db, asked: q, kpi: strings.HasSuffix(q.path, "queryKpi")}
	for _, stage := range stages {
		for _, st := range stage {
			st.args = plain(st.args)
			if strings.HasPrefix(st.text, "SELECT COUNT(*) AS n") {
				h.count = &st
			} else {
				h.page = st
			}
		}
	}
	rows, err := db.QueryContext(b.Context(), h.page.text, h.page.args...)
	if err != nil {
		b.Fatal(err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range names {
		h.names = append(h.names, fmt.Appendf(nil, "%q:", n))
	}
	if err := rows.Err(); err != nil {
		b.Fatal(err)
	}
	return h
}

// program starts parlance serve in this process, with its log and its audit record written to files, and returns its
// address.
func program(b *testing.B, folder, datasource, cache string) (addr string) {
	b.Helper()
	for range 5 {
		if addr = tryProgram(b, folder, datasource, cache); addr != "" {
			return addr
		}
	}
	b.Fatal("the program does not start")
	return ""
}

func tryProgram(b *testing.B, folder, datasource, cache string) string {
	b.Helper()
	models := filepath.Join(folder, "models")
	if code := app.Run(b.Context(), []string{"demo", "models", "--out", models}, app.Streams{Out: io.Discard, Err: os.Stderr, Env: os.LookupEnv}); code != 0 {
		_ = os.RemoveAll(models)
		if code := app.Run(b.Context(), []string{"demo", "models", "--out", models}, app.Streams{Out: io.Discard, Err: os.Stderr, Env: os.LookupEnv}); code != 0 {
			b.Fatal("no models")
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	file := filepath.Join(folder, "parlance.yaml")
	text := fmt.Sprintf("listen: %s\nnamespaces: {default: {models: %q, datasource: shop, today: 2024-12-31%s}}\ndatasources: {shop: %s}\naudit: {file: %q}\n",
		addr, models, cache, datasource, filepath.Join(folder, "audit.jsonl"))
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	log, err := os.Create(filepath.Join(folder, "log"))
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(b.Context()))
	done := make(chan int, 1)
	go func() {
		done <- app.Run(ctx, []string{"serve", "--config", file, "--log", "json"}, app.Streams{Out: log, Err: log, Env: os.LookupEnv})
	}()
	b.Cleanup(func() {
		stop()
		<-done
		log.Close()
	})
	for begun := time.Now(); time.Since(begun) < 20*time.Second; time.Sleep(20 * time.Millisecond) {
		w, err := dial(addr, asked[3].path, asked[3].body)
		if err != nil {
			continue
		}
		err = w.ask()
		w.conn.Close()
		if err == nil {
			return addr
		}
	}
	return ""
}

// BenchmarkUncached: requests a second beside a hand-written handler that runs the same statements.
func BenchmarkUncached(b *testing.B) {
	for _, engine := range []string{"postgres", "duckdb"} {
		b.Run(engine, func(b *testing.B) {
			folder := b.TempDir()
			config, db, s := prepare(b, engine, folder)
			addr := program(b, folder, config, "")
			for _, q := range asked {
				b.Run(q.name, func(b *testing.B) {
					hand := serveHTTP(b, byHand(b, db, q, s.stages[q.name]))
					for _, n := range []int{1, 16} {
						c := compete(b, connect(b, n, hand, q.path, q.body), connect(b, n, addr, q.path, q.body))
						uncached = append(uncached, fmt.Sprintf("| %s | %s | %d | %.0f | %.0f | **%.2f** | %.2f–%.2f | %.0f %% | %s, %s | %.0f, %.0f |", engine, q.name, n, c.theirs, c.ours, c.ratio, c.low, c.high, 100*c.noise, millis(c.theirs99), millis(c.ours99), micros(c.theirsCPU), micros(c.oursCPU)))
					}
				})
			}
		})
	}
}

// BenchmarkKept: requests a second for answers that are used again, beside a handler that reads the same body and writes
// the same bytes.
func BenchmarkKept(b *testing.B) {
	folder := b.TempDir()
	config, _, _ := prepare(b, "duckdb", folder)
	addr := program(b, folder, config, ", cache: {ttl: 1h}")
	for _, q := range asked {
		b.Run(q.name, func(b *testing.B) {
			first := connect(b, 1, addr, q.path, q.body)
			if err := first[0].ask(); err != nil {
				b.Fatal(err)
			}
			idle := serveHTTP(b, nothing(first[0].body))
			for _, n := range []int{1, 16} {
				c := compete(b, connect(b, n, idle, q.path, q.body), connect(b, n, addr, q.path, q.body))
				kept = append(kept, fmt.Sprintf("| %s | %d | %d | %.0f | %.0f | **%.2f** | %.2f–%.2f | %.0f %% | %s, %s | %.0f, %.0f |", q.name, len(first[0].body), n, c.theirs, c.ours, c.ratio, c.low, c.high, 100*c.noise, millis(c.theirs99), millis(c.ours99), micros(c.theirsCPU), micros(c.oursCPU)))
			}
		})
	}
}
