package operations

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func serve(t *testing.T, profiles bool) string {
	t.Helper()
	s, err := Listen(Options{Listen: "127.0.0.1:0", Profiles: profiles, Metrics: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "counted 7\n")
	})})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return "http://" + s.Addr().String()
}

func ask(t *testing.T, url string) (int, string) {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(body)
}

func TestMetricsAndProfiles(t *testing.T) {
	base := serve(t, true)
	if status, body := ask(t, base+"/metrics"); status != http.StatusOK || body != "counted 7\n" {
		t.Errorf("metrics: %d %q", status, body)
	}
	if status, body := ask(t, base+"/debug/pprof/goroutine?debug=1"); status != http.StatusOK || !strings.Contains(body, "operations_test.go") {
		t.Errorf("profile: %d", status)
	}
	if status, _ := ask(t, base+"/jdbc-model/query-model/v2/X"); status != http.StatusNotFound {
		t.Errorf("data: %d", status)
	}
}

func TestProfilesAreServedOnlyWhereSwitchedOn(t *testing.T) {
	base := serve(t, false)
	for _, path := range []string{"/debug/pprof/", "/debug/pprof/heap", "/debug/pprof/cmdline", "/debug/pprof/profile"} {
		if status, _ := ask(t, base+path); status != http.StatusNotFound {
			t.Errorf("%s: %d", path, status)
		}
	}
}

func TestATakenAddressIsAnErrorAtStart(t *testing.T) {
	base := serve(t, false)
	if _, err := Listen(Options{Listen: strings.TrimPrefix(base, "http://")}); err == nil {
		t.Error("no error")
	}
}

// TestAForeignHostIsTurnedAway: a page of somebody else whose name points to this machine reads nothing.
func TestAForeignHostIsTurnedAway(t *testing.T) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	for _, c := range []struct {
		at   net.Addr
		host string
		want int
	}{
		{&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 7109}, "evil.example", http.StatusForbidden},
		{&net.TCPAddr{IP: net.IPv6loopback, Port: 7109}, "evil.example:7109", http.StatusForbidden},
		{&net.TCPAddr{IP: net.IPv6loopback, Port: 7109}, "[::1]:7109", http.StatusNoContent},
		{&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 7109}, "LocalHost.:7109", http.StatusNoContent},
		{&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 7109}, "127.0.0.1", http.StatusNoContent},
		{&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 7109}, "metrics.internal:7109", http.StatusNoContent}, // listed
		{&net.TCPAddr{IP: net.IPv4(10, 0, 0, 7), Port: 7109}, "evil.example", http.StatusNoContent},           // whoever reaches it may read
	} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodGet, "/metrics", http.NoBody)
		r.Host = c.host
		guarded(handler, []string{"metrics.internal"}, c.at).ServeHTTP(w, r)
		if w.Code != c.want {
			t.Errorf("%s at %s: %d", c.host, c.at, w.Code)
		}
	}
	base := serve(t, true)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+"/debug/pprof/cmdline", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = "evil.example"
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusForbidden {
		t.Errorf("a profile: %d", answer.StatusCode)
	}
}
