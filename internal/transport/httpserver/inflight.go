package httpserver

import (
	"net/http"
	"sync"
	"time"
)

// inFlight counts the handlers that have not returned, which the standard library does not wait for once it has closed
// their connections.
type inFlight struct{ handlers sync.WaitGroup }

func (n *inFlight) around(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n.handlers.Add(1)
		defer n.handlers.Done()
		next.ServeHTTP(w, r)
	})
}

// wait returns when no handler runs, or when the time is over.
func (n *inFlight) wait(most time.Duration) {
	done := make(chan struct{})
	go func() {
		n.handlers.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(most):
	}
}
