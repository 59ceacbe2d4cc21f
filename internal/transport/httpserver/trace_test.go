package httpserver

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
)

func TestTraceID(t *testing.T) {
	for given, want := range map[string]string{
		"abc-123":                          "abc-123",
		" two words ":                      "two words",
		"a\u00e9b\x7fc\td":                 "abcd",
		strings.Repeat("x", 200):           strings.Repeat("x", 128),
		strings.Repeat("x", 127) + " tail": strings.Repeat("x", 127),
		"销售42":                             "42",
	} {
		if got := traceID(http.Header{"X-Trace-Id": {given}}); got != want {
			t.Errorf("traceID(%q) = %q, want %q", given, got, want)
		}
	}
}

func TestTraceIDIsMadeUp(t *testing.T) {
	made := regexp.MustCompile(`^[0-9a-f]{32}$`)
	seen := map[string]bool{}
	for _, given := range []string{"", "  ", "销售", "\x00"} {
		id := traceID(http.Header{"X-Trace-Id": {given}})
		if !made.MatchString(id) || seen[id] {
			t.Errorf("traceID(%q) = %q", given, id)
		}
		seen[id] = true
	}
}

func TestTraceIDIsEchoed(t *testing.T) {
	h := newTestServer(t, nil).Handler()
	for _, path := range []string{rpcPath, queryPath, "/healthz", "/nowhere"} {
		if got := ask(h, "POST", path, "", "X-Trace-Id: t-1").Header().Get("X-Trace-Id"); got != "t-1" {
			t.Errorf("%s: X-Trace-Id = %q", path, got)
		}
	}
}
