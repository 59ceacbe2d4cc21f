package httpserver

import "testing"

func TestRuntimeCode(t *testing.T) {
	all := newTestServer(t, func(o *Options) { o.RuntimeCode = RuntimeCode{Code: "s3cret"} }).Handler()
	some := newTestServer(t, func(o *Options) {
		o.RuntimeCode = RuntimeCode{Code: "s3cret", Endpoints: []string{"admin"}}
	}).Handler()
	for _, c := range []struct {
		path, code string
		all, some  int
	}{
		{"/mcp/admin/rpc", "s3cret", 200, 200},
		{"/mcp/admin", "s3cret", 200, 200},
		{"/mcp/admin/rpc", "", 401, 401},
		{"/mcp/admin", "S3cret", 401, 401},
		{"/mcp/admin/rpc", "s3cret2", 401, 401},
		{"/mcp/analyst/rpc", "", 401, 200},
		{"/mcp/business", "wrong", 401, 200},
		{queryPath, "", 200, 200},
		{"/nowhere", "", 404, 404},
	} {
		var headers []string
		if c.code != "" {
			headers = []string{"X-Service-Runtime-Code: " + c.code}
		}
		if w := ask(all, "POST", c.path, "", headers...); w.Code != c.all {
			t.Errorf("all endpoints: %s with %q = %d, want %d", c.path, c.code, w.Code, c.all)
		}
		if w := ask(some, "POST", c.path, "", headers...); w.Code != c.some {
			t.Errorf("admin only: %s with %q = %d, want %d", c.path, c.code, w.Code, c.some)
		}
	}
	const want = `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Missing or wrong X-Service-Runtime-Code"}}`
	if got := ask(all, "POST", rpcPath, "").Body.String(); got != want {
		t.Errorf("body = %s", got)
	}
}
