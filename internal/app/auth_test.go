package app

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"parlance/internal/identity"
	"parlance/test/issuer"
)

// guarded returns a configuration over the shop's files whose namespaces are as the YAML says; {dir} stands for the
// folder of the files.
func guarded(t *testing.T, text string, files map[string]string) (c Config, dir string) {
	t.Helper()
	_, models := shop(t)
	dir = filepath.Dir(models)
	for name, content := range files {
		write(t, dir, name, content)
	}
	text = "listen: 127.0.0.1:0\ndatasources: {files: {type: duckdb, path: ./shop.duckdb}}\n" + text
	c, err := readConfig(filepath.Join(dir, "parlance.yaml"), []byte(text), environment)
	if err != nil {
		t.Fatal(err)
	}
	return c, dir
}

func TestConfigReadsHowCallersAreKnown(t *testing.T) {
	c, dir := guarded(t, `
default_namespace: a
namespaces:
  a: {models: ./models, datasource: files, auth: {mode: tokens, file: t.yaml, endpoints: {manager: [analyst, business], admin: admin, none: []}, attributes: [x, y]}}
  b:
    models: ./models
    datasource: files
    auth:
      mode: jwt
      issuer: https://login.example.com/realms/shop
      jwks: https://login.example.com/keys
      audience: parlance
      leeway: 0s
      claims: {user: email, roles: realm_access.roles, namespaces: ns, attributes: {provinces: "https://x/provinces"}}
  c: {models: ./models, datasource: files, auth: {mode: jwt, issuer: "https://x", audience: [p, q]}}
  d: {models: ./models, datasource: files, auth: {mode: none, attributes: [level]}}
  e: {models: ./models, datasource: files, auth: }
http: {public_url: "https://bi.example.com"}
`, map[string]string{"t.yaml": ""})
	want := []identity.Namespace{
		{Name: "a", Guard: identity.Guard{
			Mode: identity.Tokens, Table: filepath.Join(dir, "t.yaml"), Attributes: []string{"x", "y"},
			Endpoints: map[string][]string{"manager": {"analyst", "business"}, "admin": {"admin"}, "none": {}},
		}},
		{Name: "b", Guard: identity.Guard{Mode: identity.JWT, Issuer: identity.Issuer{
			URL: "https://login.example.com/realms/shop", JWKS: "https://login.example.com/keys", Audience: []string{"parlance"},
			Claims: identity.Claims{User: "email", Roles: "realm_access.roles", Namespaces: "ns", Attributes: map[string]string{"provinces": "https://x/provinces"}},
		}}},
		{Name: "c", Guard: identity.Guard{Mode: identity.JWT, Issuer: identity.Issuer{URL: "https://x", Audience: []string{"p", "q"}, Leeway: identity.DefaultLeeway}}},
		{Name: "d", Guard: identity.Guard{Attributes: []string{"level"}}},
		{Name: "e"},
	}
	if diff := cmp.Diff(want, c.guards()); diff != "" || c.HTTP.PublicURL != "https://bi.example.com" {
		t.Errorf("%s\n%s", c.HTTP.PublicURL, diff)
	}
}

// tokenLine is the line of a token in a file of tokens, whose text tokensText puts together.
func tokenLine(token, rest string) string {
	return "  - {sha256: " + identity.HashOf(token).String() + ", " + rest[1:] + "\n"
}

func tokensText(lines ...string) string { return "tokens:\n" + strings.Join(lines, "") }

// reply is all that a caller sees of an answer.
type reply struct {
	Status    int
	Body      string
	Challenge string
}

// call sends one POST; headers are "Name: value" lines.
func (r *running) call(t *testing.T, path, body string, headers ...string) reply {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.base+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-Trace-Id", "t")
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		request.Header.Add(name, value)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{answer.StatusCode, string(text), answer.Header.Get("WWW-Authenticate")}
}

const (
	kpiPath    = "/jdbc-model/query-model/queryKpi"
	kpiBody    = `{"queryModel":"Sales","columns":["amount"]}`
	initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`
	listTools  = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	listModels = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"dataset.list_models","arguments":{}}}`
	toolQuery  = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"dataset.query_model","arguments":{"model":"Sales","payload":{"columns":["amount"]}}}}`
)

const twoFiles = `
default_namespace: shop
namespaces:
  shop: {models: ./models, datasource: files, auth: {mode: tokens, file: ./shop.yaml, endpoints: {manager: [analyst, business]}}}
  stock: {models: ./models, datasource: files, auth: {mode: tokens, file: ./stock.yaml}}
