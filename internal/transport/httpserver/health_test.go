package httpserver

import (
	"context"
	"testing"
)

func TestReadiness(t *testing.T) {
	checks := []Check{{Name: "models", OK: true, Detail: "11 models"}, {Name: "datasources", OK: true}}
	s := newTestServer(t, func(o *Options) { o.Checks = func(context.Context) []Check { return checks } })
	expect := func(status int, want string) {
		t.Helper()
		if w := ask(s.Handler(), "GET", "/readyz", ""); w.Code != status || w.Body.String() != want {
			t.Errorf("readyz = %d %s", w.Code, w.Body)
		}
	}
	expect(200, `{"status":"ok","checks":[{"name":"models","status":"ok","detail":"11 models"},{"name":"datasources","status":"ok"}]}`)
	checks[1] = Check{Name: "datasources", Detail: "warehouse does not answer"}
	expect(503, `{"status":"unavailable","checks":[{"name":"models","status":"ok","detail":"11 models"},`+
		`{"name":"datasources","status":"unavailable","detail":"warehouse does not answer"}]}`)
	checks = nil
	s.draining.Store(true)
	expect(503, `{"status":"stopping","checks":[]}`)
	if w := ask(s.Handler(), "GET", "/healthz", ""); w.Code != 200 {
		t.Errorf("healthz while stopping = %d", w.Code)
	}
	if w := ask(s.Handler(), "DELETE", "/readyz", ""); w.Code != 405 || w.Header().Get("Allow") != "GET, HEAD" {
		t.Errorf("DELETE /readyz = %d %v", w.Code, w.Header())
	}
}
