package datasource

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parlance/internal/fault"
)

func TestCancelAnswersAtOnceAndFreesThePlace(t *testing.T) {
	s := open(t, Config{MaxConns: 1, Queue: -1})
	for range 2 {
		err := running(t, s)()
		checkFault(t, err, fault.Unavailable, "cancelled")
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%v hides that the context was cancelled", err)
		}
		eventually(t, "the place is free", func() bool { return s.Stats().Running == 0 })
		if got := ask(t, s, "SELECT 42 AS n"); got != "[[42]]" {
			t.Errorf("after a cancelled query: %s", got)
		}
	}
	if n := s.engine.(*duckDB).free.count(); n != 1 {
		t.Errorf("%d connections are free, want the one that there is", n)
	}
}

func TestPlaceIsKeptUntilTheDatabaseStops(t *testing.T) {
	s := open(t, Config{MaxConns: 1, Queue: -1})
	ctx, cancel := context.WithCancel(t.Context())
	started, release, done := make(chan struct{}), make(chan struct{}), make(chan error)
	s.engine = stubborn{s.engine, started, release}
	go func() { done <- s.Query(ctx, "SELECT 1", nil, drop) }()
	<-started
	cancel()
	checkFault(t, <-done, fault.Unavailable, "cancelled")
	if got := s.Stats(); got.Running != 1 {
		t.Errorf("the place was given away while the database was busy: %+v", got)
	}
	checkFault(t, s.Query(t.Context(), "SELECT 1", nil, drop), fault.Unavailable, "overloaded")
	close(release)
	eventually(t, "the place is free", func() bool { return s.Stats().Running == 0 })
}

// stubborn is an engine whose queries return when they are released and not before.
type stubborn struct {
	engine
	started, release chan struct{}
}

func (e stubborn) query(ctx context.Context, text string, args []any) (cursor, error) {
	close(e.started)
	<-e.release
	return e.engine.query(context.WithoutCancel(ctx), text, args)
}

func TestOverload(t *testing.T) {
	s := open(t, Config{MaxConns: 1, Queue: 1})
	stop := running(t, s)
	second := make(chan error)
	go func() { second <- s.Query(t.Context(), "SELECT 1", nil, drop) }()
	eventually(t, "the second waits", func() bool { return s.Stats().Waiting == 1 })
	checkFault(t, s.Query(t.Context(), "SELECT 1", nil, drop), fault.Unavailable, "overloaded")
	if err := s.Ping(t.Context()); err != nil {
		t.Errorf("an overloaded source does not answer a ping: %v", err)
	}
	checkFault(t, stop(), fault.Unavailable, "cancelled")
	if err := <-second; err != nil {
		t.Errorf("the one that waited: %v", err)
	}
}

