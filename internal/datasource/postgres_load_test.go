package datasource

import (
	"context"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/fault"
	"parlance/internal/value"
)

func postgresLoads(t *testing.T, dsn string) {
	t.Helper()
	s := openAs(t, Config{Type: "postgres", DSN: dsn})
	table := shop()
	table.Columns[4].Type.Wide = true // as a decimal of 38 digits reads back
	if err := s.Load(t.Context(), table); err != nil {
		t.Fatal(err)
	}
	want := `[[-2147483648,-9223372036854775808,"销售 'x'",-0.05,0.00000000002147483647,true,"2024-02-29","2024-02-29T23:59:59","2024-02-29T23:59:59+00:00",0.5],` +
		`[0,null,null,null,null,null,null,null,null,null],` +
		`[2147483647,9223372036854775807,"",9999999999999999.99,0.00000000000000000000,false,"0001-01-01","9999-12-31T00:00:00",null,-1.25]]`
	if got := ask(t, s, `SELECT * FROM "the ""shop""" ORDER BY key`); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	columns, err := s.Columns(t.Context(), "", table.Name, "")
	if err != nil {
		t.Fatal(err)
	}
	for i := range columns {
		columns[i].Native = ""
	}
	if diff := cmp.Diff(table.Columns, columns); diff != "" {
		t.Error(diff)
	}
	odd := []string{"\\", "\\N", "\\.", "a\tb", "a\nb\r\n", "\v\b", "N", "'\"", "\\x41"}
	rows := make([][]any, len(odd))
	for i, text := range odd {
		rows[i] = []any{int64(i), text}
	}
	err = s.Load(t.Context(), Table{
		Name: "odd", Columns: []Column{{Name: "n", Type: integers}, {Name: "s", Type: texts}}, Key: []string{"n"},
		Rows: func(yield func([]any) bool) {
			for _, r := range rows {
				if !yield(r) {
					return
				}
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	err = s.Query(t.Context(), "SELECT s FROM odd ORDER BY n", nil, func(cells []any) error {
		got = append(got, cells[0].(string))
		return nil
	})
	if diff := cmp.Diff(odd, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

func postgresLoadRefuses(t *testing.T, dsn string) {
	t.Helper()
	s := openAs(t, Config{Type: "postgres", DSN: dsn, MaxConns: 1})
	one := func(typ value.Type, cell any) Table {
		return Table{Name: "bad", Columns: []Column{{Name: "n", Type: typ}}, Key: []string{"n"}, Rows: rows([]any{cell})}
	}
	again := one(integers, int64(1))
	again.Rows = rows([]any{int64(1)}, []any{int64(2)}, []any{int64(1)})
	for name, table := range map[string]Table{
		"an integer that does not fit": one(integers, int64(math.MaxInt32+1)),
		"a decimal that does not fit":  one(value.Type{Kind: value.Decimal, Scale: 2}, int64(1_000_000_000_000_000_000)),
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
