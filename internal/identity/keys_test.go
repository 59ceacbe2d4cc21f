package identity_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"parlance/internal/fault"
	"parlance/internal/identity"
	"parlance/test/issuer"
)

func TestKeysAreReadOnceAndKept(t *testing.T) {
	i := issuer.Start(t)
	g := newGate(t, newClock(), nil, "shop", trusting("shop", i), trusting("stock", i))
	token := i.Token(t, i.Claims("wang", nil))
	for range 20 {
		for _, namespace := range []string{"shop", "stock"} {
			if _, err := enter(t, g, namespace, token); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n := i.Reads(); n != 1 {
		t.Errorf("the keys were read %d times", n)
	}
}

func TestANewKeyIsFoundAndAnOldOneGoes(t *testing.T) {
	i := issuer.Start(t)
	c := newClock()
	g := newGate(t, c, nil, "shop", trusting("shop", i))
	old := i.Token(t, i.Claims("wang", nil))
	if _, err := enter(t, g, "shop", old); err != nil {
		t.Fatal(err)
	}
	i.Rotate(t, issuer.EdDSA(t, "second"))
	c.pass(6 * time.Second)
	if _, err := enter(t, g, "shop", i.Token(t, i.Claims("wang", nil))); err != nil {
		t.Errorf("the new key: %v", err)
	}
	if _, err := enter(t, g, "shop", old); reasonOf(t, err) != "token_key" {
		t.Errorf("the old key: %v", err)
	}
	if n := i.Reads(); n != 2 {
		t.Errorf("the keys were read %d times", n)
	}
}

// TestAKeyThatIsWithdrawnGoesInTime: nobody brings a new key, and the old one is refused all the same.
func TestAKeyThatIsWithdrawnGoesInTime(t *testing.T) {
	i := issuer.Start(t)
	c := newClock()
	g := newGate(t, c, nil, "shop", trusting("shop", i))
	old := i.Token(t, i.Claims("wang", map[string]any{"exp": c.now().Add(24 * time.Hour).Unix()}))
	if _, err := enter(t, g, "shop", old); err != nil {
		t.Fatal(err)
	}
	<-i.Asked()
	i.Rotate(t, issuer.EdDSA(t, "second"))
	c.pass(9 * time.Minute)
	if _, err := enter(t, g, "shop", old); err != nil {
		t.Errorf("after 9 minutes: %v", err)
	}
	c.pass(2 * time.Minute)
	_, _ = enter(t, g, "shop", old) // does not wait for the reading that it begins
	<-i.Asked()
	deadline := time.Now().Add(20 * time.Second)
	for {
		_, err := enter(t, g, "shop", old)
		if reasonOf(t, err) == "token_key" {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("got %v", err)
		}
	}
}

// TestTokensOfUnknownKeysDoNotHammerTheIssuer: whoever invents key ids makes one reading every few seconds.
func TestTokensOfUnknownKeysDoNotHammerTheIssuer(t *testing.T) {
	i := issuer.Start(t)
	c := newClock()
	g := newGate(t, c, nil, "shop", trusting("shop", i))
	good := i.Token(t, i.Claims("wang", nil))
	var all sync.WaitGroup
	for range 50 {
		stranger := issuer.ES256(t, anyID(t))
		token := stranger.Sign(t, i.Claims("mallory", nil))
		all.Go(func() {
			if _, err := g.Authenticate(context.Background(), "shop", "Bearer "+token, nil); reason(err) != "token_key" {
				t.Errorf("got %v", err)
			}
		})
	}
	all.Wait()
	if n := i.Reads(); n != 1 {
		t.Errorf("the keys were read %d times", n)
	}
	c.pass(6 * time.Second)
	for range 10 {
		if _, err := enter(t, g, "shop", issuer.ES256(t, anyID(t)).Sign(t, i.Claims("mallory", nil))); reasonOf(t, err) != "token_key" {
			t.Errorf("got %v", err)
		}
	}
	if n := i.Reads(); n != 2 {
		t.Errorf("the keys were read %d times", n)
	}
	if _, err := enter(t, g, "shop", good); err != nil {
		t.Error(err)
	}
}

// TestManyWaitForOneReading: no stampede, and nobody whose key is known waits.
func TestManyWaitForOneReading(t *testing.T) {
	i := issuer.Start(t)
	c := newClock()
	g := newGate(t, c, nil, "shop", trusting("shop", i))
	known := i.Token(t, i.Claims("wang", nil))
	if _, err := enter(t, g, "shop", known); err != nil {
		t.Fatal(err)
	}
	<-i.Asked()
	i.Rotate(t, issuer.ES256(t, "second"))
	release := i.Hold()
	c.pass(11 * time.Minute)
	fresh := i.Token(t, i.Claims("wang", nil))
	var all sync.WaitGroup
	for range 30 {
		all.Go(func() {
			if _, err := g.Authenticate(context.Background(), "shop", "Bearer "+fresh, nil); err != nil {
				t.Errorf("got %v", err)
			}
		})
	}
	<-i.Asked()
	if _, err := enter(t, g, "shop", known); err != nil {
		t.Errorf("the known key: %v", err)
	}
	release()
	all.Wait()
	if n := i.Reads(); n != 2 {
		t.Errorf("the keys were read %d times", n)
	}
}

func TestAnIssuerThatIsDown(t *testing.T) {
	i := issuer.Start(t)
	i.Down(true)
	c := newClock()
	log := &logText{}
	g := newGate(t, c, log, "shop", trusting("shop", i), trusting("stock", i))
	token := i.Token(t, i.Claims("wang", map[string]any{"exp": c.now().Add(24 * time.Hour).Unix()}))
	for _, namespace := range []string{"shop", "stock", "absent"} {
		_, err := enter(t, g, namespace, token)
		var f *fault.Error
		if !errors.As(err, &f) || f.Kind != fault.Unavailable || !f.Retryable || strings.Contains(f.Text(), "127.0.0.1") {
			t.Errorf("never reached, %s: %v", namespace, err)
		}
	}
	if text := log.String(); strings.Count(text, "keys of the issuer cannot be read") != 1 || !strings.Contains(text, i.URL) {
		t.Errorf("the log says %s", text)
	}
	i.Down(false)
	if _, err := enter(t, g, "shop", token); reasonOf(t, err) != "issuer_unavailable" {
		t.Errorf("tried again at once: %v", err)
	}
	c.pass(6 * time.Second)
	if _, err := enter(t, g, "shop", token); err != nil {
		t.Errorf("up again: %v", err)
	}
	i.Down(true)
	for range 5 {
		c.pass(11 * time.Minute)
		if _, err := enter(t, g, "shop", token); err != nil {
			t.Errorf("down with keys at hand: %v", err)
		}
	}
	c.pass(6 * time.Minute)
	_, err := enter(t, g, "shop", token)
	if reasonOf(t, err) != "issuer_unavailable" {
		t.Errorf("down for more than an hour: %v", err)
	}
	i.Down(false)
	c.pass(6 * time.Second)
	if _, err := enter(t, g, "shop", token); err != nil {
		t.Errorf("up at last: %v", err)
	}
}

// TestDocumentsThatAreRefused: each is served by an issuer of its own.
func TestDocumentsThatAreRefused(t *testing.T) {
	i := issuer.Start(t)
	token := i.Token(t, i.Claims("wang", nil))
	for name, answer := range map[string]func(w http.ResponseWriter, r *http.Request){
		"another issuer": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"issuer":"https://evil.example","jwks_uri":"` + i.URL + `/keys"}`))
		},
		"keys over http": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"issuer":"` + i.URL + `","jwks_uri":"http://keys.example/keys"}`))
		},
		"no keys":  func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"issuer":"` + i.URL + `"}`)) },
		"not JSON": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`<html>`)) },
		"too long": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"issuer":"` + strings.Repeat(" ", 2<<20) + `"}`))
		},
		"redirected": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, i.URL+"/moved", http.StatusFound) },
	} {
		log := &logText{}
		g := identity.New(identity.Options{
			Namespaces: []identity.Namespace{trusting("shop", i)}, Default: "shop", Transport: answering(answer), Log: logger(log),
		})
		if _, err := enter(t, g, "shop", token); reasonOf(t, err) != "issuer_unavailable" {
			t.Errorf("%s: %v", name, err)
		}
		if !strings.Contains(log.String(), i.URL) {
			t.Errorf("%s: the log says %s", name, log)
		}
		g.Close()
	}
}

