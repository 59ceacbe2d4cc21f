package httpserver

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// FuzzHead feeds whatever a head may carry to the whole server: the answer is a refusal or an answer, nothing of ours
// breaks, and the trace id that comes back is short and printable.
func FuzzHead(f *testing.F) {
	for _, seed := range [][6]string{
		{"", "", "", "", "", ""},
		{"t-1", "shop", "http://127.0.0.1:7108", home, "no-cache, max-age=3", "ns=shop"},
		{"\x00\xff" + strings.Repeat("x", 300), "a/b", "null", "evil.example:80", `max-age="-1"`, "ns=a&ns=b"},
		{"é", "", "https://[::1]:7", "[::1]:7108", "max-age=99999999999999999999", "access_token=x"},
		{"t", "\r\n", "file://x", "localhost.", "=,=;", "%zz"},
	} {
		f.Add(seed[0], seed[1], seed[2], seed[3], seed[4], seed[5])
	}
	s, err := New(testOptions(&fakeService{}))
	if err != nil {
		f.Fatal(err)
	}
	h := s.Handler()
	f.Fuzz(func(t *testing.T, trace, namespace, origin, host, cache, query string) {
		for _, path := range []string{rpcPath, queryPath} {
			r := httptest.NewRequest(http.MethodPost, "http://"+home+path, strings.NewReader("{}"))
			r.Host, r.URL.RawQuery = host, query
			r.Header = http.Header{
				"X-Trace-Id": {trace}, "X-Ns": {namespace}, "Origin": {origin}, "Cache-Control": {cache}, "Content-Type": {cache}, "Authorization": {origin},
				"Traceparent": {trace}, "Mcp-Protocol-Version": {namespace},
			}
			if origin == "" {
				r.Header.Del("Origin")
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code >= http.StatusInternalServerError || strings.Contains(w.Body.String(), "Internal error") {
				t.Fatalf("%s: %d %s", path, w.Code, w.Body)
			}
			back := w.Header().Get("X-Trace-Id")
			if back == "" || len(back) > maxTrace || strings.ContainsFunc(back, func(c rune) bool { return c < ' ' || c > '~' }) {
				t.Fatalf("the trace id %q comes back as %q", trace, back)
			}
		}
	})
}
