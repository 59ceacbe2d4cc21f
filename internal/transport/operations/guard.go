package operations

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// guarded turns away requests with a foreign Host while only this machine reaches the address: that is what a web page
// looks like that had its own name point here.
func guarded(next http.Handler, hosts []string, at net.Addr) http.Handler {
	if !loopback(nameOf(at.String())) {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := nameOf(r.Host)
		known := func(host string) bool { return nameOf(host) == name }
		if name != "" && !loopback(name) && !slices.ContainsFunc(hosts, known) {
			http.Error(w, "This host is not served here", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// nameOf is the host without its port, in lower case.
func nameOf(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

func loopback(name string) bool {
	addr, err := netip.ParseAddr(name)
	return name == "localhost" || err == nil && addr.Unmap().IsLoopback()
}
