package outage

import (
	"context"
	"math/rand/v2"
	"regexp"
	"testing"
	"time"

	"parlance/internal/datasource"
	"parlance/internal/fault"
	"parlance/test/shop"
)

var loopback = regexp.MustCompile(`127\.0\.0\.1:[0-9]+`)

// through returns a config that reaches its server over a proxy.
func through(t testing.TB, c datasource.Config) (datasource.Config, *proxy) {
	t.Helper()
	if c.DSN != "" {
		p := between(t, loopback.FindString(c.DSN))
		c.DSN = loopback.ReplaceAllString(c.DSN, p.address())
		return c, p
	}
	p := between(t, c.Addresses[0])
	c.Addresses = []string{p.address()}
	return c, p
}

// many is, by engine, a statement of so many bytes that they are on their way for long.
var many = map[string]string{
	"postgres":   "SELECT generate_series(1, 100000000), repeat('x', 100)",
	"mysql":      "SELECT seq, REPEAT('x', 100) FROM seq_1_to_100000000",
	"clickhouse": "SELECT number, 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' FROM system.numbers LIMIT 100000000",
}

// soon is the time of a statement that will not be answered: long enough for one that will be, on a busy machine too.
const soon = 4 * time.Second

// bounded fails where a call that must end by its time-out lasts much longer.
func bounded(t *testing.T, what string, call func() error) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- call() }()
	select {
	case err := <-done:
		return err
	case <-time.After(patience):
		t.Fatalf("%s waits without end", what)
		return nil
	}
}

// back waits for an answer over a network that is there; what comes instead on a busy machine may be tried again.
func back(t *testing.T, ask func() error) {
	t.Helper()
	until(t, "an answer over a network that is there", func() bool {
		err := ask()
		if f := fault.As(err); err != nil && (f.Kind != fault.Unavailable || !f.Retryable) {
			t.Fatalf("over a network that is there: %v", err)
		}
		return err == nil
	})
}

// stalled: no byte passes, as behind a router that has forgotten the line.
func stalled(t *testing.T, e engine) {
	t.Helper()
	config, p := through(t, e.config)
	config.Timeout = soon
	s := shop.Again(t, config)
	ask := func() error {
		_, err := s.Ask(t.Context(), questions[3][0], questions[3][1])
		return err
	}
	back(t, ask)
	p.stall()
	for range 2 {
		if f := fault.As(bounded(t, "a query", ask)); f == nil || f.Kind != fault.Unavailable || !f.Retryable || f.Reason != "timeout" && f.Reason != "unreachable" {
			t.Errorf("without a network: %v", f)
		}
	}
	if f := fault.As(bounded(t, "a ping", func() error { return s.Source.Ping(t.Context()) })); f == nil || f.Kind != fault.Unavailable {
		t.Errorf("a ping without a network: %v", f)
	}
	until(t, "the places are free without a network", func() bool { return s.Source.Stats().Running == 0 })
	p.heal()
	back(t, func() error { return bounded(t, "a query", ask) })
	if err := s.Source.Close(); err != nil {
		t.Error(err)
	}
	w := e.watch(t)
	until(t, "no session is left", func() bool { return w.sessions(t) == 0 })
}

// stalledInside: the network stalls in the middle of an answer.
func stalledInside(t *testing.T, e engine) {
	t.Helper()
	config, p := through(t, e.config)
	config.Timeout = soon
	s := shop.Again(t, config)
	seen := 0
	err := bounded(t, "a query", func() error {
		return s.Source.Query(t.Context(), many[e.config.Type], nil, func([]any) error {
			if seen++; seen == 1000 {
				p.stall()
			}
			return nil
		})
	})
	if f := fault.As(err); f == nil || f.Kind != fault.Unavailable || f.Reason != "timeout" || !f.Retryable {
		t.Errorf("got %v after %d rows", err, seen)
	}
	until(t, "the place is free without a network", func() bool { return s.Source.Stats().Running == 0 })
	p.heal()
	back(t, func() error {
		_, err := s.Ask(t.Context(), questions[3][0], questions[3][1])
		return err
	})
	if err := s.Source.Close(); err != nil {
		t.Error(err)
	}
	w := e.watch(t)
	until(t, "no session is left", func() bool { return w.sessions(t) == 0 })
}

// cut: the line breaks somewhere in an answer, which is then whole all the same, or an error.
func cut(t *testing.T, e engine) {
	t.Helper()
	config, p := through(t, e.config)
	config.Timeout = 20 * time.Second
	s := shop.Again(t, config)
	want, err := right()
	if err != nil {
		t.Fatal(err)
	}
	const rounds = 150
	answers, errors := 0, 0
	for i := range rounds {
		q := i % len(questions)
		p.cutAfter(rand.Int64N(1 << (2 + i%16)))
		got, err := s.Ask(t.Context(), questions[q][0], questions[q][1])
		p.heal()
		f := fault.As(err)
		switch {
		case err == nil && got != want[q]:
			t.Errorf("a wrong answer over a bad network to %s:\n got %.2000s\nwant %.2000s", questions[q][1], got, want[q])
		case err == nil:
			answers++
		case f.Reason != "unreachable" || f.Kind != fault.Unavailable || !f.Retryable:
			t.Errorf("the error is %s: %v", f.Reason, err)
		default:
			errors++
		}
	}
	if answers == 0 || errors == 0 {
		t.Errorf("%d answers and %d errors try little", answers, errors)
	}
	t.Logf("%d right answers, %d errors", answers, errors)
	until(t, "the places are free", func() bool { return s.Source.Stats().Running == 0 })
}

// unreliable: every piece comes late, and some take their line with them.
func unreliable(t *testing.T, e engine) {
	t.Helper()
	config, p := through(t, e.config)
	config.Timeout = 20 * time.Second
	s := shop.Again(t, config)
	p.slow(time.Millisecond, 0.02)
	c := gather(t, s, []string{e.secret}, "unreachable", "timeout")
	c.answered(callers)
	c.failed(3, "unreachable")
	p.heal()
	c.answered(callers)
	c.home()
	w := e.watch(t)
	until(t, "the server runs nothing of ours", func() bool { return w.busy(t) == 0 })
}

// callersGo: what nobody waits for any more ends at the server too.
func callersGo(t *testing.T, e engine) {
	t.Helper()
	s := shop.Again(t, e.config)
	want, err := right()
	if err != nil {
		t.Fatal(err)
	}
	w := e.watch(t)
	for i := range 60 {
		q := i % len(questions)
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rand.Int64N(int64(50*time.Millisecond))))
		got, err := s.Ask(ctx, questions[q][0], questions[q][1])
		cancel()
		f := fault.As(err)
		switch {
		case err == nil && got != want[q]:
			t.Errorf("a wrong answer to %s: %.2000s", questions[q][1], got)
		case err != nil && (f.Kind != fault.Unavailable || f.Reason != "timeout" && f.Reason != "cancelled" && f.Reason != "overloaded"):
			t.Errorf("the error is %s: %v", f.Reason, err)
		}
	}
	until(t, "the places are free", func() bool { return s.Source.Stats() == datasource.Stats{} })
	until(t, "the server runs nothing of ours", func() bool { return w.busy(t) == 0 })
	if n := w.sessions(t); n > conns+2 {
		t.Errorf("the server has %d sessions of ours", n)
	}
}
