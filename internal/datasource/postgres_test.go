package datasource

import (
	"context"
	"errors"
	"log/slog"
	"math/big"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgconn"

	"parlance/internal/compute"
	"parlance/internal/dialect"
	"parlance/internal/fault"
	"parlance/internal/value"
	"parlance/test/servers"
)

// TestPostgres runs on one server that the test itself starts; each part has a schema of its own.
func TestPostgres(t *testing.T) {
	server := servers.RunPostgres(t)
	for name, part := range map[string]func(*testing.T, string){
		"values": postgresValues, "arguments": postgresBound, "faults": postgresFaults, "columns": postgresColumns,
		"load": postgresLoads, "load refuses": postgresLoadRefuses, "many rows": postgresManyRows, "reading": postgresOnlyReads,
		"cancel": postgresCancels, "timeout": postgresTimesOut, "row error": postgresRowError, "open refuses": postgresOpenRefuses,
		"stored": postgresStored, "lists": postgresLists, "comment": postgresComment, "prepared": postgresPrepared, "together": postgresTogether, "together fails": postgresTogetherFails, "replaced": postgresReplaced, "unheld": postgresUnheld, "many prepared": postgresManyPrepared, "functions": func(t *testing.T, dsn string) {
			t.Helper()
			checkFunctions(t, openAs(t, Config{Type: "postgres", DSN: dsn}), "mod float")
		},
	} {
		t.Run(name, func(t *testing.T) { part(t, postgresSchema(t, server.DSN)) })
	}
	t.Run("restart", func(t *testing.T) { postgresRestart(t, server) })
}

var schemas atomic.Int64

// postgresSchema makes a schema and returns an address whose sessions see it.
func postgresSchema(t testing.TB, dsn string) string {
	t.Helper()
	name := "s" + strconv.FormatInt(schemas.Add(1), 10)
	postgresExec(t, dsn, "CREATE SCHEMA "+name)
	return dsn + "&search_path=" + name
}

// postgresExec changes the database behind the source's back, as no query can.
func postgresExec(t testing.TB, dsn string, statements ...string) {
	t.Helper()
	conn, err := pgconn.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(t.Context()))
	for _, text := range statements {
		if err := conn.Exec(t.Context(), text).Close(); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
}

