package identity

import (
	"context"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"time"

	"parlance/internal/access"
)

// Options are what a Gate is made of. Only Namespaces is required.
type Options struct {
	Namespaces []Namespace
	// Default is the namespace of requests that name none; one that does not exist is guarded as it is.
	Default string
	// Transport carries requests to issuers. Nil: http.DefaultTransport's settings.
	Transport http.RoundTripper
	// Log takes a line when the keys of an issuer cannot be read. Nil: nothing is logged.
	Log *slog.Logger
	// Now is the clock. Nil: the machine's.
	Now func() time.Time
}

// Gate knows the guards of all namespaces and decides who calls. A credential is looked at in the same way whatever
// namespace the request names, so that neither the answer nor its time tells which namespaces there are.
type Gate struct {
	namespaces []Namespace
	guards     map[string]Guard
	standard   string
	tables     []*table
	issuers    []*issuer
	now        func() time.Time
}

// issuer is a set of keys with the namespaces that trust it.
type issuer struct {
	keys       *keySet
	namespaces []Namespace
}

// New returns a gate whose tables are empty and whose keys are not read yet.
func New(o Options) *Gate {
	if o.Transport == nil {
		o.Transport = defaultTransport()
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	g := &Gate{namespaces: slices.Clone(o.Namespaces), guards: map[string]Guard{}, standard: o.Default, now: o.Now}
	client := newClient(o.Transport)
	for _, n := range o.Namespaces {
		g.guards[n.Name] = n.Guard
		switch n.Guard.Mode {
		case None:
		case Tokens:
			if g.table(n.Guard.Table) == nil {
				g.tables = append(g.tables, newTable(n.Guard.Table))
			}
		case JWT:
			g.trust(n, client, o)
		}
	}
	return g
}

func (g *Gate) trust(n Namespace, client *http.Client, o Options) {
	from := source{issuer: n.Guard.Issuer.URL, jwks: n.Guard.Issuer.JWKS, client: client}
	for _, known := range g.issuers {
		if known.keys.source == from {
			known.namespaces = append(known.namespaces, n)
			return
		}
	}
	g.issuers = append(g.issuers, &issuer{newKeySet(from, o.Log, o.Now), []Namespace{n}})
}

func (g *Gate) table(name string) *table {
	for _, t := range g.tables {
		if t.name == name {
			return t
		}
	}
	return nil
}

// SetTokens replaces the tokens of a table at once: one that is no longer among them is refused from now on.
func (g *Gate) SetTokens(name string, tokens []Token) {
	if t := g.table(name); t != nil {
		t.set(tokens)
	}
}

// Warm reads the keys of every issuer, so that the first caller need not wait; what fails is logged and tried again
// when a token asks.
func (g *Gate) Warm(ctx context.Context) {
	for _, i := range g.issuers {
		_, _ = i.keys.find(ctx, signed{})
	}
}

// Close ends what reads keys.
func (g *Gate) Close() {
	for _, i := range g.issuers {
		i.keys.close()
	}
}

// Attributes returns the names that policies of a namespace may use: those declared, those of its tokens or claims.
// Nil says that it is not known: mode none without a declaration.
func (g *Gate) Attributes(namespace string) []string {
	guard := g.guards[namespace]
	if guard.Mode == None && guard.Attributes == nil {
		return nil
	}
	names := append([]string{}, guard.Attributes...)
	switch guard.Mode {
	case None:
	case Tokens:
		names = append(names, g.table(guard.Table).current.Load().attributes...)
	case JWT:
		names = slices.AppendSeq(names, maps.Keys(guard.Issuer.Claims.Attributes))
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// AuthorizationServers returns the issuers whose tokens a namespace takes; none where it asks for no such tokens.
func (g *Gate) AuthorizationServers(namespace string) []string {
	if _, guard := g.guardOf(namespace); guard.Mode == JWT {
		return []string{guard.Issuer.URL}
	}
	return nil
}

// guardOf returns the namespace that a request names, and its guard. One that does not exist has the default's.
func (g *Gate) guardOf(namespace string) (string, Guard) {
	if namespace == "" {
		namespace = g.standard
	}
	if guard, ok := g.guards[namespace]; ok {
		return namespace, guard
	}
	return namespace, g.guards[g.standard]
}

// Authenticate returns who calls. Whoever is known here but not in the namespace is an identity that is bound to no
// namespace, to which every one reads like one that does not exist. Anyone else needs a role that covers one of the
// endpoints; one who lacks it is returned beside the error, for the record.
func (g *Gate) Authenticate(ctx context.Context, namespace, authorization string, endpoints []string) (access.Identity, error) {
	namespace, guard := g.guardOf(namespace)
	if guard.Mode == None {
		return access.Identity{Opaque: authorization}, nil
	}
	token, err := bearer(authorization)
	if err != nil {
		return access.Identity{}, err
	}
	known, err := g.identify(ctx, token)
	if err != nil {
		return access.Identity{}, err
	}
	id, ok := known[namespace]
	if !ok {
		return stranger(known), nil
	}
	if len(endpoints) > 0 && !guard.covers(id.Roles, endpoints) {
		return id, notCovered(endpoints)
	}
	id.Namespaces = slices.Sorted(maps.Keys(known))
	return id, nil
}

// stranger is somebody who is known, but not where the request leads.
func stranger(known map[string]access.Identity) access.Identity {
	s := access.Identity{Namespaces: []string{}}
	if names := slices.Sorted(maps.Keys(known)); len(names) > 0 {
		s.User = known[names[0]].User
	}
	return s
}

// identify returns whom a token stands for in every namespace that it is bound to.
func (g *Gate) identify(ctx context.Context, token string) (map[string]access.Identity, error) {
	known, found := g.fromTables(token)
	if found {
		return known, nil
	}
	if len(g.issuers) == 0 {
		return nil, refused("token_unknown")
	}
	s, err := open(token)
	if err != nil {
		return nil, err
	}
	return g.fromIssuers(ctx, s)
}

// User returns who somebody is in a namespace of mode tokens: the first entry of that name that is bound to it.
func (g *Gate) User(namespace, user string) (access.Identity, bool) {
	name, guard := g.guardOf(namespace)
	if guard.Mode != Tokens {
		return access.Identity{}, false
	}
	for _, entry := range g.table(guard.Table).current.Load().inOrder {
		if entry.User != user {
			continue
		}
		if id, bound := entry.identity(name); bound {
			return id, true
		}
	}
	return access.Identity{}, false
}

func (g *Gate) fromTables(token string) (map[string]access.Identity, bool) {
	known, found := map[string]access.Identity{}, false
	hash := HashOf(token)
	for _, t := range g.tables {
		entry, ok := t.find(hash)
		found = found || ok
		for _, n := range g.namespaces {
			if !ok || n.Guard.Mode != Tokens || n.Guard.Table != t.name {
				continue
			}
			if id, bound := entry.identity(n.Name); bound {
				known[n.Name] = id
			}
		}
	}
	return known, found
}

func (g *Gate) fromIssuers(ctx context.Context, s signed) (map[string]access.Identity, error) {
	iss, _ := s.claims.Get("iss")
	known, accepted := map[string]access.Identity{}, false
	why := refused("token_issuer")
	for _, i := range g.issuers {
		if i.keys.source.issuer != iss.Text {
			continue
		}
		keys, err := i.keys.find(ctx, s)
		switch {
		case err != nil:
			return nil, err
		case len(keys) == 0:
			why = refused("token_key")
			continue
		case !s.verify(keys):
			why = refused("token_signature")
			continue
		}
		for _, n := range i.namespaces {
			id, bound, err := n.Guard.Issuer.accept(s.claims, n.Name, g.now())
			switch {
			case err != nil:
				why = err
			case bound:
				known[n.Name] = id
			}
			accepted = accepted || err == nil
		}
	}
	if !accepted {
		return nil, why
	}
	return known, nil
}
