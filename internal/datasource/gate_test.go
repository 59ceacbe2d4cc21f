package datasource

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
)

func TestGateServesInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const callers = 20
		g := newGate(1, callers, 0)
		if err := g.enter(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
		order := make(chan int, callers)
		for i := range callers {
			go func() {
				if err := g.enter(t.Context(), "a"); err != nil {
					t.Error(err)
				}
				order <- i
				g.leave("a")
			}()
			synctest.Wait() // the caller stands in the queue
		}
		g.leave("a")
		for want := range callers {
			if got := <-order; got != want {
				t.Fatalf("caller %d came in at place %d", got, want)
			}
		}
		synctest.Wait()
		if s := g.stats(); s != (Stats{}) {
			t.Errorf("at the end: %+v", s)
		}
	})
}

func TestGateBounds(t *testing.T) {
	g := newGate(2, 1, 0)
	for range 2 {
		if err := g.enter(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	third := make(chan error)
	go func() { third <- g.enter(ctx, "a") }()
	eventually(t, "the third waits", func() bool { return g.stats() == Stats{Running: 2, Waiting: 1} })
	for range 3 {
		if err := g.enter(t.Context(), "a"); !errors.Is(err, errFull) {
			t.Fatalf("got %v, want errFull", err)
		}
	}
	cancel()
	if err := <-third; !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want context.Canceled", err)
	}
	go func() { third <- g.enter(t.Context(), "a") }()
	eventually(t, "another waits in its place", func() bool { return g.stats().Waiting == 1 })
	g.leave("a")
	if err := <-third; err != nil {
		t.Fatal(err)
	}
	if got := g.stats(); got != (Stats{Running: 2}) {
		t.Errorf("got %+v", got)
	}
}

func TestGateWithoutQueue(t *testing.T) {
	g := newGate(1, 0, 0)
	if err := g.enter(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	if err := g.enter(t.Context(), "a"); !errors.Is(err, errFull) {
		t.Errorf("got %v, want errFull", err)
	}
	g.leave("a")
	if err := g.enter(t.Context(), "a"); err != nil {
		t.Error(err)
	}
}

// TestGateIsFair: who asks little is served beside who asks much, not behind.
func TestGateIsFair(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(2, 20, 0)
		served := make(chan string, 20)
		ask := func(owner string) {
			go func() {
				if err := g.enter(t.Context(), owner); err != nil {
					t.Error(err)
				}
				served <- owner
			}()
			synctest.Wait()
		}
		for range 8 {
			ask("many")
		}
		ask("few")
		ask("other")
		order := (<-served)[:1] + (<-served)[:1]
		running := []string{"many", "many"}
		for range 8 {
			g.leave(running[0])
			next := <-served
			running = append(running[1:], next)
			order += next[:1]
		}
		if order != "mmfmommmmm" { // who has no place comes before who has one, and in turn
			t.Errorf("served in the order %s", order)
		}
	})
}

// TestGateBoundsEachOwner: nobody has more places than one may, even where others are free.
func TestGateBoundsEachOwner(t *testing.T) {
	g := newGate(3, 3, 2)
	got := []bool{g.try("a"), g.try("a"), g.try("a"), g.try("b")}
	if diff := cmp.Diff([]bool{true, true, false, true}, got); diff != "" {
		t.Fatal(diff)
	}
	g.leave("b")
	third := make(chan error)
	go func() { third <- g.enter(t.Context(), "a") }()
	eventually(t, "the third waits", func() bool { return g.stats() == Stats{Running: 2, Waiting: 1} })
	if !g.try("b") {
		t.Error("who waits for his own place keeps others away")
	}
	g.leave("a")
	if err := <-third; err != nil {
		t.Error(err)
	}
}