`

func twoFilesServer(t *testing.T) (r *running, dir string) {
	t.Helper()
	c, dir := guarded(t, twoFiles, map[string]string{
		"shop.yaml": tokensText(tokenLine("admin", "{user: wang, roles: [admin]}"), tokenLine("manager", "{user: li, roles: manager}"),
			tokenLine("business", "{user: zhao, roles: [business]}"), tokenLine("nobody", "{user: qian}")),
		"stock.yaml": tokensText(tokenLine("stock", "{user: chen, roles: [admin]}")),
	})
	return run(t, c), dir
}

func TestTokensOfANamespaceOpenTheEndpointsOfTheirRoles(t *testing.T) {
	r, _ := twoFilesServer(t)
	for _, c := range []struct {
		token string
		want  string // of admin, analyst, business and the query interface
	}{
		{"", "401 401 401 401"},
		{"wrong", "401 401 401 401"},
		{"admin", "200 200 200 200"},
		{"manager", "403 200 200 200"},
		{"business", "403 403 200 403"},
		{"nobody", "403 403 403 403"},
	} {
		var headers, got []string
		if c.token != "" {
			headers = []string{"Authorization: Bearer " + c.token}
		}
		for _, role := range roles {
			for _, path := range []string{"/mcp/" + role + "/rpc", "/mcp/" + role} {
				answer := r.call(t, path, initialize, headers...)
				if answer.Status != r.call(t, path, listTools, headers...).Status {
					t.Errorf("%s on %s: two methods, two answers", c.token, path)
				}
				if strings.HasSuffix(path, "/rpc") {
					got = append(got, http.StatusText(answer.Status))
				}
				if answer.Status != 200 && !strings.HasPrefix(answer.Body, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"`) {
					t.Errorf("%s on %s: %s", c.token, path, answer.Body)
				}
			}
		}
		answer := r.call(t, kpiPath, kpiBody, headers...)
		got = append(got, http.StatusText(answer.Status))
		want := c.want
		for code, text := range map[string]string{"200": "OK", "401": "Unauthorized", "403": "Forbidden"} {
			want = strings.ReplaceAll(want, code, text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", c.token, got, want)
		}
		if answer.Status == 200 && strings.TrimSpace(answer.Body) != shopSum || answer.Status != 200 && !strings.HasPrefix(answer.Body, `{"code":403,"data":null,"msg":"`) {
			t.Errorf("%s: %s", c.token, answer.Body)
		}
	}
}

// TestANamespaceOfOthersReadsLikeNone: whatever credential comes, a namespace that is not the caller's answers as one
// that does not exist, in every way in.
func TestANamespaceOfOthersReadsLikeNone(t *testing.T) {
	r, _ := twoFilesServer(t)
	for _, authorization := range []string{"", "Bearer admin", "Bearer manager", "Bearer business", "Bearer nobody", "Bearer wrong", "Basic x", "Bearer"} {
		for _, ask := range []struct{ path, body string }{
			{kpiPath, kpiBody}, {"/jdbc-model/query-model/v2/Sales", "{}"}, {"/jdbc-model/query-model/v2/Nothing", "{}"}, {"/jdbc-model/else", "{}"},
			{"/mcp/analyst/rpc", initialize}, {"/mcp/analyst/rpc", listTools}, {"/mcp/analyst/rpc", listModels}, {"/mcp/analyst/rpc", toolQuery},
			{"/mcp/admin", listModels}, {"/mcp/business", listTools}, {"/mcp/analyst/rpc", "{"}, {"/mcp/analyst/rpc", ""},
		} {
			seen := map[string]reply{}
			for _, namespace := range []string{"stock", "nosuch"} {
				for _, way := range []struct{ path, header string }{{ask.path, "X-NS: " + namespace}, {ask.path + "?ns=" + namespace, "X-Other: 1"}} {
					headers := []string{way.header}
					if authorization != "" {
						headers = append(headers, "Authorization: "+authorization)
					}
					got := r.call(t, way.path, ask.body, headers...)
					got.Body = strings.ReplaceAll(got.Body, namespace, "NAMESPACE")
					seen[namespace+" "+way.header[:2]] = got
					if strings.Contains(got.Body, "30.30") {
						t.Errorf("%s with %q: %s", way.path, authorization, got.Body)
					}
				}
			}
			for of, got := range seen {
				if diff := cmp.Diff(seen["nosuch X-"], got); diff != "" {
					t.Errorf("%s %s with %q: %s differs (-absent +%s):\n%s", ask.path, ask.body, authorization, of, of, diff)
				}
			}
		}
	}
	got := r.call(t, kpiPath, kpiBody, "X-NS: stock", "Authorization: Bearer admin")
	if want := `{"code":404,"data":null,"msg":"Namespace \"stock\" does not exist"}`; got.Status != 200 || strings.TrimSpace(got.Body) != want {
		t.Errorf("got %+v", got)
	}
	got = r.call(t, kpiPath, kpiBody, "X-NS: stock", "Authorization: Bearer stock")
	if strings.TrimSpace(got.Body) != shopSum {
		t.Errorf("its own token: %+v", got)
	}
}

