package httpserver

import (
	"fmt"
	"net"
	"net/http"
	"strings"

	"parlance/internal/service"
)

// guard turns away requests that a web page of somebody else may have sent (decision 06): a foreign Origin, and a
// foreign Host, which is what DNS rebinding looks like.
type guard struct {
	origins map[string]bool // normal form
	hosts   map[string]bool // lower case, without port
	local   bool            // the listener is on loopback
}

func newGuard(o Options) (*guard, error) {
	g := &guard{origins: map[string]bool{}, hosts: map[string]bool{}}
	for _, text := range o.Origins {
		origin, ok := parseOrigin(text)
		if !ok {
			return nil, fmt.Errorf("httpserver: Origins: %q is not an origin such as https://example.org", text)
		}
		g.origins[origin.String()] = true
	}
	for _, h := range o.Hosts {
		g.hosts[hostName(h)] = true
	}
	host, _, err := net.SplitHostPort(o.Listen)
	if err != nil {
		return nil, fmt.Errorf("httpserver: Listen: %q is not HOST:PORT", o.Listen)
	}
	g.local = isLoopback(hostName(host))
	return g, nil
}

func (g *guard) around(f face) middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !g.allowsHost(r.Host) {
				service.RecordOf(r.Context()).Fail("foreign_host")
				f.refuse(w, r, http.StatusForbidden, fmt.Sprintf("Host %q is not served here", cut(r.Host)))
				return
			}
			if len(g.origins) > 0 {
				w.Header().Add("Vary", "Origin")
			}
			if given := r.Header.Values("Origin"); len(given) > 0 {
				text := strings.Join(given, ", ")
				listed, ok := g.allowsOrigin(text, r.Host)
				if !ok {
					service.RecordOf(r.Context()).Fail("foreign_origin")
					f.refuse(w, r, http.StatusForbidden, fmt.Sprintf("Origin %q may not call this server", cut(text)))
					return
				}
				if listed && answerCORS(w, r, text) {
					return
				}
			}
			next.ServeHTTP(w, r)
		})
	}
}

func (g *guard) allowsHost(host string) bool {
	name := hostName(host)
	if name == "" || isLoopback(name) || g.hosts[name] {
		return true
	}
	return !g.local && len(g.hosts) == 0
}

// allowsOrigin reports whether a page of the origin may call, and whether that is because the origin is listed.
func (g *guard) allowsOrigin(text, host string) (listed, ok bool) {
	o, ok := parseOrigin(text)
	if !ok {
		return false, false
	}
	if g.origins[o.String()] {
		return true, true
	}
	if !o.web() {
		return false, false
	}
	return false, isLoopback(o.host) || o.isHost(host)
}
