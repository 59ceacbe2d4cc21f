package datasource

import (
	"context"
	"errors"
	"sync/atomic"
)

var errFull = errors.New("the queue is full")

// gate lets a bounded number of statements run and a bounded number wait, first come, first served.
//
// A channel hands a free place to the sender that waits longest, and never has room while one waits, so nobody
// overtakes.
type gate struct {
	places  chan struct{}
	waiting atomic.Int64
	queue   int64
}

func newGate(running, queue int) *gate {
	return &gate{places: make(chan struct{}, running), queue: int64(queue)}
}

// try takes a place if one is free.
func (g *gate) try() bool {
	select {
	case g.places <- struct{}{}:
		return true
	default:
		return false
	}
}

// enter returns with a place, with errFull when nobody else may wait, or with the context's error.
func (g *gate) enter(ctx context.Context) error {
	if g.try() {
		return nil
	}
	if g.waiting.Add(1) > g.queue {
		g.waiting.Add(-1)
		return errFull
	}
	defer g.waiting.Add(-1)
	select {
	case g.places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (g *gate) leave() { <-g.places }

func (g *gate) stats() Stats {
	return Stats{Running: len(g.places), Waiting: int(min(g.waiting.Load(), g.queue))}
}