// TestAFullQueueMakesRoom: the last of the longest line goes; among equals nobody does.
func TestAFullQueueMakesRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(1, 3, 0)
		g.try("many")
		refused := make(chan int, 10)
		for i := range 3 {
			go func() {
				if errors.Is(g.enter(t.Context(), "many"), errFull) {
					refused <- i
				}
			}()
			synctest.Wait()
		}
		few := make(chan error, 2)
		go func() { few <- g.enter(t.Context(), "few") }()
		synctest.Wait()
		if got := <-refused; got != 2 || g.stats().Waiting != 3 {
			t.Errorf("%d had to go, %+v", got, g.stats())
		}
		if err := g.enter(t.Context(), "few"); !errors.Is(err, errFull) {
			t.Errorf("one line of two and one of one: %v", err)
		}
		if err := g.enter(t.Context(), "many"); !errors.Is(err, errFull) {
			t.Errorf("the longest line grew: %v", err)
		}
		g.leave("many")
		g.leave("many")
		if err := <-few; err != nil {
			t.Error(err)
		}
		g.leave("few")
		g.leave("many")
		if s := g.stats(); s != (Stats{}) || len(g.lines)+len(g.held) > 0 {
			t.Errorf("at the end: %+v", g)
		}
	})
}

// TestGateUnderLoad: whatever comes and goes, places and lines add up.
func TestGateUnderLoad(t *testing.T) {
	const places, queue = 3, 5
	g := newGate(places, queue, 2)
	var running, most atomic.Int64
	var wg sync.WaitGroup
	for n := range 20 {
		owner := string(rune('a' + n%4))
		wg.Go(func() {
			for i := range 300 {
				ctx, cancel := context.WithCancel(t.Context())
				if (i+n)%3 == 0 {
					go cancel()
				}
				if err := g.enter(ctx, owner); err == nil {
					if now := running.Add(1); now > most.Load() {
						most.Store(now)
					}
					runtime.Gosched()
					running.Add(-1)
					g.leave(owner)
				}
				cancel()
			}
		})
	}
	wg.Wait()
	if most.Load() > places || g.stats() != (Stats{}) || len(g.lines)+len(g.held) > 0 {
		t.Errorf("%d at once; at the end %+v", most.Load(), g)
	}
}

// TestGateLends: a place that a query has beside its own costs nobody the right to wait.
func TestGateLends(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(2, 1, 0)
		if err := g.enter(t.Context(), "a"); err != nil || !g.lend("a") {
			t.Fatal("no place in an empty gate", err)
		}
		if g.lend("a") {
			t.Error("a place that is not there was lent")
		}
		errs := make(chan error, 2)
		for range 2 { // with the first these are as many as the gate takes
			go func() { errs <- g.enter(t.Context(), "a") }()
		}
		synctest.Wait()
		if s := g.stats(); s != (Stats{Running: 2, Waiting: 2}) {
			t.Fatalf("got %+v", s)
		}
		if err := g.enter(t.Context(), "a"); !errors.Is(err, errFull) {
			t.Errorf("one too many: %v", err)
		}
		g.back("a")
		synctest.Wait()
		if s := g.stats(); s != (Stats{Running: 2, Waiting: 1}) || <-errs != nil || g.lend("a") {
			t.Errorf("after it came back: %+v", s)
		}
		g.leave("a")
		if err := <-errs; err != nil {
			t.Error(err)
		}
		g.leave("a")
		g.leave("a")
		if s := g.stats(); s != (Stats{}) || g.lent != 0 {
			t.Errorf("at the end: %+v, %d lent", s, g.lent)
		}
	})
}

// TestPlaces: who waits behind himself does not wait before others.
func TestPlaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewPlaces(1)
		first, err := p.Take(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		order := make(chan string, 3)
		for _, name := range []string{"a second", "a third", "b first"} {
			go func() {
				leave, err := p.Take(t.Context(), name[:1])
				if err != nil {
					t.Error(err)
					return
				}
				order <- name
				leave()
			}()
			synctest.Wait()
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := p.Take(gone, "a"); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
		first()
		if got := []string{<-order, <-order, <-order}; !slices.Equal(got, []string{"a second", "b first", "a third"}) {
			t.Errorf("%q", got)
		}
	})
}
