package execute

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	_ "modernc.org/sqlite" // the driver that makes files

	"parlance/internal/datasource"
)

// opener opens a database that some statements made, an empty one without them, and says how to be rid of it once it is
// closed.
type opener func(ctx context.Context, log *slog.Logger, statements ...string) (*datasource.Source, func() error, error)

// engine is a database that the tests run on.
type engine struct {
	name    string
	queries uint64                  // random queries of a run on all engines
	start   func(testing.TB) opener // starts its server, once for all tests
	lacks   []string                // all that it may say it has not, as the messages begin
	seconds bool                    // its times are of whole seconds
	writes  bool                    // its sources are not sealed: tables can still be made

	once   sync.Once
	open   opener
	absent string // why it cannot be run on
}

// engines are the databases; the slowest come first, so that the others run beside them.
var engines = []*engine{
	{name: "cluster", queries: 120, start: startCluster, lacks: oldClickHouse, seconds: true},
	{name: "clickhouse", queries: 320, start: startClickHouse, lacks: oldClickHouse, seconds: true},
	{name: "sqlite", queries: 600, start: serverless(openSQLite)},
	{name: "postgres", queries: 600, start: startPostgres, lacks: []string{noFloatRemainder}},
	{name: "mysql", queries: 600, start: startMySQL},
	{name: "duckdb", queries: 1000, start: serverless(openDuckDB)},
}

// oldClickHouse is what a ClickHouse of 2018 has not (docs/dialects.md). Whatever else an engine says it has not is a
// failure.
var oldClickHouse = []string{
	"This database has no window functions, ",
	"This database has no WITH RECURSIVE, which a hierarchy built from a parent column needs",
	"This database has times of whole seconds only",
	"This database has dates from 1970-01-01 to 2105-12-31 only",
	"This database has no replacement of texts that are not constants",
	noFloatRemainder,
}

const noFloatRemainder = "This database has no remainder of numbers that are not exact"

// lack returns what an engine has not when it says so: the beginning of the message that was expected, or "".
func (e *engine) lack(message string) string {
	for _, l := range e.lacks {
		if strings.HasPrefix(message, l) {
			return l
		}
	}
	return ""
}

// chosenEngine is the one that PARLANCE_ENGINE names; "" when the tests run on all.
func chosenEngine() string { return os.Getenv("PARLANCE_ENGINE") }

func engineNamed(name string) *engine {
	for _, e := range engines {
		if e.name == name {
			return e
		}
	}
	return nil
}

// eachEngine runs a test on every engine, or on the one that PARLANCE_ENGINE names.
func eachEngine(t *testing.T, run func(t *testing.T, e *engine)) {
	t.Helper()
	list := engines
	if name := chosenEngine(); name != "" {
		e := engineNamed(name)
		if e == nil {
			t.Fatalf("PARLANCE_ENGINE: there is no engine %q", name)
		}
		list = []*engine{e}
	}
	t.Parallel()
	for _, e := range list {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			e.ready(t)
			run(t, e)
		})
	}
}

// ready starts the engine's server on first use. Where its program is not on the machine the test is skipped, or fails
// when PARLANCE_ENGINE asked for just this one.
func (e *engine) ready(t testing.TB) {
	t.Helper()
	e.once.Do(e.begin)
	switch {
	case e.open != nil:
	case strings.HasPrefix(e.absent, "SKIPPED") && chosenEngine() == "":
		t.Skip(e.absent)
	default:
		t.Fatalf("%s: %s", e.name, e.absent)
	}
}

func (e *engine) begin() { e.open, e.absent = all.started(e.start) }

// repeat says how a failure is seen again.
func (e *engine) repeat(test string, seed uint64) string {
	return fmt.Sprintf("PARLANCE_ENGINE=%s PARLANCE_SEED=%d PARLANCE_QUERIES=1 go test -count=1 -run '^%s$' ./test/execute", e.name, seed, test)
}

// serverless is an engine within the process.
func serverless(open opener) func(testing.TB) opener {
	return func(testing.TB) opener { return open }
}

func openDuckDB(ctx context.Context, log *slog.Logger, statements ...string) (*datasource.Source, func() error, error) {
	c := datasource.Config{Type: "duckdb", Threads: 1, MaxConns: 3, Memory: "256MB"}
	if len(statements) > 0 {
		return openFile(ctx, log, "duckdb", c, statements)
	}
	source, err := datasource.Open(ctx, "db", c, log)
	return source, func() error { return nil }, err
}

func openSQLite(ctx context.Context, log *slog.Logger, statements ...string) (*datasource.Source, func() error, error) {
	return openFile(ctx, log, "sqlite", datasource.Config{Type: "sqlite", Create: true, MaxConns: 3}, statements)
}

// openFile opens a database that is a file.
func openFile(ctx context.Context, log *slog.Logger, driver string, c datasource.Config, statements []string) (*datasource.Source, func() error, error) {
	folder, err := os.MkdirTemp("", "parlance-execute-")
	if err != nil {
		return nil, nil, err
	}
	remove := func() error { return os.RemoveAll(folder) }
	c.Path = filepath.Join(folder, "db."+driver)
	if err := execute(ctx, driver, c.Path, statements); err != nil {
		return nil, nil, errors.Join(err, remove())
	}
	source, err := datasource.Open(ctx, "db", c, log)
	if err != nil {
		return nil, nil, errors.Join(err, remove())
	}
	return source, remove, nil
}

// execute runs statements as whoever owns a database.
func execute(ctx context.Context, driver, dsn string, statements []string) error {
	if len(statements) == 0 {
		return nil
	}
	db, err := sql.Open(driver, dsn)
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	for _, s := range statements {
		if _, err := db.ExecContext(ctx, s); err != nil {
			return errors.Join(fmt.Errorf("%s: %w", s, err), db.Close())
		}
	}
	return db.Close()
}
