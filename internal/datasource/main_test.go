package datasource

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"testing"
	"time"

	"go.uber.org/goleak"

	"parlance/internal/fault"
	"parlance/internal/result"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// endless is a statement that only an interrupt ends.
const endless = "SELECT sum(hash(i)) FROM range(1000000000000) t(i)"

func open(tb testing.TB, c Config) *Source {
	tb.Helper()
	c.Type = "duckdb"
	s, err := Open(tb.Context(), "test", c, slog.New(slog.DiscardHandler))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	return s
}

// exec changes the database behind the source's back, as no query can.
func exec(tb testing.TB, s *Source, statements ...string) {
	tb.Helper()
	d := s.engine.(*duckDB)
	conn, err := d.take(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	defer d.give(conn)
	for _, text := range statements {
		if _, err := conn.ExecContext(tb.Context(), text, nil); err != nil {
			tb.Fatalf("%s: %v", text, err)
		}
	}
}

// ask returns a query's rows as JSON, typed as the source itself describes them; all numbers keep their digits.
func ask(tb testing.TB, s *Source, text string, args ...any) string {
	tb.Helper()
	described, err := s.Columns(tb.Context(), "", "", text)
	if err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
	columns := make([]result.Column, len(described))
	for i, c := range described {
		columns[i] = result.Column{Key: c.Name, Type: c.Type, Measure: true}
	}
	e := result.NewEncoder(columns, result.Compact)
	defer e.Release()
	if err := s.Query(tb.Context(), text, args, e.Row); err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
	return string(e.Bytes())
}

func drop([]any) error { return nil }

func checkFault(tb testing.TB, err error, kind fault.Kind, reason string) {
	tb.Helper()
	var f *fault.Error
	if !errors.As(err, &f) {
		tb.Fatalf("got %v (%T), want a fault", err, err)
	}
	if f.Kind != kind || f.Reason != reason {
		tb.Fatalf("got kind %d, reason %s (%v), want kind %d, reason %s", f.Kind, f.Reason, err, kind, reason)
	}
	if want := kind == fault.Unavailable; f.Retryable != want {
		tb.Errorf("reason %s: retryable is %v", reason, f.Retryable)
	}
}

// eventually waits for what another goroutine is about to do.
func eventually(tb testing.TB, what string, holds func() bool) {
	tb.Helper()
	for deadline := time.Now().Add(20 * time.Second); !holds(); runtime.Gosched() {
		if time.Now().After(deadline) {
			tb.Fatalf("never: %s", what)
		}
	}
}

// running starts an endless query and returns when it holds its place; the function stops it and waits for its end.
func running(tb testing.TB, s *Source) (stop func() error) {
	tb.Helper()
	ctx, cancel := context.WithCancel(tb.Context())
	done := make(chan error, 1)
	before := s.Stats().Running
	go func() { done <- s.Query(ctx, endless, nil, drop) }()
	eventually(tb, "the query runs", func() bool { return s.Stats().Running > before })
	return func() error {
		cancel()
		return <-done
	}
}
