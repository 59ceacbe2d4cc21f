// Package datasource runs statements on databases: pools, admission, time-outs, cancellation, and rows as package
// result wants them. It writes no query of its own beyond describing and loading tables, and knows no model.
package datasource

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"parlance/internal/dialect"
	"parlance/internal/fault"
	"parlance/internal/relation"
	"parlance/internal/stage"
)

// Source is one open database. It is safe for use by many goroutines.
type Source struct {
	name    string
	engine  engine // see current
	gate    *gate
	timeout time.Duration
	log     *slog.Logger
	sealed  atomic.Bool

	life   context.Context // done when the source closes
	stop   context.CancelCauseFunc
	mu     sync.Mutex
	closed bool
	users  sync.WaitGroup // calls of the driver that have not returned; no Add once closed
}

// engine is one kind of database. Its calls may return late after their context is done; a Source does not wait.
type engine interface {
	// query runs one statement that reads, and returns with its first rows.
	query(ctx context.Context, text string, args []any) (cursor, error)
	// describe returns a row for each column of a table, or of a query where one is given; column reads such a row.
	describe(ctx context.Context, schema, table, query string) (cursor, error)
	column(cells []any) (Column, error)
	// schema adds the tables of the lister's schema to it and returns what else there is to say.
	schema(ctx context.Context, l *lister) (*relation.Schema, error)
	load(ctx context.Context, t Table) error
	// seal checks that what must be off is off.
	seal(ctx context.Context) error
	ping(ctx context.Context) error
	dialect() dialect.Dialect
	// fault says what an error of the driver means to a caller.
	fault(err error) *fault.Error
	close() error
}

// cursor is the rows of a statement. It is used by one goroutine at a time.
type cursor interface {
	// next returns the cells of the next row, valid until it is called again, or io.EOF.
	next() ([]any, error)
	close()
}

// Stats is what a source is doing.
type Stats struct {
	Running int // statements that hold a place, cancelled ones included until the database let go of them
	Waiting int
}

// Name returns the name under which the source was opened.
func (s *Source) Name() string { return s.name }

// Dialect returns the dialect of the source's SQL; nil while an awaited database has not been reached.
func (s *Source) Dialect() dialect.Dialect { return s.current().dialect() }

// Stats returns what the source is doing now.
func (s *Source) Stats() Stats { return s.gate.stats() }

// checkEvery is how many rows are read between two looks at the context.
const checkEvery = 256

// Query runs one statement that reads and calls row for each of its rows, in the caller's goroutine and never after
// Query returned. The cells are driver values in the forms that result.Encoder takes. The slice and a *result.Decimal
// in it are used again for the next row; other cells may be kept. An error of row ends the query and is returned as it
// is. row must not use the source.
//
// Statements run in the order in which they came; see Admit for those of one query. One that finds no place to wait is
// refused at once; one that runs longer than the source's time-out is stopped. When ctx is done Query returns at once, and the statement's place is
// free as soon as the database has stopped it.
func (s *Source) Query(ctx context.Context, text string, args []any, row func(cells []any) error) error {
	text = commented(ctx, text)
	return s.read(ctx, row, func(ctx context.Context) (cursor, error) { return s.current().query(ctx, text, args) })
}

// read is Query over whatever rows the engine opens.
func (s *Source) read(ctx context.Context, row func(cells []any) error, open func(context.Context) (cursor, error)) error {
	leave, err := s.enter(ctx)
	if err != nil {
		return err
	}
	defer stage.Start(ctx, stage.Run).End()
	ctx, cancel := s.bounded(ctx)
	defer cancel()
	rows, err := s.start(ctx, leave, open)
	if err != nil {
		return err
	}
	defer s.end(ctx, rows, leave)
	return s.each(ctx, rows, row)
}

// each calls row for each of the rows that are left.
func (s *Source) each(ctx context.Context, rows cursor, row func(cells []any) error) error {
	for n := 1; ; n++ {
		cells, err := rows.next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return s.outcome(ctx, err)
		}
		if err := row(cells); err != nil {
			return err
		}
		if n%checkEvery == 0 && ctx.Err() != nil {
			return s.outcome(ctx, ctx.Err())
		}
	}
}

// Ping reports whether the database answers, and opens one that is awaited. It needs no place at the gate, so an overloaded source is still there.
func (s *Source) Ping(ctx context.Context) error {
	if !s.begin() {
		return closing(s.name)
	}
	ctx, cancel := s.bounded(ctx)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		defer s.users.Done()
		done <- guarded(func() error { return s.current().ping(ctx) })
	}()
	select {
	case err := <-done:
		return s.outcome(ctx, err)
	case <-ctx.Done():
		return s.outcome(ctx, ctx.Err())
	}
}

// Close stops what still runs, waits until the database has let go of it, and frees all that the source holds.
func (s *Source) Close() error {
	s.mu.Lock()
	again := s.closed
	s.closed = true
	s.mu.Unlock()
	if again {
		return nil
	}
	s.stop(errClosing)
	s.users.Wait()
	err := s.engine.close()
	s.log.Info("datasource closed", "datasource", s.name)
	return err
}

// begin counts a user of the engine, unless the source is closed.
func (s *Source) begin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.users.Add(1)
	return true
}
