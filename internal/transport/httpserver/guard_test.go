package httpserver

import (
	"strings"
	"testing"
)

func TestGuardOnLoopback(t *testing.T) {
	h := newTestServer(t, func(o *Options) {
		o.Origins = []string{"https://App.example.org:443", "vscode-webview://abc"}
		o.Hosts = []string{"parlance.internal"}
	}).Handler()
	for headers, want := range map[string]int{
		"":                                                     200,
		"Host: localhost:7108":                                 200,
		"Host: LOCALHOST.":                                     200,
		"Host: [::1]:7108":                                     200,
		"Host: 127.9.9.9":                                      200,
		"Host: parlance.internal:7108":                         200,
		"Host: evil.example":                                   403,
		"Host: localhost.evil.example":                         403,
		"Host: 10.0.0.1:7108":                                  403,
		"Host: [::2]":                                          403,
		"Origin: http://localhost:3000":                        200,
		"Origin: http://[::1]:1":                               200,
		"Origin: https://app.example.org":                      200,
		"Origin: vscode-webview://abc":                         200,
		"Origin: http://app.example.org":                       403,
		"Origin: https://app.example.org:8443":                 403,
		"Origin: https://app.example.org.evil":                 403,
		"Origin: https://evil.example":                         403,
		"Origin: https://evil.example/https://app.example.org": 403,
		"Origin: https://u@localhost":                          403,
		"Origin: null":                                         403,
		"Origin: ":                                             403,
		"Origin: tauri://localhost":                            403,
		"Origin: http://localhost http://evil.example":         403,
		"Host: parlance.internal\nOrigin: http://parlance.internal":           200,
		"Host: parlance.internal:80\nOrigin: http://parlance.internal":        200,
		"Host: parlance.internal:7108\nOrigin: http://parlance.internal":      403,
		"Host: parlance.internal:7108\nOrigin: https://parlance.internal":     403,
		"Host: parlance.internal:7108\nOrigin: http://parlance.internal:7108": 200,
		"Origin: http://localhost\nOrigin: http://evil.example":               403,
	} {
		var lines []string
		if headers != "" {
			lines = strings.Split(headers, "\n")
		}
		for path, body := range map[string]string{
			rpcPath:   `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"`,
			queryPath: `{"code":403,"data":null,"msg":"`,
		} {
			w := ask(h, "POST", path, "", lines...)
			if w.Code != want {
				t.Errorf("%s with %q = %d, want %d", path, headers, w.Code, want)
			}
			if want == 403 && !strings.HasPrefix(w.Body.String(), body) {
				t.Errorf("%s with %q: %s", path, headers, w.Body)
			}
		}
	}
}

func TestGuardBeyondLoopback(t *testing.T) {
	open := newTestServer(t, func(o *Options) { o.Listen = "0.0.0.0:7108" }).Handler()
	named := newTestServer(t, func(o *Options) { o.Listen, o.Hosts = ":7108", []string{"Shop.example"} }).Handler()
	for _, c := range []struct {
		host        string
		open, named int
	}{{"shop.example:7108", 200, 200}, {"10.0.0.1", 200, 403}, {"evil.example", 200, 403}, {"localhost", 200, 200}} {
		if got := ask(open, "POST", rpcPath, "", "Host: "+c.host).Code; got != c.open {
			t.Errorf("any host: %s = %d, want %d", c.host, got, c.open)
		}
		if got := ask(named, "POST", rpcPath, "", "Host: "+c.host).Code; got != c.named {
			t.Errorf("named hosts: %s = %d, want %d", c.host, got, c.named)
		}
	}
	if got := ask(open, "POST", rpcPath, "", "Host: shop.example", "Origin: https://evil.example").Code; got != 403 {
		t.Errorf("a foreign origin on an open listener = %d", got)
	}
}

func TestCORS(t *testing.T) {
	h := newTestServer(t, func(o *Options) {
		o.Origins = []string{"https://app.example.org"}
		o.RuntimeCode = RuntimeCode{Code: "secret"}
	}).Handler()
	preflight := []string{"Access-Control-Request-Method: POST", "Access-Control-Request-Headers: x-ns"}

	w := ask(h, "OPTIONS", rpcPath, "", append(preflight, "Origin: https://app.example.org")...)
	if w.Code != 204 || w.Header().Get("Access-Control-Allow-Origin") != "https://app.example.org" ||
		!strings.Contains(w.Header().Get("Access-Control-Allow-Headers"), "X-NS") || w.Header().Get("Vary") != "Origin" {
		t.Errorf("preflight of a listed origin: %d %v", w.Code, w.Header())
	}
	w = ask(h, "POST", queryPath, "", "Origin: https://app.example.org")
	if w.Code != 200 || w.Header().Get("Access-Control-Allow-Origin") != "https://app.example.org" {
		t.Errorf("call of a listed origin: %d %v", w.Code, w.Header())
	}
	for _, origin := range []string{"http://localhost:3000", "https://evil.example"} {
		for _, method := range []string{"OPTIONS", "POST"} {
			w := ask(h, method, queryPath, "", append(preflight, "Origin: "+origin)...)
			if got := w.Header().Get("Access-Control-Allow-Origin"); got != "" || w.Code == 204 {
				t.Errorf("%s from %s: %d, Access-Control-Allow-Origin %q", method, origin, w.Code, got)
			}
		}
	}
}
