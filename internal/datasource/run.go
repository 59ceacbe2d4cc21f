package datasource

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

// The reasons for which a source itself ends a statement.
var (
	errTimeout = errors.New("the statement's time is over")
	errClosing = errors.New("the datasource is closing")
)

// bounded returns a context that ends with the caller's, with the time-out, and when the source closes.
func (s *Source) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	ctx, stop := context.WithTimeoutCause(ctx, s.patience(ctx), errTimeout)
	detach := context.AfterFunc(s.life, func() { cancel(context.Cause(s.life)) })
	return ctx, func() {
		detach()
		stop()
		cancel(nil)
	}
}

// start opens a statement's rows. When ctx is done first, it returns at once, and whatever the driver
// brings later is closed and the place given back. On error the caller has nothing to give back.
func (s *Source) start(ctx context.Context, leave func(), open func(context.Context) (cursor, error)) (cursor, error) {
	type outcome struct {
		rows cursor
		err  error
	}
	done := make(chan outcome)
	abandoned := make(chan struct{})
	go func() {
		var o outcome
		o.err = guarded(func() (err error) {
			o.rows, err = open(ctx)
			return err
		})
		select {
		case done <- o:
		case <-abandoned:
			if o.err == nil {
				o.rows.close()
			}
			leave()
		}
	}()
	select {
	case o := <-done:
		if o.err != nil {
			leave()
			return nil, s.outcome(ctx, o.err)
		}
		return o.rows, nil
	case <-ctx.Done():
		close(abandoned)
		return nil, s.outcome(ctx, ctx.Err())
	}
}

// end closes a statement's rows and gives its place back. Where ctx is done the caller does not wait for that: a database
// that cannot be told to stop keeps the place and nobody else.
func (s *Source) end(ctx context.Context, rows cursor, leave func()) {
	if ctx.Err() == nil {
		defer leave()
		rows.close()
		return
	}
	go func() {
		defer leave()
		if err := guarded(func() error { rows.close(); return nil }); err != nil {
			s.log.ErrorContext(ctx, "a statement's rows could not be closed", "datasource", s.name, "error", err)
		}
	}()
}

// guarded turns a panic of a driver into an error: it may not end the process.
func guarded(call func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic in the driver: %v\n%s", r, debug.Stack())
		}
	}()
	return call()
}

// outOfTime reports whether a statement's time is over, perhaps because nobody is at the other end of its connection: then
// nobody may be at that of the others either.
func outOfTime(ctx context.Context) bool { return errors.Is(context.Cause(ctx), errTimeout) }

// outcome is the error of a driver's call as a fault: why the context ended if it did, else what the driver says.
func (s *Source) outcome(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if deadline, ok := ctx.Deadline(); ok && !time.Now().Before(deadline) {
		<-ctx.Done() // a driver that sets its own alarm by the deadline may wake a moment before the context
	}
	if ctx.Err() == nil {
		if errors.Is(err, errAlone) {
			return err
		}
		return s.current().fault(err)
	}
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errTimeout):
		return timedOut(fmt.Sprintf("it took longer than it may (%s)", s.patience(ctx)), err)
	case errors.Is(cause, context.DeadlineExceeded):
		return timedOut("the time of its request was over", err)
	case errors.Is(cause, errClosing):
		return closing(s.name)
	}
	return cancelled(ctx.Err())
}
