// Package outage stops servers, files and networks under a service that is being asked, and holds it to three promises:
// every answer is right or a clear error that may be retried, answers come again by themselves, and nothing is left.
package outage

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"parlance/internal/datasource"
	"parlance/internal/fault"
	"parlance/test/shop"
)

func TestMain(m *testing.M) {
	if os.Getenv(childServes) != "" {
		os.Exit(serve())
	}
	goleak.VerifyTestMain(m)
}

// questions are asked over and over, a model and a payload each: statements of a millisecond and of many.
var questions = [][2]string{
	{"FactSalesQueryModel", `{"columns":["product$categoryName","customer$customerType","salesAmount","uniqueCustomers"],"groupBy":["product$categoryName","customer$customerType"],"returnTotal":true}`},
	{"FactSalesQueryModel", `{"columns":["orderId","orderLineNo","customer$caption","salesAmount"],"slice":[{"field":"orderStatus","op":"=","value":"PAID"}],"orderBy":["-salesAmount","orderId","orderLineNo"],"limit":500}`},
	{"FactOrderQueryModel", `{"columns":["orderDate$yearMonth","store$province","totalAmount","orderCount"],"groupBy":["orderDate$yearMonth","store$province"],"limit":1000,"returnTotal":true}`},
	{"DimCustomerQueryModel", `{"columns":["customerName","province"],"slice":[{"field":"customerKey","op":"=","value":42}]}`},
	{"OrderPaymentQueryModel", `{"columns":["customer$customerType","totalAmount","orderCount","payAmount","paymentCount"],"groupBy":["customer$customerType"],"returnTotal":true}`},
}

// right returns what the questions are answered, by another engine than the servers.
var right = sync.OnceValues(func() ([]string, error) {
	t := &once{}
	defer t.end()
	s := shop.New(t, datasource.Config{Type: "duckdb"})
	answers := make([]string, len(questions))
	for i, q := range questions {
		var err error
		if answers[i], err = s.Ask(context.Background(), q[0], q[1]); err != nil {
			return nil, fmt.Errorf("%s: %w", q[1], err)
		}
	}
	return answers, nil
})

// once is what a shop needs of a test, for one that serves all tests.
type once struct {
	testing.TB
	cleanups []func()
}

func (o *once) Helper()                   {}
func (o *once) Context() context.Context  { return context.Background() }
func (o *once) Cleanup(f func())          { o.cleanups = append(o.cleanups, f) }
func (o *once) Fatal(args ...any)         { panic(fmt.Sprint(args...)) }
func (o *once) Fatalf(f string, a ...any) { panic(fmt.Sprintf(f, a...)) }
func (o *once) Error(args ...any)         { panic(fmt.Sprint(args...)) }

func (o *once) end() {
	for _, f := range slices.Backward(o.cleanups) {
		f()
	}
}

// crowd asks the questions from many callers at once until it is sent home.
type crowd struct {
	t       *testing.T
	shop    *shop.Shop
	want    []string
	allowed []string // reasons of errors
	hidden  []string // what no error may show
	stop    chan struct{}
	wg      sync.WaitGroup

	mu      sync.Mutex
	answers int
	errors  map[string]int // by reason
	last    *fault.Error
}

const callers = 8

// gather sends a crowd to a shop. The reasons are those that errors may have.
func gather(t *testing.T, s *shop.Shop, hidden []string, reasons ...string) *crowd {
	t.Helper()
	want, err := right()
	if err != nil {
		t.Fatal(err)
	}
	c := &crowd{t: t, shop: s, want: want, hidden: hidden, allowed: reasons, stop: make(chan struct{}), errors: map[string]int{}}
	for i := range callers {
		c.wg.Go(func() { c.ask(i) })
	}
	return c
}

func (c *crowd) ask(i int) {
	for ; ; i++ {
		select {
		case <-c.stop:
			return
		default:
		}
		q := i % len(questions)
		got, err := c.shop.Ask(c.t.Context(), questions[q][0], questions[q][1])
		switch {
		case err != nil:
			c.refused(err)
		case got != c.want[q]:
			c.t.Errorf("a wrong answer to %s:\n got %.2000s\nwant %.2000s", questions[q][1], got, c.want[q])
		default:
			c.mu.Lock()
			c.answers++
			c.mu.Unlock()
		}
	}
}

// driverWords are of drivers and servers, and never of an error's text.
var driverWords = []string{"dial", "tcp", "connection", "SQLSTATE", "EOF", "DB::", "Code:", "driver", "refused", "reset", "broken pipe", "SELECT", "127.0.0.1:1/", "no such file", "/tmp"}

func (c *crowd) refused(err error) {
	f := fault.As(err)
	if f.Kind != fault.Unavailable || !f.Retryable || !slices.Contains(c.allowed, f.Reason) {
		c.t.Errorf("the error is %s (kind %d, retryable %v): %s: %v", f.Reason, f.Kind, f.Retryable, f.Text(), f.Cause)
	}
	for _, word := range slices.Concat(driverWords, c.hidden) {
		if strings.Contains(f.Text(), word) {
			c.t.Errorf("the error shows %q: %s", word, f.Text())
		}
	}
	for _, secret := range c.hidden {
		if strings.Contains(f.Error(), secret) {
			c.t.Errorf("the log shows a secret: %s", f.Error())
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.errors[f.Reason]++
	c.last = f
}

// patience is how long a server may take to do what it must.
const patience = 3 * time.Minute

// until waits for what others are about to do.
func until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(patience); !holds(); <-tick.C {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
	}
}

// answered waits until the crowd has had n more right answers.
func (c *crowd) answered(n int) {
	c.t.Helper()
	c.mu.Lock()
	goal := c.answers + n
	c.mu.Unlock()
	until(c.t, fmt.Sprintf("%d more answers", n), func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.answers >= goal
	})
}

// failed waits until the crowd has had n more errors of a reason, and returns the last.
func (c *crowd) failed(n int, reason string) *fault.Error {
	c.t.Helper()
	c.mu.Lock()
	goal := c.errors[reason] + n
	c.mu.Unlock()
	until(c.t, fmt.Sprintf("%d more errors %s", n, reason), func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.errors[reason] >= goal
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last
}

// home sends the crowd home and checks that it leaves no statement behind.
func (c *crowd) home() {
	c.t.Helper()
	close(c.stop)
	c.wg.Wait()
	until(c.t, "every place is free", func() bool { return c.shop.Source.Stats() == datasource.Stats{} })
	c.t.Logf("%d right answers, errors %v", c.answers, c.errors)
}
