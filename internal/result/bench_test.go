package result

import (
	"encoding/json"
	"math/big"
	"testing"
	"time"
)

const benchRows = 1000

var benchColumns = []Column{
	{Key: "customer$caption", Type: text},
	{Key: "orderId", Type: text},
	{Key: "orderLineNo", Type: whole},
	{Key: "salesDate$caption", Type: date},
	{Key: "salesAmount", Type: money, Measure: true},
	{Key: "quantity", Type: wide, Measure: true},
}

func benchCells() [][]any {
	rows := make([][]any, benchRows)
	for i := range rows {
		rows[i] = []any{
			"Customer 张伟", "SO-2024-000123", int64(i), day(2024, time.Month(1+i%12), 1+i%28),
			&Decimal{Unscaled: int64(i) * 98765, Scale: 2}, new(big.Int).Mul(big.NewInt(int64(i)), big.NewInt(1e15)),
		}
	}
	return rows
}

func BenchmarkEncoder(b *testing.B) {
	rows := benchCells()
	b.ReportAllocs()
	for b.Loop() {
		e := NewEncoder(benchColumns, Objects)
		for _, r := range rows {
			if err := e.Row(r); err != nil {
				b.Fatal(err)
			}
		}
		b.SetBytes(int64(len(e.Bytes())))
		e.Release()
	}
}

// BenchmarkEncodingJSON is the same answer by the standard library, numbers as ready-made text.
func BenchmarkEncodingJSON(b *testing.B) {
	rows := make([]map[string]any, 0, benchRows)
	for _, r := range benchCells() {
		row := make(map[string]any, len(r))
		for i, c := range benchColumns {
			text, err := appendCell(nil, c.Type, c.Measure, time.UTC, r[i])
			if err != nil {
				b.Fatal(err)
			}
			if c.Type.Numeric() {
				row[c.Key] = json.Number(text)
			} else {
				row[c.Key] = string(text[1 : len(text)-1])
			}
		}
		rows = append(rows, row)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := json.Marshal(rows); err != nil {
			b.Fatal(err)
		}
	}
}

func TestRowsDoNotAllocate(t *testing.T) {
	rows := benchCells()[:64]
	e := NewEncoder(benchColumns, Objects)
	defer e.Release()
	fill := func() {
		e.buf, e.rows = e.buf[:1], 0
		for _, r := range rows {
			if err := e.Row(r); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n := testing.AllocsPerRun(20, fill); n != 0 {
		t.Errorf("%v allocations for %d rows, want none", n, len(rows))
	}
}
