package outage

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"testing"

	_ "github.com/ClickHouse/clickhouse-go/v2" // the watchers' own ways to the servers
	_ "github.com/go-sql-driver/mysql"
	_ "github.com/jackc/pgx/v5/stdlib"

	"parlance/internal/datasource"
	"parlance/internal/fault"
	"parlance/test/servers"
	"parlance/test/shop"
)

const conns = 4

// watcher counts the sessions that a datasource has on a server, over a way of its own.
type watcher struct {
	db             *sql.DB
	opened, atWork string
}

// sessions returns how many sessions of ours there are, and busy how many statements they run.
func (w watcher) sessions(t testing.TB) int {
	t.Helper()
	return w.number(t, w.opened)
}

func (w watcher) busy(t testing.TB) int {
	t.Helper()
	return w.number(t, w.atWork)
}

func (w watcher) number(t testing.TB, text string) (n int) {
	t.Helper()
	if err := w.db.QueryRowContext(context.Background(), text).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// engine is a server that a test can stop, and how it is reached.
type engine struct {
	config       datasource.Config
	secret       string
	stop, start  func(testing.TB)
	kill         func(testing.TB) // in mid-sentence
	freeze, thaw func(testing.TB)
	watch        func(testing.TB) watcher
}

func startPostgres(t testing.TB) engine {
	t.Helper()
	p := servers.RunPostgres(t)
	address, err := url.Parse(p.DSN)
	if err != nil {
		t.Fatal(err)
	}
	secret, _ := address.User.Password()
	return engine{
		config: datasource.Config{Type: "postgres", DSN: p.DSN}, secret: secret, stop: p.Stop, start: p.Start,
		kill: p.Kill, freeze: p.Freeze, thaw: p.Thaw,
		watch: func(t testing.TB) watcher {
			t.Helper()
			const ours = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'parlance'"
			return watching(t, "pgx", p.DSN, ours, ours+" AND state <> 'idle'")
		},
	}
}

func startMySQL(t testing.TB) engine {
	t.Helper()
	m := servers.RunMySQL(t)
	m.LoadZones(t)
	_, secret, _ := strings.Cut(m.DSN[:strings.LastIndexByte(m.DSN, '@')], ":")
	return engine{
		config: datasource.Config{Type: "mysql", DSN: m.DSN}, secret: secret, stop: m.Stop, start: m.Start,
		kill: m.Kill, freeze: m.Freeze, thaw: m.Thaw,
		watch: func(t testing.TB) watcher {
			t.Helper()
			const ours = "SELECT COUNT(*) FROM information_schema.processlist WHERE user = 'parlance' AND id <> CONNECTION_ID()"
			return watching(t, "mysql", m.DSN, ours, ours+" AND command <> 'Sleep'")
		},
	}
}

func startClickHouse(t testing.TB) engine {
	t.Helper()
	c := servers.RunClickHouse(t, 1, "UTC")
	first := func(do func(testing.TB, int)) func(testing.TB) {
		return func(t testing.TB) {
			t.Helper()
			do(t, 0)
		}
	}
	return engine{
		config: clickHouseConfig(c, c.Addresses[:1]), secret: c.Password,
		stop: first(c.Stop), start: first(c.Start), kill: first(c.Stop), freeze: first(c.Freeze), thaw: first(c.Thaw),
		watch: func(t testing.TB) watcher {
			t.Helper()
			return clickHouseWatcher(t, c, 0)
		},
	}
}

func clickHouseConfig(c *servers.ClickHouse, addresses []string) datasource.Config {
	return datasource.Config{Type: "clickhouse", Addresses: addresses, Database: "default", User: c.User, Password: c.Password}
}

// clickHouseWatcher counts the connections of a server without its own.
func clickHouseWatcher(t testing.TB, c *servers.ClickHouse, i int) watcher {
	t.Helper()
	dsn := fmt.Sprintf("clickhouse://%s:%s@%s/default", c.User, c.Password, c.Addresses[i])
	return watching(t, "clickhouse", dsn, "SELECT toInt64(value) - 1 FROM system.metrics WHERE metric = 'TCPConnection'", "SELECT count() - 1 FROM system.processes")
}

func watching(t testing.TB, driver, dsn, opened, atWork string) watcher {
	t.Helper()
	db, err := sql.Open(driver, dsn)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return watcher{db, opened, atWork}
}

func TestPostgres(t *testing.T)   { attack(t, startPostgres) }
func TestMySQL(t *testing.T)      { attack(t, startMySQL) }
func TestClickHouse(t *testing.T) { attack(t, startClickHouse) }

// attack does to a server all that may happen to it.
func attack(t *testing.T, start func(testing.TB) engine) {
	t.Helper()
	t.Parallel() // most of the time somebody waits
	e := start(t)
	e.config.MaxConns = conns
	if err := shop.New(t, e.config).Source.Close(); err != nil {
		t.Fatal(err)
	}
	t.Run("callers go", func(t *testing.T) { callersGo(t, e) })
	t.Run("stalled", func(t *testing.T) { stalled(t, e) })
	t.Run("stalled in an answer", func(t *testing.T) { stalledInside(t, e) })
	t.Run("cut", func(t *testing.T) { cut(t, e) })
	t.Run("slow and unreliable", func(t *testing.T) { unreliable(t, e) })
	t.Run("frozen", func(t *testing.T) { frozen(t, e) })
	t.Run("killed", func(t *testing.T) { killed(t, e) })
	t.Run("goes and comes", func(t *testing.T) { goesAndComes(t, e) })
	t.Run("comes late", func(t *testing.T) { comesLate(t, e) })
}

// comesLate opens a datasource whose server is not there yet.
func comesLate(t *testing.T, e engine) {
	t.Helper()
	want, err := right()
	if err != nil {
		t.Fatal(err)
	}
	e.stop(t)
	source, err := datasource.Await(t.Context(), shop.Name, e.config, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := source.Close(); err != nil {
			t.Error(err)
		}
	})
	_, columns := source.Columns(t.Context(), "", "fact_sales", "")
	for what, err := range map[string]error{
		"a ping": source.Ping(t.Context()), "columns": columns,
		"a statement": source.Query(t.Context(), "SELECT 1", nil, func([]any) error { return nil }),
	} {
		if f := fault.As(err); err == nil || f.Reason != "unreachable" || !f.Retryable || strings.Contains(f.Error(), e.secret) {
			t.Errorf("%s on a server that is not there yet: %v", what, err)
		}
	}
	e.start(t)
	until(t, "the server is found", func() bool { return source.Ping(t.Context()) == nil })
	s := shop.Over(t, source, source)
	for i, q := range questions {
		if got, err := s.Ask(t.Context(), q[0], q[1]); err != nil || got != want[i] {
			t.Errorf("%s: %v, %.500s", q[1], err, got)
		}
	}
}

