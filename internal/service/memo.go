package service

import (
	"context"
	"sync"
	"time"

	"parlance/internal/fault"
)

const (
	memoEntries = 1024
	memoKept    = 5 * time.Minute
	memoFailed  = 10 * time.Second // after which a failed computation is tried again, at the latest
	memoTime    = 5 * time.Second  // that a computation may take unless the memo says otherwise
)

// memo keeps what is computed once for each key, for a while. A computation outlives the caller that started it, so
// that an impatient caller does not spoil it for the next. What is old may be used while it is computed again.
type memo[K comparable, V any] struct {
	now     func() time.Time
	time    time.Duration             // that a computation may take
	kept    time.Duration             // that a value is kept
	grace   time.Duration             // that a value is used beyond that, while it is computed again
	weigh   func(V) int               // bytes of a value; nil: they do not count
	most    int                       // bytes of all values; 0: no bound
	follows func(key, earlier K) bool // whether nobody asks for earlier any more once key is asked for; nil: never
	mu      sync.Mutex
	entries map[K]*memoEntry[V]
	weight  int // of the entries
}

type memoEntry[V any] struct {
	done    chan struct{} // closed when value, ok, made and expires are set
	value   V
	ok      bool
	made    time.Time
	expires time.Time
	weight  int           // once it is done; guarded by the memo's mu, as is renewal
	renewal *memoEntry[V] // what is being computed to take its place; nil: nothing
}

func newMemo[K comparable, V any](now func() time.Time) *memo[K, V] {
	return &memo[K, V]{now: now, time: memoTime, kept: memoKept, entries: map[K]*memoEntry[V]{}}
}

// of returns the value of a key, or false when it cannot be had or not within ctx. A computation that fails may still
// give a value, which is then kept as short as the failure.
func (m *memo[K, V]) of(ctx context.Context, key K, compute func(context.Context) (V, error)) (V, bool) {
	e := m.entry(ctx, key, compute)
	select {
	case <-e.done:
		return e.value, e.ok
	case <-ctx.Done():
		var none V
		return none, false
	}
}

// within is of for a caller who waits for a computation no longer than so.
func (m *memo[K, V]) within(ctx context.Context, patience time.Duration, key K, compute func(context.Context) (V, error)) (V, bool) {
	e := m.entry(ctx, key, compute)
	select {
	case <-e.done:
		return e.value, e.ok
	default:
	}
	end := time.NewTimer(patience)
	defer end.Stop()
	var none V
	select {
	case <-e.done:
		return e.value, e.ok
	case <-end.C:
	case <-ctx.Done():
	}
	return none, false
}

func (m *memo[K, V]) entry(ctx context.Context, key K, compute func(context.Context) (V, error)) *memoEntry[V] {
	m.mu.Lock()
	defer m.mu.Unlock()
	old, ok := m.entries[key]
	if ok && !m.stale(old) {
		return old
	}
	e := &memoEntry[V]{done: make(chan struct{})}
	ctx = context.WithoutCancel(ctx)
	if ok && m.serves(old) {
		if old.renewal == nil {
			old.renewal = e
			go m.compute(ctx, key, e, compute)
		}
		return old
	}
	m.makeRoom(key)
	m.drop(key)
	m.entries[key] = e
	go m.compute(ctx, key, e, compute)
	return e
}

// compute finishes an entry.
func (m *memo[K, V]) compute(ctx context.Context, key K, e *memoEntry[V], compute func(context.Context) (V, error)) {
	ctx, cancel := context.WithTimeout(ctx, m.time)
	defer cancel()
	began := m.now()
	err := guarded(func() (err error) {
		e.value, err = compute(ctx)
		return err
	})
	e.ok, e.made = err == nil, m.now()
	e.expires = e.made.Add(m.keeps(err, e.made.Sub(began)))
	close(e.done)
	m.settle(key, e)
}

// keeps returns how long the outcome of a computation is kept. One that may be tried again is, as soon as it cost: a
// database that is back is asked at once.
func (m *memo[K, V]) keeps(err error, took time.Duration) time.Duration {
	switch {
	case err == nil:
		return m.kept
	case fault.As(err).Retryable:
		return min(took, memoFailed)
	}
	return memoFailed
}

// stale reports whether a finished entry is too old, or made at a time that is still to come because the clock went
// back; one under way never is.
func (m *memo[K, V]) stale(e *memoEntry[V]) bool {
	select {
	case <-e.done:
		now := m.now()
		return now.After(e.expires) || now.Before(e.made)
	default:
		return false
	}
}

// makeRoom drops what the key follows, and keeps the number of entries bounded: first the stale ones go, then whichever
// the map gives first.
func (m *memo[K, V]) makeRoom(key K) {
	for k := range m.entries {
		if m.follows != nil && m.follows(key, k) {
			m.drop(k)
		}
	}
	if len(m.entries) < memoEntries {
		return
	}
	for k, e := range m.entries {
		if m.stale(e) {
			m.drop(k)
		}
	}
	for k := range m.entries {
		if len(m.entries) < memoEntries {
			return
		}
		m.drop(k)
	}
}
