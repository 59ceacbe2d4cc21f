package datasource

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/compute"
	"parlance/internal/dialect"
	"parlance/internal/fault"
	"parlance/internal/result"
	"parlance/internal/value"
)

// openLite opens a new database file, or the one of the path; its statements are run before.
func openLite(tb testing.TB, c Config, statements ...string) *Source {
	tb.Helper()
	c.Type, c.Create = "sqlite", true
	if c.Path == "" {
		c.Path = filepath.Join(tb.TempDir(), "a?b#c%20.db")
	}
	s, err := Open(tb.Context(), "test", c, slog.New(slog.DiscardHandler))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	liteExec(tb, s, statements...)
	return s
}

// liteExec changes the database behind the source's back, as no query can.
func liteExec(tb testing.TB, s *Source, statements ...string) {
	tb.Helper()
	conn, err := s.engine.(*sqliteDB).connect("rw")
	if err != nil {
		tb.Fatal(err)
	}
	defer conn.close()
	for _, text := range statements {
		if err := conn.exec(text); err != nil {
			tb.Fatalf("%s: %v", text, err)
		}
	}
}

// liteEndless is a statement that only an interrupt ends; it has its first row at once.
const liteEndless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i = 1 OR i < 0"

func TestSQLiteFunctions(t *testing.T) { checkFunctions(t, openLite(t, Config{})) }

// TestSQLiteStoredForms: whatever form people keep a value in, it is read as one value of its type.
func TestSQLiteStoredForms(t *testing.T) {
	s := openLite(t, Config{})
	decimal := func(scale uint8) value.Type { return value.Type{Kind: value.Decimal, Scale: scale} }
	for _, c := range []struct {
		declared, held string
		t              value.Type
		want           string
	}{
		{"DECIMAL(10,2)", "12.5", decimal(2), "12.50"}, {"DECIMAL(10,2)", "12", decimal(2), "12.00"}, {"DECIMAL(10,2)", "'-0.05'", decimal(2), "-0.05"},
		{"DECIMAL(10,2)", "0.1 + 0.2", decimal(2), "0.30"}, {"DECIMAL(10,2)", "1.005", decimal(2), "1.01"}, {"DECIMAL(10,2)", "-1.005", decimal(2), "-1.01"},
		{"TEXT", "'99999999999999999999999999999999999.999'", decimal(3), "99999999999999999999999999999999999.999"},
		{"TEXT", "' 7.25 '", decimal(2), "7.25"}, {"TEXT", "'1e3'", decimal(0), "1000"}, {"TEXT", "'x'", decimal(2), "! out_of_range"},
		{"TEXT", "'999999999999999999999999999999999999999'", decimal(0), "! numeric_overflow"},
		{"BOOLEAN", "1", value.Type{Kind: value.Boolean}, "true"}, {"BOOLEAN", "'f'", value.Type{Kind: value.Boolean}, "false"}, {"BOOLEAN", "'TRUE'", value.Type{Kind: value.Boolean}, "true"},
		{"BOOLEAN", "'perhaps'", value.Type{Kind: value.Boolean}, "! out_of_range"},
		{"DATE", "'2024-02-29'", value.Type{Kind: value.Date}, `"2024-02-29"`}, {"DATE", "'2024-02-29 10:00:00'", value.Type{Kind: value.Date}, `"2024-02-29"`},
		{"DATE", "1709164800", value.Type{Kind: value.Date}, `"2024-02-29"`}, {"DATE", "2460369.5", value.Type{Kind: value.Date}, `"2024-02-29"`},
		{"DATE", "'29.2.2024'", value.Type{Kind: value.Date}, "! out_of_range"},
		{"DATETIME", "'2024-02-29 10:00'", value.Type{Kind: value.Timestamp}, `"2024-02-29T10:00:00"`},
		{"DATETIME", "'2024-02-29 10:00:00.500'", value.Type{Kind: value.Timestamp}, `"2024-02-29T10:00:00.5"`},
		{"DATETIME", "'2024-02-29T10:00:00'", value.Type{Kind: value.Timestamp}, `"2024-02-29T10:00:00"`},
		{"DATETIME", "'2024-02-29'", value.Type{Kind: value.Timestamp}, `"2024-02-29T00:00:00"`},
		{"DATETIME", "1709200800000", value.Type{Kind: value.Timestamp}, `"2024-02-29T10:00:00"`},
		{"TIMESTAMPTZ", "'2024-02-29 12:00:00+02:00'", value.Type{Kind: value.Timestamp, Zoned: true}, `"2024-02-29T10:00:00+00:00"`},
		{"TIMESTAMPTZ", "1709200800", value.Type{Kind: value.Timestamp, Zoned: true}, `"2024-02-29T10:00:00+00:00"`},
		{"INTEGER", "9223372036854775807", value.Type{Kind: value.Integer, Wide: true}, "9223372036854775807"},
		{"NUMERIC", "2", value.Type{Kind: value.Float}, "2"}, {"TEXT COLLATE NOCASE", "'ä'", value.Type{Kind: value.String}, `"ä"`},
		{"TEXT", "NULL", decimal(2), "null"}, {"DATE", "NULL", value.Type{Kind: value.Date}, "null"},
	} {
		liteExec(t, s, "DROP TABLE IF EXISTS t", "CREATE TABLE t (x "+c.declared+")", "INSERT INTO t VALUES ("+c.held+")")
		if got := askStored(t, s, c.t); got != c.want {
			t.Errorf("%s in a column of %s: got %s, want %s", c.held, c.declared, got, c.want)
		}
	}
}

