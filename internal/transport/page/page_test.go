package page

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// mostTransferred is what the whole page may cost over the wire, fonts included.
const mostTransferred = 350 << 10

func get(h http.Handler, method string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "/", nil)
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestThePageIsSmallAndWhole(t *testing.T) {
	all := Handlers()
	transferred := 0
	for path, h := range all {
		w := get(h, "GET", "Accept-Encoding: gzip, br")
		if w.Code != http.StatusOK || w.Header().Get("Content-Type") == "" {
			t.Errorf("%s: %d, type %q", path, w.Code, w.Header().Get("Content-Type"))
		}
		transferred += w.Body.Len()
	}
	if transferred > mostTransferred {
		t.Errorf("the page transfers %d bytes, more than %d", transferred, mostTransferred)
	}
	t.Logf("the page transfers %d KB in %d files", transferred>>10, len(all))
	index := get(all["/"], "GET").Body.String()
	named := regexp.MustCompile(`(?:src|href)="\./([^"]+)"`).FindAllStringSubmatch(index, -1)
	if len(named) < 4 {
		t.Errorf("the page names only %v", named)
	}
	for _, match := range named {
		if all["/"+match[1]] == nil {
			t.Errorf("the page names %s, which is not served", match[1])
		}
	}
}

func TestNothingInlineAndNobodyElse(t *testing.T) {
	for path, h := range Handlers() {
		w := get(h, "GET")
		policy := w.Header().Get("Content-Security-Policy")
		if !strings.HasPrefix(policy, "default-src 'none'; ") || strings.Contains(policy, "unsafe") || strings.Contains(policy, "http") {
			t.Errorf("%s: the policy is %q", path, policy)
		}
		if w.Header().Get("Set-Cookie") != "" || w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", path, w.Header())
		}
	}
	index := get(Handlers()["/"], "GET").Body.String()
	if found := regexp.MustCompile(`<script(?:[^>]*)>[^<]|<style|style="|\son[a-z]+="|https?://`).FindString(index); found != "" {
		t.Errorf("the page holds %q", found)
	}
}

func TestCompression(t *testing.T) {
	f := newFile("built/a.js", []byte(strings.Repeat("a line of text\n", 100)))
	for accept, want := range map[string]bool{"": false, "gzip": true, "br, gzip;q=0.5": true, "gzip;q=0": false, "gzip; q=0.0": false, "identity": false, "*": true} {
		w := get(f, "GET", "Accept-Encoding: "+accept)
		if got := w.Header().Get("Content-Encoding") == "gzip"; got != want {
			t.Errorf("%q: compressed %v, want %v", accept, got, want)
		}
		var body io.Reader = w.Body
		if want {
			unpacked, err := gzip.NewReader(w.Body)
			if err != nil {
				t.Fatal(err)
			}
			body = unpacked
		}
		if text, err := io.ReadAll(body); err != nil || string(text) != string(f.content) {
			t.Errorf("%q: %d bytes, %v", accept, len(text), err)
		}
	}
	if w := get(newFile("a.woff2", []byte("x1y2z3")), "GET", "Accept-Encoding: gzip"); w.Header().Get("Content-Encoding") != "" {
		t.Error("what does not shrink is compressed")
	}
}

func TestCaching(t *testing.T) {
	hashed, plain := newFile("built/a-1.js", []byte("a")), newFile("index.html", []byte("b"))
	if got := get(hashed, "GET").Header().Get("Cache-Control"); !strings.Contains(got, "immutable") {
		t.Errorf("a hashed name: %q", got)
	}
	w := get(plain, "GET")
	if got := w.Header().Get("Cache-Control"); got != "no-cache" {
		t.Errorf("a plain name: %q", got)
	}
	tag := w.Header().Get("ETag")
	if again := get(plain, "GET", "If-None-Match: "+tag); again.Code != http.StatusNotModified || again.Body.Len() != 0 {
		t.Errorf("known already: %d, %d bytes", again.Code, again.Body.Len())
	}
	if other := get(plain, "GET", `If-None-Match: "x"`); other.Code != http.StatusOK {
		t.Errorf("another tag: %d", other.Code)
	}
}

func TestMethods(t *testing.T) {
	f := newFile("index.html", []byte("text"))
	if w := get(f, "HEAD"); w.Code != http.StatusOK || w.Body.Len() != 0 || w.Header().Get("Content-Length") != "4" {
		t.Errorf("HEAD: %d, %d bytes, %v", w.Code, w.Body.Len(), w.Header())
	}
	for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS"} {
		if w := get(f, method); w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") == "" {
			t.Errorf("%s: %d", method, w.Code)
		}
	}
}

func TestPaths(t *testing.T) {
	all := Handlers()
	var paths []string
	for path := range all {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	if all["/"] == nil || all["/index.html"] != nil || all["/icon.svg"] == nil {
		t.Errorf("served are %v", paths)
	}
}
