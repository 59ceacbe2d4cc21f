package httpserver

import (
	"net"
	"net/netip"
	"net/url"
	"strings"
)

// origin is a web origin in normal form: lower case, without the scheme's own port.
type origin struct{ scheme, host, port string }

// parseOrigin reads scheme://host[:port] and nothing beyond it.
func parseOrigin(text string) (origin, bool) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme == "" || u.Host == "" || u.Path != "" || u.RawQuery != "" || u.ForceQuery ||
		u.Fragment != "" || u.User != nil || strings.HasSuffix(text, "#") {
		return origin{}, false
	}
	o := origin{scheme: strings.ToLower(u.Scheme), host: hostName(u.Host), port: u.Port()}
	if o.port == defaultPort(o.scheme) {
		o.port = ""
	}
	return o, o.host != ""
}

// String returns the normal form.
func (o origin) String() string {
	host := o.host
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if o.port != "" {
		host += ":" + o.port
	}
	return o.scheme + "://" + host
}

func (o origin) web() bool { return o.scheme == "http" || o.scheme == "https" }

// isHost reports whether the origin is the server that the Host header names.
func (o origin) isHost(header string) bool {
	_, port, err := net.SplitHostPort(header)
	if err != nil || port == defaultPort(o.scheme) {
		port = ""
	}
	return o.host == hostName(header) && o.port == port
}

func defaultPort(scheme string) string {
	switch scheme {
	case "http":
		return "80"
	case "https":
		return "443"
	}
	return ""
}

// hostName returns the name or address of a Host header: lower case, without port, brackets and final dot.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

func isLoopback(name string) bool {
	if name == "localhost" {
		return true
	}
	addr, err := netip.ParseAddr(name)
	return err == nil && addr.Unmap().IsLoopback()
}
