package queryapi

import (
	"container/list"
	"sync"
)

const (
	decodedBodies = 1000    // that are remembered
	longestBody   = 4 << 10 // bytes of one
)

// decoded remembers what bodies mean that were decoded without a fault: dashboards send the same ones again and again.
// What it returns is shared and must not be changed. It is safe for concurrent use.
type decoded[T any] struct {
	mu     sync.Mutex
	byBody map[string]*list.Element // of *meaning[T]
	recent *list.List               // the last one asked for first
}

type meaning[T any] struct {
	body string
	of   T
}

func newDecoded[T any]() *decoded[T] {
	return &decoded[T]{byBody: map[string]*list.Element{}, recent: list.New()}
}

// of returns what a body means, decoding it where that is not known.
func (d *decoded[T]) of(body []byte, decode func() (T, error)) (T, error) {
	if known, ok := d.find(body); ok {
		return known, nil
	}
	fresh, err := decode()
	if err == nil && len(body) <= longestBody {
		d.keep(&meaning[T]{string(body), fresh})
	}
	return fresh, err
}

func (d *decoded[T]) find(body []byte) (known T, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	e, ok := d.byBody[string(body)]
	if !ok {
		return known, false
	}
	d.recent.MoveToFront(e)
	m, _ := e.Value.(*meaning[T])
	return m.of, true
}

func (d *decoded[T]) keep(m *meaning[T]) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, there := d.byBody[m.body]; there {
		return
	}
	d.byBody[m.body] = d.recent.PushFront(m)
	if d.recent.Len() <= decodedBodies {
		return
	}
	if old, ok := d.recent.Remove(d.recent.Back()).(*meaning[T]); ok {
		delete(d.byBody, old.body)
	}
}
