package service

import (
	"sync"

	"parlance/internal/catalog"
	"parlance/internal/compile"
)

// plansKept is how many compiled queries of a namespace are kept; most take some kilobytes, none much more than 64.
const plansKept = 1000

// plans keeps compiled queries, and grants, of the generation that each namespace serves. Those of an older one go with it.
type plans struct {
	mu    sync.RWMutex
	byNow map[string]*generationPlans // by namespace
}

type generationPlans struct {
	generation *catalog.Generation
	cache      *compile.Cache
	grants     grants
}

// of returns what is kept of a generation. A request that still holds an older one than others do takes over for no more
// than itself: it gets what nobody else has.
func (p *plans) of(g *catalog.Generation, current func() *catalog.Generation) *generationPlans {
	p.mu.RLock()
	have := p.byNow[g.Namespace]
	p.mu.RUnlock()
	if have != nil && have.generation == g {
		return have
	}
	fresh := &generationPlans{generation: g, cache: compile.NewCache(plansKept)}
	if current() != g {
		return fresh
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if have := p.byNow[g.Namespace]; have != nil && have.generation == g {
		return have
	}
	if p.byNow == nil {
		p.byNow = map[string]*generationPlans{}
	}
	p.byNow[g.Namespace] = fresh
	return fresh
}

// plansOf returns what is kept of the generation that a namespace had when the request began.
func (s *Service) plansOf(namespace string, generation *catalog.Generation) *generationPlans {
	return s.plans.of(generation, func() *catalog.Generation {
		g, _ := s.Catalog.Namespace(namespace)
		return g
	})
}
