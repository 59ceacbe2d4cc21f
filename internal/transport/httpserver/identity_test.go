package httpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/access"
	"parlance/internal/fault"
)

// fakeGate refuses with err, remembers what it was asked, and has an issuer for the namespaces jwt and "".
type fakeGate struct {
	err                      error
	namespace, authorization string
	endpoints                []string
	asked                    int
}

func (g *fakeGate) Authenticate(_ context.Context, namespace, authorization string, endpoints []string) (access.Identity, error) {
	g.namespace, g.authorization, g.endpoints = namespace, authorization, endpoints
	g.asked++
	return access.Identity{User: "wang"}, g.err
}

func (g *fakeGate) AuthorizationServers(namespace string) []string {
	if namespace == "jwt" || namespace == "" {
		return []string{"https://login.example.com"}
	}
	return nil
}

func TestChallenges(t *testing.T) {
	missing := &fault.Error{Kind: fault.Unauthorized, Reason: "missing_token", Message: "This namespace needs a token"}
	malformed := &fault.Error{Kind: fault.Unauthorized, Reason: "malformed_credentials", Message: "Authorization is odd"}
	invalid := &fault.Error{Kind: fault.Unauthorized, Reason: "token_expired", Message: `The "token" has expired \ истёк`}
	forbidden := &fault.Error{Kind: fault.Forbidden, Reason: "role_not_covering", Message: "No role"}
	const at = `resource_metadata="http://127.0.0.1:7108/.well-known/oauth-protected-resource`
	for _, c := range []struct {
		err    error
		path   string
		header string
		status int
		want   string
	}{
		{missing, rpcPath, "X-NS: files", 401, `Bearer`},
		{missing, rpcPath, "X-NS: jwt", 401, `Bearer ` + at + `/mcp/analyst/rpc?x-ns=jwt"`},
		{missing, rpcPath, "", 401, `Bearer ` + at + `/mcp/analyst/rpc"`},
		{missing, "/mcp/admin?ns=jwt", "", 401, `Bearer ` + at + `/mcp/admin?ns=jwt"`},
		{missing, queryPath + "?ns=jwt", "", 401, `Bearer ` + at + `?ns=jwt"`},
		{malformed, rpcPath, "X-NS: files", 401, `Bearer error="invalid_request", error_description="Authorization is odd"`},
		{invalid, queryPath, "X-NS: files", 401, `Bearer error="invalid_token", error_description="The 'token' has expired ' '''''"`},
		{invalid, queryPath, "", 401, `Bearer error="invalid_token", error_description="The 'token' has expired ' '''''", ` + at + `"`},
		{forbidden, rpcPath, "X-NS: files", 403, `Bearer error="insufficient_scope", error_description="No role"`},
	} {
		h := newTestServer(t, func(o *Options) { o.Authenticate = &fakeGate{err: c.err} }).Handler()
		var headers []string
		if c.header != "" {
			headers = []string{c.header}
		}
		w := ask(h, "POST", c.path, "", headers...)
		if got := w.Header().Get("WWW-Authenticate"); w.Code != c.status || got != c.want {
			t.Errorf("%v on %s %s: %d\n got %s\nwant %s", c.err, c.path, c.header, w.Code, got, c.want)
		}
	}
}

func TestProtectedResourceMetadata(t *testing.T) {
	h := newTestServer(t, func(o *Options) { o.Authenticate = &fakeGate{} }).Handler()
	behind := newTestServer(t, func(o *Options) { o.Authenticate, o.PublicURL = &fakeGate{}, "https://bi.example.com" }).Handler()
	for path, want := range map[string]string{
		"":                          "http://127.0.0.1:7108",
		"/mcp/analyst/rpc":          "http://127.0.0.1:7108/mcp/analyst/rpc",
		"/mcp/business":             "http://127.0.0.1:7108/mcp/business",
		"/mcp/analyst?ns=jwt":       "http://127.0.0.1:7108/mcp/analyst?ns=jwt",
		"/mcp/analyst/rpc?x-ns=jwt": "http://127.0.0.1:7108/mcp/analyst/rpc",
		"?ns=jwt":                   "http://127.0.0.1:7108?ns=jwt",
		"?ns=files":                 "",
		"/mcp/analyst?x-ns=files":   "",
		"/mcp/nobody":               "",
		"/healthz":                  "",
		"/":                         "",
	} {
		w := ask(h, "GET", metadataPath+path, "")
		if want == "" {
			if w.Code != 404 || w.Body.String() != "Not found\n" {
				t.Errorf("%s: %d %s", path, w.Code, w.Body)
			}
			continue
		}
		var got map[string]any
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 200 || w.Header().Get("Content-Type") != "application/json" {
			t.Fatalf("%s: %d %s", path, w.Code, w.Body)
		}
		expected := map[string]any{
			"resource": want, "authorization_servers": []any{"https://login.example.com"},
			"bearer_methods_supported": []any{"header"}, "resource_name": "Parlance",
		}
		if diff := cmp.Diff(expected, got); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
		public := strings.Replace(want, "http://127.0.0.1:7108", "https://bi.example.com", 1)
		if w := ask(behind, "GET", metadataPath+path, ""); !strings.Contains(w.Body.String(), `"resource":"`+public+`"`) {
			t.Errorf("behind a proxy, %s: %s", path, w.Body)
		}
	}
	if w := ask(h, "POST", metadataPath, "{}"); w.Code != 405 {
		t.Errorf("POST: %d", w.Code)
	}
	open := newTestServer(t, nil).Handler()
	for _, path := range []string{metadataPath, metadataPath + rpcPath, "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"} {
		if w := ask(open, "GET", path, ""); w.Code != 404 {
			t.Errorf("mode none, %s: %d", path, w.Code)
		}
	}
}

