package httpserver

import (
	"context"
	"encoding/json"
	"net/http"
	"time"
)

// checkTimeout bounds all checks together, so that a prober gets its answer.
const checkTimeout = 5 * time.Second

// Check is one thing that must hold before the server is ready.
type Check struct {
	Name   string
	OK     bool
	Detail string // shown to whoever asks: no secrets, no addresses
}

type health struct {
	Status string        `json:"status"` // ok, unavailable, stopping
	Checks []healthCheck `json:"checks"`
}

type healthCheck struct {
	Name   string `json:"name"`
	Status string `json:"status"`
	Detail string `json:"detail,omitempty"`
}

// healthz says that the process answers.
func (s *Server) healthz() http.Handler {
	return readOnly(func(w http.ResponseWriter, _ *http.Request) {
		sendHealth(w, http.StatusOK, health{Status: "ok", Checks: []healthCheck{}})
	})
}

// readyz says whether queries can be answered: 200 when every check holds, 503 otherwise and while stopping.
func (s *Server) readyz() http.Handler {
	return readOnly(func(w http.ResponseWriter, r *http.Request) {
		status, h := http.StatusOK, health{Status: "ok", Checks: []healthCheck{}}
		if s.opts.Checks != nil {
			ctx, cancel := context.WithTimeout(r.Context(), checkTimeout)
			defer cancel()
			for _, c := range s.opts.Checks(ctx) {
				hc := healthCheck{Name: c.Name, Status: "ok", Detail: c.Detail}
				if !c.OK {
					hc.Status, h.Status, status = "unavailable", "unavailable", http.StatusServiceUnavailable
				}
				h.Checks = append(h.Checks, hc)
			}
		}
		if s.draining.Load() {
			h.Status, status = "stopping", http.StatusServiceUnavailable
		}
		sendHealth(w, status, h)
	})
}

func readOnly(h http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			plainFace{}.refuse(w, r, http.StatusMethodNotAllowed, "Method not allowed")
			return
		}
		h(w, r)
	})
}

func sendHealth(w http.ResponseWriter, status int, h health) {
	body, _ := json.Marshal(h) // strings always encode
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	send(w, status, body)
}
