package datasource

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// postgresReplaced: a table that is emptied and filled again, or put in the place of another, is never read as an empty one,
// neither by a statement that waits for it nor by several that see the same rows.
func postgresReplaced(t *testing.T, dsn string) {
	t.Helper()
	for name, replace := range map[string]string{
		"emptied":  "TRUNCATE together; INSERT INTO together VALUES (4), (5)",
		"replaced": "DROP TABLE together CASCADE; CREATE TABLE together (a int); INSERT INTO together VALUES (4), (5); CREATE VIEW seen AS SELECT a FROM together",
	} {
		for _, pace := range []time.Duration{time.Millisecond, time.Minute} {
			for _, conns := range []int{1, 4} {
				t.Run(fmt.Sprint(name, " ", pace, " ", conns), func(t *testing.T) {
					postgresExec(t, dsn, "DROP TABLE IF EXISTS together CASCADE", "CREATE TABLE together (a int)", "INSERT INTO together VALUES (1), (2), (3)",
						"CREATE VIEW seen AS SELECT a FROM together")
					s := openAs(t, Config{Type: "postgres", DSN: dsn, MaxConns: conns})
					for range 2 { // the second time its tables are known
						checkReplaced(t, s, dsn, replace, pace, Read{Text: listTogether}, Read{Text: countTogether})
						checkReplaced(t, s, dsn, replace, pace, Read{Text: listTogether}, Read{Text: "SELECT count(*) AS n FROM seen"})
						checkReplaced(t, s, dsn, replace, pace, Read{Text: listTogether})
					}
				})
			}
		}
	}
}

// postgresUnheld: tables that the role of the source may not hold are read all the same, and each statement by itself.
func postgresUnheld(t *testing.T, dsn string) {
	t.Helper()
	postgresExec(t, dsn, "CREATE TABLE together (a int, b int)", "CREATE VIEW seen AS SELECT a FROM together", "INSERT INTO together VALUES (1), (2)",
		"CREATE ROLE columns_only", "CREATE ROLE view_only", "GRANT SELECT (a) ON together TO columns_only", "GRANT SELECT ON seen TO view_only")
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	schema := u.Query().Get("search_path")
	postgresExec(t, dsn, "GRANT USAGE ON SCHEMA "+schema+" TO columns_only, view_only")
	for role, c := range map[string]struct {
		table string
		free  bool
	}{"columns_only": {"together", true}, "view_only": {"seen", false}} {
		s := openAs(t, Config{Type: "postgres", DSN: dsn + "&role=" + role, MaxConns: 1})
		p, ok := s.engine.(*postgres)
		if !ok {
			t.Fatalf("%T", s.engine)
		}
		list, count := "SELECT a FROM "+c.table+" ORDER BY a", "SELECT count(a) AS n FROM "+c.table
		for range 2 {
			got := ""
			row := func(cells []any) error {
				got += fmt.Sprint(cells...) + " "
				return nil
			}
			if err := s.Together(t.Context(), []Read{{Text: list, Row: row}, {Text: count, Row: row}}); err != nil || got != "1 2 2 " {
				t.Errorf("%s: got %q, %v", role, got, err)
			}
		}
		if read, ok := p.tables.known(list); !ok || read.free != c.free {
			t.Errorf("%s: %+v", role, read)
		}
	}
}

// checkReplaced asks for reads while the table is being replaced by one of 4 and 5.
func checkReplaced(t *testing.T, s *Source, dsn, replace string, pace time.Duration, reads ...Read) {
	t.Helper()
	p, ok := s.engine.(*postgres)
	if !ok {
		t.Fatalf("%T", s.engine)
	}
	writer, err := pgconn.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = writer.Close(t.Context()) }()
	run := func(text string) (rows [][][]byte) {
		t.Helper()
		results, err := writer.Exec(t.Context(), text).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return results[len(results)-1].Rows
	}
	run("BEGIN; " + replace)
	got := make([]string, len(reads))
	var lanes [][]Read
	for i, r := range reads {
		p.paces.note(r.Text, pace)
		r.Row = func(cells []any) error {
			got[i] += fmt.Sprint(cells...) + " "
			return nil
		}
		lanes = append(lanes, []Read{r})
	}
	done := make(chan error)
	go func() { done <- s.Together(t.Context(), lanes...) }()
	const waits = "SELECT 1 FROM pg_catalog.pg_stat_activity WHERE application_name = 'parlance' AND wait_event_type = 'Lock'"
	for len(run(waits)) == 0 {
		select {
		case err := <-done:
			t.Fatalf("nobody waits: %q %v", got, err)
		case <-time.After(5 * time.Millisecond):
		}
	}
	run("COMMIT; SELECT 1")
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	want := []string{"4 5 ", "2 "}[:len(reads)]
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got %q, want %q", got, want)
	}
}

// postgresManyPrepared: a connection that has prepared as many statements as it may makes room for others, and never takes
// one away that is sent beside them.
func postgresManyPrepared(t *testing.T, dsn string) {
	t.Helper()
	s := openAs(t, Config{Type: "postgres", DSN: dsn, MaxConns: 1})
	p, ok := s.engine.(*postgres)
	if !ok {
		t.Fatalf("%T", s.engine)
	}
	for i := range 4 * preparedEach {
		got := ""
		read := func(n int) []Read {
			r := Read{Text: fmt.Sprintf("SELECT %d AS a", n), Row: func(cells []any) error {
				got += fmt.Sprint(cells...) + " "
				return nil
			}}
			p.paces.note(r.Text, 0)
			return []Read{r}
		}
		if err := s.Together(t.Context(), read(2*i), read(2*i+1)); err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("%d %d ", 2*i, 2*i+1); got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
	}
	if p.paces.off.Load() {
		t.Error("nothing is prepared any more")
	}
	conn, ok := p.free.take()
	if !ok {
		t.Fatal("the connection is gone")
	}
	if n := len(preparedOn(conn).names); n > preparedEach {
		t.Errorf("%d statements are prepared", n)
	}
	p.free.give(conn)
}