// TestNothingLiftsACaller: headers and keys that clients could use to become somebody else, or to see more.
func TestNothingLiftsACaller(t *testing.T) {
	r, _ := twoFilesServer(t)
	lifts := []string{
		"X-User: wang", "X-Role: admin", "X-Roles: admin", "X-Forwarded-User: wang", "X-Remote-User: wang", "Remote-User: wang",
		"deniedColumns: []", "systemSlice: []", "fieldAccess: {}", "Cookie: token=admin", "Proxy-Authorization: Bearer admin",
		"X-Original-Url: /mcp/admin/rpc", "X-Rewrite-Url: /mcp/admin/rpc", "X-Namespace: stock",
	}
	plain := r.call(t, "/mcp/admin/rpc", listModels, "Authorization: Bearer business")
	if lifted := r.call(t, "/mcp/admin/rpc", listModels, append(lifts, "Authorization: Bearer business")...); plain.Status != 403 || lifted != plain {
		t.Errorf("%+v, with lifting headers %+v", plain, lifted)
	}
	if got := r.call(t, "/mcp/admin/rpc", listModels, lifts...); got.Status != 401 {
		t.Errorf("headers alone: %+v", got)
	}
	if got := r.call(t, kpiPath, kpiBody, append(lifts, "Authorization: Bearer admin")...); strings.TrimSpace(got.Body) != shopSum {
		t.Errorf("with lifting headers: %+v", got)
	}
	for _, key := range []string{"deniedColumns", "systemSlice", "fieldAccess", "user", "roles", "identity", "authorization", "namespace", "attributes", "access"} {
		for _, ask := range []struct{ path, body string }{
			{kpiPath, `{"queryModel":"Sales","columns":["amount"],"` + key + `":[]}`},
			{"/jdbc-model/query-model/v2/Sales", `{"` + key + `":[]}`},
			{"/jdbc-model/query-model/v2/Sales", `{"param":{"` + key + `":[]}}`},
			{"/mcp/admin/rpc", strings.Replace(toolQuery, `"columns"`, `"`+key+`":[],"columns"`, 1)},
			{"/mcp/admin/rpc", strings.Replace(toolQuery, `"payload":`, `"`+key+`":[],"payload":`, 1)},
		} {
			got := r.call(t, ask.path, ask.body, "Authorization: Bearer admin")
			if strings.Contains(got.Body, "30.30") || !strings.Contains(got.Body, key) {
				t.Errorf("%s %s: %+v", ask.path, ask.body, got)
			}
		}
	}
	for _, headers := range [][]string{
		{"Authorization: Bearer business", "Authorization: Bearer admin"}, {"Authorization: Bearer admin", "Authorization: Bearer admin"},
		{"Authorization: Bearer admin, Bearer admin"}, {"Authorization: Bearer admin admin"}, {"Authorization: admin"},
	} {
		if got := r.call(t, kpiPath, kpiBody, headers...); got.Status != 401 || !strings.Contains(got.Challenge, `error="invalid_request"`) {
			t.Errorf("%q: %+v", headers, got)
		}
	}
	for _, authorization := range []string{"bearer admin", "BEARER admin", "Bearer   admin"} {
		if got := r.call(t, kpiPath, kpiBody, "Authorization: "+authorization); strings.TrimSpace(got.Body) != shopSum {
			t.Errorf("%q: %+v", authorization, got)
		}
	}
	for _, path := range []string{kpiPath + "?access_token=admin", kpiPath + "?token=admin", "/mcp/admin/rpc?access_token=admin"} {
		if got := r.call(t, path, kpiBody); got.Status != 400 {
			t.Errorf("%s: %+v", path, got)
		}
	}
	if got := r.call(t, kpiPath, kpiBody, "X-NS: shop", "X-NS: stock", "Authorization: Bearer admin"); got.Status != 400 {
		t.Errorf("two namespaces: %+v", got)
	}
}

