package datasource

import (
	"sync"
	"time"
)

// idleTime is how long a connection waits for its next use before it is closed.
const idleTime = 5 * time.Minute

// spare is connections that nobody uses, at most so many. The last that came is the first to go: where few are needed, the
// same few are used, whose sessions are warm at the other end, and the others are closed after a while.
type spare[C any] struct {
	most  int
	close func(C)

	mu   sync.Mutex
	kept []waiting[C] // the one that waits longest first
}

type waiting[C any] struct {
	conn  C
	since time.Time
}

func newSpare[C any](most int, closing func(C)) *spare[C] {
	return &spare[C]{most: most, close: closing}
}

// take returns one, if there is any.
func (s *spare[C]) take() (c C, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.kept) == 0 {
		return c, false
	}
	last := len(s.kept) - 1
	c = s.kept[last].conn
	clear(s.kept[last:])
	s.kept = s.kept[:last]
	return c, true
}

// give keeps one, or closes it where there are enough.
func (s *spare[C]) give(c C) {
	kept, old := s.keep(c)
	if !kept {
		s.close(c)
	}
	for _, c := range old {
		go s.close(c) // which may take a while where nobody is at the other end
	}
}

// keep adds one, unless there are enough, and takes out the one that has waited too long.
func (s *spare[C]) keep(c C) (kept bool, old []C) {
	now := time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.kept) > 0 && now.Sub(s.kept[0].since) > idleTime {
		old = append(old, s.kept[0].conn)
		s.kept = append(s.kept[:0], s.kept[1:]...)
	}
	if len(s.kept) >= s.most {
		return false, old
	}
	s.kept = append(s.kept, waiting[C]{c, now})
	return true, old
}

// all takes every one.
func (s *spare[C]) all() []C {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]C, 0, len(s.kept))
	for _, w := range s.kept {
		all = append(all, w.conn)
	}
	s.kept = nil
	return all
}

// count is how many there are.
func (s *spare[C]) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.kept)
}