func TestTimeout(t *testing.T) {
	s := open(t, Config{MaxConns: 1, Timeout: 30 * time.Millisecond})
	err := s.Query(t.Context(), endless, nil, drop)
	checkFault(t, err, fault.Unavailable, "timeout")
	if f := fault.As(err); f.Hint == "" || !strings.Contains(f.Message, "30ms") {
		t.Errorf("message %q, hint %q", f.Message, f.Hint)
	}
	// The database stops later than the answer came; who waits meanwhile for longer than the time-out is told so.
	err = s.Query(t.Context(), "SELECT 1", nil, drop)
	if err != nil {
		checkFault(t, err, fault.Unavailable, "overloaded")
	}
	eventually(t, "the place is free", func() bool { return s.Stats().Running == 0 })
	s.timeout = time.Minute
	if got := ask(t, s, "SELECT 42 AS n"); got != "[[42]]" {
		t.Errorf("after a time-out: %s", got)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	checkFault(t, s.Query(ctx, endless, nil, drop), fault.Unavailable, "timeout")
}

func TestRowErrorEndsTheQuery(t *testing.T) {
	s := open(t, Config{MaxConns: 1})
	mine, seen := errors.New("mine"), 0
	err := s.Query(t.Context(), "SELECT * FROM range(5000)", nil, func([]any) error {
		seen++
		return mine
	})
	if !errors.Is(err, mine) || seen != 1 {
		t.Errorf("got %v after %d rows", err, seen)
	}
	ctx, cancel := context.WithCancel(t.Context())
	seen = 0
	err = s.Query(ctx, "SELECT * FROM range(100000)", nil, func([]any) error {
		seen++
		cancel()
		return nil
	})
	checkFault(t, err, fault.Unavailable, "cancelled")
	if seen > checkEvery {
		t.Errorf("%d rows after the caller had gone", seen)
	}
	eventually(t, "the place is free", func() bool { return s.Stats() == Stats{} })
}

func TestRowPanicFreesThePlace(t *testing.T) {
	s := open(t, Config{MaxConns: 1, Queue: -1})
	func() {
		defer func() { _ = recover() }()
		_ = s.Query(t.Context(), "SELECT 1", nil, func([]any) error { panic("mine") })
		t.Error("the panic was swallowed")
	}()
	if got := ask(t, s, "SELECT 42 AS n"); got != "[[42]]" {
		t.Errorf("after a panic: %s", got)
	}
}

func TestOnlyOneReadingStatementRuns(t *testing.T) {
	s := open(t, Config{})
	exec(t, s, "CREATE TABLE kept (n INTEGER)")
	for _, text := range []string{
		"DROP TABLE kept", "INSERT INTO kept VALUES (1)", "DELETE FROM kept", "UPDATE kept SET n = 1", "CREATE TABLE more (n INTEGER)",
		"SELECT 1; DROP TABLE kept", "DROP TABLE kept; SELECT 1", "EXPLAIN ANALYZE INSERT INTO kept VALUES (1)", "BEGIN", "SET threads = 1",
		"CALL pragma_version()", "", ";", "nonsense", "SELECT missing FROM kept", "SELECT ?",
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
}

func TestCloseStopsWhatRuns(t *testing.T) {
	s, err := Open(t.Context(), "test", Config{Type: "duckdb"}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	folder := s.engine.(*duckDB).temporary
	done := make(chan error)
	go func() { done <- s.Query(t.Context(), endless, nil, drop) }()
	eventually(t, "the query runs", func() bool { return s.Stats().Running == 1 })
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	checkFault(t, <-done, fault.Unavailable, "closing")
	checkFault(t, s.Query(t.Context(), "SELECT 1", nil, drop), fault.Unavailable, "closing")
	checkFault(t, s.Ping(t.Context()), fault.Unavailable, "closing")
	checkFault(t, s.Load(t.Context(), Table{Name: "x"}), fault.Unavailable, "closing")
	if err := s.Close(); err != nil {
		t.Errorf("closing twice: %v", err)
	}
	if _, err := os.Stat(folder); !os.IsNotExist(err) {
		t.Errorf("the temporary folder is still there: %v", err)
	}
}

func TestOpenRefuses(t *testing.T) {
	folder := t.TempDir()
	text := filepath.Join(folder, "notes.txt")
	if err := os.WriteFile(text, []byte(strings.Repeat("no database ", 2000)), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		config Config
		reason string
		path   string
	}{
		"unknown type":   {Config{Type: "oracle"}, "unknown_datasource_type", "type"},
		"no type":        {Config{}, "unknown_datasource_type", "type"},
		"misspelt type":  {Config{Type: "duckbd"}, "unknown_datasource_type", "type"},
		"dsn":            {Config{Type: "duckdb", DSN: "secret"}, "bad_datasource", "dsn"},
		"folder":         {Config{Type: "duckdb", Folder: folder}, "bad_datasource", "folder"},
		"memory":         {Config{Type: "duckdb", Memory: "lots"}, "bad_datasource", "memory"},
		"memory options": {Config{Type: "duckdb", Memory: "1GB&access_mode=x"}, "bad_datasource", "memory"},
		"missing file":   {Config{Type: "duckdb", Path: filepath.Join(folder, "none.db")}, "bad_datasource", "path"},
		"a folder":       {Config{Type: "duckdb", Path: folder}, "bad_datasource", "path"},
		"path options":   {Config{Type: "duckdb", Path: "a.db?access_mode=read_write"}, "bad_datasource", "path"},
		"path fragment":  {Config{Type: "duckdb", Path: "a#.db"}, "bad_datasource", "path"},
		"no database":    {Config{Type: "duckdb", Path: text}, "bad_datasource", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := Open(t.Context(), "mine", c.config, slog.New(slog.DiscardHandler))
			if err == nil {
				_ = s.Close()
				t.Fatal("was opened")
			}
			checkFault(t, err, fault.Invalid, c.reason)
			f := fault.As(err)
			if f.Path != c.path || !strings.Contains(f.Message, `"mine"`) || strings.Contains(f.Text(), folder) || strings.Contains(f.Text(), "secret") {
				t.Errorf("path %q, text %q", f.Path, f.Text())
			}
		})
	}
	_, err := Open(t.Context(), "mine", Config{Type: "duckbd"}, slog.New(slog.DiscardHandler))
	if f := fault.As(err); len(f.Allowed) != 5 || len(f.Closest) != 1 {
		t.Errorf("allowed %v, closest %v", f.Allowed, f.Closest)
	}
}
