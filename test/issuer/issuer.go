// Package issuer is an OpenID issuer that tests start for themselves: it signs tokens, rotates its keys and can be
// taken down. It shares no code with what checks tokens.
package issuer

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// Audience is whom Token's tokens are meant for.
const Audience = "parlance-test"

// Issuer is one running issuer. Its URL is on loopback.
type Issuer struct {
	URL    string
	server *httptest.Server

	mu    sync.Mutex
	keys  []Key
	extra []json.RawMessage
	down  bool
	reads int
	hold  chan struct{}
	asked chan struct{}
}

// Key is a key pair that the issuer publishes or has published.
type Key struct {
	ID      string
	Alg     jose.SignatureAlgorithm
	Private crypto.Signer
}

// Start runs an issuer with one P-256 key until the test ends.
func Start(t testing.TB) *Issuer {
	t.Helper()
	i := &Issuer{asked: make(chan struct{}, 1000)}
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		i.answer(w, map[string]string{"issuer": i.URL, "jwks_uri": i.URL + "/keys"})
	})
	mux.HandleFunc("/keys", func(w http.ResponseWriter, r *http.Request) {
		i.mu.Lock()
		i.reads++
		hold := i.hold
		i.mu.Unlock()
		i.asked <- struct{}{}
		if hold != nil {
			select {
			case <-hold:
			case <-r.Context().Done():
			}
		}
		i.answer(w, i.set())
	})
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/keys", http.StatusFound) })
	i.server = httptest.NewServer(mux)
	i.URL = i.server.URL
	t.Cleanup(i.server.Close)
	i.Rotate(t, ES256(t, "first"))
	return i
}

func (i *Issuer) answer(w http.ResponseWriter, document any) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.down {
		http.Error(w, "down", http.StatusInternalServerError)
		return
	}
	_ = json.NewEncoder(w).Encode(document)
}

func (i *Issuer) set() any {
	i.mu.Lock()
	defer i.mu.Unlock()
	all := append([]json.RawMessage{}, i.extra...)
	for _, k := range i.keys {
		raw, err := json.Marshal(jose.JSONWebKey{Key: k.Private.Public(), KeyID: k.ID, Algorithm: string(k.Alg), Use: "sig"})
		if err != nil {
			panic(err)
		}
		all = append(all, raw)
	}
	return map[string]any{"keys": all}
}

// Rotate publishes these keys and no others; the first of them signs.
func (i *Issuer) Rotate(t testing.TB, keys ...Key) {
	t.Helper()
	i.mu.Lock()
	defer i.mu.Unlock()
	i.keys = keys
}

// Publish adds entries to the key set as they are.
func (i *Issuer) Publish(entries ...string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.extra = nil
	for _, e := range entries {
		i.extra = append(i.extra, json.RawMessage(e))
	}
}

// Down makes every answer an error, or ends that.
func (i *Issuer) Down(down bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.down = down
}

// Hold keeps every reader of the keys waiting until the returned function is called.
func (i *Issuer) Hold() (release func()) {
	hold := make(chan struct{})
	i.mu.Lock()
	defer i.mu.Unlock()
	i.hold = hold
	return sync.OnceFunc(func() {
		i.mu.Lock()
		defer i.mu.Unlock()
		i.hold = nil
		close(hold)
	})
}

// Asked receives once for every reading of the keys that has begun.
func (i *Issuer) Asked() <-chan struct{} { return i.asked }

// Reads is how often the keys were asked for.
func (i *Issuer) Reads() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.reads
}

// Claims returns valid claims of a user for the next hour, with changes; a nil value takes a claim away.
func (i *Issuer) Claims(user string, changes map[string]any) map[string]any {
	now := time.Now().Unix()
	claims := map[string]any{
		"iss": i.URL, "sub": user, "aud": Audience, "exp": now + 3600, "nbf": now, "iat": now, "roles": []string{"analyst"},
	}
	maps.Copy(claims, changes)
	maps.DeleteFunc(claims, func(_ string, v any) bool { return v == nil })
	return claims
}

// Token signs claims with the issuer's first key.
func (i *Issuer) Token(t testing.TB, claims map[string]any) string {
	t.Helper()
	i.mu.Lock()
	key := i.keys[0]
	i.mu.Unlock()
	return key.Sign(t, claims)
}

// Sign signs claims and names the key in the header.
func (k Key) Sign(t testing.TB, claims map[string]any) string {
	t.Helper()
	payload, err := json.Marshal(claims)
	if err != nil {
		t.Fatal(err)
	}
	return k.SignText(t, string(payload), nil)
}

// SignText signs a payload as it is, under further header parameters.
func (k Key) SignText(t testing.TB, payload string, header map[string]any) string {
	t.Helper()
	o := (&jose.SignerOptions{}).WithType("JWT").WithHeader("kid", k.ID)
	for name, value := range header {
		o = o.WithHeader(jose.HeaderKey(name), value)
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: k.Alg, Key: k.Private}, o)
	if err != nil {
		t.Fatal(err)
	}
	signature, err := signer.Sign([]byte(payload))
	if err != nil {
		t.Fatal(err)
	}
	text, err := signature.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// ES256 makes a P-256 key.
func ES256(t testing.TB, id string) Key {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return Key{id, jose.ES256, private}
}

// EdDSA makes an Ed25519 key.
func EdDSA(t testing.TB, id string) Key {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return Key{id, jose.EdDSA, private}
}

// RS256 makes an RSA key of so many bits.
func RS256(t testing.TB, id string, bits int) Key {
	t.Helper()
	private, err := rsa.GenerateKey(rand.Reader, bits)
	if err != nil {
		t.Fatal(fmt.Errorf("RSA key of %d bits: %w", bits, err))
	}
	return Key{id, jose.RS256, private}
}
