package datasource

import (
	"fmt"
	"testing"
	"time"
)

// postgresPrepared: a quick statement that comes again is prepared, and means the same whatever happens to the table or
// the session meanwhile; a slow one is not, and carries its comment.
func postgresPrepared(t *testing.T, dsn string) {
	t.Helper()
	postgresExec(t, dsn, "CREATE TABLE p (a int, b text)", "INSERT INTO p VALUES (1, 'x'), (2, 'y')")
	s := openAs(t, Config{Type: "postgres", DSN: dsn, MaxConns: 1})
	p, ok := s.engine.(*postgres)
	if !ok {
		t.Fatalf("%T", s.engine)
	}
	rows := func(text string, args ...any) (got string) {
		t.Helper()
		err := s.Query(WithComment(t.Context(), "trace-1"), text, args, func(cells []any) error {
			got += fmt.Sprint(cells)
			return nil
		})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return got
	}
	const prepared = "SELECT count(*) AS n FROM pg_prepared_statements WHERE statement LIKE 'SELECT * FROM p %'"
	const text = "SELECT * FROM p WHERE a = CAST($1 AS bigint) OR a > 5"
	for i, want := range []string{"[1 x]", "[2 y]", "[1 x]", "[2 y]"} {
		if got := rows(text, fmt.Sprint(1+i%2)); got != want {
			t.Errorf("run %d: %s, want %s", i, got, want)
		}
	}
	if got := rows(prepared); got != "[1]" {
		t.Errorf("%s statements are prepared", got)
	}
	postgresExec(t, dsn, "ALTER TABLE p ADD COLUMN c int DEFAULT 7")
	if got := rows(text, "1") + rows(text, "2"); got != "[1 x 7][2 y 7]" {
		t.Errorf("after the table changed: %s", got)
	}
	if p.paces.off.Load() {
		t.Error("a changed table ends preparing for good")
	}
	rows(text, "1")
	conn, _ := p.free.take() // a proxy leads to another session, which knows no statement
	if err := conn.Exec(t.Context(), "DEALLOCATE ALL").Close(); err != nil {
		t.Fatal(err)
	}
	p.free.give(conn)
	if got := rows(text, "1") + rows(text, "2"); got != "[1 x 7][2 y 7]" || !p.paces.off.Load() {
		t.Errorf("in another session: %s", got)
	}
}

func TestPaces(t *testing.T) {
	var p paces
	if p.prepares("a") {
		t.Error("prepared before it ran")
	}
	p.note("a", time.Millisecond)
	p.note("b", time.Second)
	if !p.prepares("a") || p.prepares("b") {
		t.Error("the quick one only")
	}
	p.note("a", time.Second)
	if p.prepares("a") {
		t.Error("it is slow now")
	}
	for i := range 3 * knownPaces {
		p.note(fmt.Sprint(i), 0)
	}
	if len(p.quick) > knownPaces {
		t.Errorf("%d are remembered", len(p.quick))
	}
	for text, want := range map[string]string{"/* a-1 */ SELECT 1": "SELECT 1", "SELECT 1": "SELECT 1", "/* open": "/* open", "/*x*/ SELECT 1": "/*x*/ SELECT 1"} {
		if got := uncommented(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
