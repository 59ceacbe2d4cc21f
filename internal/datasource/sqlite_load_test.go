package datasource

import (
	"context"
	"math"
	"testing"

	"parlance/internal/dialect"
	"parlance/internal/fault"
	"parlance/internal/result"
	"parlance/internal/value"
)

// TestSQLiteLoad: every type comes back as it was, also what a double cannot hold.
func TestSQLiteLoad(t *testing.T) {
	s := openLite(t, Config{})
	table := shop()
	if err := s.Load(t.Context(), table); err != nil {
		t.Fatal(err)
	}
	d := s.Dialect()
	columns, err := s.Columns(t.Context(), "", table.Name, "")
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range columns {
		want := table.Columns[i]
		want.Type.Wide = want.Type.Wide || want.Type.Kind == value.Integer || want.Type.Scale > smallDecimal // all integers have 64 bits
		if c.Type != want.Type || c.Nullable != want.Nullable {
			t.Errorf("%s: %+v", c.Name, c)
		}
	}
	text, shown := selectStored(d, table.Name, columns)
	e := result.NewEncoder(shown, result.Compact)
	defer e.Release()
	if err := s.Query(t.Context(), text+` ORDER BY t."key"`, nil, e.Row); err != nil {
		t.Fatal(err)
	}
	want := `[[-2147483648,-9223372036854775808,"销售 'x'",-0.05,0.00000000002147483647,true,"2024-02-29","2024-02-29T23:59:59","2024-02-29T23:59:59+00:00",0.5],` +
		`[0,null,null,null,null,null,null,null,null,null],` +
		`[2147483647,9223372036854775807,"",9999999999999999.99,0.00000000000000000000,false,"0001-01-01","9999-12-31T00:00:00",null,-1.25]]`
	if got := string(e.Bytes()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestSQLiteLoadRefuses(t *testing.T) {
	s := openLite(t, Config{MaxConns: 1})
	one := func(typ value.Type, cell any) Table {
		return Table{Name: "bad", Columns: []Column{{Name: "n", Type: typ}}, Key: []string{"n"}, Rows: rows([]any{cell})}
	}
	again := one(integers, int64(1))
	again.Rows = rows([]any{int64(1)}, []any{int64(2)}, []any{int64(1)})
	for name, table := range map[string]Table{
		"an integer that does not fit": one(integers, int64(math.MaxInt32+1)),
		"a decimal that does not fit":  one(value.Type{Kind: value.Decimal, Scale: 2}, int64(1_000_000_000_000_000_000)),
		"null in a key":                one(texts, nil),
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
	endlessRows := Table{Name: "bad", Columns: []Column{{Name: "n", Type: integers}}, Rows: func(yield func([]any) bool) {
		for cancel(); yield([]any{int64(1)}); {
			continue
		}
	}}
	checkFault(t, s.Load(ctx, endlessRows), fault.Unavailable, "cancelled")
	if err := s.Load(t.Context(), one(integers, int64(1))); err != nil {
		t.Errorf("after the failures: %v", err)
	}
	checkFault(t, s.Load(t.Context(), one(integers, int64(1))), fault.Internal, "internal")
	if got := ask(t, s, "SELECT n FROM bad"); got != "[[1]]" {
		t.Errorf("a second load of the same name changed it: %s", got)
	}
	if err := s.Seal(t.Context()); err != nil {
		t.Fatal(err)
	}
	checkFault(t, s.Load(t.Context(), shop()), fault.Internal, "internal")
}

// BenchmarkSQLiteSum is the exact sum of a column of 110,000 doubles beside SQLite's own, which is inexact.
func BenchmarkSQLiteSum(b *testing.B) {
	s := openLite(b, Config{}, "CREATE TABLE t (id INTEGER PRIMARY KEY, g INTEGER, m DECIMAL(18,2), d DATE)",
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 110000) INSERT INTO t SELECT i, i % 50, i / 100.0, date('2024-01-01', (i % 366) || ' days') FROM n")
	for name, text := range map[string]string{
		"exact":   "SELECT dec_sum(dec_stored(m, 2), 2) FROM t",
		"native":  "SELECT sum(m) FROM t",
		"grouped": "SELECT g, dec_sum(r, 2) AS s FROM (SELECT g, dec_stored(m, 2) AS r FROM t) GROUP BY g ORDER BY s",
		"dates":   "SELECT count(*) FROM t WHERE date_stored(d) >= '2024-06-01'",
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := s.Query(b.Context(), text, nil, drop); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// selectStored reads all columns of a table as a statement of the program does.
func selectStored(d dialect.Dialect, table string, columns []Column) (string, []result.Column) {
	w := dialect.NewWriter(d)
	shown := make([]result.Column, len(columns))
	for i, c := range columns {
		if i == 0 {
			w.Text("SELECT ")
		} else {
			w.Text(", ")
		}
		d.Stored(w, func() { w.Text("t."); w.Name(c.Name) }, c.Type, false)
		shown[i] = result.Column{Key: c.Name, Type: c.Type, Measure: true}
	}
	w.Text(" FROM ")
	w.Name(table)
	w.Text(" AS t")
	text, _ := w.Statement()
	return text, shown
}
