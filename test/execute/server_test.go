package execute

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"parlance/internal/datasource"
	"parlance/test/servers"
)

// started are the servers that hold a database for each world, by engine; only the one that PARLANCE_ENGINE chooses
// is started, once for all tests.
var started = map[string]func(testing.TB) string{"postgres": servers.StartPostgres, "mysql": servers.StartMySQL, "clickhouse": startClickHouse, "cluster": startCluster}

// serverDSN is how the started server is reached.
var serverDSN string

func TestMain(m *testing.M) {
	all := &suite{}
	if start, ok := started[os.Getenv("PARLANCE_ENGINE")]; ok {
		serverDSN = start(all)
	}
	code := m.Run()
	all.end()
	os.Exit(code)
}

// suite is what a server needs of a test, for all tests of the package.
type suite struct {
	testing.TB
	cleanups []func()
}

func (s *suite) Helper() {}

func (s *suite) Cleanup(f func()) { s.cleanups = append(s.cleanups, f) }

func (s *suite) Errorf(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

func (s *suite) Error(args ...any) { fmt.Fprintln(os.Stderr, args...) }

func (s *suite) Fatal(args ...any) { s.Fatalf("%s", fmt.Sprint(args...)) }

func (s *suite) Fatalf(format string, args ...any) {
	s.Errorf(format, args...)
	s.end()
	os.Exit(1)
}

func (s *suite) Skipf(format string, args ...any) { s.Fatalf(format, args...) }

func (s *suite) end() {
	for i := len(s.cleanups) - 1; i >= 0; i-- {
		s.cleanups[i]()
	}
	s.cleanups = nil
}

// databases counts the databases that were made on the server.
var databases atomic.Uint64

func openMySQL(ctx context.Context, log *slog.Logger) (*datasource.Source, func() error, error) {
	name := fmt.Sprintf("world%d", databases.Add(1))
	admin, err := sql.Open("mysql", serverDSN)
	if err != nil {
		return nil, nil, err
	}
	remove := func() error {
		_, err := admin.ExecContext(context.WithoutCancel(ctx), "DROP DATABASE "+name)
		return errors.Join(err, admin.Close())
	}
	if _, err := admin.ExecContext(ctx, "CREATE DATABASE "+name); err != nil {
		return nil, nil, errors.Join(err, admin.Close())
	}
	dsn := serverDSN[:strings.LastIndexByte(serverDSN, '/')+1] + name
	source, err := datasource.Open(ctx, "db", datasource.Config{Type: "mysql", DSN: dsn, MaxConns: 3}, log)
	if err != nil {
		return nil, nil, errors.Join(err, remove())
	}
	return source, remove, nil
}
