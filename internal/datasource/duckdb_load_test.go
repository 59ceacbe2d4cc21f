package datasource

import (
	"context"
	"iter"
	"math"
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/fault"
	"parlance/internal/value"
)

func rows(r ...[]any) iter.Seq[[]any] { return slices.Values(r) }

var (
	integers = value.Type{Kind: value.Integer}
	texts    = value.Type{Kind: value.String}
)

func shop() Table {
	return Table{
		Name: "the \"shop\"",
		Columns: []Column{
			{Name: "key", Type: integers},
			{Name: "big", Type: value.Type{Kind: value.Integer, Wide: true}, Nullable: true},
			{Name: "select", Type: texts, Nullable: true},
			{Name: "price", Type: value.Type{Kind: value.Decimal, Scale: 2}, Nullable: true},
			{Name: "rate", Type: value.Type{Kind: value.Decimal, Scale: 20, Wide: true}, Nullable: true},
			{Name: "weekend", Type: value.Type{Kind: value.Boolean}, Nullable: true},
			{Name: "day", Type: value.Type{Kind: value.Date}, Nullable: true},
			{Name: "at", Type: value.Type{Kind: value.Timestamp}, Nullable: true},
			{Name: "instant", Type: value.Type{Kind: value.Timestamp, Zoned: true}, Nullable: true},
			{Name: "weight", Type: value.Type{Kind: value.Float}, Nullable: true},
		},
		Key: []string{"key"},
		Rows: rows(
			[]any{int64(math.MinInt32), int64(math.MinInt64), "销售 'x'", int64(-5), int64(math.MaxInt32), true, time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC),
				time.Date(2024, 2, 29, 23, 59, 59, 0, time.UTC), time.Date(2024, 2, 29, 23, 59, 59, 0, time.UTC), 0.5},
			[]any{int64(math.MaxInt32), int64(math.MaxInt64), "", int64(999_999_999_999_999_999), int64(0), false, time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC),
				time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC), nil, -1.25},
			[]any{int64(0), nil, nil, nil, nil, nil, nil, nil, nil, nil},
		),
	}
}

func TestLoad(t *testing.T) {
	s := open(t, Config{})
	table := shop()
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
}

func TestLoadManyRows(t *testing.T) {
	s := open(t, Config{})
	const n = 5000 // more than one of the appender's chunks
	row := make([]any, 1)
	err := s.Load(t.Context(), Table{Name: "t", Columns: []Column{{Name: "n", Type: integers}}, Rows: func(yield func([]any) bool) {
		for i := range int64(n) {
			if row[0] = i; !yield(row) {
				return
			}
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if got := ask(t, s, "SELECT count(*), sum(n), min(n), max(n) FROM t"); got != "[[5000,12497500,0,4999]]" {
		t.Errorf("got %s", got)
	}
}

func TestLoadRefuses(t *testing.T) {
	s := open(t, Config{MaxConns: 1})
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
		err := s.Load(t.Context(), table)
		checkFault(t, err, fault.Internal, "internal")
		_, err = s.Columns(t.Context(), "", "bad", "")
		if err == nil {
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
}

func TestSealEndsLoading(t *testing.T) {
	s := open(t, Config{})
	if err := s.Seal(t.Context()); err != nil {
		t.Fatal(err)
	}
	checkFault(t, s.Load(t.Context(), shop()), fault.Internal, "internal")
	if got := ask(t, s, "SELECT 42 AS n"); got != "[[42]]" {
		t.Errorf("got %s", got)
	}
}

// TestLoadNarrow: wide decimals become small ones where all of a column are, and no digit is lost on the way.
func TestLoadNarrow(t *testing.T) {
	s := open(t, Config{})
	decimal := func(name string, scale uint8) Column {
		return Column{Name: name, Type: value.Type{Kind: value.Decimal, Scale: scale, Wide: true}, Nullable: true}
	}
	large, ok := new(big.Int).SetString("1000000000000000000", 10) // one more than 18 digits hold
	if !ok {
		t.Fatal("no number")
	}
	most := big.NewInt(999_999_999_999_999_999)
	table := Table{
		Name: "sums", Narrow: true,
		Columns: []Column{decimal("small", 2), decimal("whole", 18), decimal("large", 2), decimal("below", 0), decimal("fine", 20), decimal("none", 2), {Name: "n", Type: integers}},
		Rows: rows(
			[]any{most, most, large, new(big.Int).Neg(large), big.NewInt(1), nil, int64(1)},
			[]any{new(big.Int).Neg(most), big.NewInt(-7), big.NewInt(5), big.NewInt(6), nil, nil, int64(2)},
		),
	}
	if err := s.Load(t.Context(), table); err != nil {
		t.Fatal(err)
	}
	if got, want := ask(t, s, `SELECT * FROM sums ORDER BY n`), `[[9999999999999999.99,0.999999999999999999,10000000000000000.00,-1000000000000000000,0.00000000000000000001,null,1],`+
		`[-9999999999999999.99,-0.000000000000000007,0.05,6,null,null,2]]`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	columns, err := s.Columns(t.Context(), "", "sums", "")
	if err != nil {
		t.Fatal(err)
	}
	var native []string
	for _, c := range columns {
		native = append(native, c.Native)
	}
	if want := []string{"DECIMAL(18,2)", "DECIMAL(18,18)", "DECIMAL(38,2)", "DECIMAL(38,0)", "DECIMAL(38,20)", "DECIMAL(18,2)", "INTEGER"}; !slices.Equal(native, want) {
		t.Errorf("kept as %v, want %v", native, want)
	}
}
