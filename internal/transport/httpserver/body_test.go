package httpserver

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestBodyLimit(t *testing.T) {
	var read string
	h := newTestServer(t, func(o *Options) {
		o.MaxBody = 8
		o.RPC[rpcPath] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			b, err := io.ReadAll(r.Body)
			if err != nil {
				t.Errorf("the handler met %v", err)
			}
			read = string(b)
			w.WriteHeader(http.StatusAccepted)
		})
	}).Handler()
	for _, c := range []struct {
		path, body string
		chunked    bool
		status     int
		want       string
	}{
		{rpcPath, "12345678", false, 202, ""},
		{rpcPath, "12345678", true, 202, ""},
		{rpcPath, "", true, 202, ""},
		{queryPath, "{}", true, 200, `{"code":0,`},
		{rpcPath, "123456789", false, 413, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"The body is longer than 8 bytes"}}`},
		{rpcPath, "123456789", true, 413, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`},
		{queryPath, "123456789", false, 413, `{"code":400,"data":null,"msg":"The body is longer than 8 bytes"}`},
		{queryPath, strings.Repeat(" ", 1000), true, 413, `{"code":400,"data":null,`},
	} {
		read = ""
		r := httptest.NewRequest("POST", "http://"+home+c.path, strings.NewReader(c.body))
		if c.chunked {
			r.ContentLength = -1
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != c.status || !strings.HasPrefix(w.Body.String(), c.want) {
			t.Errorf("%s, %d bytes, chunked %t: %d %s", c.path, len(c.body), c.chunked, w.Code, w.Body)
		}
		if w.Code == 202 && read != c.body {
			t.Errorf("the handler read %q of %q", read, c.body)
		}
	}
}

type brokenBody struct{}

func (brokenBody) Read([]byte) (int, error) { return 0, errors.New("connection reset") }

func TestBodyThatBreaksOff(t *testing.T) {
	h := newTestServer(t, nil).Handler()
	for path, want := range map[string]string{rpcPath: `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`, queryPath: `{"code":400,`} {
		r := httptest.NewRequest("POST", "http://"+home+path, brokenBody{})
		r.ContentLength = -1
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != 400 || !strings.HasPrefix(w.Body.String(), want) {
			t.Errorf("%s = %d %s", path, w.Code, w.Body)
		}
	}
}
