package service

import (
	"hash/maphash"
	"maps"
	"slices"
	"sync"

	"parlance/internal/access"
	"parlance/internal/semantic"
)

const (
	grantsKept  = 1000 // of a namespace
	grantValues = 100  // of roles and attributes: the grant of an identity with more is made each time
)

// grants keeps what identities may see of the models of one generation, which decides it alone: whether somebody still is
// who he was is found out with each request, before it comes here.
type grants struct {
	mu   sync.RWMutex
	kept map[grantKey]granted
}

// grantKey finds what may be the grant of an identity.
type grantKey struct {
	model *semantic.Model
	print uint64
}

// granted is a model as an identity sees it.
type granted struct {
	to   access.Identity
	seen seen
}

// of returns a model as an identity sees it, whether or not it may see it.
func (g *grants) of(id access.Identity, m *semantic.Model) seen {
	if g == nil || m.Access == nil && m.Multi == nil || sizeOf(id) > grantValues {
		return see(id, m)
	}
	key := grantKey{m, printOf(id)}
	g.mu.RLock()
	have, ok := g.kept[key]
	g.mu.RUnlock()
	if ok && sameRights(have.to, id) {
		return have.seen
	}
	made := granted{id, see(id, m)}
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.kept) >= grantsKept {
		clear(g.kept)
	}
	if g.kept == nil {
		g.kept = map[grantKey]granted{}
	}
	g.kept[key] = made
	return made.seen
}

func see(id access.Identity, m *semantic.Model) seen {
	grant := access.For(id, m)
	if !grant.Model() {
		return seen{Model: m, grant: grant}
	}
	return seen{Model: m, grant: grant, fields: slices.Clip(grant.Fields())}
}

// sameRights reports whether no rule can tell two identities apart.
func sameRights(a, b access.Identity) bool {
	return a.User == b.User && slices.Equal(a.Roles, b.Roles) && maps.EqualFunc(a.Attributes, b.Attributes, slices.Equal[[]string])
}

func sizeOf(id access.Identity) int {
	n := len(id.Roles)
	for _, values := range id.Attributes {
		n += 1 + len(values)
	}
	return n
}

var printSeed = maphash.MakeSeed()

// printOf is the same for identities of the same rights.
func printOf(id access.Identity) uint64 {
	const prime = 0x9E3779B97F4A7C15
	list := func(sum uint64, texts []string) uint64 {
		for _, text := range texts {
			sum = sum*prime + maphash.String(printSeed, text)
		}
		return sum
	}
	sum := list(maphash.String(printSeed, id.User), id.Roles)
	for name, values := range id.Attributes { // in no order
		sum += list(maphash.String(printSeed, name), values) * prime
	}
	return sum
}
