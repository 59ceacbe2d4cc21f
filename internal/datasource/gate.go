package datasource

import (
	"context"
	"errors"
	"slices"
	"sync"
)

var errFull = errors.New("the queue is full")

// gate lets a bounded number of statements run and a bounded number wait. Those of one owner are served first come, first
// served; a free place goes to the owner who has the fewest, and a full queue makes room at the end of the longest line,
// so that whoever asks much waits behind himself and not before others.
type gate struct {
	places, queue int
	each          int // places that one owner may have; 0: all

	mu      sync.Mutex
	running int
	lent    int            // of the running, those that a query has beside its own
	held    map[string]int // places by owner
	waiting int
	lines   []*line // of owners for whom somebody waits, the one that was served longest ago first
}

// line is who waits for one owner.
type line struct {
	owner   string
	waiters []*waiter
}

// waiter is one who waits. told is closed when he has a place, or err is set.
type waiter struct {
	told chan struct{}
	err  error
}

func newGate(running, queue, each int) *gate {
	if each <= 0 || each > running {
		each = running
	}
	return &gate{places: running, queue: queue, each: each, held: map[string]int{}}
}

// try takes a place if one is free that nobody waits for.
func (g *gate) try(owner string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.free(owner)
}

// lend takes a place beside another of the same query, if one is free that nobody waits for. Whoever would have had it may
// wait instead, so that it costs nobody his.
func (g *gate) lend(owner string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.free(owner) {
		return false
	}
	g.lent++
	return true
}

// back gives a lent place back.
func (g *gate) back(owner string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.lent--
	g.release(owner)
}

func (g *gate) free(owner string) bool {
	if g.running == g.places || g.held[owner] >= g.each || g.next() >= 0 {
		return false
	}
	g.give(owner)
	return true
}

func (g *gate) give(owner string) {
	g.running++
	g.held[owner]++
}

// enter returns with a place, with errFull when it may not wait, or with the context's error.
func (g *gate) enter(ctx context.Context, owner string) error {
	w, err := g.stand(owner)
	if w == nil {
		return err
	}
	select {
	case <-w.told:
		return w.err
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-w.told: // at the same moment
		if w.err == nil {
			g.release(owner)
		}
	default:
		g.drop(owner, w)
	}
	return ctx.Err()
}

// stand takes a place, or stands in line.
func (g *gate) stand(owner string) (*waiter, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.free(owner) {
		return nil, nil
	}
	if g.waiting >= g.queue+g.lent && !g.makeRoom(owner) {
		return nil, errFull
	}
	w := &waiter{told: make(chan struct{})}
	l := g.lineOf(owner)
	l.waiters = append(l.waiters, w)
	g.waiting++
	return w, nil
}

// makeRoom sends away the last of the longest line, if that is longer than the owner's would become.
func (g *gate) makeRoom(owner string) bool {
	var longest *line
	own := 0
	for _, l := range g.lines {
		if longest == nil || len(l.waiters) > len(longest.waiters) {
			longest = l
		}
		if l.owner == owner {
			own = len(l.waiters)
		}
	}
	if longest == nil || len(longest.waiters) <= own+1 {
		return false
	}
	last := longest.waiters[len(longest.waiters)-1]
	g.drop(longest.owner, last)
	last.err = errFull
	close(last.told)
	return true
}

// lineOf returns the line of an owner, a new one behind all others.
func (g *gate) lineOf(owner string) *line {
	for _, l := range g.lines {
		if l.owner == owner {
			return l
		}
	}
	l := &line{owner: owner}
	g.lines = append(g.lines, l)
	return l
}

// drop takes one who waits out of his line.
func (g *gate) drop(owner string, w *waiter) {
	l := g.lineOf(owner)
	l.waiters = slices.DeleteFunc(l.waiters, func(other *waiter) bool { return other == w })
	g.waiting--
	if len(l.waiters) == 0 {
		g.lines = slices.DeleteFunc(g.lines, func(other *line) bool { return other == l })
	}
}

func (g *gate) leave(owner string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.release(owner)
}

// release gives a place back, and to whoever is next.
func (g *gate) release(owner string) {
	g.running--
	if g.held[owner]--; g.held[owner] == 0 {
		delete(g.held, owner)
	}
	i := g.next()
	if i < 0 {
		return
	}
	l := g.lines[i]
	first := l.waiters[0]
	g.lines = append(slices.Delete(g.lines, i, i+1), l) // behind all others
	g.drop(l.owner, first)
	g.give(l.owner)
	close(first.told)
}

// next returns the line from which the next one comes: of the owners who may have another place the one who has the
// fewest; -1: nobody.
func (g *gate) next() int {
	best := -1
	for i, l := range g.lines {
		if g.held[l.owner] < g.each && (best < 0 || g.held[l.owner] < g.held[g.lines[best].owner]) {
			best = i
		}
	}
	return best
}

func (g *gate) stats() Stats {
	g.mu.Lock()
	defer g.mu.Unlock()
	return Stats{Running: g.running, Waiting: g.waiting}
}
