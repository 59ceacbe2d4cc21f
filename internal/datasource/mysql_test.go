package datasource

import (
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
		"foreign text": mysqlForeignText, "mixed text": mysqlMixedText, "long texts": mysqlLongTexts, "unknown zone": mysqlUnknownZone, "lists": mysqlLists,
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
	const nobody = "nobody there"
	for name, c := range map[string]struct{ dsn, path string }{
		"no dsn": {"", "dsn"}, "nonsense": {"hunter2", "dsn"}, "no database": {user + ":hunter2@tcp(127.0.0.1:3306)/", "dsn"},
		"a wrong password": {user + ":hunter2@" + host, ""}, nobody: {"x:hunter2@tcp(127.0.0.1:1)/x", ""}, "an odd setting": {user + ":hunter2@" + host + "?parseTime=hunter2", "dsn"},
	} {
		_, err := Open(t.Context(), "mine", Config{Type: "mysql", DSN: c.dsn}, slog.New(slog.DiscardHandler))
		if name == nobody {
			checkFault(t, err, fault.Unavailable, "unreachable")
		} else {
			checkFault(t, err, fault.Invalid, "bad_datasource")
		}
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
