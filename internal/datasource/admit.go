package datasource

import (
	"context"
	"errors"
	"sync"
	"time"

	"parlance/internal/stage"
)

// maxWait is how long one waits for a place at most, whatever a statement may take: who waits longer gives up anyway.
const maxWait = 10 * time.Second

type ticketKey struct{}

// ticket is a place that the statements of one query use in turn; while others are free they may use those too.
type ticket struct {
	source *Source
	owner  string
	place  chan struct{} // holds one while a statement uses the place

	mu     sync.Mutex
	closed bool
	users  int // statements that use the place or wait for it
}

// Admit takes a place for a query of an owner. Its statements, run with the returned context, need not wait for others and
// are never refused for them: side by side as far as places are free, otherwise one after the other. The returned function
// gives the place back, once the database has let go of all of them, and must be called.
//
// A query that finds no place to wait, or waits too long, is refused at once.
func (s *Source) Admit(ctx context.Context, owner string) (context.Context, func(), error) {
	if !s.begin() {
		return nil, nil, closing(s.name)
	}
	if err := s.stand(ctx, owner); err != nil {
		s.users.Done()
		return nil, nil, err
	}
	t := &ticket{source: s, owner: owner, place: make(chan struct{}, 1)}
	return context.WithValue(ctx, ticketKey{}, t), t.close, nil
}

type ownerKey struct{}

// WithOwner returns a context whose statements are an owner's where they are not of an admitted query, and count with his.
func WithOwner(ctx context.Context, owner string) context.Context {
	return context.WithValue(ctx, ownerKey{}, owner)
}

// ownerOf is whose the statements of a context are; "": the program's own.
func ownerOf(ctx context.Context) string {
	owner, _ := ctx.Value(ownerKey{}).(string)
	return owner
}

// enter takes a place for one statement. The returned function gives it back and must be called once the driver's call
// has returned, however long that takes.
func (s *Source) enter(ctx context.Context) (leave func(), err error) {
	if t, ok := ctx.Value(ticketKey{}).(*ticket); ok && t.source == s && t.join() {
		return t.enter(ctx)
	}
	if !s.begin() {
		return nil, closing(s.name)
	}
	owner := ownerOf(ctx)
	if err := s.stand(ctx, owner); err != nil {
		s.users.Done()
		return nil, err
	}
	return func() {
		s.gate.leave(owner)
		s.users.Done()
	}, nil
}

// enterFree takes one more place for a statement of an admitted query, if one is free.
func (s *Source) enterFree(ctx context.Context) (leave func(), ok bool) {
	t, ok := ctx.Value(ticketKey{}).(*ticket)
	if !ok || t.source != s || !t.join() {
		return nil, false
	}
	if leave, ok = t.free(); !ok {
		t.part()
	}
	return leave, ok
}

// stand takes a place once one is free.
func (s *Source) stand(ctx context.Context, owner string) error {
	defer stage.Start(ctx, stage.Queue).End()
	if s.gate.try(owner) {
		return nil
	}
	ctx, cancel := s.bounded(ctx)
	defer cancel()
	ctx, stop := context.WithTimeoutCause(ctx, maxWait, errTimeout)
	defer stop()
	err := s.gate.enter(ctx, owner)
	if errors.Is(err, errFull) || (err != nil && errors.Is(context.Cause(ctx), errTimeout)) {
		return overloaded(s.name, err)
	}
	return s.outcome(ctx, err)
}

// join counts a statement in; false where the query is over.
func (t *ticket) join() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return false
	}
	t.users++
	return true
}

func (t *ticket) enter(ctx context.Context) (leave func(), err error) {
	select {
	case t.place <- struct{}{}:
		return t.leave, nil
	default:
	}
	if leave, ok := t.free(); ok {
		return leave, nil
	}
	select {
	case t.place <- struct{}{}:
		return t.leave, nil
	case <-ctx.Done():
		t.part()
		return nil, t.source.outcome(ctx, ctx.Err())
	}
}

// free takes a place beside the query's own, if one is free.
func (t *ticket) free() (leave func(), ok bool) {
	if !t.source.begin() {
		return nil, false
	}
	if !t.source.gate.lend(t.owner) {
		t.source.users.Done()
		return nil, false
	}
	return func() {
		t.source.gate.back(t.owner)
		t.source.users.Done()
		t.part()
	}, true
}

func (t *ticket) leave() {
	<-t.place
	t.part()
}

// part counts a statement out; the last one after the query's end gives the place back.
func (t *ticket) part() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.users--; t.closed && t.users == 0 {
		t.end()
	}
}

// close ends the query.
func (t *ticket) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.closed && t.users == 0 {
		t.end()
	}
	t.closed = true
}

func (t *ticket) end() {
	t.source.gate.leave(t.owner)
	t.source.users.Done()
}
