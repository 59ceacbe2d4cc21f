package app

import (
	"context"
	"net"
	"strings"

	"parlance/internal/identity"
)

// scheme is what addresses of the server begin with.
func (s *server) scheme() string {
	if s.shown.Load() != nil {
		return "https"
	}
	return "http"
}

// warnOfExposure says what others can reach: namespaces that ask nobody who they are, and tokens on an open wire.
func (s *server) warnOfExposure(ctx context.Context, addr net.Addr) {
	if !beyondLoopback(addr) {
		return
	}
	var open []string
	for _, name := range s.catalog.Names() {
		if s.config.guardOf(name).Mode == identity.None {
			open = append(open, name)
		}
	}
	if len(open) > 0 {
		s.log.WarnContext(ctx, "listening beyond loopback without authentication: whoever reaches the address reads every model of these namespaces",
			"address", addr.String(), "namespaces", strings.Join(open, ", "))
	}
	if len(open) < len(s.catalog.Names()) && s.scheme() == "http" {
		s.log.WarnContext(ctx, "listening beyond loopback without TLS: tokens can be read on the way unless something in front of the server encrypts",
			"address", addr.String())
	}
}

// guardOf returns the guard of a namespace; one that is not configured has none.
func (c Config) guardOf(name string) identity.Guard {
	for _, n := range c.guards() {
		if n.Name == name {
			return n.Guard
		}
	}
	return identity.Guard{}
}
