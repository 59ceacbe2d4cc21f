package bench

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// callers is how many ask at once in BenchmarkLoad, four for each connection.
const callers = 4 * conns

// crowded is what all of them ask: groups of 5,000 rows.
const crowdedModel, crowdedPayload = "FactReturnQueryModel", `{"columns":["returnReason","store$province","returnAmount","returnQuantity"],"groupBy":["returnReason","store$province"],"orderBy":["-returnAmount"],"limit":1000}`

// BenchmarkLoad asks one question from many callers at once, both ways: the wait for a connection counts.
func BenchmarkLoad(b *testing.B) {
	for _, name := range names {
		b.Run(name, func(b *testing.B) {
			e := open(b, name, conns)
			stages := e.stages(b, crowdedModel, crowdedPayload)
			var ours, theirs []time.Duration
			for b.Loop() {
				theirs = append(theirs, crowd(b, func() error { return e.byHand(b.Context(), stages) })...)
				ours = append(ours, crowd(b, func() error { return e.serve(b.Context(), crowdedModel, crowdedPayload) })...)
			}
			b.ReportMetric(0, "ns/op")
			row := "| " + name
			for _, p := range []struct {
				q    float64
				name string
			}{{0.5, "p50"}, {0.99, "p99"}} {
				by, our := quantile(theirs, p.q), quantile(ours, p.q)
				b.ReportMetric(micros(by)/1000, "ms-"+p.name+"-by-hand")
				b.ReportMetric(micros(our)/1000, "ms-"+p.name+"-served")
				row += fmt.Sprintf(" | %s | %s", millis(by), millis(our))
			}
			loaded = append(loaded, row+" |")
		})
	}
}

// crowd calls from many goroutines at once, each of which goes on when it has its answer, and returns what each call took.
func crowd(b *testing.B, call func() error) []time.Duration {
	b.Helper()
	const calls = 20 * callers
	var (
		next  atomic.Int64
		mu    sync.Mutex
		all   = make([]time.Duration, 0, calls)
		wg    sync.WaitGroup
		wrong error
	)
	for range callers {
		wg.Go(func() {
			for next.Add(1) <= calls {
				start := time.Now()
				err := call()
				took := time.Since(start)
				mu.Lock()
				all = append(all, took)
				if err != nil {
					wrong = err
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if wrong != nil {
		b.Fatal(wrong)
	}
	return all
}
