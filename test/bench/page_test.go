package bench

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"testing"
	"time"

	"parlance/internal/access"
	"parlance/internal/catalog"
	"parlance/internal/compile"
	"parlance/internal/datasource"
	"parlance/internal/dialect"
	"parlance/internal/jsontree"
	"parlance/internal/query"
	"parlance/internal/result"
	"parlance/internal/semantic"
	"parlance/internal/service"
	"parlance/internal/value"
	"parlance/models"
	"parlance/test/shop"
)

// pagePayload is a page of 10,000 rows and ten columns.
const pagePayload = `{"columns":["orderId","orderLineNo","orderStatus","salesDate$caption","customer$caption","product$caption","quantity","unitPrice","salesAmount","profitAmount"],"limit":10000}`

// BenchmarkPage: what a large page takes of the heap beside its own bytes, and how fast its rows are written.
func BenchmarkPage(b *testing.B) {
	s := shop.New(b, datasource.Config{Type: "duckdb"})
	q, err := shop.Decode(pagePayload)
	if err != nil {
		b.Fatal(err)
	}
	ask := func() int {
		a, err := s.Service.Query(b.Context(), service.Caller{}, "FactSalesQueryModel", q, service.QueryOptions{})
		if err != nil {
			b.Fatal(err)
		}
		defer a.Release()
		if a.Returned != 10_000 {
			b.Fatalf("%d rows", a.Returned)
		}
		return len(a.Items)
	}
	ask()
	size := ask()
	defer debug.SetGCPercent(debug.SetGCPercent(1)) // what is not needed any more goes at once, so that the rest is what is needed
	runtime.GC()
	runtime.GC() // the pool is empty
	before := inUse()
	stop, most := make(chan struct{}), make(chan uint64)
	go func() {
		highest := uint64(0)
		for {
			select {
			case <-stop:
				most <- highest
				return
			default:
				highest = max(highest, inUse())
			}
		}
	}()
	for range 5 {
		ask()
	}
	close(stop)
	taken := float64(int64(<-most)-int64(before)-int64(size)) / (1 << 20)
	pages = append(pages, fmt.Sprintf("| a page of 10,000 rows × 10 columns: the most that is held beside its own %.1f MB (DuckDB) | %.1f MB | 4 MB |", float64(size)/(1<<20), taken))
}

// inUse returns the bytes of the heap's objects.
func inUse() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// cellsOfPage are rows as a datasource hands them on.
func cellsOfPage() (columns []result.Column, rows [][]any) {
	text, number, amount := value.Type{Kind: value.String}, value.Type{Kind: value.Integer}, value.Type{Kind: value.Decimal, Scale: 2}
	columns = []result.Column{
		{Key: "orderId", Type: text}, {Key: "orderLineNo", Type: number}, {Key: "orderStatus", Type: text}, {Key: "salesDate$caption", Type: value.Type{Kind: value.Date}},
		{Key: "customer$caption", Type: text}, {Key: "product$caption", Type: text}, {Key: "quantity", Type: number, Measure: true},
		{Key: "unitPrice", Type: amount, Measure: true}, {Key: "salesAmount", Type: amount, Measure: true}, {Key: "profitAmount", Type: amount, Measure: true},
	}
	for i := range int64(10_000) {
		rows = append(rows, []any{
			"SO2024" + strconv.FormatInt(10_000_000+i, 10), i % 7, "COMPLETED", time.Date(2024, 1, 1+int(i%300), 0, 0, 0, 0, time.UTC), "Customer " + strconv.FormatInt(i%1000, 10), "Product \"" + strconv.FormatInt(i%500, 10) + "\"",
			i % 9, &result.Decimal{Unscaled: 1000 + i, Scale: 2}, &result.Decimal{Unscaled: 99 * i, Scale: 2}, &result.Decimal{Unscaled: 7 * i, Scale: 2},
		})
	}
	return columns, rows
}

// BenchmarkEncoder: the encoder beside one that is written for exactly these columns.
func BenchmarkEncoder(b *testing.B) {
	columns, rows := cellsOfPage()
	buffer := make([]byte, 0, 4<<20)
	hand := func() time.Duration {
		begun := time.Now()
		buffer = appendPage(buffer[:0], rows)
		return time.Since(begun)
	}
	ours := func() time.Duration {
		begun := time.Now()
		e := result.NewEncoder(columns, result.Objects)
		for _, r := range rows {
			if err := e.Row(r); err != nil {
				b.Fatal(err)
			}
		}
		same := len(e.Bytes()) == len(buffer)
		took := time.Since(begun)
		e.Release()
		if !same {
			b.Fatal("another page")
		}
		return took
	}
	hand()
	ours()
	var ratios []float64
	var a, o []time.Duration
	for range 41 {
		h, u := hand(), ours()
		a, o, ratios = append(a, h), append(o, u), append(ratios, float64(h)/float64(u))
	}
	pages = append(pages, fmt.Sprintf("| its encoder beside a hand-written one, %s and %s | %.2f × the speed | 0.8 × |", millis(quantile(o, 0.5)), millis(quantile(a, 0.5)), median(ratios)))
}