// openAs opens a source that the test closes.
func openAs(t testing.TB, c Config) *Source {
	t.Helper()
	s, err := Open(t.Context(), "test", c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func postgresValues(t *testing.T, dsn string) {
	t.Helper()
	postgresExec(t, dsn, "CREATE TYPE mood AS ENUM ('b', 'a')", "CREATE DOMAIN cents AS numeric(9,2)")
	s := openAs(t, Config{Type: "postgres", DSN: dsn})
	for text, want := range map[string]string{
		"NULL": `null`, "CAST(NULL AS integer)": `null`, "TRUE": `true`, "FALSE": `false`,
		"CAST(-32768 AS smallint)": `-32768`, "CAST(-2147483648 AS integer)": `-2147483648`, "9223372036854775807": `9223372036854775807`,
		"CAST('99999999999999999999999999999999999999' AS numeric(38,0))":                                        `99999999999999999999999999999999999999`,
		"CAST((SELECT sum(n) FROM (VALUES (9223372036854775807), (9223372036854775807)) t(n)) AS numeric(38,0))": `18446744073709551614`,
		"CAST('-0.05' AS numeric(4,2))": `-0.05`, "CAST('1.5' AS numeric(9,3))": `1.500`, "CAST('0' AS numeric(18,2))": `0.00`,
		"CAST('-99999999999999999999999999999999.999999' AS numeric(38,6))": `-99999999999999999999999999999999.999999`,
		"CAST('1e-20' AS numeric)": `0.00000000000000000001`, "CAST('1e-300' AS numeric)": `0.` + strings.Repeat("0", 299) + `1`,
		"CAST('NaN' AS numeric)": `null`, "CAST('-Infinity' AS numeric)": `null`, "CAST(12.5 AS cents)": `12.50`,
		"CAST('0.1' AS double precision)": `0.1`, "CAST('0.1' AS real)": `0.1`, "CAST('NaN' AS double precision)": `null`, "CAST('-Infinity' AS real)": `null`,
		"CAST('1e300' AS double precision)": `1e+300`,
		"DATE '2024-03-05'":                 `"2024-03-05"`, "DATE '0001-01-01'": `"0001-01-01"`, "DATE '9999-12-31'": `"9999-12-31"`, "DATE '10000-02-29'": `"+10000-02-29"`,
		"DATE '0044-03-15 BC'": `"-0043-03-15"`, "DATE 'infinity'": `null`, "DATE '-infinity'": `null`, "TIMESTAMP 'infinity'": `null`, "TIMESTAMPTZ '-infinity'": `null`,
		"TIMESTAMP '2024-02-29 14:03:07'": `"2024-02-29T14:03:07"`, "TIMESTAMP '2024-03-05 14:03:07.120'": `"2024-03-05T14:03:07.12"`,
		"TIMESTAMPTZ '2024-03-05 14:03:07+08:00'": `"2024-03-05T06:03:07+00:00"`, "TIMESTAMPTZ '2024-03-05 14:03:07.5+05:30'": `"2024-03-05T08:33:07.5+00:00"`,
		"TIME '14:03:07'": `"14:03:07"`, "TIME '14:03:07.5'": `"14:03:07.5"`,
		"CAST('F47AC10B-58CC-4372-A567-0E02B2C3D479' AS uuid)": `"f47ac10b-58cc-4372-a567-0e02b2c3d479"`,
		"CAST('a' AS mood)": `"a"`, "CAST('x' AS character(3))": `"x  "`, "CAST('10.0.0.1' AS inet)": `"10.0.0.1"`,
		"''": `""`,
		"'销售额 مبيعات продажи 🛒 ' || chr(9) || chr(8232)": `"销售额 مبيعات продажи 🛒 \t\u2028"`,
	} {
		if got := ask(t, s, "SELECT "+text+" AS v"); got != "[["+want+"]]" {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
	if got := ask(t, s, "SELECT 1 AS n WHERE false"); got != "[]" {
		t.Errorf("no rows: %s", got)
	}
}

func postgresBound(t *testing.T, dsn string) {
	t.Helper()
	postgresExec(t, dsn, "CREATE TABLE a (d date, ts timestamp, m numeric(18,2), h numeric(38,0), n integer, s text, b boolean, f double precision, u uuid)",
		"INSERT INTO a VALUES ('2024-03-05', '2024-03-05 14:03:07.5', 12.50, 1267650600228229401496703205376, 7, 'x'' OR 1=1 --', true, 0.1, 'f47ac10b-58cc-4372-a567-0e02b2c3d479')")
	s := openAs(t, Config{Type: "postgres", DSN: dsn})
	wide := new(big.Int).Lsh(big.NewInt(1), 100)
	for _, c := range []struct {
		where string
		args  []any
		want  int64
	}{
		{"d = $1", []any{value.Of(value.Date, "2024-03-05")}, 1},
		{"d = CAST($1 AS date)", []any{"2024-03-05"}, 1},
		{"ts = $1", []any{value.Of(value.Timestamp, "2024-03-05T14:03:07.5")}, 1},
		{"ts = $1", []any{time.Date(2024, 3, 5, 14, 3, 7, 500_000_000, time.UTC)}, 1},
		{"m = $1", []any{value.Of(value.Decimal, "12.5")}, 1},
		{"h = $1", []any{wide}, 1},
		{"n = $1", []any{int64(7)}, 1},
		{"n < CAST($1 AS numeric)", []any{wide}, 1},
		{"n = $1", []any{value.Of(value.Integer, "8")}, 0},
		{"s = $1", []any{"x' OR 1=1 --"}, 1},
		{"s = $1", []any{value.Of(value.String, "y' OR 1=1 --")}, 0},
		{"b = $1", []any{value.Of(value.Boolean, "true")}, 1},
		{"f = $1", []any{value.Of(value.Float, "0.1")}, 1},
		{"u = $1", []any{"f47ac10b-58cc-4372-a567-0e02b2c3d479"}, 1},
		{"n IS NOT DISTINCT FROM $1", []any{value.Value{}}, 0},
		{"s = ANY($1)", []any{[]string{"x' OR 1=1 --", `y"\{},`, "", "NULL"}}, 1},
		{"NOT s = ANY($1)", []any{[]string{`y"\{},`, "NULL"}}, 1},
		{"cardinality(CAST($1 AS text[])) = 3 AND (CAST($1 AS text[]))[2] = $2", []any{[]string{"", `a"\,{}' NULL`, "NULL"}, `a"\,{}' NULL`}, 1},
		{"cardinality(CAST($1 AS text[])) = 0", []any{[]string{}}, 1},
		{"n = $2 AND s = $1", []any{"x' OR 1=1 --", int64(7)}, 1},
	} {
		var got any
		err := s.Query(t.Context(), "SELECT count(*) FROM a WHERE "+c.where, c.args, func(cells []any) error {
			got = cells[0]
			return nil
		})
		if err != nil || got != c.want {
			t.Errorf("%s with %v: got %v, %v, want %d", c.where, c.args, got, err, c.want)
		}
	}
	for _, bad := range []any{value.Of(value.Integer, "x"), value.Of(value.Date, "x"), value.Of(99, ""), struct{}{}} {
		checkFault(t, s.Query(t.Context(), "SELECT $1", []any{bad}, drop), fault.Internal, "internal")
	}
}

func postgresFaults(t *testing.T, dsn string) {
	t.Helper()
	s := openAs(t, Config{Type: "postgres", DSN: dsn})
	for text, want := range map[string]string{
		"SELECT CAST(1e38 AS numeric(38,0))":                         "numeric_overflow",
		"SELECT 9223372036854775807 + 1":                             "numeric_overflow",
		"SELECT CAST(300000 AS smallint)":                            "numeric_overflow",
		"SELECT sqrt(-1)":                                            "out_of_range",
		"SELECT DATE '2024-01-01' + MAKE_INTERVAL(years => 1000000)": "out_of_range",
		"SELECT repeat('x', 2000000000)":                             "out_of_range",
		"SELECT CAST('abc' AS integer)":                              "internal",
		"SELECT INTERVAL '1 day' AS i":                               "internal",
		"SELECT ARRAY[1, 2] AS l":                                    "internal",
		"SELECT CAST('x' AS bytea) AS b":                             "internal",
		"SELECT mine":                                                "internal",
		"SELECT n / 0 FROM generate_series(1, 2) t(n)":               "out_of_range",
		"SELECT 1 / (3 - n) FROM generate_series(1, 2000) t(n)":      "out_of_range",
	} {
		err := s.Query(t.Context(), text, nil, drop)
		kind := fault.Invalid
		if want == "internal" {
			kind = fault.Internal
		}
		checkFault(t, err, kind, want)
		if f := fault.As(err); strings.Contains(f.Text(), "numeric(") || strings.Contains(f.Text(), "SELECT") || strings.Contains(f.Text(), "mine") {
			t.Errorf("%s: the text shows what the server said: %s", text, f.Text())
		}
	}
	if got := ask(t, s, "SELECT 42 AS n"); got != "[[42]]" {
		t.Errorf("after failures: %s", got)
	}
}

func postgresColumns(t *testing.T, dsn string) {
	t.Helper()
	postgresExec(t, dsn, "CREATE SCHEMA side", "CREATE TYPE side.mood AS ENUM ('x')", "CREATE DOMAIN side.cents AS numeric(9,2) NOT NULL", `CREATE TABLE side."odd "" name" (
		a integer PRIMARY KEY, b bigint NOT NULL, c numeric, d numeric(18,2), e numeric(38,6), f double precision, g real, h varchar(9), i uuid,
		j side.mood, k date, l timestamp(3), m timestamptz, n boolean, o smallint, p side.cents, q time,
		r interval, s integer[], t numeric(9,2)[], u bytea, v jsonb, w numeric(4,0), x character(3), y numeric(3,-2), z numeric(60,50))`)
	s := openAs(t, Config{Type: "postgres", DSN: dsn})
	text := value.Type{Kind: value.String}
	want := []Column{
		{"a", value.Type{Kind: value.Integer}, false, "integer"},
		{"b", value.Type{Kind: value.Integer, Wide: true}, false, "bigint"},
		{"c", value.Type{Kind: value.Decimal, Scale: 6, Wide: true}, true, "numeric"},
		{"d", value.Type{Kind: value.Decimal, Scale: 2}, true, "numeric(18,2)"},
		{"e", value.Type{Kind: value.Decimal, Scale: 6, Wide: true}, true, "numeric(38,6)"},
		{"f", value.Type{Kind: value.Float}, true, "double precision"},
		{"g", value.Type{Kind: value.Float}, true, "real"},
		{"h", text, true, "character varying(9)"},
		{"i", text, true, "uuid"},
		{"j", text, true, "side.mood"},
		{"k", value.Type{Kind: value.Date}, true, "date"},
		{"l", value.Type{Kind: value.Timestamp}, true, "timestamp(3) without time zone"},
		{"m", value.Type{Kind: value.Timestamp, Zoned: true}, true, "timestamp with time zone"},
		{"n", value.Type{Kind: value.Boolean}, true, "boolean"},
		{"o", value.Type{Kind: value.Integer}, true, "smallint"},
		{"p", value.Type{Kind: value.Decimal, Scale: 2}, true, "numeric(9,2)"},
		{"q", text, true, "time without time zone"},
		{"r", value.Type{}, true, "interval"},
		{"s", value.Type{}, true, "integer[]"},
		{"t", value.Type{}, true, "numeric(9,2)[]"},
		{"u", value.Type{}, true, "bytea"},
		{"v", value.Type{}, true, "jsonb"},
		{"w", value.Type{Kind: value.Decimal}, true, "numeric(4,0)"},
		{"x", text, true, "character(3)"},
		{"y", value.Type{Kind: value.Decimal}, true, "numeric(3,-2)"},
		{"z", value.Type{}, true, "numeric(60,50)"},
	}
	got, err := s.Columns(t.Context(), "side", `odd " name`, "")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	got, err = s.Columns(t.Context(), "", "", `SELECT a, sum(d) AS total FROM side."odd "" name" GROUP BY a -- one a key`)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Column{
		{"a", value.Type{Kind: value.Integer}, true, "integer"},
		{"total", value.Type{Kind: value.Decimal, Scale: 6, Wide: true}, true, "numeric"},
	}, got); diff != "" {
		t.Error(diff)
	}
	for _, c := range []struct{ schema, table, query, reason string }{
		{"", "none", "", "unknown_table"},
		{"none", "x", "", "unknown_table"},
		{"", `x"; DROP SCHEMA side; --`, "", "unknown_table"},
		{"", "", "", "unknown_table"},
		{"", "", "SELECT nothing", "bad_sql"},
		{"", "", "SELECT 1) AS q; DROP SCHEMA side CASCADE; --", "bad_sql"},
		{"", "", "DROP SCHEMA side", "bad_sql"},
		{"", "", `WITH d AS (DELETE FROM side."odd "" name" RETURNING a) SELECT a FROM d`, "bad_sql"},
	} {
		_, err := s.Columns(t.Context(), c.schema, c.table, c.query)
		kind := fault.NotFound
		if c.query != "" {
			kind = fault.Invalid
		}
		checkFault(t, err, kind, c.reason)
		if f := fault.As(err); f.Cause == nil {
			t.Errorf("%+v: no cause for the log", c)
		}
	}
	if _, err := s.Columns(t.Context(), "side", `odd " name`, ""); err != nil {
		t.Errorf("the schema is gone: %v", err)
	}
}

func postgresManyRows(t *testing.T, dsn string) {
	t.Helper()
	s := openAs(t, Config{Type: "postgres", DSN: dsn})
	var n, nulls int64
	err := s.Query(t.Context(), "SELECT i, nullif(i % 3, 0), CAST(i AS numeric(18,2)) FROM generate_series(0, 9999) t(i) ORDER BY 1", nil, func(cells []any) error {
		if cells[0] != n {
			t.Fatalf("row %d is %v", n, cells[0])
		}
		if cells[1] == nil {
			nulls++
		}
		n++
		return nil
	})
	if err != nil || n != 10000 || nulls != 3334 {
		t.Errorf("%d rows, %d nulls, %v", n, nulls, err)
	}
}

func postgresOnlyReads(t *testing.T, dsn string) {
	t.Helper()
	postgresExec(t, dsn, "CREATE TABLE kept (n integer)", "CREATE SEQUENCE counted",
		"CREATE FUNCTION writes() RETURNS integer LANGUAGE sql AS 'INSERT INTO kept VALUES (1) RETURNING n'")
	s := openAs(t, Config{Type: "postgres", DSN: dsn})
	for _, text := range []string{
		"DROP TABLE kept", "INSERT INTO kept VALUES (1)", "DELETE FROM kept", "UPDATE kept SET n = 1", "CREATE TABLE more (n integer)", "TRUNCATE kept",
		"SELECT 1; DROP TABLE kept", "DROP TABLE kept; SELECT 1", "EXPLAIN ANALYZE INSERT INTO kept VALUES (1)", "BEGIN", "SET default_transaction_read_only = off",
		"SELECT * INTO more FROM kept", "SELECT * FROM kept FOR UPDATE", "SELECT nextval('counted')", "SELECT writes()", "SELECTED", "COPY kept TO '/tmp/x'",
		"WITH d AS (DELETE FROM kept RETURNING n) SELECT n FROM d", "/* x */ DROP TABLE kept", "/* SELECT */ DELETE FROM kept",
		"", ";", "nonsense", "SELECT missing FROM kept", "SELECT n FROM kept WHERE n = $1",
	} {
		err := s.Query(t.Context(), text, nil, drop)
		checkFault(t, err, fault.Internal, "internal")
		if f := fault.As(err); f.Cause == nil || strings.Contains(f.Message, "kept") {
			t.Errorf("%s: message %q, cause %v", text, f.Message, f.Cause)
		}
	}
	for _, setting := range []string{"default_transaction_read_only", "TimeZone"} { // of the session, which does not live on
		if err := s.Query(t.Context(), "SELECT set_config('"+setting+"', CASE '"+setting+"' WHEN 'TimeZone' THEN 'Asia/Tokyo' ELSE 'off' END, false)", nil, drop); err != nil {
			t.Error(err)
		}
		checkFault(t, s.Query(t.Context(), "SELECT writes()", nil, drop), fault.Internal, "internal")
		if got := ask(t, s, "SELECT current_setting('TimeZone') AS zone"); got != `[["UTC"]]` {
			t.Errorf("the session's zone is %s", got)
		}
	}
	if got := ask(t, s, "SELECT count(*) AS n FROM kept"); got != "[[0]]" {
		t.Errorf("the table was changed: %s", got)
	}
	if err := s.Seal(t.Context()); err != nil {
		t.Error(err)
	}
}

// postgresEndless is a statement that only an interrupt ends.
const postgresEndless = "SELECT count(*) FROM generate_series(1, 1000000000000) AS endless(n)"

// postgresBusy returns how many statements the server still runs.
func postgresBusy(t *testing.T, s *Source) string {
	t.Helper()
	return ask(t, s, "SELECT count(*) AS n FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%endless%' AND pid <> pg_backend_pid()")
}

func postgresCancels(t *testing.T, dsn string) {
	t.Helper()
	s, watch := openAs(t, Config{Type: "postgres", DSN: dsn + "&jit=on", MaxConns: 1, Queue: -1}), openAs(t, Config{Type: "postgres", DSN: dsn})
	for range 3 {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- s.Query(ctx, postgresEndless, nil, drop) }()
		eventually(t, "the server runs it", func() bool { return postgresBusy(t, watch) == "[[1]]" })
		cancel()
		err := <-done
		checkFault(t, err, fault.Unavailable, "cancelled")
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%v hides that the context was cancelled", err)
		}
		eventually(t, "the place is free", func() bool { return s.Stats().Running == 0 })
		if got := postgresBusy(t, watch); got != "[[0]]" {
			t.Errorf("the place is free and the server still runs %s", got)
		}
		if got := ask(t, s, "SELECT 42 AS n"); got != "[[42]]" {
			t.Errorf("after a cancelled query: %s", got)
		}
	}
}

func postgresTimesOut(t *testing.T, dsn string) {
	t.Helper()
	s := openAs(t, Config{Type: "postgres", DSN: dsn, MaxConns: 1, Timeout: time.Second})
	checkFault(t, s.Query(t.Context(), postgresEndless, nil, drop), fault.Unavailable, "timeout")
	eventually(t, "the place is free", func() bool { return s.Stats().Running == 0 })
	s.timeout = time.Minute // the server's own time-out still holds
	err := s.Query(t.Context(), postgresEndless, nil, drop)
	checkFault(t, err, fault.Unavailable, "timeout")
	var e *pgconn.PgError
	if !errors.As(err, &e) || e.Code != "57014" {
		t.Errorf("not ended by the server: %v", err)
	}
	if got := ask(t, s, "SELECT 42 AS n"); got != "[[42]]" {
		t.Errorf("after a time-out: %s", got)
	}
}

func postgresRowError(t *testing.T, dsn string) {
	t.Helper()
	s := openAs(t, Config{Type: "postgres", DSN: dsn, MaxConns: 1, Queue: -1})
	mine, seen := errors.New("mine"), 0
	err := s.Query(t.Context(), "SELECT generate_series(1, 1000000000000) AS endless", nil, func([]any) error {
		seen++
		return mine
	})
	if !errors.Is(err, mine) || seen != 1 {
		t.Errorf("got %v after %d rows", err, seen)
	}
	if got := ask(t, s, "SELECT 42 AS n"); got != "[[42]]" {
		t.Errorf("after rows that nobody read: %s", got)
	}
}

// postgresStored: a column of any type that is read as text compares by code point, or as its own type does it.
func postgresStored(t *testing.T, dsn string) {
	t.Helper()
	postgresExec(t, dsn, "CREATE TYPE size AS ENUM ('small', 'large')", `CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`,
		`CREATE TABLE t (u uuid, e size, c character(3), v varchar(9) COLLATE "und-x-icu", l text COLLATE loose, n name, i inet)`,
		"INSERT INTO t VALUES ('f47ac10b-58cc-4372-a567-0e02b2c3d479', 'small', 'x', 'b', 'b', 'n', '10.0.0.1'), ('f47ac10b-58cc-4372-a567-0e02b2c3d470', 'large', 'Y', 'A', 'B', 'N', '10.0.0.2')")
	s := openAs(t, Config{Type: "postgres", DSN: dsn})
	text := value.Type{Kind: value.String}
	for _, c := range []struct {
		column   string
		native   bool
		fn       compute.Fn
		constant []string
		want     int64
	}{
		{"u", false, compute.Eq, []string{"f47ac10b-58cc-4372-a567-0e02b2c3d479"}, 1},
		{"u", true, compute.Eq, []string{"F47AC10B-58CC-4372-A567-0E02B2C3D479"}, 1},
		{"u", false, compute.Eq, []string{"x"}, 0},
		{"u", true, compute.In, []string{"f47ac10b-58cc-4372-a567-0e02b2c3d479"}, 1},
		{"u", false, compute.In, []string{"f47ac10b-58cc-4372-a567-0e02b2c3d479", "x"}, 1},
		{"u", false, compute.EndsWith, []string{"D479"}, 1},
		{"e", false, compute.Lt, []string{"m"}, 1},
		{"e", true, compute.Lt, []string{"large"}, 1}, // small is before large
		{"e", false, compute.Eq, []string{"none"}, 0},
		{"c", false, compute.Eq, []string{"x"}, 1},
		{"c", true, compute.Eq, []string{"x"}, 1},
		{"v", false, compute.Lt, []string{"a"}, 1},
		{"v", true, compute.Lt, []string{"b"}, 1},
		{"l", false, compute.Eq, []string{"b"}, 1},
		{"l", true, compute.Eq, []string{"b"}, 2},
		{"l", true, compute.Contains, []string{"B"}, 2},
		{"n", false, compute.Gt, []string{"a"}, 1},
		{"i", false, compute.StartsWith, []string{"10.0.0.1"}, 1},
	} {
		w := dialect.NewWriter(s.Dialect())
		args := []dialect.Arg{{Type: text, Write: func() { s.Dialect().Stored(w, func() { w.Name(c.column) }, text, c.native) }}}
		for _, constant := range c.constant {
			v := value.Of(value.String, constant)
			args = append(args, dialect.Arg{Type: text, Const: &v, Write: func() { s.Dialect().Value(w, v, text) }})
		}
		w.Text("SELECT count(*) FROM t WHERE ")
		s.Dialect().Call(w, c.fn, args, value.Type{Kind: value.Boolean})
		sql, bound := w.Statement()
		var got any
		if err := s.Query(t.Context(), sql, bound, func(cells []any) error { got = cells[0]; return nil }); err != nil || got != c.want {
			t.Errorf("%s with %q: got %v, %v, want %d", sql, bound, got, err, c.want)
		}
	}
	// Texts of different collations meet.
	for _, f := range []compute.Fn{compute.Greatest, compute.NullIf, compute.Coalesce, compute.Concat, compute.Eq} {
		w := dialect.NewWriter(s.Dialect())
		var args []dialect.Arg
		for _, name := range []string{"v", "l"} {
			args = append(args, dialect.Arg{Type: text, Write: func() { s.Dialect().Stored(w, func() { w.Name(name) }, text, true) }})
		}
		t0 := text
		if f == compute.Eq {
			t0.Kind = value.Boolean
		}
		w.Text("SELECT ")
		s.Dialect().Call(w, f, args, t0)
		w.Text(" AS r FROM t ORDER BY r")
		sql, bound := w.Statement()
		if err := s.Query(t.Context(), sql, bound, drop); err != nil {
			t.Errorf("%s: %v", sql, err)
		}
	}
}

func postgresComment(t *testing.T, dsn string) {
	t.Helper()
	s := openAs(t, Config{Type: "postgres", DSN: dsn})
	ctx := WithComment(t.Context(), "ab-12*/; DROP TABLE x --'\"\n"+strings.Repeat("z", 200))
	var text string
	err := s.Query(ctx, "SELECT query FROM pg_stat_activity WHERE pid = pg_backend_pid()", nil, func(cells []any) error {
		text, _ = cells[0].(string)
		return nil
	})
	want := "/* " + ("ab-12DROPTABLEx--" + strings.Repeat("z", 200))[:128] + " */ SELECT query"
	if err != nil || !strings.HasPrefix(text, want) {
		t.Errorf("the server saw %q, %v", text, err)
	}
}

func postgresOpenRefuses(t *testing.T, dsn string) {
	t.Helper()
	postgresExec(t, dsn, "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE_PROVIDER 'libc' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
	address, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	with := func(change func(*url.URL)) string {
		u := *address
		change(&u)
		return u.String()
	}
	for name, c := range map[string]struct {
		dsn    string
		kind   fault.Kind
		reason string
	}{
		"no dsn":         {"", fault.Invalid, "bad_datasource"},
		"no address":     {"postgres://x:s3cret@[::1", fault.Invalid, "bad_datasource"},
		"a bad port":     {"host=x port=s3cret", fault.Invalid, "bad_datasource"},
		"a bad password": {with(func(u *url.URL) { u.User = url.UserPassword("parlance", "s3cret") }), fault.Invalid, "bad_datasource"},
		"no database":    {with(func(u *url.URL) { u.Path = "/none" }), fault.Invalid, "bad_datasource"},
		"nobody there":   {with(func(u *url.URL) { u.Host = "127.0.0.1:1" }), fault.Unavailable, "unreachable"},
		"not in UTF-8":   {with(func(u *url.URL) { u.Path = "/latin" }), fault.Invalid, "bad_datasource"},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := Open(t.Context(), "mine", Config{Type: "postgres", DSN: c.dsn}, slog.New(slog.DiscardHandler))
			if err == nil {
				_ = s.Close()
				t.Fatal("was opened")
			}
			checkFault(t, err, c.kind, c.reason)
			f := fault.As(err)
			if !strings.Contains(f.Message, `"mine"`) || strings.Contains(f.Text(), "s3cret") || strings.Contains(f.Error(), "s3cret") {
				t.Errorf("text %q, error %q", f.Text(), f.Error())
			}
		})
	}
	for _, c := range []Config{{DSN: dsn, Path: "x"}, {DSN: dsn, Folder: "x"}} {
		c.Type = "postgres"
		_, err := Open(t.Context(), "mine", c, slog.New(slog.DiscardHandler))
		checkFault(t, err, fault.Invalid, "bad_datasource")
	}
}

