package service

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/maypok86/otter/v2"

	"parlance/internal/fault"
	"parlance/internal/result"
	"parlance/internal/stage"
)

// keptAnswer is what the database gave for one query, encoded: its page, count and totals as one. It is shared by whoever
// asks the same and never changed.
type keptAnswer struct {
	items     []byte
	total     int64
	totalData []byte
	returned  int64
	truncated bool
	warnings  []string // what the data made one say; what the query did is each caller's own
	at        time.Time
	release   func() // gives the memory of items to others; nil where they are the answer's own

	sending sending
}

// settle makes the items the answer's own, to be kept for any time.
func (k *keptAnswer) settle() {
	if k.release == nil {
		return
	}
	k.items = slices.Clone(k.items)
	k.release()
	k.release = nil
}

// fill moves what the database gave into the answer of one caller, who must not change it. It fails where the budget has
// no room for what is on its way to this one.
func (k *keptAnswer) fill(a *Answer, budget *result.Budget, to owned) (err error) {
	if a.release = k.release; a.release == nil && len(k.items) > smallAnswer {
		if a.release, err = k.sending.begin(budget, to.owner(), len(k.items)); err != nil {
			return err
		}
	}
	a.Items, a.Returned, a.Truncated = slices.Clip(k.items), k.returned, k.truncated
	a.Total, a.TotalData = k.total, slices.Clip(k.totalData)
	a.Warnings = slices.Concat(a.Warnings, k.warnings)
	return nil
}

func (k *keptAnswer) bytes() int {
	n := len(k.items) + len(k.totalData)
	for _, w := range k.warnings {
		n += len(w)
	}
	return n
}

const (
	keptOverhead = 256 // bytes that an answer takes beside its own and its key's
	keptShare    = 8   // of the bound, no answer takes more than one part in so many
)

// answers keeps answers by all that decides them, and lets those who ask the same at once wait for one run. What fails is
// not kept.
type answers struct {
	now     func() time.Time
	most    uint64
	kept    *otter.Cache[string, *keptAnswer]
	mu      sync.Mutex
	flights map[string]*flight

	hits, misses, shared atomic.Int64
}

// flight is a run that several callers wait for. It ends when nobody waits any more.
type flight struct {
	done   chan struct{} // closed when answer and err are set
	answer *keptAnswer
	err    error
	begun  time.Time

	waiting int // guarded by answers.mu
	stop    context.CancelFunc
}

// newAnswers returns a cache of at most so many bytes; nil of none.
func newAnswers(most int64, now func() time.Time) *answers {
	if most <= 0 {
		return nil
	}
	a := &answers{now: now, most: uint64(most), flights: map[string]*flight{}}
	a.kept = otter.Must(&otter.Options[string, *keptAnswer]{
		MaximumWeight: a.most,
		Weigher:       func(key string, k *keptAnswer) uint32 { return uint32(len(key) + k.bytes() + keptOverhead) },
	})
	return a
}

// Where an answer came from.
const (
	fromCache    = "cache"
	fromDatabase = "database"
	fromShared   = "shared" // the run of another who asked the same
)

// of returns the answer of a key that is no older than most, from the cache or by one run for all who wait for it.
func (a *answers) of(ctx context.Context, key string, most time.Duration, c CacheControl, run func(context.Context) (*keptAnswer, error)) (*keptAnswer, string, error) {
	if c.MaxAge > 0 {
		most = min(most, c.MaxAge)
	}
	if k, ok := a.fresh(key, most); ok && !c.NoCache {
		a.hits.Add(1)
		return k, fromCache, nil
	}
	a.misses.Add(1)
	asked := a.now()
	for {
		f, mine := a.join(ctx, key, asked, c, run)
		select {
		case <-f.done:
			if !mine && leadersOwn(f.err) && ctx.Err() == nil {
				continue
			}
			if mine {
				return f.answer, fromDatabase, f.err
			}
			a.shared.Add(1)
			return f.answer, fromShared, f.err
		case <-ctx.Done():
			a.leave(key, f)
			return nil, "", gaveUp(ctx)
		}
	}
}

// fresh returns a kept answer that is young enough. A clock that went backwards makes no answer younger than it is.
func (a *answers) fresh(key string, most time.Duration) (*keptAnswer, bool) {
	k, ok := a.kept.GetIfPresent(key)
	if !ok {
		return nil, false
	}
	age := a.now().Sub(k.at)
	return k, age >= 0 && age < most
}

// join returns the flight of a key, and whether it was begun for this caller. Who does not want a kept answer, or none so
// old, does not want one either that was under way already, or for so long.
func (a *answers) join(ctx context.Context, key string, asked time.Time, c CacheControl, run func(context.Context) (*keptAnswer, error)) (*flight, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if f, ok := a.flights[key]; ok && !c.refuses(asked.Sub(f.begun)) {
		f.waiting++
		return f, false
	}
	f := &flight{done: make(chan struct{}), begun: a.now(), waiting: 1}
	alone := WithCaller(stage.Carry(context.Background(), ctx), CallerOf(ctx)) // nothing else of the request outlives it
	alone, f.stop = context.WithCancel(alone)
	if !c.NoStore {
		a.flights[key] = f
	}
	go a.fly(alone, key, f, c, run)
	return f, true
}

func (a *answers) fly(ctx context.Context, key string, f *flight, c CacheControl, run func(context.Context) (*keptAnswer, error)) {
	defer f.stop()
	defer close(f.done)
	f.err = guarded(func() (err error) {
		if f.answer, err = run(ctx); err == nil {
			f.answer.settle()
		}
		return err
	})
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.flights[key] == f {
		delete(a.flights, key)
	}
	if f.err != nil || c.NoStore || uint64(f.answer.bytes()) > a.most/keptShare {
		return
	}
	// One of a time that is still to come was kept before the clock went back.
	if other, ok := a.kept.GetIfPresent(key); !ok || !other.at.After(f.answer.at) || other.at.After(a.now()) {
		a.kept.Set(key, f.answer)
	}
}

// leave counts a caller out; the last one takes the run with it.
func (a *answers) leave(key string, f *flight) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if f.waiting--; f.waiting > 0 {
		return
	}
	f.stop()
	if a.flights[key] == f {
		delete(a.flights, key)
	}
}

// leadersOwn reports whether a run failed for what is its first caller's own, such as too many queries of that identity.
func leadersOwn(err error) bool {
	if err == nil {
		return false
	}
	return slices.Contains([]string{"overloaded", "cancelled"}, fault.As(err).Reason)
}

// gaveUp is the fault of a caller who waits no longer.
func gaveUp(ctx context.Context) error {
	f := &fault.Error{
		Kind: fault.Unavailable, Reason: "cancelled", Retryable: true, Cause: ctx.Err(),
		Message: "The query was cancelled by its caller",
	}
	if errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		f.Reason, f.Message = "timeout", "The query was stopped because the time of its request was over"
		f.Hint = "narrow it: a shorter time range, fewer columns, fewer groups"
	}
	return f
}
