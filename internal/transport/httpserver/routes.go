package httpserver

import (
	"net/http"
	"strings"
)

// queryPrefix is the part of the tree that the query interface answers, wrong paths included.
const queryPrefix = "/jdbc-model/"

// queryEndpoints are the endpoints whose callers may use the query interface: those that have the data tools. A second
// door is no wider than the first.
var queryEndpoints = []string{"analyst", "admin"}

// middleware puts one concern around a handler.
type middleware func(http.Handler) http.Handler

// routes builds the table of paths. Paths match exactly and as written: no cleaning, no redirects.
func (s *Server) routes() (http.Handler, error) {
	guard, err := newGuard(s.opts)
	if err != nil {
		return nil, err
	}
	around := func(f face, in way, h http.Handler, inner ...middleware) http.Handler {
		return chain(h, append([]middleware{observe(s.opts.Log, s.opts.Telemetry, in), recoverer(f, s.opts.Log), guard.around(f)}, inner...)...)
	}
	callers := callers{s.opts.Authenticate, publicURL(s.opts.PublicURL), s.opts.Log}
	identify := func(f face, endpoints ...string) []middleware {
		return []middleware{callers.around(f, endpoints...), limitBody(f, s.opts.MaxBody), deadline(s.opts.StatementTimeout + requestMargin)}
	}

	metadata := around(plainFace{}, way{}, s.metadata())
	t := &table{exact: map[string]http.Handler{}}
	for path, h := range s.opts.Page {
		t.exact[path] = around(plainFace{}, way{}, h)
	}
	t.exact["/healthz"] = around(plainFace{}, way{}, s.healthz())
	t.exact["/readyz"] = around(plainFace{}, way{}, s.readyz())
	t.exact[metadataPath] = metadata
	if s.opts.Metrics != nil {
		t.exact["/metrics"] = around(plainFace{}, way{}, s.opts.Metrics)
	}
	for path, h := range s.opts.RPC {
		role, _ := roleOf(path)
		t.exact[path] = around(rpcFace{}, way{s.opts.Audit, "mcp", role}, h,
			append([]middleware{s.opts.RuntimeCode.around(path)}, identify(rpcFace{}, role)...)...)
		t.exact[metadataPath+path] = metadata
	}
	query := queryFace{s.opts.Query}
	t.query = around(query, way{to: s.opts.Audit, transport: "http"}, s.opts.Query, identify(query, queryEndpoints...)...)
	t.other = around(plainFace{}, way{}, http.HandlerFunc(notFound))
	return t, nil
}

// chain puts the middlewares around h, the first outermost.
func chain(h http.Handler, ms ...middleware) http.Handler {
	for i := len(ms) - 1; i >= 0; i-- {
		h = ms[i](h)
	}
	return h
}

type table struct {
	exact        map[string]http.Handler
	query, other http.Handler
}

// ServeHTTP answers with the handler of the path.
func (t *table) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := r.URL.EscapedPath()
	if h, ok := t.exact[path]; ok {
		h.ServeHTTP(w, r)
		return
	}
	if strings.HasPrefix(path, queryPrefix) {
		t.query.ServeHTTP(w, r)
		return
	}
	t.other.ServeHTTP(w, r)
}

func notFound(w http.ResponseWriter, r *http.Request) {
	plainFace{}.refuse(w, r, http.StatusNotFound, "Not found")
}
