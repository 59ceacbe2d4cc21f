package result

import (
	"encoding/json"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"parlance/internal/value"
)

var pair = []Column{{Key: "customer$caption", Type: text}, {Key: "salesAmount", Type: money, Measure: true}}

func encode(t *testing.T, e *Encoder, rows ...[]any) string {
	t.Helper()
	for _, r := range rows {
		if err := e.Row(r); err != nil {
			t.Fatal(err)
		}
	}
	return string(e.Bytes())
}

func TestLayouts(t *testing.T) {
	rows := [][]any{{"Ann", &Decimal{Unscaled: 1250, Scale: 2}}, {nil, nil}}
	for _, c := range []struct {
		name    string
		columns []Column
		layout  Layout
		rows    [][]any
		want    string
	}{
		{"objects", pair, Objects, rows, `[{"customer$caption":"Ann","salesAmount":12.50},{"customer$caption":null,"salesAmount":null}]`},
		{"compact", pair, Compact, rows, `[["Ann",12.50],[null,null]]`},
		{"no rows", pair, Objects, nil, `[]`},
		{"no rows, compact", pair, Compact, nil, `[]`},
		{"no columns", nil, Objects, [][]any{{}, {}}, `[{},{}]`},
		{"no columns, compact", nil, Compact, [][]any{{}}, `[[]]`},
		{"key in need of escapes", []Column{{Key: "a\"\n销", Type: whole}}, Objects, [][]any{{int64(1)}}, `[{"a\"\n销":1}]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := NewEncoder(c.columns, c.layout)
			defer e.Release()
			if got := encode(t, e, c.rows...); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if e.Len() != len(c.rows) || e.Truncated() {
				t.Errorf("Len %d, Truncated %v", e.Len(), e.Truncated())
			}
		})
	}
}

func TestBytesBetweenRows(t *testing.T) {
	e := NewEncoder([]Column{{Key: "n", Type: whole}}, Compact)
	defer e.Release()
	for i, want := range []string{`[[0]]`, `[[0],[1]]`, `[[0],[1],[2]]`} {
		if got := encode(t, e, []any{int64(i)}); got != want {
			t.Errorf("after row %d: %s, want %s", i, got, want)
		}
		if got := string(e.Bytes()); got != want {
			t.Errorf("asked twice: %s, want %s", got, want)
		}
	}
}

func TestCap(t *testing.T) {
	rows := [][]any{{int64(1)}, {int64(22)}, {int64(3)}}
	for _, c := range []struct {
		maximum   int
		want      string
		truncated bool
	}{
		{0, `[[1],[22],[3]]`, false},
		{14, `[[1],[22],[3]]`, false},
		{13, `[[1],[22]]`, true},
		{10, `[[1],[22]]`, true},
		{9, `[[1]]`, true}, // [3] would fit, but the rows must stay without gaps
		{5, `[[1]]`, true},
		{4, `[]`, true},
		{1, `[]`, true},
	} {
		e := NewEncoder([]Column{{Key: "n", Type: whole}}, Compact)
		e.CapBytes(c.maximum)
		got := encode(t, e, rows...)
		if got != c.want || e.Truncated() != c.truncated {
			t.Errorf("cap %d: got %s, truncated %v, want %s", c.maximum, got, e.Truncated(), c.want)
		}
		if want := strings.Count(c.want, "[") - 1; e.Len() != want {
			t.Errorf("cap %d: Len %d, want %d", c.maximum, e.Len(), want)
		}
		e.Release()
	}
}

func TestRowErrorLeavesNothing(t *testing.T) {
	e := NewEncoder(pair, Objects)
	defer e.Release()
	first := encode(t, e, []any{"a", int64(1)})
	for _, bad := range [][]any{{"b", "x"}, {"b"}, {"b", int64(1), int64(2)}, nil} {
		if err := e.Row(bad); err == nil {
			t.Errorf("row %v was accepted", bad)
		}
	}
	if got := string(e.Bytes()); got != first {
		t.Errorf("got %s, want %s", got, first)
	}
	if got, want := encode(t, e, []any{"c", int64(2)}), `[{"customer$caption":"a","salesAmount":1.00},{"customer$caption":"c","salesAmount":2.00}]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestReleasedMemoryIsClean(t *testing.T) {
	for range 50 {
		e := NewEncoder(pair, Objects)
		e.CapBytes(3)
		e.Zone(time.FixedZone("", 3600))
		encode(t, e, []any{"long enough to be cut", int64(1)})
		e.Release()
		e = NewEncoder([]Column{{Key: "t", Type: instant}}, Compact)
		if got, want := encode(t, e, []any{day(2024, 1, 1)}), `[["2024-01-01T00:00:00+00:00"]]`; got != want || e.Truncated() {
			t.Fatalf("got %s, want %s", got, want)
		}
		e.Release()
	}
}

func TestObject(t *testing.T) {
	columns := []Column{{Key: "salesAmount", Type: money}, {Key: "maxId", Type: wide}, {Key: "last", Type: instant}}
	cells := []any{&Decimal{Unscaled: -5, Scale: 2}, int64(9007199254740993), day(2024, 1, 1)}
	got, err := AppendObject([]byte("data: "), columns, cells, time.FixedZone("", -5400))
	if want := `data: {"salesAmount":-0.05,"maxId":9007199254740993,"last":"2023-12-31T22:30:00-01:30"}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	got, err = AppendMembers([]byte(`{"total":3`), columns[:2], cells[:2], nil)
	if want := `{"total":3,"salesAmount":-0.05,"maxId":9007199254740993`; err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	if got, err = AppendObject(nil, nil, nil, nil); err != nil || string(got) != `{}` {
		t.Errorf("got %s, %v, want {}", got, err)
	}
	if _, err = AppendObject(nil, columns, cells[:1], nil); err == nil {
		t.Error("a short row was accepted")
	}
	if _, err = AppendObject(nil, columns[:1], []any{"x"}, nil); err == nil {
		t.Error("a bad cell was accepted")
	}
}

func TestInt64(t *testing.T) {
	for _, cell := range []any{int64(7), int32(7), int(7), uint64(7), integer("7"), &Decimal{Unscaled: 7}} {
		if n, ok := Int64(cell); !ok || n != 7 {
			t.Errorf("%T: got %d, %v", cell, n, ok)
		}
	}
	for _, cell := range []any{nil, "7", 7.0, uint64(1 << 63), integer("9223372036854775808"), (*big.Int)(nil), &Decimal{Unscaled: 70, Scale: 1}, &Decimal{Wide: integer("7")}} {
		if n, ok := Int64(cell); ok {
			t.Errorf("%T %v: got %d", cell, cell, n)
		}
	}
}

func FuzzRow(f *testing.F) {
	f.Add("text", int64(1), 1.5, uint8(2), int64(1700000000), true)
	f.Add("\xff\u2028\"\\", int64(-1<<63), math.Copysign(0, -1), uint8(38), int64(-62135596800), false)
	columns := []Column{
		{Key: "s", Type: text}, {Key: "i", Type: wide}, {Key: "m", Type: wide, Measure: true}, {Key: "f", Type: float},
		{Key: "d", Type: value.Type{Kind: value.Decimal, Scale: 2}, Measure: true}, {Key: "t", Type: timestamp}, {Key: "b", Type: boolean},
	}
	f.Fuzz(func(t *testing.T, s string, i int64, x float64, scale uint8, seconds int64, b bool) {
		seconds = seconds%(200*365*86400) + 1700000000 // within the years that RFC 3339 can say
		at := time.Unix(seconds, 0).UTC()
		e := NewEncoder(columns, Objects)
		defer e.Release()
		if err := e.Row([]any{s, i, i, x, &Decimal{Unscaled: i, Scale: scale % 39}, at, b}); err != nil {
			t.Fatal(err)
		}
		d := json.NewDecoder(strings.NewReader(string(e.Bytes())))
		d.UseNumber()
		var rows []map[string]any
		if err := d.Decode(&rows); err != nil {
			t.Fatalf("%s: %v", e.Bytes(), err)
		}
		checkDecoded(t, rows[0], s, i, x, scale%39, at, b)
	})
}

func checkDecoded(t *testing.T, row map[string]any, s string, i int64, x float64, scale uint8, at time.Time, b bool) {
	t.Helper()
	if want := string([]rune(s)); row["s"] != want {
		t.Errorf("text %q, want %q", row["s"], want)
	}
	if n, ok := row["m"].(json.Number); !ok || n.String() != json.Number(appendInt(nil, i, true)).String() {
		t.Errorf("measure %v, want %d", row["m"], i)
	}
	if n, ok := row["f"].(json.Number); ok {
		if got, err := n.Float64(); err != nil || got != x {
			t.Errorf("float %v, want %v", n, x)
		}
	} else if x-x == 0 {
		t.Errorf("float %v, want %v", row["f"], x)
	}
	n, _ := row["d"].(json.Number)
	if got := unscaled(n.String(), int(scale)); got != json.Number(appendInt(nil, i, true)).String() {
		t.Errorf("decimal %v of scale %d is %s, want %d", n, scale, got, i)
	}
	if got, err := time.Parse("2006-01-02T15:04:05", row["t"].(string)); err != nil || !got.Equal(at) {
		t.Errorf("timestamp %v, want %v", row["t"], at)
	}
	if row["b"] != b {
		t.Errorf("boolean %v, want %v", row["b"], b)
	}
}

// unscaled moves the point of a number to the right, by hand, and drops it.
func unscaled(number string, scale int) string {
	sign := ""
	if strings.HasPrefix(number, "-") {
		sign, number = "-", number[1:]
	}
	head, tail, _ := strings.Cut(number, ".")
	tail += strings.Repeat("0", max(0, scale-len(tail)))
	if strings.Trim(tail[scale:], "0") != "" {
		return "digits beyond the scale: " + number
	}
	digits := strings.TrimLeft(head+tail[:scale], "0")
	if digits == "" {
		return "0"
	}
	return sign + digits
}

// TestExpectedRows: a guess of what comes changes no byte, whether more or fewer come.
func TestExpectedRows(t *testing.T) {
	columns := []Column{{Key: "a", Type: value.Type{Kind: value.Integer}}}
	rows := func(n int, expected int64) string {
		e := NewEncoder(columns, Compact)
		defer e.Release()
		e.Expect(expected)
		for i := range n {
			if err := e.Row([]any{int64(i)}); err != nil {
				t.Fatal(err)
			}
		}
		return string(e.Bytes())
	}
	for _, n := range []int{0, 1, 999, 1000, 1001, 5000} {
		for _, expected := range []int64{1, 1000, 1001, 2000, 5000, math.MaxInt64} {
			if rows(n, expected) != rows(n, 0) {
				t.Errorf("%d rows where %d were expected", n, expected)
			}
		}
	}
}
