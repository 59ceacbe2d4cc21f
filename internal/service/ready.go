package service

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"parlance/internal/fault"
)

// readyPatience is how long a readiness check may take.
const readyPatience = 2 * time.Second

// Check is something beside models and datasources that must hold before queries can be answered.
type Check struct {
	Name string
	Run  func(context.Context) error // nil: it holds
}

// Readiness is the outcome of one check. Detail is safe to show to whoever asks.
type Readiness struct {
	Name   string
	OK     bool
	Detail string
}

// Ready checks that every namespace has its models, every datasource answers, and the further checks hold.
func (s *Service) Ready(ctx context.Context) []Readiness {
	ctx, cancel := context.WithTimeout(ctx, readyPatience)
	defer cancel()
	var all []Readiness
	guarded := 0
	for _, name := range s.Namespaces {
		r := s.namespaceReady(name)
		if s.Guarded != nil && s.Guarded(name) { // whoever asks here has shown no token
			guarded++
			r.Name = fmt.Sprintf("guarded namespace %d", guarded)
		}
		all = append(all, r)
	}
	checks := slices.Clone(s.Checks)
	for _, name := range slices.Sorted(maps.Keys(s.Sources)) {
		checks = append(checks, Check{Name: "datasource " + name, Run: s.Sources[name].Ping})
	}
	outcomes := make([]Readiness, len(checks))
	var wg sync.WaitGroup
	for i, c := range checks {
		wg.Go(func() { outcomes[i] = c.outcome(ctx) })
	}
	wg.Wait()
	return append(all, outcomes...)
}

func (s *Service) namespaceReady(name string) Readiness {
	r := Readiness{Name: "namespace " + name, Detail: "no models are loaded"}
	g, ok := s.Catalog.Namespace(name)
	switch {
	case ok && len(g.Waiting) > 0:
		r.Detail = fmt.Sprintf("%d of %s wait for their database", len(g.Waiting), counted(len(g.Models)+len(g.Waiting), "model"))
	case ok && len(g.Models) > 0:
		r.OK, r.Detail = true, counted(len(g.Models), "model")
	}
	return r
}

func (c Check) outcome(ctx context.Context) Readiness {
	if err := guarded(func() error { return c.Run(ctx) }); err != nil {
		return Readiness{Name: c.Name, Detail: fault.As(err).Message}
	}
	return Readiness{Name: c.Name, OK: true}
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
