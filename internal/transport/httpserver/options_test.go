package httpserver

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestNewRefuses(t *testing.T) {
	for want, change := range map[string]func(*Options){
		"Query is required":        func(o *Options) { o.Query = nil },
		"RPC has no endpoint":      func(o *Options) { o.RPC = nil },
		`RPC "/rpc"`:               func(o *Options) { o.RPC["/rpc"] = http.NotFoundHandler() },
		`RPC "/mcp/"`:              func(o *Options) { o.RPC["/mcp/"] = http.NotFoundHandler() },
		`RPC "/mcp/admin/x"`:       func(o *Options) { o.RPC["/mcp/admin/x"] = nil },
		`endpoint "root"`:          func(o *Options) { o.RuntimeCode = RuntimeCode{Code: "c", Endpoints: []string{"root"}} },
		"names endpoints but no":   func(o *Options) { o.RuntimeCode.Endpoints = []string{"admin"} },
		`"*" is not an origin`:     func(o *Options) { o.Origins = []string{"*"} },
		`"https://a/b" is not`:     func(o *Options) { o.Origins = []string{"https://a/b"} },
		`"example.org" is not`:     func(o *Options) { o.Origins = []string{"example.org"} },
		`"localhost" is not HOST`:  func(o *Options) { o.Listen = "localhost" },
		"must not be negative":     func(o *Options) { o.MaxBody = -1 },
		"Drain must not be negati": func(o *Options) { o.Drain = -time.Second },
	} {
		o := testOptions(&fakeService{})
		change(&o)
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

func TestTimeOutsAreSet(t *testing.T) {
	for statement, write := range map[time.Duration]time.Duration{0: 2 * time.Minute, 5 * time.Minute: 6*time.Minute + 30*time.Second} {
		h := newTestServer(t, func(o *Options) { o.StatementTimeout = statement }).http
		if h.ReadHeaderTimeout != 10*time.Second || h.ReadTimeout != time.Minute || h.IdleTimeout != 2*time.Minute ||
			h.WriteTimeout != write || h.MaxHeaderBytes != 64<<10 {
			t.Errorf("statement %v: %+v", statement, h)
		}
	}
}
