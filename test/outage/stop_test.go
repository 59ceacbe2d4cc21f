package outage

import (
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
)

// TestStopUnderLoad: what the server took in before it was told to stop is answered to its end, and what comes later
// finds nobody. The server's own log counts the same.
func TestStopUnderLoad(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	for name, keep := range map[string]bool{"lines that are kept": true, "a line for each": false} {
		t.Run(name, func(t *testing.T) {
			p := s.launch(t, "concurrency: 8, queue: 64", "")
			p.client.Transport.(*http.Transport).DisableKeepAlives = !keep
			var answered, lost atomic.Int64
			var stopped atomic.Bool
			var wg sync.WaitGroup
			for caller := range 16 {
				wg.Go(func() {
					for i := caller; ; i++ {
						n := 1 + i%sales
						r, err := p.sum(t.Context(), []string{"Slow", "Sales"}[i%2], n)
						switch {
						case err != nil && unanswered(err) && stopped.Load():
							lost.Add(1)
							return
						case err != nil || !r.right(n):
							t.Errorf("got %+v, %v", r, err)
							return
						}
						answered.Add(1)
					}
				})
			}
			until(t, "many answers", func() bool { return answered.Load() > 100 })
			stopped.Store(true)
			p.stop(t)
			wg.Wait()
			served := int64(0)
			for line := range strings.Lines(p.said(t)) {
				if strings.Contains(line, "queryKpi") && strings.Contains(line, "outcome=ok") {
					served++
				}
			}
			if served != answered.Load() {
				t.Errorf("the server answered %d requests, and %d answers came", served, answered.Load())
			}
			if strings.Contains(p.said(t), "stopped before every request was answered") {
				t.Error("requests were cut off")
			}
			t.Logf("%d answered, %d callers found nobody", answered.Load(), lost.Load())
		})
	}
}

// unanswered reports whether a request never had a byte of an answer: nobody listens, or the line was closed before.
func unanswered(err error) bool {
	var u *url.Error
	if !errors.As(err, &u) {
		return false
	}
	var op *net.OpError
	return errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) ||
		strings.HasSuffix(u.Err.Error(), "EOF") || errors.As(err, &op) && op.Op == "dial" || strings.Contains(u.Err.Error(), "server closed idle connection")
}