func TestKeysWithoutDiscovery(t *testing.T) {
	i := issuer.Start(t)
	for path, want := range map[string]string{"/keys": "", "/moved": "issuer_unavailable", "/.well-known/openid-configuration": "issuer_unavailable"} {
		shop := trusting("shop", i)
		shop.Guard.Issuer.JWKS = i.URL + path
		g := newGate(t, nil, nil, "shop", shop)
		if _, err := enter(t, g, "shop", i.Token(t, i.Claims("wang", nil))); reasonOf(t, err) != want {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestARequestThatGoesAwayDoesNotWait(t *testing.T) {
	i := issuer.Start(t)
	release := i.Hold()
	defer release()
	g := newGate(t, nil, nil, "shop", trusting("shop", i))
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	token := i.Token(t, i.Claims("wang", nil))
	go func() {
		_, err := g.Authenticate(ctx, "shop", "Bearer "+token, nil)
		done <- err
	}()
	<-i.Asked()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestWarmReadsTheKeysBeforeAnybodyAsks(t *testing.T) {
	i := issuer.Start(t)
	log := &logText{}
	g := newGate(t, nil, log, "shop", trusting("shop", i))
	g.Warm(t.Context())
	if n := i.Reads(); n != 1 || !strings.Contains(log.String(), "keys of the issuer read") {
		t.Errorf("%d readings; %s", n, log)
	}
	if _, err := enter(t, g, "shop", i.Token(t, i.Claims("wang", nil))); err != nil || i.Reads() != 1 {
		t.Errorf("%v, %d readings", err, i.Reads())
	}
}

func TestCheckURL(t *testing.T) {
	for text, ok := range map[string]bool{
		"https://login.example.com": true, "https://login.example.com/realms/shop": true, "http://127.0.0.1:80": true, "http://localhost:1/x": true,
		"http://[::1]:1": true, "http://login.example.com": false, "http://localhost.evil.example": false, "ftp://x": false, "login.example.com": false,
		"https://": false, "https://user:pw@x": false, "https://x#": false, "https://x#y": false, "": false, "file:///etc/passwd": false,
	} {
		if wrong := identity.CheckURL(text); (wrong == "") != ok {
			t.Errorf("%q: %q", text, wrong)
		}
	}
}
