package datasource

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/google/go-cmp/cmp"

	"parlance/internal/dialect"
	"parlance/internal/fault"
	"parlance/internal/value"
	"parlance/test/servers"
)

// TestClickHouse runs on servers that the test itself starts; each part has a database of its own.
func TestClickHouse(t *testing.T) {
	server := servers.RunClickHouse(t, 1, "UTC")
	for name, part := range map[string]func(*testing.T, Config){
		"values": clickHouseValues, "arguments": clickHouseBound, "quoting": clickHouseQuoting, "faults": clickHouseFaults,
		"columns": clickHouseColumns, "stored": clickHouseStored, "reading": clickHouseOnlyReads, "cancel": clickHouseCancels,
		"timeout": clickHouseTimesOut, "row error": clickHouseRowError, "many rows": clickHouseManyRows, "comment": clickHouseComment,
		"load": clickHouseLoads, "lists": clickHouseLists, "load refuses": clickHouseLoadRefuses, "open refuses": clickHouseOpenRefuses,
		"functions": func(t *testing.T, c Config) {
			t.Helper()
			checkFunctions(t, openAs(t, c), "mod float", fractions)
		},
	} {
		t.Run(name, func(t *testing.T) { part(t, clickHouseDatabase(t, server)) })
	}
	t.Run("restart", func(t *testing.T) { clickHouseRestart(t, server) })
}

// TestClickHouseInAnotherZone runs what reads clocks on a server whose own is half an hour off all others.
func TestClickHouseInAnotherZone(t *testing.T) {
	server := servers.RunClickHouse(t, 1, "Asia/Kolkata")
	checkFunctions(t, openAs(t, clickHouseDatabase(t, server)), "mod float", fractions)
	t.Run("load", func(t *testing.T) { clickHouseLoads(t, clickHouseDatabase(t, server)) })
}

var clickHouseDatabases atomic.Int64

// clickHouseDatabase makes a database on every server and returns how to reach it.
func clickHouseDatabase(t testing.TB, c *servers.ClickHouse) Config {
	t.Helper()
	name := "d" + strconv.FormatInt(clickHouseDatabases.Add(1), 10)
	for _, address := range c.Addresses {
		clickHouseExec(t, Config{Addresses: []string{address}, User: c.User, Password: c.Password}, "CREATE DATABASE "+name)
	}
	return Config{Type: "clickhouse", Addresses: c.Addresses[:1], Database: name, User: c.User, Password: c.Password}
}

