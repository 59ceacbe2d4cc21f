package service

import (
	"strconv"
	"sync"

	"parlance/internal/catalog"
)

// epochs numbers the states in which the data of models was seen. A number is never given twice: data that goes back to an
// earlier state is in a new epoch, so that answers from before the change stay where they are.
type epochs struct {
	mu   sync.Mutex
	last uint64
	of   map[epochKey]epoch
}

// epochKey is what one refresh statement of a model looks at.
type epochKey struct {
	generation *catalog.Generation
	model      string
	refresh    int
}

// epoch is the state that was seen last.
type epoch struct {
	state  string
	number uint64
}

func newEpochs() *epochs { return &epochs{of: map[epochKey]epoch{}} }

// saw notes a state. Whoever saw it first among several that look at once, each state that differs from the one noted last
// begins an epoch: at worst an answer is made once more.
func (e *epochs) saw(key epochKey, state string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	now, known := e.of[key]
	if known && now.state == state {
		return
	}
	if !known {
		for earlier := range e.of {
			if follows(key.generation, earlier.generation) {
				delete(e.of, earlier)
			}
		}
	}
	e.last++
	e.of[key] = epoch{state, e.last}
}

// now returns the epoch of a key, whose state was seen before; false where the models have been read again since.
func (e *epochs) now(key epochKey) (string, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	now, ok := e.of[key]
	return strconv.FormatUint(now.number, 10), ok
}