// askStored returns the one value of t.x, read as a type.
func askStored(t *testing.T, s *Source, typ value.Type) string {
	t.Helper()
	w := dialect.NewWriter(s.Dialect())
	w.Text("SELECT ")
	s.Dialect().Stored(w, func() { w.Text("t.x") }, typ, false)
	w.Text(" AS c FROM t")
	text, args := w.Statement()
	e := result.NewEncoder([]result.Column{{Key: "c", Type: typ, Measure: true}}, result.Compact)
	defer e.Release()
	if err := s.Query(t.Context(), text, args, e.Row); err != nil {
		return "! " + fault.As(err).Reason
	}
	return strings.Trim(string(e.Bytes()), "[]")
}

func TestSQLiteColumns(t *testing.T) {
	s := openLite(t, Config{}, `CREATE TABLE "the ""t""" (id INTEGER PRIMARY KEY, n BIGINT NOT NULL, s VARCHAR(10), c CHAR, m DECIMAL(12, 2), w NUMERIC(30,4),
		u NUMERIC, r REAL, f DOUBLE PRECISION, b BOOLEAN, d DATE, ts DATETIME, tz TIMESTAMP WITH TIME ZONE, x BLOB, y, z UUID)`,
		`INSERT INTO "the ""t""" (n) VALUES (1)`, `CREATE VIEW v AS SELECT n, n + 1 AS more, n / 2.0 AS half, 'x' AS word, NULL AS none FROM "the ""t"""`)
	integers, texts, floats := value.Type{Kind: value.Integer, Wide: true}, value.Type{Kind: value.String}, value.Type{Kind: value.Float}
	want := []Column{
		{Name: "id", Type: integers}, {Name: "n", Type: integers}, {Name: "s", Type: texts, Nullable: true}, {Name: "c", Type: texts, Nullable: true},
		{Name: "m", Type: value.Type{Kind: value.Decimal, Scale: 2}, Nullable: true}, {Name: "w", Type: value.Type{Kind: value.Decimal, Scale: 4, Wide: true}, Nullable: true},
		{Name: "u", Type: floats, Nullable: true}, {Name: "r", Type: floats, Nullable: true}, {Name: "f", Type: floats, Nullable: true},
		{Name: "b", Type: value.Type{Kind: value.Boolean}, Nullable: true}, {Name: "d", Type: value.Type{Kind: value.Date}, Nullable: true},
		{Name: "ts", Type: value.Type{Kind: value.Timestamp}, Nullable: true}, {Name: "tz", Type: value.Type{Kind: value.Timestamp, Zoned: true}, Nullable: true},
		{Name: "x", Nullable: true}, {Name: "y", Nullable: true}, {Name: "z", Type: texts, Nullable: true},
	}
	check := func(schema, table, query string, want []Column) {
		t.Helper()
		got, err := s.Columns(t.Context(), schema, table, query)
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			got[i].Native = ""
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	check("", `the "t"`, "", want)
	check("main", `the "t"`, "", want)
	check("", "v", "", []Column{
		{Name: "n", Type: integers, Nullable: true}, {Name: "more", Type: integers, Nullable: true}, {Name: "half", Type: floats, Nullable: true},
		{Name: "word", Type: texts, Nullable: true}, {Name: "none", Nullable: true},
	})
	check("", "", `SELECT m, count(*) AS n FROM "the ""t""" GROUP BY m -- behind`, []Column{{Name: "m", Type: value.Type{Kind: value.Decimal, Scale: 2}, Nullable: true}, {Name: "n", Type: integers, Nullable: true}})
	_, err := s.Columns(t.Context(), "", "missing", "")
	checkFault(t, err, fault.NotFound, "unknown_table")
	_, err = s.Columns(t.Context(), "other", `the "t"`, "")
	checkFault(t, err, fault.NotFound, "unknown_table")
	_, err = s.Columns(t.Context(), "", "", "SELECT nothing FROM nowhere")
	checkFault(t, err, fault.Invalid, "bad_sql")
}

func TestSQLiteOnlyReads(t *testing.T) {
	elsewhere := filepath.Join(t.TempDir(), "elsewhere.db")
	s := openLite(t, Config{}, "CREATE TABLE t (n INTEGER)", "INSERT INTO t VALUES (7)")
	for _, text := range []string{
		"INSERT INTO t VALUES (1)", "DELETE FROM t", "DROP TABLE t", "CREATE TABLE u (n)", "PRAGMA query_only = 0", "PRAGMA journal_mode = WAL", "VACUUM",
		"ATTACH '" + elsewhere + "' AS e", "VACUUM INTO '" + elsewhere + "'", "BEGIN", "", ";", "SELECT 1; DELETE FROM t", "SELECT 1 /* ; */; VACUUM INTO '" + elsewhere + "'",
		"SELECT ';' -- ;\n; ATTACH '" + elsewhere + "' AS e", "WITH x AS (SELECT 1) INSERT INTO t SELECT 1", "EXPLAIN SELECT 1", "SELECT load_extension('x')", "SELECT n FROM \"t",
		"SELECT \"word\"",
	} {
		if err := s.Query(t.Context(), text, nil, drop); err == nil {
			t.Errorf("%q runs", text)
		}
	}
	if _, err := os.Stat(elsewhere); err == nil {
		t.Error("a file was made")
	}
	for _, text := range []string{"SELECT n FROM t;", "SELECT n, ';', \"n\", [n] /* ; */ FROM t -- ;", "WITH x AS (SELECT n FROM t) SELECT * FROM x", "VALUES (7)"} {
		got := ""
		if err := s.Query(t.Context(), text, nil, func(cells []any) error { got = fmt.Sprint(cells[0]); return nil }); err != nil || got != "7" {
			t.Errorf("%q: %s %v", text, got, err)
		}
	}
	conn, err := s.engine.(*sqliteDB).take()
	if err != nil {
		t.Fatal(err)
	}
	defer s.engine.(*sqliteDB).give(conn)
	for _, text := range []string{"INSERT INTO t VALUES (1)", "PRAGMA query_only = 0; INSERT INTO t VALUES (1)", "ATTACH '" + elsewhere + "' AS e"} {
		if err := conn.exec(text); err == nil {
			t.Errorf("a connection of queries runs %q", text)
		}
	}
}

func TestSQLiteCancels(t *testing.T) {
	s := openLite(t, Config{MaxConns: 1})
	for _, when := range []string{"before the first row", "after the first row"} {
		ctx, cancel := context.WithCancel(t.Context())
		text := liteEndless
		if when == "before the first row" {
			text = "SELECT sum(i) FROM (" + liteEndless + ")"
			time.AfterFunc(10*time.Millisecond, cancel)
		}
		rows := 0
		err := s.Query(ctx, text, nil, func([]any) error {
			rows++
			cancel()
			return nil
		})
		checkFault(t, err, fault.Unavailable, "cancelled")
		if when == "after the first row" && rows != 1 {
			t.Errorf("%s: %d rows", when, rows)
		}
		eventually(t, "the place is free", func() bool { return s.Stats().Running == 0 })
		if got := ask(t, s, "SELECT 42 AS n"); got != "[[42]]" {
			t.Errorf("%s: then %s", when, got)
		}
	}
}

func TestSQLiteTimesOut(t *testing.T) {
	s := openLite(t, Config{MaxConns: 1, Timeout: 20 * time.Millisecond})
	checkFault(t, s.Query(t.Context(), liteEndless, nil, drop), fault.Unavailable, "timeout")
	eventually(t, "the place is free", func() bool { return s.Stats().Running == 0 })
}

// TestSQLiteInterruptsOnlyItsOwn: a context that ends late does not hit the next statement of the connection.
func TestSQLiteInterruptsOnlyItsOwn(t *testing.T) {
	s := openLite(t, Config{MaxConns: 1})
	for range 200 {
		ctx, cancel := context.WithCancel(t.Context())
		var done sync.WaitGroup
		err := s.Query(ctx, "SELECT 1", nil, func([]any) error {
			done.Go(cancel)
			return nil
		})
		if err != nil && fault.As(err).Reason != "cancelled" {
			t.Fatal(err)
		}
		if err := s.Query(t.Context(), "SELECT count(*) FROM pragma_function_list", nil, drop); err != nil {
			t.Fatalf("the next statement: %v", err)
		}
		done.Wait()
	}
}

func TestSQLiteFaults(t *testing.T) {
	s := openLite(t, Config{}, "CREATE TABLE t (n INTEGER)")
	for text, reason := range map[string]string{
		"SELECT int_mul(int('99999999999999999999'), int('9999999999999999999999'), 0)":              "numeric_overflow",
		"SELECT int_sum(column1) FROM (VALUES (int('99999999999999999999999999999999999999')), (1))": "numeric_overflow",
		"SELECT date_stored('x')": "out_of_range", "SELECT time_shift('9999-12-31', 1, 'day')": "out_of_range",
		"SELECT text_lpad('a', 2000000000, 'x')": "out_of_range",
	} {
		checkFault(t, s.Query(t.Context(), text, nil, drop), fault.Invalid, reason)
	}
	for _, text := range []string{"SELECT * FROM missing", "SELECT 1 +", "SELECT missing(1)"} {
		err := s.Query(t.Context(), text, nil, drop)
		checkFault(t, err, fault.Internal, "internal")
		if strings.Contains(err.Error(), "panic") {
			t.Errorf("%s: %v", text, err)
		}
		if f := fault.As(err); strings.Contains(f.Message+f.Hint, "missing") {
			t.Errorf("the database's text is shown: %s", f.Message)
		}
	}
	liteExec(t, s, "INSERT INTO t VALUES (1)")
	if got := ask(t, s, "SELECT n FROM t"); got != "[[1]]" {
		t.Errorf("then %s", got)
	}
}

func TestSQLiteOpenRefuses(t *testing.T) {
	folder := t.TempDir()
	junk := filepath.Join(folder, "junk.db")
	if err := os.WriteFile(junk, []byte(strings.Repeat("no database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]Config{
		"no path": {}, "a dsn": {Path: junk, DSN: "x"}, "a folder": {Folder: folder}, "a folder as its path": {Path: folder},
		"a file that is not there": {Path: filepath.Join(folder, "missing.db")}, "a file that is none": {Path: junk},
	} {
		c.Type = "sqlite"
		_, err := Open(t.Context(), "lite", c, slog.New(slog.DiscardHandler))
		checkFault(t, err, fault.Invalid, "bad_datasource")
		if f := fault.As(err); strings.Contains(f.Message+f.Hint, folder) {
			t.Errorf("%s: the path is shown: %s", name, f.Message)
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "missing.db")); err == nil {
		t.Error("a missing file was made")
	}
}

// TestSQLiteReadersRunTogether: several connections read at once while another writes.
func TestSQLiteReadersRunTogether(t *testing.T) {
	s := openLite(t, Config{MaxConns: 4}, "CREATE TABLE t (n INTEGER)", "INSERT INTO t VALUES (1)")
	var all sync.WaitGroup
	failed := make(chan error, 100)
	for range 8 {
		all.Go(func() {
			for range 20 {
				if err := s.Query(WithComment(t.Context(), "trace-1 */ ; --"), "SELECT sum(n) FROM t", nil, drop); err != nil {
					failed <- err
					return
				}
			}
		})
	}
	for range 5 {
		liteExec(t, s, "INSERT INTO t VALUES (1)")
	}
	all.Wait()
	close(failed)
	for err := range failed {
		t.Error(errors.Unwrap(err), err)
	}
}

// TestSQLiteLongLists: a list of any length is one argument, and means what a short one does.
func TestSQLiteLongLists(t *testing.T) {
	s := openLite(t, Config{})
	for _, c := range []struct {
		x, in, out value.Value
		t          value.Type
	}{
		{value.Of(value.Integer, "7"), value.Of(value.Integer, "7"), value.Of(value.Integer, "8"), value.Type{Kind: value.Integer}},
		{value.Of(value.Integer, "99999999999999999999"), value.Of(value.Integer, "99999999999999999999"), value.Of(value.Integer, "7"), value.Type{Kind: value.Integer, Wide: true}},
		{value.Of(value.Decimal, "1.50"), value.Of(value.Decimal, "1.5"), value.Of(value.Decimal, "1.51"), value.Type{Kind: value.Decimal, Scale: 2}},
		{value.Of(value.Float, "0.1"), value.Of(value.Float, "0.1"), value.Of(value.Float, "0.2"), value.Type{Kind: value.Float}},
		{value.Of(value.String, `a'"\,]`), value.Of(value.String, `a'"\,]`), value.Of(value.String, `A'"\,]`), value.Type{Kind: value.String}},
	} {
		for _, listed := range []value.Value{c.in, c.out} {
			w := dialect.NewWriter(s.Dialect())
			constant := func(v value.Value) dialect.Arg {
				return dialect.Arg{Write: func() { s.Dialect().Value(w, v, c.t) }, Type: c.t, Const: &v}
			}
			x := constant(c.x)
			x.Const = nil
			args := []dialect.Arg{x}
			for range 50_000 {
				args = append(args, constant(listed))
			}
			w.Text("SELECT ")
			s.Dialect().Call(w, compute.In, args, value.Type{Kind: value.Boolean})
			text, bound := w.Statement()
			want := int64(0)
			if listed == c.in {
				want = 1
			}
			err := s.Query(t.Context(), text, bound, func(cells []any) error {
				if cells[0] != want {
					t.Errorf("%s in a list of %s is %v", c.x, listed, cells[0])
				}
				return nil
			})
			if err != nil || len(bound) > 2 {
				t.Errorf("%s: %v with %d arguments", c.x, err, len(bound))
			}
		}
	}
	checkFault(t, s.Query(t.Context(), "SELECT 1 IN (?"+strings.Repeat(", ?", 40_000)+")", make([]any, 40_001), drop), fault.Invalid, "too_complex")
}
