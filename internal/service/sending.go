package service

import (
	"sync"

	"parlance/internal/result"
)

// smallAnswer is the size of an answer whose memory on its way nobody counts.
const smallAnswer = 64 << 10

// sending counts the memory of an answer that several callers may be sent at once. However many they are, it is there once;
// and it is there until the last of them has it, also where the cache has forgotten it long before.
type sending struct {
	mu    sync.Mutex
	to    int
	given func()
}

// begin counts one caller; the returned function counts him out.
func (s *sending) begin(budget *result.Budget, n int) (end func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.to == 0 {
		if s.given, err = budget.Hold(int64(n)); err != nil {
			return nil, err
		}
	}
	s.to++
	return s.end, nil
}

func (s *sending) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.to--; s.to == 0 {
		s.given()
	}
}