func TestAFileOfTokensIsReadAgain(t *testing.T) {
	r, dir := twoFilesServer(t)
	status := func(token string) int { return r.call(t, kpiPath, kpiBody, "Authorization: Bearer "+token).Status }
	if status("admin") != 200 || status("late") != 401 {
		t.Fatal("the file is not in force")
	}
	mark := r.log.mark()
	write(t, dir, "shop.yaml", tokensText(tokenLine("late", "{user: sun, roles: [admin]}")))
	r.log.await(t, mark, "tokens loaded", "file=shop.yaml", "tokens=1")
	if status("admin") != 401 || status("late") != 200 {
		t.Error("a token that was taken away, or a new one, is not told apart")
	}
	mark = r.log.mark()
	write(t, dir, "shop.yaml", tokensText(tokenLine("late", "{usr: sun}")))
	r.log.await(t, mark, "tokens not changed", "shop.yaml:2:80", "usr")
	if status("late") != 200 {
		t.Error("a broken file takes tokens away")
	}
	mark = r.log.mark()
	if err := os.Remove(filepath.Join(dir, "shop.yaml")); err != nil {
		t.Fatal(err)
	}
	r.log.await(t, mark, "tokens not changed", "shop.yaml cannot be read")
	if status("late") != 200 {
		t.Error("a file that is gone takes tokens away")
	}
	write(t, dir, "shop.yaml", tokensText(tokenLine("admin", "{user: wang, roles: [admin]}")))
	mark = r.log.mark()
	r.hangup <- syscall.SIGHUP
	r.log.await(t, mark, "tokens loaded", "file=stock.yaml", "tokens=1")
	if status("admin") != 200 || status("late") != 401 {
		t.Error("SIGHUP does not read the file")
	}
}

// TestAFileOfTokensBehindALink: mounted secrets are links that are turned to another folder.
func TestAFileOfTokensBehindALink(t *testing.T) {
	c, dir := guarded(t, strings.ReplaceAll(twoFiles, "./shop.yaml", "./stock.yaml"), map[string]string{"stock.yaml": ""})
	for _, version := range []string{"one", "two"} {
		if err := os.Mkdir(filepath.Join(dir, version), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, version), "stock.yaml", tokensText(tokenLine(version, "{user: u, roles: [admin]}")))
	}
	turn := func(to string) {
		t.Helper()
		link := filepath.Join(dir, "next")
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(link, filepath.Join(dir, "current")); err != nil {
			t.Fatal(err)
		}
	}
	turn("one")
	if err := os.Remove(filepath.Join(dir, "stock.yaml")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join("current", "stock.yaml"), filepath.Join(dir, "stock.yaml")); err != nil {
		t.Fatal(err)
	}
	r := run(t, c)
	if got := r.call(t, kpiPath, kpiBody, "Authorization: Bearer one"); got.Status != 200 {
		t.Fatalf("got %+v", got)
	}
	mark := r.log.mark()
	turn("two")
	r.log.await(t, mark, "tokens loaded")
	if got := r.call(t, kpiPath, kpiBody, "Authorization: Bearer two"); got.Status != 200 {
		t.Errorf("got %+v", got)
	}
}

