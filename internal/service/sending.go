package service

import (
	"sync"

	"parlance/internal/result"
)

// smallAnswer is the size of an answer whose memory on its way nobody counts.
const smallAnswer = 64 << 10

// sending counts the memory of an answer that several callers may be sent at once. However many they are, it is there once;
// and it is there until the last of them has it, also where the cache has forgotten it long before. It counts as the memory
// of one of them.
type sending struct {
	mu   sync.Mutex
	to   map[string]int // callers, by owner
	held result.Held
	by   string // the owner whose memory it is
}

// begin counts one caller of an owner; the returned function counts him out.
func (s *sending) begin(budget *result.Budget, owner string, n int) (end func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.to) == 0 {
		if s.held, err = budget.Hold(owner, int64(n)); err != nil {
			return nil, err
		}
		s.to, s.by = map[string]int{}, owner
	}
	s.to[owner]++
	return func() { s.end(owner) }, nil
}

func (s *sending) end(owner string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.to[owner]--; s.to[owner] > 0 {
		return
	}
	delete(s.to, owner)
	if len(s.to) == 0 {
		s.held.Give()
		return
	}
	if s.by != owner {
		return
	}
	for other := range s.to {
		s.by, s.held = other, s.held.Of(other)
		return
	}
}