// postgresRestart stops and starts the server under an open source.
func postgresRestart(t *testing.T, server *servers.Postgres) {
	t.Helper()
	s := openAs(t, Config{Type: "postgres", DSN: server.DSN, MaxConns: 3})
	for range 2 {
		stop := make(chan struct{})
		for range 3 { // so that every connection of the pool is one that will be lost
			go func() {
				defer func() { stop <- struct{}{} }()
				_ = s.Query(t.Context(), "SELECT pg_sleep(0.05)::text", nil, drop)
			}()
		}
		for range 3 {
			<-stop
		}
		if n := s.engine.(*postgres).free.count(); n != 3 {
			t.Fatalf("%d connections are free", n)
		}
		server.Stop(t)
		checkFault(t, s.Query(t.Context(), "SELECT 1", nil, drop), fault.Unavailable, "unreachable")
		checkFault(t, s.Ping(t.Context()), fault.Unavailable, "unreachable")
		server.Start(t)
		if got := ask(t, s, "SELECT 42 AS n"); got != "[[42]]" {
			t.Errorf("after a restart: %s", got)
		}
	}
	// A restart between two statements is not noticed at all.
	server.Stop(t)
	server.Start(t)
	if got := ask(t, s, "SELECT 42 AS n"); got != "[[42]]" {
		t.Errorf("after a restart: %s", got)
	}
	// In the middle of an answer it is.
	seen := 0
	err := s.Query(t.Context(), "SELECT generate_series(1, 1000000000), repeat('x', 1000)", nil, func([]any) error {
		if seen++; seen == 1000 {
			server.Stop(t)
		}
		return nil
	})
	checkFault(t, err, fault.Unavailable, "unreachable")
	server.Start(t)
	if got := ask(t, s, "SELECT 42 AS n"); got != "[[42]]" {
		t.Errorf("after a restart: %s", got)
	}
}