// clickHouseExec changes the database behind the source's back, as no query can.
func clickHouseExec(t testing.TB, c Config, statements ...string) {
	t.Helper()
	conn, err := clickhouse.Open(&clickhouse.Options{
		Addr: c.Addresses, Auth: clickhouse.Auth{Database: c.Database, Username: c.User, Password: c.Password},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for _, text := range statements {
		if err := conn.Exec(t.Context(), text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
}

func clickHouseValues(t *testing.T, c Config) {
	t.Helper()
	s := openAs(t, c)
	for text, want := range map[string]string{
		"CAST(NULL AS Nullable(Int32))": `null`, "toInt8(-128)": `-128`, "toUInt32(4294967295)": `4294967295`, "toInt64(-9223372036854775808)": `-9223372036854775808`,
		"toUInt64(18446744073709551615)": `18446744073709551615`, "toNullable(toInt64(7))": `7`,
		"toDecimal128('99999999999999999999999999999999999999', 0)": `99999999999999999999999999999999999999`,
		"toDecimal128('-0.05', 2)":                                  `-0.05`, "toDecimal64('1.5', 3)": `1.500`, "toDecimal32('0', 2)": `0.00`,
		"toNullable(toDecimal128('-99999999999999999999999999999999.999999', 6))": `-99999999999999999999999999999999.999999`,
		"toFloat64('0.1')": `0.1`, "toFloat32('0.1')": `0.1`, "0 / 0": `null`, "-1 / 0": `null`, "toFloat64('1e300')": `1e+300`,
		"toDate('2024-03-05')": `"2024-03-05"`, "toDate('1970-01-01')": `"1970-01-01"`, "toDate('2105-12-31')": `"2105-12-31"`,
		"toDateTime('2024-02-29 14:03:07')": `"2024-02-29T14:03:07"`, "toDateTime('2024-03-05 14:03:07', 'Asia/Shanghai')": `"2024-03-05T06:03:07+00:00"`,
		"toNullable(toDateTime('2105-12-31 23:59:59', 'UTC'))": `"2105-12-31T23:59:59+00:00"`,
		"toUUID('F47AC10B-58CC-4372-A567-0E02B2C3D479')":       `"f47ac10b-58cc-4372-a567-0e02b2c3d479"`, "CAST('b' AS Enum8('b' = 1, 'a' = 2))": `"b"`,
		"CAST('true' AS Enum8('false' = 0, 'true' = 1)) = 'true'": `1`, "toFixedString('ab', 2)": `"ab"`, "''": `""`,
		"'销售额 مبيعات продажи 🛒 \\t'": `"销售额 مبيعات продажи 🛒 \t"`,
	} {
		if got := ask(t, s, "SELECT "+text+" AS v"); got != "[["+want+"]]" {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
	if got := ask(t, s, "SELECT 1 AS n FROM system.one WHERE 0"); got != "[]" {
		t.Errorf("no rows: %s", got)
	}
}

func clickHouseBound(t *testing.T, c Config) {
	t.Helper()
	clickHouseExec(t, c, "CREATE TABLE a (n Int32, s String) ENGINE = Memory", "INSERT INTO a SELECT 7, 'x'' OR 1=1 --'")
	s := openAs(t, c)
	for _, a := range []struct {
		where string
		args  []any
		want  int64
	}{
		{"n = ?", []any{int64(7)}, 1},
		{"n = ?", []any{int64(-7)}, 0},
		{"-n = ?", []any{int64(-7)}, 1},
		{"s = ?", []any{"x' OR 1=1 --"}, 1},
		{"s = ?", []any{"y' OR 1=1 --"}, 0},
		{"has(?, s)", []any{[]string{"", "x' OR 1=1 --"}}, 1},
		{"s IN (SELECT arrayJoin(?)) AND n = ?", []any{[]string{`'`, "x' OR 1=1 --"}, int64(7)}, 1},
		{"length(?) = ?", []any{[]string{"a", `b', 'c`, `\`}, int64(3)}, 1},
		{"'?' = ? AND n = ? /* ? */", []any{"?", int64(7)}, 1},
	} {
		var got any
		err := s.Query(t.Context(), "SELECT toInt64(count()) FROM a WHERE "+a.where, a.args, func(cells []any) error {
			got = cells[0]
			return nil
		})
		if err != nil || got != a.want {
			t.Errorf("%s with %v: got %v, %v, want %d", a.where, a.args, got, err, a.want)
		}
	}
	for _, bad := range []any{nil, 1, 0.5, true, time.Now(), []int64{1}, value.Of(value.Date, "2024-03-05"), struct{}{}, "a\x00b"} {
		checkFault(t, s.Query(t.Context(), "SELECT ?", []any{bad}, drop), fault.Internal, "internal")
	}
	checkFault(t, s.Query(t.Context(), "SELECT ?, ?", []any{"one"}, drop), fault.Internal, "internal")
}

// hostile are texts that end quotes, begin comments, or stand for arguments of the driver.
var hostile = []string{
	`'`, `''`, `\`, `\'`, `\\'`, `'; DROP TABLE kept --`, `") OR 1=1`, "` OR 1=1 --", `/*`, `*/`, `--`, `#`, `?`, `\?`, `$1`, `@name`, `{p:String}`, `'?'`,
	`\x27`, `\u0027`, `\0`, "\t\n\r\b\f\v", "’‘“”＇", "销售额🛒", "a\u2028b", `]`, `','`, `['`, `' || (SELECT 1) || '`, `%s%d`, strings.Repeat(`'`, 999), strings.Repeat(`\`, 999),
}

// clickHouseQuoting: the driver writes arguments into the text, and whatever they hold, they come back as they went.
func clickHouseQuoting(t *testing.T, c Config) {
	t.Helper()
	clickHouseExec(t, c, "CREATE TABLE kept (n Int32) ENGINE = Memory", "INSERT INTO kept SELECT 1")
	s := openAs(t, c)
	for _, first := range hostile {
		for _, second := range hostile {
			var got []any
			err := s.Query(t.Context(), "SELECT ? AS a, arrayElement(?, 2) AS b, (SELECT count() FROM kept) AS n, ? AS c, '?' AS d", []any{first, []string{second, first}, second}, func(cells []any) error {
				got = append(got, cells...)
				return nil
			})
			if want := []any{first, first, uint64(1), second, "?"}; err != nil || !cmp.Equal(got, want) {
				t.Fatalf("%q and %q: %v, %v", first, second, got, err)
			}
		}
		clickHouseQuotedName(t, s, first)
	}
}

// clickHouseQuotedName: a name of the model comes back as it was, also beside an argument.
func clickHouseQuotedName(t *testing.T, s *Source, name string) {
	t.Helper()
	w := dialect.NewWriter(s.Dialect())
	w.Text("SELECT 1 AS ")
	w.Name(name)
	text, _ := w.Statement()
	columns, err := s.Columns(t.Context(), "", "", text)
	if err != nil || columns[0].Name != name {
		t.Errorf("the name %q comes back as %v, %v", name, columns, err)
	}
	err = s.Query(t.Context(), text+", ? AS b", []any{name}, func(cells []any) error {
		if cells[1] != name {
			t.Errorf("%q beside that name comes back as %q", name, cells[1])
		}
		return nil
	})
	if err != nil {
		t.Errorf("%q: %v", name, err)
	}
}

func clickHouseFaults(t *testing.T, c Config) {
	t.Helper()
	s := openAs(t, c)
	for text, want := range map[string]string{
		"SELECT toDecimal128('999999999999999999999999999999999999999', 0)":                              "numeric_overflow",
		"SELECT toDecimal128('99999999999999999999999999999999999999', 0) * toDecimal128('99999999', 0)": "numeric_overflow",
		"SELECT throwIf(number > 2) FROM system.numbers LIMIT 9":                                         "numeric_overflow",
		"SELECT intDiv(1, 0)":     "out_of_range",
		"SELECT toInt32('abc')":   "internal",
		"SELECT [1, 2] AS l":      "internal",
		"SELECT tuple(1, 2) AS l": "internal",
		"SELECT mine":             "internal",
		"SELECT * FROM mine":      "internal",
		"SELECT length(arrayMap(x -> x, range(100000000))) AS big": "out_of_memory",
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
		if f := fault.As(err); strings.Contains(f.Text(), "SELECT") || strings.Contains(f.Text(), "mine") || strings.Contains(f.Text(), "DB::") {
			t.Errorf("%s: the text shows what the server said: %s", text, f.Text())
		}
	}
	if got := ask(t, s, "SELECT 42 AS n"); got != "[[42]]" {
		t.Errorf("after failures: %s", got)
	}
}

func clickHouseColumns(t *testing.T, c Config) {
	t.Helper()
	odd := "odd `\"' \\ name"
	w := dialect.NewWriter(dialect.ClickHouse(dialect.ClickHouseServer{}))
	w.Name(odd)
	quoted, _ := w.Statement()
	clickHouseExec(t, c, "CREATE TABLE "+quoted+` (a Int32, b Nullable(Int64), c UInt64, d Decimal(18, 2), e Nullable(Decimal(38, 6)), f Float64, g Float32, h String, i UUID,
		j Enum8('x' = 1), k Nullable(Date), l DateTime, m DateTime('UTC'), n Nullable(Enum8('false' = 0, 'true' = 1)), o FixedString(3), p Array(Int32)) ENGINE = Memory`)
	s := openAs(t, c)
	text, whole := value.Type{Kind: value.String}, value.Type{Kind: value.Integer}
	want := []Column{
		{"a", whole, false, "Int32"},
		{"b", value.Type{Kind: value.Integer, Wide: true}, true, "Nullable(Int64)"},
		{"c", value.Type{Kind: value.Integer, Wide: true}, false, "UInt64"},
		{"d", value.Type{Kind: value.Decimal, Scale: 2}, false, "Decimal(18, 2)"},
		{"e", value.Type{Kind: value.Decimal, Scale: 6, Wide: true}, true, "Nullable(Decimal(38, 6))"},
		{"f", value.Type{Kind: value.Float}, false, "Float64"},
		{"g", value.Type{Kind: value.Float}, false, "Float32"},
		{"h", text, false, "String"},
		{"i", text, false, "UUID"},
		{"j", text, false, "Enum8('x' = 1)"},
		{"k", value.Type{Kind: value.Date}, true, "Nullable(Date)"},
		{"l", value.Type{Kind: value.Timestamp}, false, "DateTime"},
		{"m", value.Type{Kind: value.Timestamp, Zoned: true}, false, "DateTime('UTC')"},
		{"n", value.Type{Kind: value.Boolean}, true, "Nullable(Enum8('false' = 0, 'true' = 1))"},
		{"o", text, false, "FixedString(3)"},
		{"p", value.Type{}, false, "Array(Int32)"},
	}
	for _, schema := range []string{"", c.Database} {
		got, err := s.Columns(t.Context(), schema, odd, "")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	if inner, nullable := clickHouseInner("LowCardinality(Nullable(String))"); inner != "String" || !nullable {
		t.Errorf("LowCardinality is read as %s, %v", inner, nullable)
	}
	got, err := s.Columns(t.Context(), "", "", "SELECT toDecimal64('1', 2) AS a, count() AS n FROM system.one -- all")
	if err != nil || len(got) != 2 || got[0].Name != "a" || got[1].Type.Kind != value.Integer {
		t.Errorf("%v, %v", got, err)
	}
	for _, c := range []struct{ schema, table, query, reason string }{
		{"", "none", "", "unknown_table"},
		{"none", "x", "", "unknown_table"},
		{"", "x`; DROP TABLE kept; --", "", "unknown_table"},
		{"", "", "SELECT nothing", "bad_sql"},
		{"", "", "SELECT 1); DROP TABLE kept; --", "bad_sql"},
		{"", "", "DROP TABLE kept", "bad_sql"},
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

// clickHouseStored: columns of any type that is read as text or as a boolean are values of that type.
func clickHouseStored(t *testing.T, c Config) {
	t.Helper()
	clickHouseExec(t, c, `CREATE TABLE t (u UUID, e Enum8('small' = 1, 'large' = 2), f FixedString(2), l String, b UInt8, n Nullable(Enum8('false' = 0, 'true' = 1))) ENGINE = Memory`,
		"INSERT INTO t SELECT toUUID('f47ac10b-58cc-4372-a567-0e02b2c3d479'), 'small', 'x', 'b', 3, 'true'")
	s := openAs(t, c)
	for column, want := range map[string]string{"u": `"f47ac10b-58cc-4372-a567-0e02b2c3d479"`, "e": `"small"`, "f": `"x"`, "l": `"b"`} {
		w := dialect.NewWriter(s.Dialect())
		w.Text("SELECT ")
		s.Dialect().Stored(w, func() { w.Name(column) }, value.Type{Kind: value.String}, false)
		w.Text(" AS v FROM t")
		text, _ := w.Statement()
		if got := ask(t, s, text); got != "[["+want+"]]" {
			t.Errorf("%s: got %s, want %s", column, got, want)
		}
	}
	for _, column := range []string{"b", "n"} {
		w := dialect.NewWriter(s.Dialect())
		w.Text("SELECT count() AS rows FROM t WHERE ")
		s.Dialect().Stored(w, func() { w.Name(column) }, value.Type{Kind: value.Boolean}, false)
		text, _ := w.Statement()
		if got := ask(t, s, text); got != "[[1]]" {
			t.Errorf("%s is not true: %s", column, got)
		}
	}
}

func clickHouseOnlyReads(t *testing.T, c Config) {
	t.Helper()
	clickHouseExec(t, c, "CREATE TABLE kept (n Int32) ENGINE = MergeTree ORDER BY n")
	s := openAs(t, c)
	for _, text := range []string{
		"DROP TABLE kept", "INSERT INTO kept VALUES (1)", "INSERT INTO kept SELECT 1", "ALTER TABLE kept DELETE WHERE 1", "CREATE TABLE more (n Int32) ENGINE = Memory", "TRUNCATE TABLE kept",
		"SELECT 1; DROP TABLE kept", "DROP TABLE kept; SELECT 1", "SET readonly = 0", "SYSTEM SHUTDOWN", "KILL QUERY WHERE 1", "SELECTED",
		"SELECT 1 SETTINGS readonly = 0", "/* x */ DROP TABLE kept", "/* SELECT */ DROP TABLE kept", "", ";", "nonsense", "SELECT missing FROM kept",
	} {
		err := s.Query(t.Context(), text, nil, drop)
		checkFault(t, err, fault.Internal, "internal")
		if f := fault.As(err); f.Cause == nil || strings.Contains(f.Message, "kept") {
			t.Errorf("%s: message %q, cause %v", text, f.Message, f.Cause)
		}
	}
	for _, text := range []string{"INSERT INTO kept SELECT 1", "DROP TABLE kept", "CREATE TABLE more (n Int32) ENGINE = Memory"} { // past our own look at the statement
		if rows, err := s.engine.(*clickHouse).run(t.Context(), text, nil); err == nil {
			rows.close()
			t.Errorf("the session ran %s", text)
		}
	}
	if got := ask(t, s, "SELECT count() AS n FROM kept"); got != "[[0]]" {
		t.Errorf("the table was changed: %s", got)
	}
	if err := s.Seal(t.Context()); err != nil {
		t.Error(err)
	}
}

// clickHouseEndless is a statement that only an interrupt ends.
const clickHouseEndless = "SELECT sum(cityHash64(number)) AS endless FROM system.numbers"

// clickHouseBusy returns how many statements the server still runs.
func clickHouseBusy(t *testing.T, s *Source) string {
	t.Helper()
	return ask(t, s, "SELECT count() AS n FROM system.processes WHERE query LIKE '%AS endless%' AND query NOT LIKE '%processes%'")
}

func clickHouseCancels(t *testing.T, c Config) {
	t.Helper()
	one := c
	one.MaxConns, one.Queue = 1, -1
	s, watch := openAs(t, one), openAs(t, c)
	for range 3 {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- s.Query(ctx, clickHouseEndless, nil, drop) }()
		eventually(t, "the server runs it", func() bool { return clickHouseBusy(t, watch) == "[[1]]" })
		cancel()
		err := <-done
		checkFault(t, err, fault.Unavailable, "cancelled")
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%v hides that the context was cancelled", err)
		}
		eventually(t, "the place is free", func() bool { return s.Stats().Running == 0 })
		eventually(t, "the server has stopped it", func() bool { return clickHouseBusy(t, watch) == "[[0]]" })
		if got := ask(t, s, "SELECT 42 AS n"); got != "[[42]]" {
			t.Errorf("after a cancelled query: %s", got)
		}
	}
}

func clickHouseTimesOut(t *testing.T, c Config) {
	t.Helper()
	c.MaxConns, c.Timeout = 1, 300*time.Millisecond
	s := openAs(t, c)
	checkFault(t, s.Query(t.Context(), clickHouseEndless, nil, drop), fault.Unavailable, "timeout")
	eventually(t, "the place is free", func() bool { return s.Stats().Running == 0 })
	s.timeout = time.Minute // the server's own time-out still holds
	err := s.Query(t.Context(), clickHouseEndless, nil, drop)
	checkFault(t, err, fault.Unavailable, "timeout")
	var e *clickhouse.Exception
	if !errors.As(err, &e) || e.Code != clickHouseTimeout {
		t.Errorf("not ended by the server: %v", err)
	}
	if got := ask(t, s, "SELECT 42 AS n"); got != "[[42]]" {
		t.Errorf("after a time-out: %s", got)
	}
}

func clickHouseRowError(t *testing.T, c Config) {
	t.Helper()
	c.MaxConns, c.Queue = 1, -1
	s := openAs(t, c)
	mine, seen := errors.New("mine"), 0
	err := s.Query(t.Context(), "SELECT number AS endless FROM system.numbers", nil, func([]any) error {
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

func clickHouseManyRows(t *testing.T, c Config) {
	t.Helper()
	s := openAs(t, c)
	var n uint64
	nulls := 0
	err := s.Query(t.Context(), "SELECT number, nullIf(number % 3, 0), toDecimal64(number, 2) FROM system.numbers LIMIT 200000", nil, func(cells []any) error {
		if cells[0] != n {
			t.Fatalf("row %d is %v", n, cells[0])
		}
		if cells[1] == nil {
			nulls++
		}
		n++
		return nil
	})
	if err != nil || n != 200000 || nulls != 66667 {
		t.Errorf("%d rows, %d nulls, %v", n, nulls, err)
	}
}

func clickHouseComment(t *testing.T, c Config) {
	t.Helper()
	s := openAs(t, c)
	var text string
	err := s.Query(WithComment(t.Context(), "trace-42*/ DROP"), "SELECT query FROM system.processes WHERE query LIKE '%trace-42%'", nil, func(cells []any) error {
		text, _ = cells[0].(string)
		return nil
	})
	if err != nil || !strings.HasPrefix(text, "/* trace-42DROP */ SELECT") {
		t.Errorf("%q, %v", text, err)
	}
}

func clickHouseOpenRefuses(t *testing.T, c Config) {
	t.Helper()
	discard := slog.New(slog.DiscardHandler)
	for name, change := range map[string]func(*Config){
		"addresses": func(c *Config) { c.Addresses = nil },
		"dsn":       func(c *Config) { c.DSN = "clickhouse://127.0.0.1" },
		"path":      func(c *Config) { c.Path = "x" },
		"":          func(c *Config) { c.Cluster = "none" },
	} {
		wrong := c
		change(&wrong)
		_, err := Open(t.Context(), "test", wrong, discard)
		checkFault(t, err, fault.Invalid, "bad_datasource")
		if f := fault.As(err); f.Path != name {
			t.Errorf("%q: path %q: %v", name, f.Path, err)
		}
	}
	wrong := c
	wrong.Password = "guessed-wrong"
	_, err := Open(t.Context(), "test", wrong, discard)
	checkFault(t, err, fault.Invalid, "bad_datasource")
	if strings.Contains(fault.As(err).Text(), "guessed") {
		t.Errorf("the password is shown: %v", err)
	}
	wrong = c
	wrong.Addresses = []string{"127.0.0.1:1"}
	_, err = Open(t.Context(), "test", wrong, discard)
	checkFault(t, err, fault.Unavailable, "unreachable")
	wrong = c
	wrong.Database = "none"
	if _, err = Open(t.Context(), "test", wrong, discard); err == nil {
		t.Error("a database that is not there was opened")
	}
	wrong = c
	wrong.Addresses = append([]string{"127.0.0.1:1"}, c.Addresses...)
	if got := ask(t, openAs(t, wrong), "SELECT 42 AS n"); got != "[[42]]" {
		t.Errorf("the second address: %s", got)
	}
}

// clickHouseRestart stops the server in the middle of a run: clear errors, and answers again once it is back.
func clickHouseRestart(t *testing.T, server *servers.ClickHouse) {
	t.Helper()
	c := clickHouseDatabase(t, server)
	c.Timeout = 20 * time.Second
	clickHouseExec(t, c, "CREATE TABLE kept (n Int32) ENGINE = MergeTree ORDER BY n", "INSERT INTO kept SELECT 1")
	s := openAs(t, c)
	count := func() string { return ask(t, s, "SELECT count() AS n FROM kept") }
	if got := count(); got != "[[1]]" {
		t.Fatal(got)
	}
	done := make(chan error, 1)
	go func() {
		done <- s.Query(t.Context(), "SELECT number AS endless, sleepEachRow(0.001) FROM system.numbers", nil, drop)
	}()
	eventually(t, "the query runs", func() bool { return s.Stats().Running == 1 })
	server.Stop(t, 0)
	checkFault(t, <-done, fault.Unavailable, "unreachable")
	checkFault(t, s.Query(t.Context(), "SELECT 1", nil, drop), fault.Unavailable, "unreachable")
	checkFault(t, s.Ping(t.Context()), fault.Unavailable, "unreachable")
	server.Start(t, 0)
	if got := count(); got != "[[1]]" {
		t.Errorf("after the restart: %s", got)
	}
	server.Stop(t, 0)
	server.Start(t, 0)
	if got := count(); got != "[[1]]" { // the connections of before are all gone
		t.Errorf("after a second restart: %s", got)
	}
}
