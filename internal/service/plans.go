package service

import (
	"sync"

	"parlance/internal/catalog"
	"parlance/internal/compile"
)

// plansKept is how many compiled queries of a namespace are kept; most take some kilobytes, none much more than 64.
const plansKept = 1000

// plans keeps compiled queries of the generation that each namespace serves. Those of an older one go with it.
type plans struct {
	mu    sync.RWMutex
	byNow map[string]generationPlans // by namespace
}

type generationPlans struct {
	generation *catalog.Generation
	cache      *compile.Cache
}

// of returns the cache of a generation. A request that still holds an older one than others do takes over for no more
// than itself: it gets a cache that nobody else has.
func (p *plans) of(g *catalog.Generation, current func() *catalog.Generation) *compile.Cache {
	p.mu.RLock()
	have := p.byNow[g.Namespace]
	p.mu.RUnlock()
	if have.generation == g {
		return have.cache
	}
	fresh := generationPlans{g, compile.NewCache(plansKept)}
	if current() != g {
		return fresh.cache
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if have := p.byNow[g.Namespace]; have.generation == g {
		return have.cache
	}
	if p.byNow == nil {
		p.byNow = map[string]generationPlans{}
	}
	p.byNow[g.Namespace] = fresh
	return fresh.cache
}

// plansOf returns the compiled queries of the view's generation.
func (s *Service) plansOf(v view) *compile.Cache {
	return s.plans.of(v.generation, func() *catalog.Generation {
		g, _ := s.Catalog.Namespace(v.caller.Namespace)
		return g
	})
}
