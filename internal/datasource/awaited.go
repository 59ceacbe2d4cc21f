package datasource

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"parlance/internal/dialect"
	"parlance/internal/fault"
	"parlance/internal/relation"
)

// awaitTime is how long one waits at most for a database that is to be opened, whatever a statement may take.
const awaitTime = 10 * time.Second

var errAwaited = errors.New("the database has not been reached yet")

// NotReachedYet is the fault of whatever needs a database that is awaited: that of one that went away.
func NotReachedYet() error { return unreachable(errAwaited) }

// Await opens a database like Open, but one that cannot be reached now is opened by the first Ping that reaches it. Until
// then every statement fails as on a database that went away. All else that Open refuses is refused.
func Await(ctx context.Context, name string, c Config, log *slog.Logger) (*Source, error) {
	start := time.Now()
	soon, cancel := context.WithTimeout(ctx, awaitTime)
	defer cancel()
	s, err := Open(soon, name, c, log)
	if err == nil || ctx.Err() != nil || fault.As(err).Kind != fault.Unavailable {
		return s, err
	}
	c = c.withDefaults()
	log.WarnContext(ctx, "datasource cannot be reached: its models wait for it", "datasource", name, "type", c.Type,
		"why", Refusal(err), "duration", time.Since(start))
	return newSource(ctx, name, c, log, &awaited{
		open:  func(ctx context.Context) (engine, error) { return openEngine(ctx, name, c) },
		turn:  make(chan struct{}, 1),
		drops: c.Type == "postgres",
		told:  func() { log.Info("datasource opened", "datasource", name, "type", c.Type) },
	}), nil
}

// awaited is the place of an engine whose database has not been reached yet. It refuses everything but ping, which opens
// the engine.
type awaited struct {
	open  func(ctx context.Context) (engine, error)
	turn  chan struct{} // holds one while somebody opens
	drops bool          // the engine is a dropper
	told  func()        // tells that it is open
	inner atomic.Pointer[engine]
}

// current returns the engine that statements run on: the one that was awaited, once it is open.
func (s *Source) current() engine {
	if a, ok := s.engine.(*awaited); ok {
		if e := a.inner.Load(); e != nil {
			return *e
		}
	}
	return s.engine
}

// ping opens the engine.
func (a *awaited) ping(ctx context.Context) error {
	select {
	case a.turn <- struct{}{}:
		defer func() { <-a.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if e := a.inner.Load(); e != nil {
		return (*e).ping(ctx)
	}
	ctx, cancel := context.WithTimeout(ctx, awaitTime)
	defer cancel()
	e, err := a.open(ctx)
	if err != nil {
		return err
	}
	a.inner.Store(&e)
	a.told()
	return nil
}

func (a *awaited) query(context.Context, string, []any) (cursor, error) {
	return nil, unreachable(errAwaited)
}

func (a *awaited) describe(context.Context, string, string, string) (cursor, error) {
	return nil, unreachable(errAwaited)
}

func (a *awaited) column([]any) (Column, error) { return Column{}, unreachable(errAwaited) }

func (a *awaited) schema(context.Context, *lister) (*relation.Schema, error) {
	return nil, unreachable(errAwaited)
}

func (a *awaited) load(context.Context, Table) error { return unreachable(errAwaited) }
func (a *awaited) seal(context.Context) error        { return unreachable(errAwaited) }

// dialect is not known: it is that of the server's version and settings. Nothing may be compiled meanwhile.
func (a *awaited) dialect() dialect.Dialect { return nil }

func (a *awaited) fault(err error) *fault.Error {
	if f := (*fault.Error)(nil); errors.As(err, &f) {
		return f
	}
	return unreachable(err)
}

func (a *awaited) close() error {
	if e := a.inner.Load(); e != nil {
		return (*e).close()
	}
	return nil
}
