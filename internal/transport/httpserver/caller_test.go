package httpserver

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/access"
	"parlance/internal/fault"
	"parlance/internal/service"
)

func TestCaller(t *testing.T) {
	for _, c := range []struct {
		target  string
		headers []string
		want    service.Caller
	}{
		{queryPath, nil, service.Caller{}},
		{queryPath, []string{"X-NS: shop"}, service.Caller{Namespace: "shop"}},
		{queryPath + "?ns=shop%2F1", nil, service.Caller{Namespace: "shop/1"}},
		{queryPath + "?ns=other", []string{"X-NS: shop"}, service.Caller{Namespace: "shop"}},
		{queryPath + "?other=1", nil, service.Caller{}},
		{queryPath, []string{"Authorization: Bearer x", "X-Role: admin"}, service.Caller{Identity: access.Identity{Opaque: "Bearer x"}}},
	} {
		fake := &fakeService{}
		s, err := New(testOptions(fake))
		if err != nil {
			t.Fatal(err)
		}
		ask(s.Handler(), "POST", c.target, "", append(c.headers, "X-Trace-Id: t")...)
		c.want.TraceID = "t"
		if diff := cmp.Diff(c.want, fake.caller); diff != "" {
			t.Errorf("%s %v: %s", c.target, c.headers, diff)
		}
	}
}

type refusing struct{ err error }

func (a refusing) AuthorizationServers(string) []string { return nil }

func (a refusing) Authenticate(_ context.Context, namespace, _ string, _ []string) (access.Identity, error) {
	if namespace == "open" {
		return access.Identity{User: "wang"}, nil
	}
	return access.Identity{}, a.err
}

func TestRefusedCredentials(t *testing.T) {
	secret := errors.New("key file /etc/secret is gone")
	for _, c := range []struct {
		err                      error
		rpcStatus, queryStatus   int
		rpcBody, queryBody       string
		wantHeader, absentInBody string
	}{
		{
			&fault.Error{Kind: fault.Unauthorized, Reason: "bad_token", Message: "The token is unknown"}, 401, 401,
			`"code":-32600,"message":"The token is unknown"`, `{"code":403,"data":null,"msg":"The token is unknown"}`,
			"WWW-Authenticate", "",
		},
		{
			&fault.Error{Kind: fault.Forbidden, Reason: "role", Message: "No role for this endpoint"}, 403, 403,
			`"code":-32600,"message":"No role`, `{"code":403,"data":null,"msg":"No role for this endpoint"}`, "", "",
		},
		{
			&fault.Error{Kind: fault.Unavailable, Reason: "issuer", Message: "The issuer cannot be reached", Cause: secret}, 503, 503,
			`"code":-32600,"message":"The issuer`, `{"code":500,"data":null,"msg":"The issuer cannot be reached"}`,
			"Retry-After", "secret",
		},
		{
			secret, 500, 200,
			`"error":{"code":-32603,"message":"Internal error","data":{"traceId":"t"}}`,
			`{"code":500,"data":null,"msg":"Internal error (trace t)"}`, "", "secret",
		},
	} {
		h := newTestServer(t, func(o *Options) { o.Authenticate = refusing{c.err} }).Handler()
		for _, side := range []struct {
			path, body string
			status     int
		}{{rpcPath, c.rpcBody, c.rpcStatus}, {queryPath, c.queryBody, c.queryStatus}} {
			w := ask(h, "POST", side.path, "", "X-Trace-Id: t")
			if w.Code != side.status || !strings.Contains(w.Body.String(), side.body) {
				t.Errorf("%v on %s: %d %s", c.err, side.path, w.Code, w.Body)
			}
			if c.wantHeader != "" && w.Header().Get(c.wantHeader) == "" {
				t.Errorf("%v on %s: no %s", c.err, side.path, c.wantHeader)
			}
			if c.absentInBody != "" && strings.Contains(w.Body.String(), c.absentInBody) {
				t.Errorf("%v on %s shows its cause: %s", c.err, side.path, w.Body)
			}
		}
		if w := ask(h, "POST", queryPath, "", "X-NS: open"); w.Code != 200 {
			t.Errorf("an accepted identity = %d %s", w.Code, w.Body)
		}
	}
}
