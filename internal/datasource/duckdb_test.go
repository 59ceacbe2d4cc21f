package datasource

import (
	"database/sql/driver"
	"math/big"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/duckdb/duckdb-go/v2"
	"github.com/google/go-cmp/cmp"

	"parlance/internal/fault"
	"parlance/internal/value"
)

func TestValues(t *testing.T) {
	s := open(t, Config{})
	for text, want := range map[string]string{
		"NULL":                  `null`,
		"CAST(NULL AS INTEGER)": `null`,
		"TRUE":                  `true`,
		"CAST(-128 AS TINYINT)": `-128`, "CAST(255 AS UTINYINT)": `255`, "CAST(-32768 AS SMALLINT)": `-32768`, "CAST(65535 AS USMALLINT)": `65535`,
		"CAST(-2147483648 AS INTEGER)": `-2147483648`, "CAST(4294967295 AS UINTEGER)": `4294967295`,
		"CAST(9223372036854775807 AS BIGINT)": `9223372036854775807`, "CAST(18446744073709551615 AS UBIGINT)": `18446744073709551615`,
		"CAST('170141183460469231731687303715884105727' AS HUGEINT)":                                                   `170141183460469231731687303715884105727`,
		"CAST('-170141183460469231731687303715884105728' AS HUGEINT)":                                                  `-170141183460469231731687303715884105728`,
		"CAST('340282366920938463463374607431768211455' AS UHUGEINT)":                                                  `340282366920938463463374607431768211455`,
		"(SELECT sum(n) FROM (VALUES (9223372036854775807), (9223372036854775807)) t(n))":                              `18446744073709551614`,
		"(SELECT sum(n) FROM (VALUES (CAST('9999999999999999.99' AS DECIMAL(18,2))), (0.01)) t(n))":                    `10000000000000000.00`,
		"(SELECT sum(n) FROM (VALUES (CAST('99999999999999999999999999999999999.99' AS DECIMAL(38,2))), (0.01)) t(n))": `100000000000000000000000000000000000.00`,
		"CAST('-0.05' AS DECIMAL(4,2))":                                                                                `-0.05`, "CAST('1.5' AS DECIMAL(9,3))": `1.500`, "CAST('0' AS DECIMAL(18,2))": `0.00`,
		"CAST('-99999999999999999999999999999999.999999' AS DECIMAL(38,6))": `-99999999999999999999999999999999.999999`,
		"CAST('0.1' AS DOUBLE)": `0.1`, "CAST('0.1' AS FLOAT)": `0.1`, "CAST('NaN' AS DOUBLE)": `null`, "CAST('-Infinity' AS FLOAT)": `null`,
		"DATE '2024-03-05'": `"2024-03-05"`, "DATE '0001-01-01'": `"0001-01-01"`, "DATE '9999-12-31'": `"9999-12-31"`,
		"CAST('infinity' AS DATE)": `null`, "CAST('-infinity' AS DATE)": `null`,
		"CAST('infinity' AS TIMESTAMP)": `null`, "CAST('-infinity' AS TIMESTAMP)": `null`, "CAST('infinity' AS TIMESTAMPTZ)": `null`,
		"TIMESTAMP '2024-03-05 14:03:07'": `"2024-03-05T14:03:07"`, "TIMESTAMP '2024-03-05 14:03:07.120'": `"2024-03-05T14:03:07.12"`,
		"TIMESTAMP_NS '2024-03-05 14:03:07.123456789'": `"2024-03-05T14:03:07.123456"`, "TIMESTAMP_S '2024-03-05 14:03:07'": `"2024-03-05T14:03:07"`,
		"TIMESTAMPTZ '2024-03-05 14:03:07+08:00'": `"2024-03-05T06:03:07+00:00"`,
		"TIME '14:03:07'":                         `"14:03:07"`, "TIME '14:03:07.5'": `"14:03:07.5"`,
		"CAST('F47AC10B-58CC-4372-A567-0E02B2C3D479' AS UUID)": `"f47ac10b-58cc-4372-a567-0e02b2c3d479"`,
		"CAST('b' AS ENUM ('a', 'b'))":                         `"b"`,
		"''":                                                   `""`,
		"'销售额 مبيعات продажи 🛒 ' || chr(9) || chr(8232)": `"销售额 مبيعات продажи 🛒 \t\u2028"`,
	} {
		if got := ask(t, s, "SELECT "+text+" AS v"); got != "[["+want+"]]" {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func TestManyRows(t *testing.T) {
	s := open(t, Config{})
	var n, nulls int64
	err := s.Query(t.Context(), "SELECT i, nullif(i % 3, 0), CAST(i AS DECIMAL(18,2)) FROM range(10000) t(i) ORDER BY i", nil, func(cells []any) error {
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

func TestArguments(t *testing.T) {
	s := open(t, Config{})
	exec(t, s,
		"CREATE TABLE a (d DATE, ts TIMESTAMP, m DECIMAL(18,2), h HUGEINT, n INTEGER, s VARCHAR, b BOOLEAN, f DOUBLE, u UUID)",
		"INSERT INTO a VALUES ('2024-03-05', '2024-03-05 14:03:07.5', 12.50, 1267650600228229401496703205376, 7, 'x'' OR 1=1 --', true, 0.1, 'f47ac10b-58cc-4372-a567-0e02b2c3d479')")
	wide := new(big.Int).Lsh(big.NewInt(1), 100)
	for _, c := range []struct {
		where string
		args  []any
		want  string
	}{
		{"d = ?", []any{time.Date(2024, 3, 5, 0, 0, 0, 0, time.UTC)}, `[[1]]`},
		{"d = ?", []any{value.Of(value.Date, "2024-03-05")}, `[[1]]`},
		{"d = ?", []any{value.Of(value.Date, "2024-03-06")}, `[[0]]`},
		{"ts = ?", []any{value.Of(value.Timestamp, "2024-03-05T14:03:07.5")}, `[[1]]`},
		{"ts < ?", []any{value.Of(value.Timestamp, "2024-03-05T14:03:07")}, `[[0]]`},
		{"m = CAST(? AS DECIMAL(38,2))", []any{value.Of(value.Decimal, "12.50")}, `[[1]]`},
		{"h = ?", []any{wide}, `[[1]]`},
		{"h = ?", []any{value.Of(value.Integer, wide.String())}, `[[1]]`},
		{"n = ?", []any{int64(7)}, `[[1]]`},
		{"n < CAST(? AS HUGEINT)", []any{wide}, `[[1]]`},
		{"m < CAST(? AS HUGEINT)", []any{wide.String()}, `[[1]]`},
		{"n = ?", []any{value.Of(value.Integer, "8")}, `[[0]]`},
		{"s = ?", []any{"x' OR 1=1 --"}, `[[1]]`},
		{"s = ?", []any{value.Of(value.String, "y' OR 1=1 --")}, `[[0]]`},
		{"b = ?", []any{value.Of(value.Boolean, "true")}, `[[1]]`},
		{"f = ?", []any{value.Of(value.Float, "0.1")}, `[[1]]`},
		{"u = ?", []any{"f47ac10b-58cc-4372-a567-0e02b2c3d479"}, `[[1]]`},
		{"n IS NOT DISTINCT FROM ?", []any{value.Value{}}, `[[0]]`},
		{"s IN (SELECT unnest(?))", []any{[]string{"x' OR 1=1 --", "y"}}, `[[1]]`},
		{"n = $2 AND s = $1", []any{"x' OR 1=1 --", int64(7)}, `[[1]]`},
	} {
		var got any
		err := s.Query(t.Context(), "SELECT count(*) FROM a WHERE "+c.where, c.args, func(cells []any) error {
			got = cells[0]
			return nil
		})
		if want := int64(strings.Count(c.want, "1")); err != nil || got != want {
			t.Errorf("%s with %v: got %v, %v, want %d", c.where, c.args, got, err, want)
		}
	}
	over := new(big.Int).Lsh(big.NewInt(1), 127)
	checkFault(t, s.Query(t.Context(), "SELECT ?", []any{over}, drop), fault.Invalid, "numeric_overflow")
	for _, bad := range []value.Value{
		value.Of(value.Integer, "x"), value.Of(value.Float, "x"), value.Of(value.Boolean, "x"), value.Of(value.Date, "x"), value.Of(value.Timestamp, "x"), value.Of(99, ""),
	} {
		checkFault(t, s.Query(t.Context(), "SELECT ?", []any{bad}, drop), fault.Internal, "internal")
	}
}

func TestFaults(t *testing.T) {
	s := open(t, Config{Memory: "50MB", Threads: 1})
	const most = "CAST('99999999999999999999999999999999999999' AS DECIMAL(38,0))"
	for text, want := range map[string]string{
		"SELECT sum(n) FROM (VALUES (" + most + "), (" + most + ")) t(n)":                                    "numeric_overflow",
		"SELECT sum(n) FROM (VALUES (CAST('170141183460469231731687303715884105727' AS HUGEINT)), (1)) t(n)": "numeric_overflow",
		"SELECT " + most + " * 10":                                     "numeric_overflow",
		"SELECT CAST(9223372036854775807 AS BIGINT) + 1":               "numeric_overflow",
		"SELECT CAST(x AS TINYINT) FROM (VALUES (300)) t(x)":           "numeric_overflow",
		"SELECT CAST(1e50 AS DECIMAL(38,2))":                           "numeric_overflow",
		"SELECT CAST(CAST(1e300 AS DOUBLE) AS BIGINT)":                 "numeric_overflow",
		"SELECT error('numeric overflow')":                             "numeric_overflow",
		"SELECT sqrt(-1)":                                              "out_of_range",
		"SELECT CAST('abc' AS INTEGER)":                                "internal",
		"SELECT error('mine')":                                         "internal",
		"SELECT INTERVAL 1 DAY AS i":                                   "internal",
		"SELECT [1, 2] AS l":                                           "internal",
		"SELECT CAST('x' AS BLOB) AS b":                                "internal",
		"SELECT list(repeat('x', 1000) || i) FROM range(1000000) t(i)": "out_of_memory",
	} {
		err := s.Query(t.Context(), text, nil, drop)
		kind := fault.Invalid
		switch want {
		case "internal":
			kind = fault.Internal
		case "out_of_memory":
			kind = fault.Unavailable
		}
		checkFault(t, err, kind, want)
		if f := fault.As(err); strings.Contains(f.Text(), "HUGEINT") || strings.Contains(f.Text(), "SELECT") || strings.Contains(f.Text(), "mine") {
			t.Errorf("%s: the text shows what the driver said: %s", text, f.Text())
		}
	}
	if got := ask(t, s, "SELECT 42 AS n"); got != "[[42]]" {
		t.Errorf("after failures: %s", got)
	}
}

func TestColumns(t *testing.T) {
	s := open(t, Config{})
	exec(t, s, "CREATE SCHEMA side", `CREATE TABLE side."odd "" name" (
		a INTEGER PRIMARY KEY, b BIGINT NOT NULL, c HUGEINT, d DECIMAL(18,2), e DECIMAL(38,6), f DOUBLE, g FLOAT, h VARCHAR, i UUID,
		j ENUM ('x', 'DECIMAL(1,2)'), k DATE, l TIMESTAMP, m TIMESTAMPTZ, n BOOLEAN, o SMALLINT, p UBIGINT, q TIME,
		r INTERVAL, s INTEGER[], t DECIMAL(18,2)[2], u BLOB, v STRUCT(x INTEGER), w DECIMAL(4,0))`)
	want := []Column{
		{"a", value.Type{Kind: value.Integer}, false, "INTEGER"},
		{"b", value.Type{Kind: value.Integer, Wide: true}, false, "BIGINT"},
		{"c", value.Type{Kind: value.Integer, Wide: true}, true, "HUGEINT"},
		{"d", value.Type{Kind: value.Decimal, Scale: 2}, true, "DECIMAL(18,2)"},
		{"e", value.Type{Kind: value.Decimal, Scale: 6, Wide: true}, true, "DECIMAL(38,6)"},
		{"f", value.Type{Kind: value.Float}, true, "DOUBLE"},
		{"g", value.Type{Kind: value.Float}, true, "FLOAT"},
		{"h", value.Type{Kind: value.String}, true, "VARCHAR"},
		{"i", value.Type{Kind: value.String}, true, "UUID"},
		{"j", value.Type{Kind: value.String}, true, "ENUM('x', 'DECIMAL(1,2)')"},
		{"k", value.Type{Kind: value.Date}, true, "DATE"},
		{"l", value.Type{Kind: value.Timestamp}, true, "TIMESTAMP"},
		{"m", value.Type{Kind: value.Timestamp, Zoned: true}, true, "TIMESTAMP WITH TIME ZONE"},
		{"n", value.Type{Kind: value.Boolean}, true, "BOOLEAN"},
		{"o", value.Type{Kind: value.Integer}, true, "SMALLINT"},
		{"p", value.Type{Kind: value.Integer, Wide: true}, true, "UBIGINT"},
		{"q", value.Type{Kind: value.String}, true, "TIME"},
		{"r", value.Type{}, true, "INTERVAL"},
		{"s", value.Type{}, true, "INTEGER[]"},
		{"t", value.Type{}, true, "DECIMAL(18,2)[2]"},
		{"u", value.Type{}, true, "BLOB"},
		{"v", value.Type{}, true, "STRUCT(x INTEGER)"},
		{"w", value.Type{Kind: value.Decimal}, true, "DECIMAL(4,0)"},
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
		{"a", value.Type{Kind: value.Integer}, true, "INTEGER"},
		{"total", value.Type{Kind: value.Decimal, Scale: 2, Wide: true}, true, "DECIMAL(38,2)"},
	}, got); diff != "" {
		t.Error(diff)
	}
	for _, c := range []struct{ schema, table, query, reason string }{
		{"", "none", "", "unknown_table"},
		{"none", "x", "", "unknown_table"},
		{"", `x"; DROP SCHEMA side; --`, "", "unknown_table"},
		{"", "", "", "unknown_table"},
		{"", "", "SELECT nothing", "bad_sql"},
		{"", "", "SELECT 1); DROP SCHEMA side CASCADE; --", "bad_sql"},
		{"", "", "DROP SCHEMA side", "bad_sql"},
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

// file makes a database file with a table t of one row, 7.
func file(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "my shop & co.db")
	connector, err := duckdb.NewConnector(path, func(e driver.ExecerContext) error {
		_, err := e.ExecContext(t.Context(), "CREATE TABLE t AS SELECT 7 AS n", nil)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	conn, err := connector.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	if err := connector.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFileIsReadOnly(t *testing.T) {
	s := open(t, Config{Path: file(t)})
	if got := ask(t, s, "SELECT n FROM t"); got != "[[7]]" {
		t.Errorf("got %s", got)
	}
	checkFault(t, s.Load(t.Context(), Table{Name: "x", Columns: []Column{{Name: "n", Type: value.Type{Kind: value.Integer}}}, Rows: rows()}), fault.Internal, "internal")
	if err := s.Seal(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestNothingOutsideCanBeReached(t *testing.T) {
	for _, c := range []Config{{}, {Path: file(t)}} {
		s := open(t, c)
		if err := s.Seal(t.Context()); err != nil {
			t.Fatal(err)
		}
		e := s.engine
		if r, ok := e.(*replaceable); ok {
			e = r.any()
		}
		d := e.(*duckDB)
		conn, err := d.take(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		outside := filepath.Join(t.TempDir(), "out")
		for _, text := range []string{
			"SELECT * FROM read_csv('/etc/passwd')", "SELECT * FROM read_text('/etc/passwd')", "SELECT * FROM read_blob('/etc/passwd')",
			"SELECT * FROM glob('/etc/*')", "SELECT * FROM '/etc/passwd'", "SELECT * FROM read_parquet('https://127.0.0.1/x.parquet')",
			"COPY (SELECT 1) TO '" + outside + ".csv'", "EXPORT DATABASE '" + outside + "'", "ATTACH '" + outside + ".db'",
			"INSTALL httpfs", "LOAD httpfs", "INSTALL sqlite FROM community", "CREATE PERSISTENT SECRET x (TYPE s3)",
			"SET enable_external_access = true", "RESET enable_external_access", "SET lock_configuration = false", "SET memory_limit = '9GB'",
			"SET temp_directory = '/tmp'", "SET allowed_directories = ['/']", "SET autoload_known_extensions = true", "SET TimeZone = 'Asia/Tokyo'",
		} {
			if _, err := conn.ExecContext(t.Context(), text, nil); err == nil {
				t.Errorf("%s was done", text)
			}
		}
		d.give(conn)
		if entries, err := filepath.Glob(outside + "*"); err != nil || len(entries) > 0 {
			t.Errorf("files were written: %v", entries)
		}
	}
}

func TestSpillToTheTemporaryFolder(t *testing.T) {
	s := open(t, Config{Memory: "60MB", Threads: 1})
	got := ask(t, s, `SELECT sum(n) FROM (SELECT row_number() OVER (ORDER BY hash(i)) AS n, i::VARCHAR || 'a text of some length' AS t
		FROM range(1500000) r(i)) WHERE t <> ''`)
	if want := "[[1125000750000]]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