// TestWhatTheGateIsAsked: who calls is decided by one header, one namespace and the path, and by nothing else.
func TestWhatTheGateIsAsked(t *testing.T) {
	lifts := []string{
		"X-User: root", "X-Role: admin", "X-Roles: admin", "X-Forwarded-User: root", "X-Remote-User: root", "Remote-User: root",
		"deniedColumns: []", "systemSlice: []", "fieldAccess: *", "X-Denied-Columns: ", "X-Original-URL: /mcp/admin/rpc",
		"X-Forwarded-Prefix: /mcp/admin", "X-HTTP-Method-Override: GET", "Proxy-Authorization: Bearer other", "Cookie: token=other",
	}
	for _, c := range []struct {
		path, want string
		headers    []string
	}{
		{rpcPath, `ns="" authorization="Bearer x" endpoints=[analyst]`, []string{"Authorization: Bearer x"}},
		{"/mcp/admin", `ns="shop" authorization="" endpoints=[admin]`, []string{"X-NS: shop"}},
		{"/mcp/business/rpc?ns=shop", `ns="shop" authorization="" endpoints=[business]`, nil},
		{queryPath, `ns="" authorization="Basic y" endpoints=[analyst admin]`, []string{"Authorization: Basic y"}},
		{queryPath, `ns="" authorization="Bearer x, Bearer y" endpoints=[analyst admin]`, []string{"Authorization: Bearer x", "Authorization: Bearer y"}},
		{queryPath + "?ns=shop&user=root&role=admin&deniedColumns=", `ns="shop" authorization="" endpoints=[analyst admin]`, nil},
	} {
		g := &fakeGate{}
		h := newTestServer(t, func(o *Options) { o.Authenticate = g }).Handler()
		w := ask(h, "POST", c.path, "", append(lifts, c.headers...)...)
		if got := fmt.Sprintf("ns=%q authorization=%q endpoints=%v", g.namespace, g.authorization, g.endpoints); got != c.want || w.Code != 200 {
			t.Errorf("%s %v: %d %s\nwant %s", c.path, c.headers, w.Code, got, c.want)
		}
	}
}

func TestAmbiguousAddressesAreRefused(t *testing.T) {
	for _, c := range []struct {
		query   string
		headers []string
		want    string
	}{
		{"", []string{"X-NS: a", "X-NS: b"}, "X-NS stands twice"},
		{"", []string{"X-NS: a", "x-ns: a"}, "X-NS stands twice"},
		{"?ns=a&ns=b", nil, "ns stands twice"},
		{"?ns=%zz", nil, "malformed"},
		{"?a=1;ns=a", nil, "malformed"},
		{"?access_token=plc_secret", nil, "A token in the address is not read"},
		{"?ns=a&token=plc_secret", []string{"Authorization: Bearer x"}, "A token in the address is not read"},
	} {
		g := &fakeGate{}
		h := newTestServer(t, func(o *Options) { o.Authenticate = g }).Handler()
		for path, prefix := range map[string]string{
			rpcPath: `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"`, queryPath: `{"code":400,"data":null,"msg":"`,
		} {
			w := ask(h, "POST", path+c.query, "", c.headers...)
			body := w.Body.String()
			if w.Code != 400 || !strings.HasPrefix(body, prefix) || !strings.Contains(body, c.want) || strings.Contains(body, "secret") || g.asked > 0 {
				t.Errorf("%s%s %v: %d %s", path, c.query, c.headers, w.Code, body)
			}
		}
	}
}

func TestPublicURLIsAnOrigin(t *testing.T) {
	for _, text := range []string{"bi.example.com", "https://bi.example.com/", "https://bi.example.com/parlance", "ftp://bi.example.com"} {
		o := testOptions(&fakeService{})
		o.PublicURL = text
		if _, err := New(o); err == nil {
			t.Errorf("%s is accepted", text)
		}
	}
}
