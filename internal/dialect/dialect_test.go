package dialect

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"parlance/internal/compute"
	"parlance/internal/value"
)

// all are the dialects with what tells them apart in these tests: how they quote and mark arguments.
var all = []struct {
	name    string
	dialect Dialect
	quote   string
	marks   []string // of the first three arguments
}{
	{"duckdb", DuckDB(), `"`, []string{"?", "?", "?"}},
	{"sqlite", SQLite(), `"`, []string{"?", "?", "?"}},
	{"postgres", Postgres(PostgresServer{}), `"`, []string{"$1", "$2", "$3"}},
	{"clickhouse", ClickHouse(ClickHouseServer{Version: "18.16.1", Zone: "UTC"}), "`", []string{"?", "?", "?"}},
	{"mysql", MySQL(MySQLServer{Text: "utf8mb4_nopad_bin", Case: "utf8mb4_uca1400_as_cs", Zones: true}), "`", []string{"?", "?", "?"}},
}

// TestQuotedNamesCannotEnd: whatever an identifier holds, its quoted form is one token that reads back as it was.
func TestQuotedNamesCannotEnd(t *testing.T) {
	for _, d := range all {
		t.Run(d.name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				name := rapid.OneOf(rapid.String(), rapid.StringMatching("[\"'`;a-]{0,6}")).Draw(rt, "name")
				got := string(d.dialect.Quote(nil, name))
				inner, ok := strings.CutPrefix(got, d.quote)
				inner, closed := strings.CutSuffix(inner, d.quote)
				if !ok || !closed {
					rt.Fatalf("%q is not quoted: %s", name, got)
				}
				if strings.Contains(strings.ReplaceAll(inner, d.quote+d.quote, ""), d.quote) {
					rt.Fatalf("%q ends its own quotes: %s", name, got)
				}
				if d.name == "clickhouse" { // the one that reads escapes within quotes
					inner = strings.ReplaceAll(inner, `\\`, `\`)
				}
				if back := strings.ReplaceAll(inner, d.quote+d.quote, d.quote); back != name {
					rt.Fatalf("%q reads back as %q", name, back)
				}
			})
		})
	}
}

func TestArgumentsAreMarkedInOrder(t *testing.T) {
	for _, d := range all {
		w := NewWriter(d.dialect)
		for i, text := range []string{"a", "b", "c"} {
			if i > 0 {
				w.Text(" ")
			}
			w.Bind(text)
		}
		sql, args := w.Statement()
		if want := strings.Join(d.marks, " "); sql != want {
			t.Errorf("%s: %s, want %s", d.name, sql, want)
		}
		if diff := cmp.Diff([]any{"a", "b", "c"}, args); diff != "" {
			t.Errorf("%s: %s", d.name, diff)
		}
	}
}

// TestValuesAreArguments: a constant's own text is never part of the SQL, but for the two booleans.
func TestValuesAreArguments(t *testing.T) {
	values := []struct {
		v value.Value
		t value.Type
	}{
		{value.Of(value.String, "'; drop table x --"), value.Type{Kind: value.String}},
		{value.Of(value.Integer, "73"), value.Type{Kind: value.Integer}},
		{value.Of(value.Integer, "73"), value.Type{Kind: value.Decimal, Scale: 2}},
		{value.Of(value.Integer, strings.Repeat("7", 38)), value.Type{Kind: value.Integer, Wide: true}},
		{value.Of(value.Decimal, "73.50"), value.Type{Kind: value.Decimal, Scale: 2}},
		{value.Of(value.Float, "7.3e+300"), value.Type{Kind: value.Float}},
		{value.Of(value.Date, "2073-03-05"), value.Type{Kind: value.Date}},
		{value.Of(value.Timestamp, "2073-03-05T14:30:00"), value.Type{Kind: value.Timestamp}},
		{value.Of(value.Timestamp, "2073-03-05T14:30:00+01:00"), value.Type{Kind: value.Timestamp, Zoned: true}},
	}
	for _, d := range all {
		for _, c := range values {
			w := NewWriter(d.dialect)
			d.dialect.Value(w, c.v, c.t)
			sql, args := w.Statement()
			if strings.Contains(sql, "73") || strings.Contains(sql, "drop") || len(args) != 1 {
				t.Errorf("%s: %s of %s is written as %s with %v", d.name, c.v, c.t.Name(), sql, args)
			}
		}
		for _, k := range []value.Kind{value.String, value.Integer, value.Decimal, value.Float, value.Boolean, value.Date, value.Timestamp} {
			w := NewWriter(d.dialect)
			d.dialect.Value(w, value.Value{}, value.Type{Kind: k})
			if sql, args := w.Statement(); !strings.Contains(sql, "NULL") || len(args) != 0 {
				t.Errorf("%s: a null of %s is written as %s with %v", d.name, value.Type{Kind: k}.Name(), sql, args)
			}
		}
	}
}

// TestEveryFunctionIsWritten: no function of the closed list is forgotten, and each writes all of its arguments.
func TestEveryFunctionIsWritten(t *testing.T) {
	for _, d := range all {
		for f := compute.And; f <= compute.Digest; f++ {
			t.Run(d.name+"/"+f.String(), func(t *testing.T) {
				w := NewWriter(d.dialect)
				d.dialect.Call(w, f, argumentsOf(w, f), resultOf(f))
				sql, _ := w.Statement()
				if sql == "" || strings.Count(sql, "(") != strings.Count(sql, ")") {
					t.Errorf("%q", sql)
				}
				if !strings.Contains(sql, "x0") {
					t.Errorf("the first argument is lost: %s", sql)
				}
			})
		}
		for _, a := range []compute.Agg{
			compute.Sum, compute.Avg, compute.Count, compute.CountDistinct, compute.Min, compute.Max, compute.Median,
			compute.StddevPop, compute.StddevSamp, compute.VarPop, compute.VarSamp, compute.GroupConcat, compute.MedianLow, compute.MedianHigh,
		} {
			w := NewWriter(d.dialect)
			x := column(w, "x0", value.Type{Kind: value.Decimal, Scale: 2})
			d.dialect.Aggregate(w, a, &x, x.Type, func() {})
			if sql, _ := w.Statement(); !strings.Contains(sql, "x0") {
				t.Errorf("%s: %s is written as %q", d.name, a, sql)
			}
		}
	}
}

func column(w *Writer, name string, t value.Type) Arg {
	return Arg{Write: func() { w.Text(name) }, Type: t}
}

func constant(w *Writer, d value.Kind, text string) Arg {
	v := value.Of(d, text)
	return Arg{Write: func() { w.Bind(text) }, Type: value.Type{Kind: d}, Const: &v}
}

// argumentsOf returns arguments that a function can have.
func argumentsOf(w *Writer, f compute.Fn) []Arg {
	text := value.Type{Kind: value.String}
	money := value.Type{Kind: value.Decimal, Scale: 2}
	day := value.Type{Kind: value.Date}
	switch f {
	case compute.Contains, compute.StartsWith, compute.EndsWith:
		return []Arg{column(w, "x0", text), constant(w, value.String, "50%")}
	case compute.Lower, compute.Upper, compute.Trim, compute.LTrim, compute.RTrim, compute.Length, compute.Reverse:
		return []Arg{column(w, "x0", text)}
	case compute.Guard:
		return []Arg{column(w, "x0", value.Type{Kind: value.Boolean}), column(w, "x1", value.Type{Kind: value.Boolean})}
	case compute.Digest:
		return []Arg{column(w, "x0", text), constant(w, value.String, "k")}
	case compute.Concat, compute.Position:
		return []Arg{column(w, "x0", text), column(w, "x1", text)}
	case compute.Substring, compute.Left, compute.Right:
		return []Arg{column(w, "x0", text), constant(w, value.Integer, "2")}
	case compute.PadLeft, compute.PadRight, compute.Replace:
		return []Arg{column(w, "x0", text), constant(w, value.Integer, "5"), constant(w, value.String, "0")}
	case compute.Round:
		return []Arg{column(w, "x0", money), constant(w, value.Integer, "1")}
	case compute.Shift:
		return []Arg{column(w, "x0", day), column(w, "x1", value.Type{Kind: value.Integer}), constant(w, value.String, "month")}
	case compute.Distance:
		return []Arg{column(w, "x0", day), column(w, "x1", day), constant(w, value.String, "week")}
	case compute.Truncate:
		return []Arg{column(w, "x0", day), constant(w, value.String, "quarter")}
	case compute.ToLocal:
		return []Arg{column(w, "x0", value.Type{Kind: value.Timestamp, Zoned: true}), constant(w, value.String, "Asia/Shanghai")}
	case compute.Case:
		return []Arg{column(w, "x0", value.Type{Kind: value.Boolean}), column(w, "x1", money), column(w, "x2", money)}
	case compute.YearOf, compute.QuarterOf, compute.MonthOf, compute.WeekOf, compute.DayOf, compute.HourOf, compute.DayOfWeekOf,
		compute.ToYear, compute.ToQuarter, compute.ToMonth, compute.ToWeek, compute.ToDate, compute.ToHour:
		return []Arg{column(w, "x0", value.Type{Kind: value.Timestamp})}
	case compute.Not, compute.IsNull, compute.Neg, compute.Abs, compute.Floor, compute.Ceil, compute.Sqrt, compute.Exp, compute.Ln,
		compute.Sign, compute.Trunc, compute.Log10, compute.ToText, compute.Widen, compute.Float:
		return []Arg{column(w, "x0", money)}
	default:
		return []Arg{column(w, "x0", money), column(w, "x1", money)}
	}
}

func resultOf(f compute.Fn) value.Type {
	switch f {
	case compute.Sqrt, compute.Exp, compute.Ln, compute.Log10, compute.Power, compute.Float:
		return value.Type{Kind: value.Float}
	case compute.Shift, compute.Truncate:
		return value.Type{Kind: value.Date}
	case compute.Guard:
		return value.Type{Kind: value.Boolean}
	default:
		return value.Type{Kind: value.Decimal, Scale: 6, Wide: true}
	}
}

// TestPages: bounds are arguments, and a page of everything has none.
func TestPages(t *testing.T) {
	for _, d := range all {
		for _, c := range []struct{ start, rows int64 }{{0, 10}, {73, 10}, {73, math.MaxInt64}, {0, 0}} {
			w := NewWriter(d.dialect)
			d.dialect.Page(w, c.start, c.rows)
			sql, args := w.Statement()
			if strings.Contains(sql, "73") || strings.Contains(sql, "10") {
				t.Errorf("%s: a bound is in the text: %s", d.name, sql)
			}
			if c.rows != math.MaxInt64 && !containsArgument(args, c.rows) || c.start > 0 && !containsArgument(args, c.start) {
				t.Errorf("%s: page from %d of %d is %s with %v", d.name, c.start, c.rows, sql, args)
			}
		}
	}
}

func containsArgument(args []any, n int64) bool {
	for _, a := range args {
		if a == n {
			return true
		}
	}
	return false
}
