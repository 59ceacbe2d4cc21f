package app

import (
	"bytes"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"parlance/test/servers"
)

func TestPageOf(t *testing.T) {
	for listen, want := range map[string]string{
		"127.0.0.1:7108": "http://127.0.0.1:7108/",
		":80":            "http://127.0.0.1:80/",
		"0.0.0.0:8080":   "http://127.0.0.1:8080/",
		"[::]:8080":      "http://127.0.0.1:8080/",
		"[::1]:8080":     "http://[::1]:8080/",
		"bi.local:8080":  "http://bi.local:8080/",
	} {
		if got := pageOf(Config{Listen: listen}); got != want {
			t.Errorf("%s = %s, want %s", listen, got, want)
		}
	}
	if got := pageOf(Config{Listen: ":443", TLS: TLSConfig{Cert: "c"}}); got != "https://127.0.0.1:443/" {
		t.Errorf("with a certificate: %s", got)
	}
	if got := pageOf(Config{Listen: ":80", HTTP: HTTPConfig{PublicURL: "https://bi.example.com"}}); got != "https://bi.example.com/" {
		t.Errorf("behind something: %s", got)
	}
}

func TestBrowserOf(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: only Linux has several programs that open a page, among which one is chosen")
	}
	env := func(set string) func(string) (string, bool) {
		return func(name string) (string, bool) { return "x", name == set }
	}
	found := func(name string) (string, error) { return "/usr/bin/" + name, nil }
	xdg := func(name string) (string, error) {
		if name != "xdg-open" {
			return "", errors.New("not found")
		}
		return found(name)
	}
	for _, c := range []struct {
		set  string
		find func(string) (string, error)
		want string
	}{
		{"BROWSER", found, "x"},
		{"DISPLAY", xdg, "/usr/bin/xdg-open"},
		{"WAYLAND_DISPLAY", xdg, "/usr/bin/xdg-open"},
		{"", xdg, ""},
		{"", found, "/usr/bin/wslview"},
	} {
		if got := strings.Join(browserOf(env(c.set), c.find), " "); got != c.want {
			t.Errorf("with %q: %q, want %q", c.set, got, c.want)
		}
	}
}

// TestOpen shows the page in a "browser" that writes down what it was given.
func TestOpen(t *testing.T) {
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	own, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(servers.FreePort(t)))) // which nobody else takes once it is closed
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Listener.Close(); err != nil {
		t.Fatal(err)
	}
	server.Listener = own
	server.Start()
	defer server.Close()
	given := filepath.Join(t.TempDir(), "given")
	browser := filepath.Join(t.TempDir(), "browser")
	script := "#!/bin/sh\nprintf %s \"$1\" > '" + given + ".new' && mv '" + given + ".new' '" + given + "'\n"
	if err := os.WriteFile(browser, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	run := func(listen string) (string, int) {
		var out bytes.Buffer
		code := Run(t.Context(), []string{"open", "--listen", listen}, Streams{Out: &out, Err: &out, Env: func(name string) (string, bool) { return browser, name == "BROWSER" }})
		return out.String(), code
	}
	listen := strings.TrimPrefix(server.URL, "http://")
	if out, code := run(listen); code != 0 || out != server.URL+"/\n" {
		t.Fatalf("%d %q", code, out)
	}
	for end := time.Now().Add(2 * time.Minute); ; {
		if text, err := os.ReadFile(given); err == nil {
			if string(text) != server.URL+"/" {
				t.Errorf("the browser was given %q", text)
			}
			break
		}
		if time.Now().After(end) {
			t.Fatal("the browser was not started")
		}
		time.Sleep(5 * time.Millisecond)
	}
	server.Close()
	if out, code := run(listen); code == 0 || !strings.Contains(out, "nobody answers") {
		t.Errorf("without a server: %d %q", code, out)
	}
}
