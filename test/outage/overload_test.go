package outage

import (
	"os"
	"slices"
	"sync"
	"testing"
	"time"
)

// places and waiting are what the server of the overload may do at once; with a tenth of a second a query it answers
// places*10 a second.
const (
	places  = 2
	waiting = 4
	perTick = places // requests at each tick, so that ten times as many come as can be answered
	tick    = 10 * time.Millisecond
)

// load is what came of the requests of an overload.
type load struct {
	mu             sync.Mutex
	answered, shed []time.Duration
	wrong          []string
}

func (l *load) ask(t *testing.T, p *program, n int) {
	t.Helper()
	r, err := p.sum(t.Context(), "Slow", n)
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case err != nil:
		l.wrong = append(l.wrong, err.Error())
	case r.right(n):
		l.answered = append(l.answered, r.took)
	case r.shed():
		l.shed = append(l.shed, r.took)
	default:
		l.wrong = append(l.wrong, r.body)
	}
}

func quantile(took []time.Duration, share float64) time.Duration {
	slices.Sort(took)
	return took[int(share*float64(len(took)-1))]
}

// TestOverload: ten times as many requests as can be answered. What is taken in is answered, everything else is told at
// once to come again, memory does not grow with it, and afterwards all is as before.
func TestOverload(t *testing.T) {
	t.Parallel()
	lasts := 2 * time.Second
	if text := os.Getenv("PARLANCE_OVERLOAD"); text != "" {
		var err error
		if lasts, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	}
	s := newStand(t)
	p := s.launch(t, "concurrency: 2, queue: 4", "")
	if r, err := p.sum(t.Context(), "Slow", 7); err != nil || !r.right(7) {
		t.Fatal(r, err)
	}
	memory := p.metric(t, "process_resident_memory_bytes", "")
	var l load
	var wg sync.WaitGroup
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	n := 0
	for begun, passed := time.Now(), time.Duration(0); passed < lasts; passed = time.Since(begun) {
		for due := int(passed/tick) * perTick; n < due; n++ { // also of ticks that a busy machine left out
			one := 1 + n%sales
			wg.Go(func() { l.ask(t, p, one) })
		}
		<-ticker.C
	}
	wg.Wait()
	for i := range 10 {
		if r, err := p.sum(t.Context(), "Slow", 1+i); err != nil || !r.right(1+i) {
			t.Errorf("after the overload: %+v, %v", r, err)
		}
	}
	if len(l.wrong) > 0 {
		t.Errorf("%d replies are neither the answer nor a refusal that may be tried again, such as %.300s", len(l.wrong), l.wrong[0])
	}
	if len(l.answered) < places || len(l.shed) < len(l.answered) {
		t.Fatalf("%d answered and %d shed of %d", len(l.answered), len(l.shed), n)
	}
	if grown := p.metric(t, "process_resident_memory_bytes", "") - memory; grown > 200<<20 {
		t.Errorf("memory has grown by %.0f MB", grown/(1<<20))
	}
	t.Logf("%d answered (p50 %s, p99 %s), %d shed (p50 %s, p99 %s)", len(l.answered), quantile(l.answered, 0.5), quantile(l.answered, 0.99),
		len(l.shed), quantile(l.shed, 0.5), quantile(l.shed, 0.99))
	if quantile(l.shed, 0.5) >= quantile(l.answered, 0.5) {
		t.Error("it takes as long to be refused as to be answered")
	}
}
