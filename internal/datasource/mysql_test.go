package datasource

import (
	"context"
	"errors"
	"log/slog"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/fault"
	"parlance/internal/value"
	"parlance/test/servers"
)

// mysqlEndless is a statement that only an interrupt ends.
const mysqlEndless = "SELECT SUM(SHA2(CONCAT(a.seq, b.seq), 512) > 'x') FROM seq_1_to_1000000 AS a, seq_1_to_1000000 AS b"

func openMySQLAt(tb testing.TB, dsn string, c Config) *Source {
	tb.Helper()
	c.Type, c.DSN = "mysql", dsn
	s, err := Open(tb.Context(), "test", c, slog.New(slog.DiscardHandler))
	if err != nil {
		tb.Fatalf("%v: %v", err, fault.As(err).Cause)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	return s
}

// execMySQL changes the database behind the source's back, as no query can.
func execMySQL(tb testing.TB, s *Source, statements ...string) {
	tb.Helper()
	m := s.engine.(*mySQL)
	conn, err := m.connect(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	defer conn.Close()
	for _, text := range append([]string{"SET SESSION TRANSACTION READ WRITE"}, statements...) {
		if _, err := conn.ExecContext(tb.Context(), text, nil); err != nil {
			tb.Fatalf("%s: %v", text, err)
		}
	}
}

// TestMySQL runs on one MariaDB server.
func TestMySQL(t *testing.T) {
	dsn := servers.StartMySQL(t)
	for name, test := range map[string]func(*testing.T, string){
		"values": mysqlValues, "arguments": mysqlArgumentsBind, "faults": mysqlFaults, "columns": mysqlColumns, "load": mysqlLoad,
		"only reads": mysqlOnlyReads, "cancel": mysqlCancel, "time-out": mysqlTimeout, "row error": mysqlRowError, "settings": mysqlSession,
		"refused": mysqlRefused, "functions": mysqlFunctions, "exact numbers": mysqlExact,
		"foreign text": mysqlForeignText, "long texts": mysqlLongTexts, "unknown zone": mysqlUnknownZone,
	} {
		t.Run(name, func(t *testing.T) { test(t, dsn) })
	}
}

func mysqlFunctions(t *testing.T, dsn string) {
	t.Helper()
	checkFunctions(t, openMySQLAt(t, dsn, Config{}))
}

func mysqlValues(t *testing.T, dsn string) {
	t.Helper()
	s := openMySQLAt(t, dsn, Config{})
	execMySQL(t, s, "CREATE TABLE odd (u UUID, e ENUM('a','b'), tm TIME(6), t0 TIME, b BIT(1), b8 BIT(9), ub BIGINT UNSIGNED, y YEAR, zero DATE, j JSON, ts TIMESTAMP(3))",
		"SET SESSION sql_mode = ''",
		"INSERT INTO odd VALUES ('F47AC10B-58CC-4372-A567-0E02B2C3D479', 'b', '14:03:07.5', '14:03:07', 1, 257, 18446744073709551615, 2024, '0000-00-00', '{\"a\":1}', '2024-03-05 14:03:07.12')")
	for text, want := range map[string]string{
		"NULL": `null`, "CAST(NULL AS SIGNED)": `null`, "-9223372036854775808": `-9223372036854775808`,
		"CAST('-0.05' AS DECIMAL(4,2))": `-0.05`, "CAST('1.5' AS DECIMAL(9,3))": `1.500`, "CAST('0' AS DECIMAL(18,2))": `0.00`, "0.000000000000000001": `0.000000000000000001`,
		"CAST('-99999999999999999999999999999999.999999' AS DECIMAL(38,6))": `-99999999999999999999999999999999.999999`,
		"CAST('0.1' AS DOUBLE)": `0.1`, "CAST('0.1' AS FLOAT)": `0.1`, "1e300": `1e+300`,
		"DATE '2024-03-05'": `"2024-03-05"`, "DATE '0001-01-01'": `"0001-01-01"`, "DATE '9999-12-31'": `"9999-12-31"`,
		"CAST('2024-03-05 14:03:07' AS DATETIME)": `"2024-03-05T14:03:07"`, "CAST('2024-03-05 14:03:07.12' AS DATETIME(6))": `"2024-03-05T14:03:07.12"`,
		"''": `""`, "CONCAT('销售额 مبيعات продажи 🛒 ', CHAR(9 USING utf8mb4))": `"销售额 مبيعات продажи 🛒 \t"`,
		"(SELECT u FROM odd)": `"f47ac10b-58cc-4372-a567-0e02b2c3d479"`, "(SELECT e FROM odd)": `"b"`, "(SELECT tm FROM odd)": `"14:03:07.5"`,
		"(SELECT t0 FROM odd)": `"14:03:07"`, "(SELECT ub FROM odd)": `18446744073709551615`, "(SELECT y FROM odd)": `2024`, "(SELECT zero FROM odd)": `null`,
		"(SELECT b <> 0 FROM odd)": `1`, "(SELECT j FROM odd)": `"{\"a\":1}"`, "(SELECT ts FROM odd)": `"2024-03-05T14:03:07.12+00:00"`,
	} {
		if got := ask(t, s, "SELECT "+text+" AS v"); got != "[["+want+"]]" {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func mysqlArgumentsBind(t *testing.T, dsn string) {
	t.Helper()
	s := openMySQLAt(t, dsn, Config{})
	execMySQL(t, s, "CREATE TABLE a (d DATE, ts DATETIME(6), m DECIMAL(18,2), h DECIMAL(38,0), n INTEGER, s VARCHAR(20), b BOOLEAN, f DOUBLE)",
		"INSERT INTO a VALUES ('2024-03-05', '2024-03-05 14:03:07.5', 12.50, 1267650600228229401496703205376, 7, 'x'' OR 1=1 --', true, 0.1)")
	wide := new(big.Int).Lsh(big.NewInt(1), 100)
	for _, c := range []struct {
		where string
		args  []any
		want  int64
	}{
		{"d = ?", []any{time.Date(2024, 3, 5, 0, 0, 0, 0, time.UTC)}, 1},
		{"d = ?", []any{value.Of(value.Date, "2024-03-06")}, 0},
		{"ts = ?", []any{value.Of(value.Timestamp, "2024-03-05T14:03:07.5")}, 1},
		{"ts < ?", []any{value.Of(value.Timestamp, "2024-03-05T14:03:07")}, 0},
		{"m = CAST(? AS DECIMAL(38,2))", []any{value.Of(value.Decimal, "12.50")}, 1},
		{"h = CAST(? AS DECIMAL(38,0))", []any{wide}, 1},
		{"n = ?", []any{int64(7)}, 1},
		{"n = ?", []any{value.Of(value.Integer, "8")}, 0},
		{"s = ?", []any{"x' OR 1=1 --"}, 1},
		{"s = ?", []any{value.Of(value.String, "y' OR 1=1 --")}, 0},
		{"b = ?", []any{value.Of(value.Boolean, "true")}, 1},
		{"f = ?", []any{value.Of(value.Float, "0.1")}, 1},
		{"n <=> ?", []any{value.Value{}}, 0},
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
	checkFault(t, s.Query(t.Context(), "SELECT ?", []any{new(big.Int).Lsh(big.NewInt(1), 200)}, drop), fault.Invalid, "numeric_overflow")
	checkFault(t, s.Query(t.Context(), "SELECT ?", []any{[]string{"a"}}, drop), fault.Internal, "internal")
	checkFault(t, s.Query(t.Context(), "SELECT ?, ?", []any{"a"}, drop), fault.Internal, "internal")
}

func mysqlFaults(t *testing.T, dsn string) {
	t.Helper()
	s := openMySQLAt(t, dsn, Config{MaxConns: 1})
	const most = "CAST('99999999999999999999999999999999999999' AS DECIMAL(38,0))"
	for text, want := range map[string]string{
		"SELECT CAST(SUM(n) AS DECIMAL(38,0)) FROM (SELECT " + most + " AS n UNION ALL SELECT 1) AS t": "numeric_overflow",
		"SELECT CAST(" + most + " * 10 AS DECIMAL(38,0))":                                              "numeric_overflow",
		"SELECT CAST(9223372036854775807 AS SIGNED) + 1":                                               "numeric_overflow",
		"SELECT EXP(1000)": "numeric_overflow",
		"SELECT DATE_ADD('2024-01-01', INTERVAL 9999 YEAR)":                                         "out_of_range",
		"SELECT LENGTH(REPEAT('x', 100000000))":                                                     "text_too_long",
		"SELECT missing FROM nowhere":                                                               "internal",
		"SELECT CAST('x' AS BINARY) AS b":                                                           "internal",
		"WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT COUNT(*) FROM r":    "tree_too_deep",
		"SELECT 1 IN (?" + strings.Repeat(", ?", 70_000) + ")":                                      "too_complex",
		"SELECT COUNT(*) FROM (SELECT 1 AS n) AS t0" + strings.Repeat(" CROSS JOIN seq_1_to_1", 70): "internal",
	} {
		var args []any
		for range strings.Count(text, "?") {
			args = append(args, int64(1))
		}
		err := s.Query(t.Context(), text, args, drop)
		kind := fault.Invalid
		if want == "internal" {
			kind = fault.Internal
		}
		if f := fault.As(err); err == nil || f.Kind != kind || f.Reason != want {
			t.Errorf("%.80s: got %v, want %s", text, err, want)
		} else if strings.Contains(f.Text(), "SELECT") || strings.Contains(f.Text(), "nowhere") || strings.Contains(f.Text(), "parlance") {
			t.Errorf("%.80s: the text shows what the server said: %s", text, f.Text())
		}
	}
	if got := ask(t, s, "SELECT 42 AS n"); got != "[[42]]" {
		t.Errorf("after failures: %s", got)
	}
}

func mysqlColumns(t *testing.T, dsn string) {
	t.Helper()
	s := openMySQLAt(t, dsn, Config{})
	execMySQL(t, s, "CREATE DATABASE side", "CREATE TABLE side.`odd `` name` ("+`
		a INTEGER PRIMARY KEY, b BIGINT NOT NULL, c DECIMAL(38,0), d DECIMAL(18,2), e DECIMAL(38,6), f DOUBLE, g FLOAT, h VARCHAR(20), i UUID,
		j ENUM ('x', 'DECIMAL(1,2)'), k DATE, l DATETIME(3), m TIMESTAMP NULL, n BOOLEAN, o SMALLINT, p BIGINT UNSIGNED, q TIME,
		r BLOB, s VARBINARY(3), t LONGTEXT, u BIT(1), v BIT(4), w DECIMAL(4,0), x CHAR(3) CHARACTER SET latin1, y YEAR, z TINYINT UNSIGNED)`)
	text, small := value.Type{Kind: value.String}, value.Type{Kind: value.Integer}
	want := []Column{
		{"a", small, false, "INT(11)"}, {"b", value.Type{Kind: value.Integer, Wide: true}, false, "BIGINT(20)"},
		{"c", value.Type{Kind: value.Decimal, Wide: true}, true, "DECIMAL(38,0)"}, {"d", value.Type{Kind: value.Decimal, Scale: 2}, true, "DECIMAL(18,2)"},
		{"e", value.Type{Kind: value.Decimal, Scale: 6, Wide: true}, true, "DECIMAL(38,6)"},
		{"f", value.Type{Kind: value.Float}, true, "DOUBLE"}, {"g", value.Type{Kind: value.Float}, true, "FLOAT"},
		{"h", text, true, "VARCHAR(20)"}, {"i", text, true, "UUID"}, {"j", text, true, "ENUM('x','DECIMAL(1,2)')"},
		{"k", value.Type{Kind: value.Date}, true, "DATE"}, {"l", value.Type{Kind: value.Timestamp}, true, "DATETIME(3)"},
		{"m", value.Type{Kind: value.Timestamp, Zoned: true}, true, "TIMESTAMP"}, {"n", value.Type{Kind: value.Boolean}, true, "TINYINT(1)"},
		{"o", small, true, "SMALLINT(6)"}, {"p", value.Type{Kind: value.Integer, Wide: true}, true, "BIGINT(20) UNSIGNED"}, {"q", text, true, "TIME"},
		{"r", value.Type{}, true, "BLOB"}, {"s", value.Type{}, true, "VARBINARY(3)"}, {"t", text, true, "LONGTEXT"},
		{"u", value.Type{Kind: value.Boolean}, true, "BIT(1)"}, {"v", value.Type{}, true, "BIT(4)"}, {"w", value.Type{Kind: value.Decimal}, true, "DECIMAL(4,0)"},
		{"x", text, true, "CHAR(3)"}, {"y", small, true, "YEAR(4)"}, {"z", small, true, "TINYINT(3) UNSIGNED"},
	}
	got, err := s.Columns(t.Context(), "side", "odd ` name", "")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	got, err = s.Columns(t.Context(), "", "", "SELECT a, SUM(d) AS total, MAX(m) AS last FROM side.`odd `` name` GROUP BY a -- one a key")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Column{
		{"a", small, false, "INT"}, {"total", value.Type{Kind: value.Decimal, Scale: 2, Wide: true}, true, "DECIMAL(40,2)"},
		{"last", value.Type{Kind: value.Timestamp, Zoned: true}, true, "TIMESTAMP"},
	}, got); diff != "" {
		t.Error(diff)
	}
	for _, c := range []struct{ schema, table, query, reason string }{
		{"", "none", "", "unknown_table"}, {"none", "x", "", "unknown_table"}, {"", "x`; DROP DATABASE side; --", "", "unknown_table"}, {"", "", "", "unknown_table"},
		{"", "", "SELECT nothing", "bad_sql"}, {"", "", "SELECT 1); DROP DATABASE side; --", "bad_sql"}, {"", "", "DROP DATABASE side", "bad_sql"},
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
}

func mysqlLoad(t *testing.T, dsn string) {
	t.Helper()
	s := openMySQLAt(t, dsn, Config{MaxConns: 1})
	table := shop()
	if err := s.Load(t.Context(), table); err != nil {
		t.Fatalf("%v: %v", err, fault.As(err).Cause)
	}
	want := `[[-2147483648,-9223372036854775808,"销售 'x'",-0.05,0.00000000002147483647,1,"2024-02-29","2024-02-29T23:59:59","2024-02-29T23:59:59+00:00",0.5],` +
		`[0,null,null,null,null,null,null,null,null,null],` +
		`[2147483647,9223372036854775807,"",9999999999999999.99,0.00000000000000000000,0,"0001-01-01","9999-12-31T00:00:00",null,-1.25]]`
	if got := ask(t, s, "SELECT * FROM `the \"shop\"` ORDER BY `key`"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	columns, err := s.Columns(t.Context(), "", table.Name, "")
	if err != nil {
		t.Fatal(err)
	}
	for i := range columns {
		columns[i].Native = ""
	}
	table.Columns[4].Type.Wide = true
	if diff := cmp.Diff(table.Columns, columns); diff != "" {
		t.Error(diff)
	}
	mysqlLoadMany(t, s)
	mysqlLoadLong(t, s)
	mysqlLoadRefuses(t, s)
}

func mysqlLoadMany(t *testing.T, s *Source) {
	t.Helper()
	row := make([]any, 1)
	err := s.Load(t.Context(), Table{Name: "many", Columns: []Column{{Name: "n", Type: integers}}, Rows: func(yield func([]any) bool) {
		for i := range int64(5500) {
			if row[0] = i; !yield(row) {
				return
			}
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if got := ask(t, s, "SELECT count(*), sum(n), min(n), max(n) FROM many"); got != "[[5500,15122250,0,5499]]" {
		t.Errorf("got %s", got)
	}
}

func mysqlLoadLong(t *testing.T, s *Source) {
	t.Helper()
	long := strings.Repeat("ä", 70_000)
	err := s.Load(t.Context(), Table{Name: "long", Columns: []Column{{Name: "n", Type: integers}, {Name: "s", Type: texts}}, Key: []string{"n"}, Rows: rows(
		[]any{int64(1), "x"}, []any{int64(2), long + "b"}, []any{int64(3), long + "a"})})
	if err != nil {
		t.Fatalf("%v: %v", err, fault.As(err).Cause)
	}
	if got := ask(t, s, "SELECT n, CHAR_LENGTH(s) FROM `long` ORDER BY n"); got != "[[1,1],[2,70001],[3,70001]]" {
		t.Errorf("got %s", got)
	}
}

func mysqlLoadRefuses(t *testing.T, s *Source) {
	t.Helper()
	one := func(typ value.Type, cell any) Table {
		return Table{Name: "bad", Columns: []Column{{Name: "n", Type: typ}}, Key: []string{"n"}, Rows: rows([]any{cell})}
	}
	again := one(integers, int64(1))
	again.Rows = rows([]any{int64(1)}, []any{int64(2)}, []any{int64(1)})
	for name, table := range map[string]Table{
		"an integer that does not fit": one(integers, int64(1<<31)),
		"a decimal that does not fit":  one(value.Type{Kind: value.Decimal, Scale: 2}, int64(1_000_000_000_000_000_000)),
		"a text that does not fit":     one(texts, strings.Repeat("x", 256)),
		"null in a key":                one(integers, nil),
		"text for an integer":          one(integers, "x"),
		"a number for a text":          one(texts, int64(1)),
		"text for a date":              one(value.Type{Kind: value.Date}, "2024-01-01"),
		"a type that is none":          one(value.Type{}, nil),
		"a key twice":                  again,
		"a short row":                  {Name: "bad", Columns: []Column{{Name: "n", Type: integers}}, Rows: rows([]any{})},
		"an unknown key":               {Name: "bad", Columns: []Column{{Name: "n", Type: integers}}, Key: []string{"m"}, Rows: rows()},
		"no columns":                   {Name: "bad", Rows: rows()},
	} {
		checkFault(t, s.Load(t.Context(), table), fault.Internal, "internal")
		if _, err := s.Columns(t.Context(), "", "bad", ""); err == nil {
			t.Errorf("%s: the table is there", name)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	checkFault(t, s.Load(ctx, Table{Name: "bad", Columns: []Column{{Name: "n", Type: integers}}, Rows: func(yield func([]any) bool) {
		for cancel(); yield([]any{int64(1)}); {
			continue
		}
	}}), fault.Unavailable, "cancelled")
	if err := s.Load(t.Context(), one(integers, int64(1))); err != nil {
		t.Errorf("after the failures: %v", err)
	}
	checkFault(t, s.Load(t.Context(), one(integers, int64(1))), fault.Internal, "internal")
	if got := ask(t, s, "SELECT n FROM bad"); got != "[[1]]" {
		t.Errorf("a second load of the same name changed it: %s", got)
	}
	if err := s.Seal(t.Context()); err != nil {
		t.Error(err)
	}
	checkFault(t, s.Load(t.Context(), one(integers, int64(1))), fault.Internal, "internal")
}

func mysqlOnlyReads(t *testing.T, dsn string) {
	t.Helper()
	s := openMySQLAt(t, dsn, Config{MaxConns: 1})
	execMySQL(t, s, "CREATE TABLE kept (n INTEGER)")
	for _, text := range []string{
		"DROP TABLE kept", "INSERT INTO kept VALUES (1)", "DELETE FROM kept", "UPDATE kept SET n = 1", "CREATE TABLE more (n INTEGER)", "CREATE TEMPORARY TABLE more (n INTEGER)",
		"SELECT 1; DROP TABLE kept", "DROP TABLE kept; SELECT 1", "ANALYZE INSERT INTO kept VALUES (1)", "BEGIN", "SET SESSION TRANSACTION READ WRITE",
		"CALL mysql.AddGeometryColumn('','','','',1)", "", ";", "nonsense", "SELECT missing FROM kept", "SELECT ?", "/*! DROP TABLE kept */", "/* x */ /*M! DROP TABLE kept */",
		"INSERT INTO kept VALUES (1) RETURNING n", "SHOW TABLES", "KILL 1", "SELECT 1 INTO OUTFILE '/tmp/parlance-out'", "(SELECT 1) UNION (SELECT 2", "SELECTED",
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
	if got := s.Stats(); got != (Stats{}) {
		t.Errorf("places are held: %+v", got)
	}
	if got := ask(t, s, "SELECT 42 AS n"); got != "[[42]]" {
		t.Errorf("after a row error: %s", got)
	}
}

func mysqlSession(t *testing.T, dsn string) {
	t.Helper()
	s := openMySQLAt(t, dsn+"?time_zone=%27%2B05:00%27&sql_mode=%27%27&parseTime=true&charset=latin1", Config{})
	if got := ask(t, s, "SELECT @@time_zone, @@sql_mode, @@collation_connection, @@character_set_results, 'a' = 'a ' AS padded, 'a' = 'A' AS folded"); got !=
		`[["+00:00","ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION","utf8mb4_nopad_bin","utf8mb4",0,0]]` {
		t.Error(got)
	}
}

func mysqlRefused(t *testing.T, dsn string) {
	t.Helper()
	user, rest, _ := strings.Cut(dsn, ":")
	_, host, _ := strings.Cut(rest, "@")
	for name, c := range map[string]struct{ dsn, path string }{
		"no dsn": {"", "dsn"}, "nonsense": {"hunter2", "dsn"}, "no database": {user + ":hunter2@tcp(127.0.0.1:3306)/", "dsn"},
		"a wrong password": {user + ":hunter2@" + host, ""}, "nobody there": {"x:hunter2@tcp(127.0.0.1:1)/x", ""}, "an odd setting": {user + ":hunter2@" + host + "?parseTime=hunter2", "dsn"},
	} {
		_, err := Open(t.Context(), "mine", Config{Type: "mysql", DSN: c.dsn}, slog.New(slog.DiscardHandler))
		checkFault(t, err, fault.Invalid, "bad_datasource")
		f := fault.As(err)
		if f.Path != c.path || !strings.Contains(f.Message, `"mine"`) {
			t.Errorf("%s: path %q, text %q", name, f.Path, f.Text())
		}
		for e := error(f); e != nil; {
			if strings.Contains(e.Error(), "hunter2") {
				t.Errorf("%s: the secret is in %v", name, e)
			}
			u, ok := e.(interface{ Unwrap() error })
			if !ok {
				break
			}
			e = u.Unwrap()
		}
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
