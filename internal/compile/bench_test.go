package compile_test

import (
	"testing"

	"parlance/internal/compile"
)

// Three payloads, from bytes to statements: ten measures over six dimensions, with a filter, totals and an order; two
// measures over two dimensions; and the plain listing that most clients send.
var benchmarks = []struct{ name, payload string }{
	{"ten-measures-by-six-dimensions", `{
		"columns": ["customer$caption", "product$caption", "product.category$caption", "day$yearMonth", "status", "channel",
			"amount", "cost", "qty", "unitPrice", "buyers", "lines", "paidAmount", "margin", "perBuyer", "peak"],
		"groupBy": ["customer$caption", "product$caption", "product.category$caption", "day$yearMonth", "status", "channel"],
		"slice": [{"field": "placedAt", "op": "[)", "value": ["2024-01-01", "2024-07-01"]}, {"field": "customer$tier", "op": "in", "value": ["G", "S"]}],
		"orderBy": [{"field": "amount", "order": "desc"}], "limit": 100, "returnTotal": true}`},
	{"group", `{"columns": ["product$brand", "customer$tier", "amount", "qty"], "groupBy": [{"field": "product$brand"}, {"field": "customer$tier"}], "orderBy": [{"field": "amount", "order": "desc"}], "limit": 100}`},
	{"rows", `{"columns": ["orderNo", "customer$caption", "amount"], "slice": [{"field": "status", "op": "=", "value": "PAID"}], "orderBy": ["-amount"], "limit": 20}`},
}

func BenchmarkCompile(b *testing.B) {
	m := shop(b)["Sales"]
	for _, c := range benchmarks {
		payload := []byte(c.payload)
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				q, err := decode(payload)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := compile.Query(request(m, q, dialects[0].dialect)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkDecode is the part of BenchmarkCompile that reads the payload.
func BenchmarkDecode(b *testing.B) {
	for _, c := range benchmarks {
		payload := []byte(c.payload)
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := decode(payload); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