func TestJWTsOfANamespace(t *testing.T) {
	i := issuer.Start(t)
	c, _ := guarded(t, `
default_namespace: shop
namespaces:
  shop:
    models: ./models
    datasource: files
    auth: {mode: jwt, issuer: "`+i.URL+`", audience: [other, `+issuer.Audience+`], leeway: 5s, claims: {roles: realm.roles, attributes: {provinces: p}}, attributes: level}
  open: {models: ./models, datasource: files}
`, nil)
	r := run(t, c)
	if diff := cmp.Diff([]string{"level", "provinces"}, r.gate.Attributes("shop")); diff != "" {
		t.Error(diff)
	}
	// A client finds its way: challenge, metadata, issuer, token.
	for _, path := range []string{"/mcp/analyst", "/mcp/analyst/rpc?ns=shop"} {
		got := r.call(t, path, initialize)
		challenges, err := oauthex.ParseWWWAuthenticate([]string{got.Challenge})
		if err != nil || got.Status != 401 || len(challenges) != 1 || challenges[0].Scheme != "bearer" || challenges[0].Params["error"] != "" {
			t.Fatalf("%v %+v", err, got)
		}
		metadata, err := oauthex.GetProtectedResourceMetadata(t.Context(), challenges[0].Params["resource_metadata"], r.base+path, http.DefaultClient)
		if err != nil || !cmp.Equal(metadata.AuthorizationServers, []string{i.URL}) {
			t.Fatalf("%v %+v", err, metadata)
		}
	}
	good := i.Token(t, i.Claims("wang", map[string]any{"realm": map[string]any{"roles": []string{"analyst"}}}))
	if got := r.call(t, "/mcp/analyst/rpc", toolQuery, "Authorization: Bearer "+good); got.Status != 200 || !strings.Contains(got.Body, "10.10") {
		t.Errorf("got %+v", got)
	}
	if got := r.call(t, "/mcp/admin/rpc", listTools, "Authorization: Bearer "+good); got.Status != 403 || !strings.Contains(got.Challenge, "insufficient_scope") {
		t.Errorf("got %+v", got)
	}
	if got := r.call(t, kpiPath, kpiBody, "X-NS: open"); strings.TrimSpace(got.Body) != shopSum {
		t.Errorf("mode none beside it: %+v", got)
	}
	for name, token := range map[string]string{
		"expired":  i.Token(t, i.Claims("wang", map[string]any{"exp": 1_700_000_000})),
		"audience": i.Token(t, i.Claims("wang", map[string]any{"aud": "else"})),
		"unknown":  issuer.ES256(t, "nobody").Sign(t, i.Claims("wang", nil)),
		"opaque":   "plc_x",
	} {
		got := r.call(t, kpiPath, kpiBody, "Authorization: Bearer "+token)
		if got.Status != 401 || !strings.Contains(got.Challenge, `error="invalid_token"`) || !strings.Contains(got.Challenge, "resource_metadata=") {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestTheServerStartsWithoutItsIssuer: and refuses every token until the issuer can be asked.
func TestTheServerStartsWithoutItsIssuer(t *testing.T) {
	i := issuer.Start(t)
	i.Down(true)
	c, _ := guarded(t, `namespaces: {shop: {models: ./models, datasource: files, auth: {mode: jwt, issuer: "`+i.URL+`", audience: x}}}`, nil)
	r := run(t, c)
	r.log.await(t, 0, "level=ERROR", "keys of the issuer cannot be read", "issuer="+i.URL)
	token := i.Token(t, i.Claims("wang", nil))
	got := r.call(t, kpiPath, kpiBody, "Authorization: Bearer "+token)
	if got.Status != 503 || !strings.HasPrefix(got.Body, `{"code":500,"data":null,"msg":"The token cannot be checked at the moment`) {
		t.Errorf("got %+v", got)
	}
	got = r.call(t, "/mcp/analyst", initialize, "Authorization: Bearer "+token)
	if got.Status != 503 || !strings.Contains(got.Body, `"code":-32600`) || strings.Contains(got.Body, "127.0.0.1") {
		t.Errorf("got %+v", got)
	}
	if got := r.call(t, kpiPath, kpiBody); got.Status != 401 {
		t.Errorf("without a token: %+v", got)
	}
}

func TestExposureIsWarnedOf(t *testing.T) {
	const both = "default_namespace: open\nnamespaces: {open: {models: ./models, datasource: files}, shop: {models: ./models, datasource: files, auth: {mode: tokens, file: t.yaml}}}\n"
	c, _ := guarded(t, both, map[string]string{"t.yaml": ""})
	r := run(t, c)
	r.log.await(t, 0, "models loaded")
	if strings.Contains(r.log.String(), "beyond loopback") {
		t.Errorf("on loopback: %s", r.log)
	}
	r.end(t)
	c.Listen = "0.0.0.0:0"
	r = run(t, c)
	r.log.await(t, 0, "level=WARN", "beyond loopback without authentication", "namespaces=open")
	r.log.await(t, 0, "level=WARN", "beyond loopback without TLS")
	r.end(t)
	c.Namespaces, c.DefaultNamespace = c.Namespaces[1:], "shop"
	r = run(t, c)
	r.log.await(t, 0, "beyond loopback without TLS")
	if strings.Contains(r.log.String(), "without authentication") {
		t.Errorf("every namespace guarded: %s", r.log)
	}
}

// String returns all that was logged.
func (l *logLines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
