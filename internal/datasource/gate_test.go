package datasource

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
)

func TestGateServesInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const callers = 20
		g := newGate(1, callers)
		if err := g.enter(t.Context()); err != nil {
			t.Fatal(err)
		}
		order := make(chan int, callers)
		for i := range callers {
			go func() {
				if err := g.enter(t.Context()); err != nil {
					t.Error(err)
				}
				order <- i
				g.leave()
			}()
			synctest.Wait() // the caller stands in the queue
		}
		g.leave()
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
	g := newGate(2, 1)
	for range 2 {
		if err := g.enter(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	third := make(chan error)
	go func() { third <- g.enter(ctx) }()
	eventually(t, "the third waits", func() bool { return g.stats() == Stats{Running: 2, Waiting: 1} })
	for range 3 {
		if err := g.enter(t.Context()); !errors.Is(err, errFull) {
			t.Fatalf("got %v, want errFull", err)
		}
	}
	cancel()
	if err := <-third; !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want context.Canceled", err)
	}
	go func() { third <- g.enter(t.Context()) }()
	eventually(t, "another waits in its place", func() bool { return g.stats().Waiting == 1 })
	g.leave()
	if err := <-third; err != nil {
		t.Fatal(err)
	}
	if got := g.stats(); got != (Stats{Running: 2}) {
		t.Errorf("got %+v", got)
	}
}

func TestGateWithoutQueue(t *testing.T) {
	g := newGate(1, 0)
	if err := g.enter(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := g.enter(t.Context()); !errors.Is(err, errFull) {
		t.Errorf("got %v, want errFull", err)
	}
	g.leave()
	if err := g.enter(t.Context()); err != nil {
		t.Error(err)
	}
}
