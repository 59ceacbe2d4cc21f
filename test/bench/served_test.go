package bench

import (
	"context"
	"slices"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"parlance/internal/service"
	"parlance/test/shop"
)

// questions are what is measured.
var questions = []struct{ name, model, payload string }{
	{"point", "DimCustomerQueryModel", `{"columns":["customerKey","customerName","customerType","province","city"],"slice":[{"field":"customerKey","op":"=","value":42}]}`},
	{"two joins", "FactSalesQueryModel", `{"columns":["product$categoryName","customer$customerType","salesAmount","quantity"],"groupBy":["product$categoryName","customer$customerType"],"orderBy":["-salesAmount"]}`},
	{"1,000 rows", "FactSalesQueryModel", `{"columns":["orderId","orderLineNo","salesDate$caption","customer$caption","product$caption","quantity","salesAmount","profitAmount"],"limit":1000}`},
	{"wide, totals", "FactSalesQueryModel", `{"columns":["store$province","channel$caption","product$categoryName","salesDate$year","quantity","salesAmount","costAmount","profitAmount","taxAmount","discountAmount","profitRate","uniqueCustomers","orderLines"],"groupBy":["store$province","channel$caption","product$categoryName","salesDate$year"],"orderBy":["-salesAmount"],"limit":1000,"returnTotal":true}`},
}

// BenchmarkServed runs each question both ways in turn.
func BenchmarkServed(b *testing.B) {
	for _, name := range names {
		b.Run(name, func(b *testing.B) {
			e := open(b, name, conns)
			for _, q := range questions {
				b.Run(q.name, func(b *testing.B) {
					stages := e.stages(b, q.model, q.payload)
					for b.Loop() {
						m := compare(
							func() time.Duration { return timed(b, func() error { return e.byHand(b.Context(), stages) }) },
							func() time.Duration {
								return timed(b, func() error { return e.serve(b.Context(), q.model, q.payload) })
							})
						report(b, name, q.name, m)
					}
				})
			}
		})
	}
}

// measure is the median of a way, of what another took more than its neighbour, and of what the first itself took more
// when it was run twice: without that noise a small difference means nothing.
type measure struct{ took, added, noise time.Duration }

// compare runs two ways of one thing in turn, so that what else the machine does hits both.
func compare(first, second func() time.Duration) measure {
	const fewest, while = 7, 4 * time.Second
	first()
	second()
	var took, added, noise []time.Duration
	for n, start := 0, time.Now(); n < fewest || time.Since(start) < while; n++ {
		var one, other, again time.Duration
		if n%2 == 0 {
			again, one, other = first(), first(), second()
		} else {
			other, one, again = second(), first(), first()
		}
		took, added, noise = append(took, one), append(added, other-one), append(noise, again-one)
	}
	return measure{quantile(took, 0.5), quantile(added, 0.5), quantile(noise, 0.5)}
}

func timed(b *testing.B, call func() error) time.Duration {
	b.Helper()
	start := time.Now()
	err := call()
	took := time.Since(start)
	if err != nil {
		b.Fatal(err)
	}
	return took
}

func quantile(all []time.Duration, q float64) time.Duration {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[int(q*float64(len(sorted)-1))]
}

// serve answers a payload from its bytes to the bytes of its rows.
func (e *engine) serve(ctx context.Context, model, payload string) error {
	q, err := shop.Decode(payload)
	if err != nil {
		return err
	}
	a, err := e.shop.Service.Query(ctx, service.Caller{}, model, q, service.QueryOptions{})
	if err != nil {
		return err
	}
	a.Release()
	return nil
}

// byHand runs the statements of an answer as the service does: those of a stage side by side.
func (e *engine) byHand(ctx context.Context, stages [][]statement) error {
	for _, stage := range stages {
		if len(stage) == 1 {
			if err := e.hand(ctx, stage[0].text, stage[0].args); err != nil {
				return err
			}
			continue
		}
		g, ctx := errgroup.WithContext(ctx)
		for _, st := range stage {
			g.Go(func() error { return e.hand(ctx, st.text, st.args) })
		}
		if err := g.Wait(); err != nil {
			return err
		}
	}
	return nil
}

// stages returns the statements by which a payload is answered, once what the service remembers is there.
func (e *engine) stages(b *testing.B, model, payload string) [][]statement {
	b.Helper()
	if err := e.serve(b.Context(), model, payload); err != nil {
		b.Fatal(err)
	}
	e.seen.start()
	if err := e.serve(b.Context(), model, payload); err != nil {
		b.Fatal(err)
	}
	return e.seen.stop()
}
