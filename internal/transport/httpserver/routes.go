package httpserver

import (
	"net/http"
	"strings"
)

// queryPrefix is the part of the tree that the query interface answers, wrong paths included.
const queryPrefix = "/jdbc-model/"

// middleware puts one concern around a handler.
type middleware func(http.Handler) http.Handler

// routes builds the table of paths. Paths match exactly and as written: no cleaning, no redirects.
func (s *Server) routes() (http.Handler, error) {
	guard, err := newGuard(s.opts)
	if err != nil {
		return nil, err
	}
	around := func(f face, h http.Handler, inner ...middleware) http.Handler {
		return chain(h, append([]middleware{observe(s.opts.Log), recoverer(f, s.opts.Log), guard.around(f)}, inner...)...)
	}
	identify := func(f face) []middleware {
		return []middleware{caller(f, s.opts.Authenticate, s.opts.Log), limitBody(f, s.opts.MaxBody), deadline(s.opts.StatementTimeout + requestMargin)}
	}

	t := &table{exact: map[string]http.Handler{
		"/healthz": around(plainFace{}, s.healthz()),
		"/readyz":  around(plainFace{}, s.readyz()),
	}}
	for path, h := range s.opts.RPC {
		t.exact[path] = around(rpcFace{}, h, append([]middleware{s.opts.RuntimeCode.around(path)}, identify(rpcFace{})...)...)
	}
	query := queryFace{s.opts.Query}
	t.query = around(query, s.opts.Query, identify(query)...)
	t.other = around(plainFace{}, http.HandlerFunc(notFound))
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