// goesAndComes stops the server in the middle of a run.
func goesAndComes(t *testing.T, e engine) {
	t.Helper()
	s := shop.Again(t, e.config)
	c := gather(t, s, []string{e.secret}, "unreachable")
	for range 2 {
		c.answered(callers)
		e.stop(t)
		c.failed(3*callers, "unreachable")
		e.start(t)
		c.answered(2 * callers)
	}
	e.stop(t) // for so short that most do not notice
	e.start(t)
	c.answered(2 * callers)
	c.home()
	w := e.watch(t)
	if n := w.sessions(t); n > conns {
		t.Errorf("the server has %d sessions of ours, and %d are allowed", n, conns)
	}
	if err := s.Source.Close(); err != nil {
		t.Error(err)
	}
	until(t, "the server has no session of ours", func() bool { return w.sessions(t) == 0 })
}

// killed ends the server in mid-sentence.
func killed(t *testing.T, e engine) {
	t.Helper()
	s := shop.Again(t, e.config)
	c := gather(t, s, []string{e.secret}, "unreachable")
	c.answered(callers)
	e.kill(t)
	c.failed(3*callers, "unreachable")
	e.start(t)
	c.answered(2 * callers)
	c.home()
}

// frozen stops the server where it stands: lines stay open, and nobody answers.
func frozen(t *testing.T, e engine) {
	t.Helper()
	config := e.config
	config.Timeout = soon
	s := shop.Again(t, config)
	c := gather(t, s, []string{e.secret}, "timeout", "unreachable", "overloaded")
	c.answered(callers)
	e.freeze(t)
	defer e.thaw(t)
	c.failed(1, "timeout")
	e.thaw(t)
	c.answered(callers)
	c.home()
	w := e.watch(t)
	until(t, "the server runs nothing of ours", func() bool { return w.busy(t) == 0 })
	if err := s.Source.Close(); err != nil {
		t.Error(err)
	}
	until(t, "the server has no session of ours", func() bool { return w.sessions(t) == 0 })
}

// TestCluster stops one server of a cluster, then all of them, in the middle of a run.
func TestCluster(t *testing.T) {
	t.Parallel()
	server := servers.RunClickHouse(t, 3, "UTC")
	config := clickHouseConfig(server, server.Addresses)
	config.Cluster, config.MaxConns = servers.ClickHouseClusterName, conns
	s := shop.New(t, config)
	c := gather(t, s, []string{server.Password}, "unreachable", "shard_unreachable")
	for _, down := range []int{2, 1, 0} {
		c.answered(callers)
		server.Stop(t, down)
		f := c.failed(3*callers, "shard_unreachable")
		if want := fmt.Sprintf("shard %d (%s)", down+1, server.Addresses[down]); !strings.Contains(f.Message, want) || f.Got != want {
			t.Errorf("%s is down, and the error says %s", want, f.Text())
		}
		server.Start(t, down)
		c.answered(2 * callers)
	}
	for i := range server.Addresses {
		server.Stop(t, i)
	}
	c.failed(3*callers, "unreachable")
	for i := range server.Addresses {
		server.Start(t, i)
	}
	c.answered(2 * callers)
	c.home()
	if err := s.Source.Close(); err != nil {
		t.Error(err)
	}
	for i := range server.Addresses {
		w := clickHouseWatcher(t, server, i)
		until(t, "no statement is left", func() bool { return w.busy(t) == 0 })
	}
}
