package httpserver

import (
	"net/http"
	"strings"
	"testing"
)

func TestRoutes(t *testing.T) {
	h := newTestServer(t, nil).Handler()
	const envelope404 = `{"code":404,"data":null,"msg":"No such path: `
	for _, c := range []struct {
		method, path string
		status       int
		begins       string
	}{
		{"POST", "/mcp/admin/rpc", 200, `{"jsonrpc":"2.0"`},
		{"POST", "/mcp/business", 200, `{"jsonrpc":"2.0"`},
		{"GET", "/mcp/analyst/rpc", 405, ""},
		{"POST", queryPath, 200, `{"code":0,`},
		{"POST", "/jdbc-model/query-model/v2/%E9%94%80%E5%94%AE%2F1", 200, `{"code":0,`},
		{"GET", "/healthz", 200, `{"status":"ok","checks":[]}`},
		{"HEAD", "/readyz", 200, ""},
		{"POST", "/healthz", 405, "Method not allowed"},

		{"POST", "/jdbc-model/query-model/v2/", 404, envelope404},
		{"POST", "/jdbc-model/query-model/v2/a/b", 404, envelope404},
		{"POST", "/jdbc-model/query-model", 404, envelope404},
		{"POST", "/jdbc-model//query-model/v2/a", 404, envelope404},
		{"POST", "/jdbc-model/query-model/v1/a", 404, envelope404},
		{"GET", queryPath, 405, `{"code":400,"data":null,`},
		{"POST", "/mcp/root/rpc", 404, "Not found\n"},
		{"POST", "/mcp/admin/rpc/", 404, "Not found\n"},
		{"POST", "/mcp//admin/rpc", 404, "Not found\n"},
		{"POST", "/mcp/%61dmin/rpc", 404, "Not found\n"},
		{"GET", "/.well-known/oauth-protected-resource", 404, "Not found\n"},
		{"GET", "/.well-known/openid-configuration/mcp/admin/rpc", 404, "Not found\n"},
		{"POST", "/register", 404, "Not found\n"},
		{"GET", "/", 404, "Not found\n"},
		{"GET", "/healthz/../mcp", 404, "Not found\n"},
	} {
		w := ask(h, c.method, c.path, "")
		if w.Code != c.status || !strings.HasPrefix(w.Body.String(), c.begins) {
			t.Errorf("%s %s = %d %q, want %d %q", c.method, c.path, w.Code, w.Body, c.status, c.begins)
		}
		if w.Code == http.StatusMethodNotAllowed && w.Header().Get("Allow") == "" {
			t.Errorf("%s %s: no Allow", c.method, c.path)
		}
		if w.Header().Get("X-Trace-Id") == "" {
			t.Errorf("%s %s: no trace id", c.method, c.path)
		}
	}
}
