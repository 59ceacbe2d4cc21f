package mcp

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"parlance/internal/transport/jsonrpc"
)

// job is a message that is being answered.
type job struct {
	id        jsonrpc.ID // "": a notification, or a batch, which cannot be cancelled
	stop      context.CancelFunc
	cancelled atomic.Bool
}

// running are jobs, of one client or with ids that tell clients apart.
type running struct {
	mu   sync.Mutex
	jobs map[*job]struct{}
	all  sync.WaitGroup
}

func (r *running) begin(id jsonrpc.ID, stop context.CancelFunc) *job {
	j := &job{id: id, stop: stop}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.jobs == nil {
		r.jobs = map[*job]struct{}{}
	}
	r.jobs[j] = struct{}{}
	r.all.Add(1)
	return j
}

func (r *running) end(j *job) {
	j.stop()
	r.mu.Lock()
	delete(r.jobs, j)
	r.mu.Unlock()
	r.all.Done()
}

// cancel ends the requests of an id; one that is not running is none.
func (r *running) cancel(id jsonrpc.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for j := range r.jobs {
		if id != "" && j.id == id {
			j.cancelled.Store(true)
			j.stop()
		}
	}
}

// wait returns true when no job runs, or false when the time is over.
func (r *running) wait(most time.Duration) bool {
	done := make(chan struct{})
	go func() {
		r.all.Wait()
		close(done)
	}()
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}
