package service

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"parlance/internal/fault"
)

// clock is a time that a test moves.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) time() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func TestMemoComputesOnceForAllWhoWait(t *testing.T) {
	m := newMemo[string, int]((&clock{}).time)
	release := make(chan struct{})
	var mu sync.Mutex
	computed := 0
	compute := func(context.Context) (int, error) {
		<-release
		mu.Lock()
		defer mu.Unlock()
		computed++
		return 7, nil
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if v, ok := m.of(t.Context(), "k", compute); !ok || v != 7 {
				t.Errorf("got %d, %v", v, ok)
			}
		})
	}
	close(release)
	wg.Wait()
	if computed != 1 {
		t.Errorf("computed %d times", computed)
	}
}

func TestMemoOutlivesAnImpatientCaller(t *testing.T) {
	m := newMemo[string, int]((&clock{}).time)
	release := make(chan struct{})
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	compute := func(ctx context.Context) (int, error) {
		<-release
		return 7, ctx.Err()
	}
	if _, ok := m.of(gone, "k", compute); ok {
		t.Error("a caller that is gone got a value")
	}
	close(release)
	if v, ok := m.of(t.Context(), "k", compute); !ok || v != 7 {
		t.Errorf("got %d, %v", v, ok)
	}
}

func TestMemoForgets(t *testing.T) {
	c := &clock{}
	m := newMemo[string, int](c.time)
	next := 0
	count := func(context.Context) (int, error) { next++; return next, nil }
	fail := func(context.Context) (int, error) { next++; return 0, errors.New("no") }
	expect := func(key string, compute func(context.Context) (int, error), want int, wantOK bool) {
		t.Helper()
		if v, ok := m.of(t.Context(), key, compute); v != want || ok != wantOK {
			t.Errorf("got %d, %v; want %d, %v", v, ok, want, wantOK)
		}
	}
	expect("good", count, 1, true)
	expect("good", count, 1, true)
	c.pass(memoKept + time.Second)
	expect("good", count, 2, true)
	expect("bad", fail, 0, false)
	expect("bad", count, 0, false)
	c.pass(memoFailed + time.Second)
	expect("bad", count, 4, true)
	away := func(context.Context) (int, error) {
		next++
		return 0, &fault.Error{Kind: fault.Unavailable, Retryable: true}
	}
	expect("away", away, 0, false)
	c.pass(time.Millisecond)
	expect("away", count, 6, true) // asked again at once
	expect("panic", func(context.Context) (int, error) { panic("no") }, 0, false)
}

func TestMemoIsBounded(t *testing.T) {
	m := newMemo[int, int]((&clock{}).time)
	for i := range 2 * memoEntries {
		m.of(t.Context(), i, func(context.Context) (int, error) { return i, nil })
	}
	if len(m.entries) > memoEntries {
		t.Errorf("holds %d entries", len(m.entries))
	}
}

// TestMemoWithin: a caller waits no longer than he likes; who comes later has what was computed meanwhile.
func TestMemoWithin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemo[string, int](time.Now)
		compute := func(context.Context) (int, error) {
			time.Sleep(3 * time.Second)
			return 7, nil
		}
		began := time.Now()
		for _, want := range []struct {
			value int
			ok    bool
			after time.Duration
		}{{0, false, 2 * time.Second}, {7, true, 3 * time.Second}, {7, true, 3 * time.Second}} {
			value, ok := m.within(t.Context(), 2*time.Second, "a", compute)
			if value != want.value || ok != want.ok || time.Since(began) != want.after {
				t.Errorf("%d %t after %s", value, ok, time.Since(began))
			}
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, ok := m.within(gone, time.Second, "b", compute); ok {
			t.Error("one who went away waits")
		}
		time.Sleep(3 * time.Second)
		synctest.Wait()
	})
}
