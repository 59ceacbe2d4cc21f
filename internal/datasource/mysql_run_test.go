package datasource

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"parlance/internal/fault"
	"parlance/test/servers"
)

func mysqlOnlyReads(t *testing.T, dsn string) {
	t.Helper()
	s := openMySQLAt(t, dsn, Config{MaxConns: 1})
	execMySQL(t, s, "CREATE TABLE kept (n INTEGER)", "CREATE FUNCTION writes() RETURNS INTEGER BEGIN INSERT INTO kept VALUES (1); RETURN 1; END")
	for _, text := range []string{
		"DROP TABLE kept", "INSERT INTO kept VALUES (1)", "DELETE FROM kept", "UPDATE kept SET n = 1", "CREATE TABLE more (n INTEGER)", "CREATE TEMPORARY TABLE more (n INTEGER)",
		"SELECT 1; DROP TABLE kept", "DROP TABLE kept; SELECT 1", "ANALYZE INSERT INTO kept VALUES (1)", "BEGIN", "SET SESSION TRANSACTION READ WRITE",
		"CALL mysql.AddGeometryColumn('','','','',1)", "", ";", "nonsense", "SELECT missing FROM kept", "SELECT ?", "/*! DROP TABLE kept */", "/* x */ /*M! DROP TABLE kept */",
		"INSERT INTO kept VALUES (1) RETURNING n", "SHOW TABLES", "KILL 1", "SELECT writes()", "SELECT n FROM (SELECT writes() AS n) AS t", "SELECT 1 INTO OUTFILE '/tmp/parlance-out'", "(SELECT 1) UNION (SELECT 2", "SELECTED",
	} {
		err := s.Query(t.Context(), text, nil, drop)
		checkFault(t, err, fault.Internal, "internal")
		if f := fault.As(err); f.Cause == nil || strings.Contains(f.Message, "kept") {
			t.Errorf("%s: message %q, cause %v", text, f.Message, f.Cause)
		}
	}
	if got := ask(t, s, "SELECT count(*) FROM kept"); got != "[[0]]" {
		t.Errorf("the table was changed: %s", got)
	}
	for _, text := range []string{"SELECT 1 AS n", " (SELECT 1 AS n)", "WITH t AS (SELECT 1 AS n) SELECT n FROM t", "/* trace-1 */ select 1"} {
		if err := s.Query(t.Context(), text, nil, drop); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// processes returns how many statements like a text the server runs.
func processes(t *testing.T, s *Source, text string) string {
	t.Helper()
	return ask(t, s, "SELECT COUNT(*) AS n FROM information_schema.processlist WHERE info LIKE '%"+text+"%' AND info NOT LIKE '%processlist%'")
}

func mysqlCancel(t *testing.T, dsn string) {
	t.Helper()
	s := openMySQLAt(t, dsn, Config{MaxConns: 1, Queue: -1})
	watch := openMySQLAt(t, dsn, Config{})
	for range 2 {
		ctx, cancel := context.WithCancel(WithComment(t.Context(), "my-trace"))
		done := make(chan error, 1)
		go func() { done <- s.Query(ctx, mysqlEndless, nil, drop) }()
		eventually(t, "the server runs it", func() bool { return processes(t, watch, "my-trace") == "[[1]]" })
		cancel()
		checkFault(t, <-done, fault.Unavailable, "cancelled")
		eventually(t, "the place is free", func() bool { return s.Stats().Running == 0 })
		eventually(t, "the server has stopped", func() bool { return processes(t, watch, "my-trace") == "[[0]]" })
		if got := ask(t, s, "SELECT 42 AS n"); got != "[[42]]" {
			t.Errorf("after a cancelled query: %s", got)
		}
	}
}

func mysqlTimeout(t *testing.T, dsn string) {
	t.Helper()
	s := openMySQLAt(t, dsn, Config{MaxConns: 1, Timeout: 50 * time.Millisecond})
	checkFault(t, s.Query(t.Context(), mysqlEndless, nil, drop), fault.Unavailable, "timeout")
	eventually(t, "the place is free", func() bool { return s.Stats().Running == 0 })
	s.timeout = time.Hour // the server has its own clock
	err := s.Query(t.Context(), mysqlEndless, nil, drop)
	checkFault(t, err, fault.Unavailable, "timeout")
	if numberOf(err) != mysqlStatementTime {
		t.Errorf("%v is not the server's", fault.As(err).Cause)
	}
}

func mysqlRowError(t *testing.T, dsn string) {
	t.Helper()
	s := openMySQLAt(t, dsn, Config{MaxConns: 1})
	mine, seen := context.DeadlineExceeded, 0
	err := s.Query(t.Context(), "SELECT seq FROM seq_1_to_100000000", nil, func([]any) error {
		seen++
		return mine
	})
	if !errors.Is(err, mine) || seen != 1 {
		t.Errorf("got %v after %d rows", err, seen)
	}
	ctx, cancel := context.WithCancel(t.Context())
	seen = 0
	err = s.Query(ctx, "SELECT seq FROM seq_1_to_100000000", nil, func([]any) error {
		seen++
		cancel()
		return nil
	})
	checkFault(t, err, fault.Unavailable, "cancelled")
	if seen > checkEvery {
		t.Errorf("%d rows after the caller had gone", seen)
	}
	eventually(t, "the place is free", func() bool { return s.Stats() == Stats{} })
	if got := ask(t, s, "SELECT 42 AS n"); got != "[[42]]" {
		t.Errorf("after a row error: %s", got)
	}
}

// TestMySQLServerGoesAndComes stops a server in the middle of things.
func TestMySQLServerGoesAndComes(t *testing.T) {
	m := servers.RunMySQL(t)
	s := openMySQLAt(t, m.DSN, Config{MaxConns: 2})
	if s.Dialect().Features().NoZones != true {
		t.Error("a server without time zones is said to have them")
	}
	done := make(chan error, 1)
	go func() { done <- s.Query(t.Context(), mysqlEndless, nil, drop) }()
	watch := openMySQLAt(t, m.DSN, Config{})
	eventually(t, "the server runs it", func() bool { return processes(t, watch, "SHA2") == "[[1]]" })
	m.Stop(t)
	checkFault(t, <-done, fault.Unavailable, "unreachable")
	checkFault(t, s.Query(t.Context(), "SELECT 1", nil, drop), fault.Unavailable, "unreachable")
	checkFault(t, s.Ping(t.Context()), fault.Unavailable, "unreachable")
	m.Start(t)
	for range 3 {
		if got := ask(t, s, "SELECT 42 AS n"); got != "[[42]]" {
			t.Error(got)
		}
	}
	m.Stop(t)
	m.Start(t) // the free connections are all lost now, and nobody notices
	if got := ask(t, s, "SELECT 42 AS n"); got != "[[42]]" {
		t.Error(got)
	}
	if got := s.Stats(); got != (Stats{}) {
		t.Errorf("places are held: %+v", got)
	}
}
