package identity_test

import (
	"bytes"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"parlance/internal/access"
	"parlance/internal/fault"
	"parlance/internal/identity"
	"parlance/test/issuer"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// clock is a time that a test moves; it begins now.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func newClock() *clock { return &clock{at: time.Now()} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// logText is a log that may be read while it is written.
type logText struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logText) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// newGate makes a gate that is closed when the test ends.
func newGate(t *testing.T, c *clock, log *logText, standard string, namespaces ...identity.Namespace) *identity.Gate {
	t.Helper()
	o := identity.Options{Namespaces: namespaces, Default: standard}
	if c != nil {
		o.Now = c.now
	}
	if log != nil {
		o.Log = slog.New(slog.NewTextHandler(log, nil))
	}
	g := identity.New(o)
	t.Cleanup(g.Close)
	return g
}

// trusting is a namespace that takes the issuer's tokens.
func trusting(name string, i *issuer.Issuer) identity.Namespace {
	return identity.Namespace{Name: name, Guard: identity.Guard{Mode: identity.JWT, Issuer: identity.Issuer{
		URL: i.URL, Audience: []string{issuer.Audience}, Leeway: identity.DefaultLeeway,
	}}}
}

func enter(t *testing.T, g *identity.Gate, namespace, token string, endpoints ...string) (access.Identity, error) {
	t.Helper()
	authorization := ""
	if token != "" {
		authorization = "Bearer " + token
	}
	return g.Authenticate(t.Context(), namespace, authorization, endpoints)
}

// reasonOf returns the reason of a refusal, "" where there is none.
func reasonOf(t *testing.T, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	var f *fault.Error
	if !errors.As(err, &f) {
		t.Fatalf("%v is no fault", err)
	}
	return f.Reason
}

// reason is reasonOf for other goroutines than the test's.
func reason(err error) string {
	var f *fault.Error
	if errors.As(err, &f) {
		return f.Reason
	}
	return ""
}

func anyID(t *testing.T) string {
	t.Helper()
	return identity.NewToken()
}

func logger(l *logText) *slog.Logger { return slog.New(slog.NewTextHandler(l, nil)) }

// answering is a transport that answers every request but those for an issuer's keys by a function.
type answering func(w http.ResponseWriter, r *http.Request)

// RoundTrip calls the function.
func (f answering) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Path == "/keys" {
		return (&http.Transport{DisableKeepAlives: true}).RoundTrip(r)
	}
	w := httptest.NewRecorder()
	f(w, r)
	return w.Result(), nil
}
