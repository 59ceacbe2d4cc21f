package httpserver

import (
	"context"
	"net/http"
	"sync/atomic"
	"time"
)

// requestMargin is what a request may take beyond one statement's time: waiting for a place, a second statement.
// With the default time-out an answer comes within 40 seconds, before clients give up at 60.
const requestMargin = 10 * time.Second

// deadline bounds the work of a request once its body is read; what runs out of it is answered, not cut off.
func deadline(d time.Duration) middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ctx := &until{Context: r.Context(), end: time.Now().Add(d)}
			defer ctx.stop()
			next.ServeHTTP(w, r.WithContext(ctx))
		})
	}
}

// until is a context that ends at a moment, or with its parent. It sets its alarm when somebody first waits for it: an
// answer that is at hand needs none.
type until struct {
	context.Context //nolint:containedctx // the parent

	end   time.Time
	alarm atomic.Pointer[alarm] // nil: not set yet
}

type alarm struct {
	context.Context //nolint:containedctx // which it ends
	cancel          context.CancelFunc
}

// Deadline returns the moment, or the parent's where that comes first.
func (u *until) Deadline() (time.Time, bool) {
	if end, ok := u.Context.Deadline(); ok && end.Before(u.end) {
		return end, true
	}
	return u.end, true
}

// Done sets the alarm.
func (u *until) Done() <-chan struct{} {
	if set := u.alarm.Load(); set != nil {
		return set.Done()
	}
	ctx, cancel := context.WithDeadline(u.Context, u.end)
	if !u.alarm.CompareAndSwap(nil, &alarm{ctx, cancel}) {
		cancel()
	}
	return u.alarm.Load().Done()
}

// Err looks at the clock where no alarm is set.
func (u *until) Err() error {
	if set := u.alarm.Load(); set != nil {
		return set.Err()
	}
	if err := u.Context.Err(); err != nil {
		return err
	}
	if !time.Now().Before(u.end) {
		return context.DeadlineExceeded
	}
	return nil
}

// Value is the alarm's once it is set, so that contexts made of this one are told of its end without a goroutine each.
func (u *until) Value(key any) any {
	if set := u.alarm.Load(); set != nil {
		return set.Value(key)
	}
	return u.Context.Value(key)
}

// stop ends an alarm that was set.
func (u *until) stop() {
	if set := u.alarm.Load(); set != nil {
		set.cancel()
	}
}