// appendPage writes exactly these columns.
func appendPage(b []byte, rows [][]any) []byte {
	b = append(b, '[')
	for i, r := range rows {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendJSON(append(b, `{"orderId":`...), r[0].(string))
		b = strconv.AppendInt(append(b, `,"orderLineNo":`...), r[1].(int64), 10)
		b = appendJSON(append(b, `,"orderStatus":`...), r[2].(string))
		b = append(r[3].(time.Time).AppendFormat(append(b, `,"salesDate$caption":"`...), time.DateOnly), '"')
		b = appendJSON(append(b, `,"customer$caption":`...), r[4].(string))
		b = appendJSON(append(b, `,"product$caption":`...), r[5].(string))
		b = strconv.AppendInt(append(b, `,"quantity":`...), r[6].(int64), 10)
		b = appendCents(append(b, `,"unitPrice":`...), r[7].(*result.Decimal).Unscaled)
		b = appendCents(append(b, `,"salesAmount":`...), r[8].(*result.Decimal).Unscaled)
		b = appendCents(append(b, `,"profitAmount":`...), r[9].(*result.Decimal).Unscaled)
		b = append(b, '}')
	}
	return append(b, ']')
}

func appendCents(b []byte, n int64) []byte {
	b = strconv.AppendInt(b, n/100, 10)
	return append(b, '.', byte('0'+n%100/10), byte('0'+n%10))
}

// appendJSON appends a string whose only escape is that of a quote.
func appendJSON(b []byte, s string) []byte {
	b = append(b, '"')
	for i := range len(s) {
		if s[i] == '"' || s[i] == '\\' {
			b = append(b, '\\')
		}
		b = append(b, s[i])
	}
	return append(b, '"')
}

// BenchmarkCompiling: the group query from its bytes to its statements, fresh and from the plans that are kept.
func BenchmarkCompiling(b *testing.B) {
	g, problems := catalog.Load(b.Context(), catalog.Options{Namespace: "default", FS: models.Default(), Datasource: "shop", Calendar: semantic.Calendar{Zone: time.UTC}})
	if g == nil {
		b.Fatal(problems)
	}
	m := g.ByName["FactSalesQueryModel"]
	const group = `{"columns":["product$categoryName","customer$customerType","salesAmount","quantity"],"groupBy":[{"field":"product$categoryName"},{"field":"customer$customerType"}],"orderBy":[{"field":"salesAmount","order":"desc"}],"limit":100}`
	const filtered = `{"columns":["product$categoryName","customer$customerType","salesAmount","quantity"],"groupBy":[{"field":"product$categoryName"},{"field":"customer$customerType"}],"orderBy":[{"field":"salesAmount","order":"desc"}],"slice":[{"field":"orderStatus","op":"=","value":"COMPLETED"}],"limit":100}`
	request := func(q *query.Query) compile.Request {
		return compile.Request{Model: m, Query: q, Grant: access.For(access.Identity{}, m), Dialect: dialect.DuckDB(), Limits: compile.Limits{DefaultRows: 10, MaxRows: 10_000}, Now: time.Now()}
	}
	cache, bytes := compile.NewCache(10), []byte(group)
	decoded, err := shop.Decode(filtered)
	if err != nil {
		b.Fatal(err)
	}
	for _, way := range []struct {
		name, bound string
		run         func() error
	}{
		{"the group query from its bytes to SQL", "50 µs, 200 allocations", func() error {
			tree, err := jsontree.Parse(bytes)
			if err != nil {
				return err
			}
			q, err := query.Decode(tree, query.DecodeOptions{})
			if err == nil {
				_, err = compile.Query(request(q))
			}
			return err
		}},
		{"the same with a filter, decoded, from a plan that is kept", "10 µs", func() error {
			_, err := cache.Query(request(decoded))
			return err
		}},
	} {
		var took []time.Duration
		for range 2000 {
			begun := time.Now()
			if err := way.run(); err != nil {
				b.Fatal(err)
			}
			took = append(took, time.Since(begun))
		}
		allocs := testing.AllocsPerRun(200, func() { _ = way.run() })
		pages = append(pages, fmt.Sprintf("| %s | %.1f µs, %.0f allocations | %s |", way.name, micros(quantile(took[100:], 0.5)), allocs, way.bound))
	}
}
