package datasource

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/fault"
	"parlance/internal/value"
)

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
