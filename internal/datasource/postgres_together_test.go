package datasource

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"parlance/internal/fault"
)

const (
	listTogether  = "SELECT a FROM together ORDER BY a"
	countTogether = "SELECT count(*) AS n FROM together"
)

// answer is what two statements read, while somebody writes between their rows.
type answer struct{ rows, total string }

// together asks for a list and its count as one answer; the count is not read where needless says so of the list.
func together(ctx context.Context, s *Source, write func(), needless func(rows string) bool) (got answer, err error) {
	ctx, done, err := s.Admit(WithComment(ctx, "trace-2"), "somebody")
	if err != nil {
		return got, err
	}
	defer done()
	list := Read{Text: listTogether, Row: func(cells []any) error {
		if got.rows == "" {
			write()
		}
		got.rows += fmt.Sprint(cells...) + " "
		return nil
	}}
	count := Read{Text: countTogether, Row: func(cells []any) error {
		got.total += fmt.Sprint(cells...)
		return nil
	}}
	if needless == nil {
		err = s.Together(ctx, []Read{list}, []Read{count})
		return got, err
	}
	count.Needless = func() bool { return needless(got.rows) }
	err = s.Together(ctx, []Read{list, count})
	return got, err
}

// postgresTogether: the statements of an answer see the same rows, whatever is written while they run, and each is answered
// although the connection or what it had prepared is gone.
func postgresTogether(t *testing.T, dsn string) {
	t.Helper()
	postgresExec(t, dsn, "CREATE TABLE together (a int)")
	for _, c := range []struct {
		name  string
		conns int
		pace  time.Duration // that the statements are known to have
	}{
		{"sent together", 4, time.Millisecond},
		{"side by side", 4, time.Minute},
		{"one after the other", 1, time.Minute},
		{"sent together at the only place", 1, time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := openAs(t, Config{Type: "postgres", DSN: dsn, MaxConns: c.conns})
			p, ok := s.engine.(*postgres)
			if !ok {
				t.Fatalf("%T", s.engine)
			}
			postgresExec(t, dsn, "DELETE FROM together", "INSERT INTO together VALUES (1), (2), (3)")
			expect := func(step string, needless func(string) bool, want answer) {
				t.Helper()
				p.paces.note(listTogether, c.pace)
				p.paces.note(countTogether, c.pace)
				got, err := together(t.Context(), s, func() { postgresExec(t, dsn, "INSERT INTO together VALUES (9)") }, needless)
				if got != want || err != nil {
					t.Errorf("%s: got %q, %v, want %q", step, got, err, want)
				}
				if running := s.Stats().Running; running != 0 {
					t.Errorf("%s: %d places are taken", step, running)
				}
			}
			short := func(rows string) bool { return len(rows) < len("1 2 3 9 9 9 ") }
			expect("at first", nil, answer{"1 2 3 ", "3"})
			expect("then", nil, answer{"1 2 3 9 ", "4"})
			expect("needless", short, answer{"1 2 3 9 9 ", ""})
			expect("needed", short, answer{"1 2 3 9 9 9 ", "6"})
			postgresExec(t, dsn, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'parlance'")
			expect("after the connections were lost", nil, answer{"1 2 3 9 9 9 9 ", "7"})
			postgresExec(t, dsn, "ALTER TABLE together ALTER COLUMN a TYPE bigint", "DELETE FROM together WHERE a = 9")
			expect("after the table changed", nil, answer{"1 2 3 ", "3"})
			postgresExec(t, dsn, "ALTER TABLE together ALTER COLUMN a TYPE int")
		})
	}
}

// postgresTogetherFails: what goes wrong with one of several statements is told, and nothing stays behind.
func postgresTogetherFails(t *testing.T, dsn string) {
	t.Helper()
	s := openAs(t, Config{Type: "postgres", DSN: dsn, MaxConns: 3})
	own := errors.New("of the caller")
	none := func([]any) error { return nil }
	one := Read{Text: "SELECT 1 AS a", Row: none}
	for _, c := range []struct {
		name   string
		lanes  [][]Read
		reason string
	}{
		{"wrong", [][]Read{{one}, {{Text: "SELECT nothing AS a", Row: none}}}, "internal"},
		{"wrong at last", [][]Read{{one, {Text: "SELECT nothing AS a", Row: none}}}, "internal"},
		{"a value", [][]Read{{one}, {{Text: "SELECT CAST(a AS bigint) * 9223372036854775807 AS a FROM generate_series(1, 3) AS s (a)", Row: none}}}, "numeric_overflow"},
		{"writing", [][]Read{{one}, {{Text: "DELETE FROM together", Row: none}}}, "internal"},
		{"the caller", [][]Read{{{Text: "SELECT a FROM generate_series(1, 100000) AS s (a)", Row: func([]any) error { return own }}}, {one}}, ""},
	} {
		for i := range 3 { // known to be quick from the second time on
			ctx, done, err := s.Admit(t.Context(), "somebody")
			if err != nil {
				t.Fatal(err)
			}
			err = s.Together(ctx, c.lanes...)
			done()
			switch {
			case err == nil:
				t.Errorf("%s: no error", c.name)
			case c.name == "the caller" && !errors.Is(err, own):
				t.Errorf("%s: %v", c.name, err)
			case c.reason != "" && fault.As(err).Reason != c.reason:
				t.Errorf("%s, time %d: %v", c.name, i, err)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	ctx, done, err := s.Admit(ctx, "somebody")
	if err != nil {
		t.Fatal(err)
	}
	err = s.Together(ctx, []Read{{Text: "SELECT a, pg_sleep(60) IS NULL AS b FROM generate_series(1, 2) AS s (a)", Row: none}}, []Read{{Text: "SELECT 1 AS a", Row: func([]any) error { cancel(); return nil }}})
	done()
	if fault.As(err).Reason != "cancelled" {
		t.Errorf("cancelled: %v", err)
	}
	deadline := time.Now().Add(20 * time.Second)
	for s.Stats().Running > 0 && time.Now().Before(deadline) {
		time.Sleep(10 * time.Millisecond)
	}
	if n := s.Stats().Running; n > 0 {
		t.Errorf("%d places are taken", n)
	}
	if _, err := together(t.Context(), s, func() {}, nil); err == nil {
		t.Error("a table that is not there")
	}
}
