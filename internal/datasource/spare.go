package datasource

import "sync"

// spare is connections that nobody uses, at most so many. The last that came is the first to go: where few are needed, the
// same few are used, whose sessions are warm at the other end.
type spare[C any] struct {
	most int

	mu   sync.Mutex
	kept []C
}

func newSpare[C any](most int) *spare[C] { return &spare[C]{most: most} }

// take returns one, if there is any.
func (s *spare[C]) take() (c C, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.kept) == 0 {
		return c, false
	}
	last := len(s.kept) - 1
	c = s.kept[last]
	clear(s.kept[last:])
	s.kept = s.kept[:last]
	return c, true
}

// give keeps one, unless there are enough.
func (s *spare[C]) give(c C) (kept bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.kept) >= s.most {
		return false
	}
	s.kept = append(s.kept, c)
	return true
}

// all takes every one.
func (s *spare[C]) all() []C {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.kept
	s.kept = nil
	return all
}

// count is how many there are.
func (s *spare[C]) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.kept)
}
