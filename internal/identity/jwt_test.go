package identity_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/google/go-cmp/cmp"

	"parlance/internal/access"
	"parlance/internal/identity"
	"parlance/test/issuer"
)

func TestClaimsMakeAnIdentity(t *testing.T) {
	i := issuer.Start(t)
	shop := trusting("shop", i)
	shop.Guard.Issuer.Claims = identity.Claims{
		User: "preferred.name", Roles: "realm_access.roles", Namespaces: "https://shop.example/ns",
		Attributes: map[string]string{"provinces": "provinces", "site": "place.site.0", "level": "level", "odd": "odd", "gone": "gone", "flags": "flags"},
	}
	g := newGate(t, nil, nil, "shop", shop)
	got, err := enter(t, g, "shop", i.Token(t, i.Claims("ignored", map[string]any{
		"preferred":               map[string]any{"name": "wang"},
		"realm_access":            map[string]any{"roles": []string{"analyst", "manager"}},
		"https://shop.example/ns": "shop",
		"provinces":               []string{"Guangdong", "浙江"},
		"place":                   map[string]any{"site.0": "x", "site": map[string]any{"0": "y"}},
		"level":                   7,
		"odd":                     []any{"a", map[string]any{}},
		"flags":                   []any{true, 1.5},
	})), "analyst")
	want := access.Identity{
		User: "wang", Roles: []string{"analyst", "manager"}, Namespaces: []string{"shop"},
		Attributes: map[string][]string{"provinces": {"Guangdong", "浙江"}, "site": {"x"}, "level": {"7"}, "flags": {"true", "1.5"}},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	if diff := cmp.Diff([]string{"flags", "gone", "level", "odd", "provinces", "site"}, g.Attributes("shop")); diff != "" {
		t.Error(diff)
	}
	for _, claims := range []map[string]any{
		{"preferred": nil}, {"preferred": map[string]any{"name": 7}}, {"preferred": "wang"}, {"preferred": map[string]any{"name": ""}},
		{"preferred": map[string]any{"name": "a\nb"}}, {"preferred": map[string]any{"name": strings.Repeat("a", 257)}},
	} {
		if _, err := enter(t, g, "shop", i.Token(t, i.Claims("x", claims))); reasonOf(t, err) != "token_user" {
			t.Errorf("%v: %v", claims, err)
		}
	}
}

func TestEveryAlgorithmOfTheThree(t *testing.T) {
	i := issuer.Start(t)
	rsa := issuer.RS256(t, "rsa", 2048)
	keys := []issuer.Key{issuer.ES256(t, "ec"), issuer.EdDSA(t, "ed"), rsa}
	i.Rotate(t, keys...)
	g := newGate(t, nil, nil, "shop", trusting("shop", i))
	for _, k := range keys {
		if id, err := enter(t, g, "shop", k.Sign(t, i.Claims("wang", nil)), "analyst"); err != nil || id.User != "wang" {
			t.Errorf("%s: %v", k.Alg, err)
		}
		// A key is for its own algorithm: the same id in another key's name is another key.
		other := issuer.ES256(t, k.ID)
		if _, err := enter(t, g, "shop", other.Sign(t, i.Claims("wang", nil))); err == nil {
			t.Errorf("a stranger's key called %s is accepted", k.ID)
		}
	}
	for _, alg := range []jose.SignatureAlgorithm{jose.RS384, jose.RS512, jose.PS256} {
		k := rsa
		k.Alg = alg
		if _, err := enter(t, g, "shop", k.Sign(t, i.Claims("wang", nil))); reasonOf(t, err) != "token_algorithm" {
			t.Errorf("%s: %v", alg, err)
		}
	}
}

// TestTimes: the clock of the server stands still, and the token's times move around it.
func TestTimesAndAudience(t *testing.T) {
	i := issuer.Start(t)
	c := newClock()
	now := c.now().Unix()
	g := newGate(t, c, nil, "shop", trusting("shop", i))
	for _, test := range []struct {
		change map[string]any
		want   string
	}{
		{nil, ""},
		{map[string]any{"exp": now - 58}, ""},
		{map[string]any{"exp": now - 61}, "token_expired"},
		{map[string]any{"exp": now - 100000}, "token_expired"},
		{map[string]any{"exp": 0}, "token_expired"},
		{map[string]any{"exp": float64(now) + 0.5}, ""},
		{map[string]any{"exp": nil}, "token_without_expiry"},
		{map[string]any{"exp": fmt.Sprint(now + 60)}, "token_without_expiry"},
		{map[string]any{"exp": -1}, "token_without_expiry"},
		{map[string]any{"exp": json.RawMessage("1e400")}, "token_without_expiry"},
		{map[string]any{"exp": 1e18}, "token_without_expiry"},
		{map[string]any{"exp": []int64{now + 60}}, "token_without_expiry"},
		{map[string]any{"nbf": now + 58}, ""},
		{map[string]any{"nbf": now + 70}, "token_not_yet_valid"},
		{map[string]any{"nbf": "soon"}, "token_not_yet_valid"},
		{map[string]any{"iat": now + 70}, "token_not_yet_valid"},
		{map[string]any{"nbf": nil, "iat": nil}, ""},
		{map[string]any{"aud": []string{"other", issuer.Audience}}, ""},
		{map[string]any{"aud": []string{"other"}}, "token_audience"},
		{map[string]any{"aud": "other"}, "token_audience"},
		{map[string]any{"aud": strings.ToUpper(issuer.Audience)}, "token_audience"},
		{map[string]any{"aud": []any{issuer.Audience, 7}}, "token_audience"},
		{map[string]any{"aud": nil}, "token_audience"},
		{map[string]any{"aud": []string{}}, "token_audience"},
		{map[string]any{"iss": i.URL + "/"}, "token_issuer"},
		{map[string]any{"iss": "https://evil.example"}, "token_issuer"},
		{map[string]any{"iss": nil}, "token_issuer"},
		{map[string]any{"iss": []string{i.URL}}, "token_issuer"},
		{map[string]any{"sub": nil}, "token_user"},
	} {
		_, err := enter(t, g, "shop", i.Token(t, i.Claims("wang", test.change)))
		if got := reasonOf(t, err); got != test.want {
			t.Errorf("%v: %q, want %q", test.change, got, test.want)
		}
	}
}

// TestForgedTokens are the attacks that a stranger can make without the issuer's key.
func TestForgedTokens(t *testing.T) {
	i := issuer.Start(t)
	rsa, ec := issuer.RS256(t, "rsa", 2048), issuer.ES256(t, "ec")
	i.Rotate(t, ec, rsa)
	g := newGate(t, nil, nil, "shop", trusting("shop", i))
	text, err := json.Marshal(i.Claims("mallory", nil))
	if err != nil {
		t.Fatal(err)
	}
	claims := string(text)
	der, err := x509.MarshalPKIXPublicKey(rsa.Private.Public())
	if err != nil {
		t.Fatal(err)
	}
	public := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	jwk, err := json.Marshal(jose.JSONWebKey{Key: rsa.Private.Public()})
	if err != nil {
		t.Fatal(err)
	}
	mine := issuer.ES256(t, "ec")
	own := jose.JSONWebKey{Key: mine.Private.Public(), KeyID: "ec", Algorithm: "ES256"}
	good := ec.SignText(t, claims, nil)
	parts := strings.Split(good, ".")
	part := func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }
	hs256 := func(header string, key []byte) string {
		input := part(header) + "." + part(claims)
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(input))
		return input + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
	}
	for name, c := range map[string]struct{ token, want string }{
		"good":                       {good, ""},
		"none":                       {part(`{"alg":"none"}`) + "." + part(claims) + ".", "token_algorithm"},
		"none with a kid":            {part(`{"alg":"none","kid":"ec"}`) + "." + part(claims) + ".", "token_algorithm"},
		"None":                       {part(`{"alg":"None","kid":"ec"}`) + "." + part(claims) + "." + parts[2], "token_algorithm"},
		"no algorithm":               {part(`{"kid":"ec"}`) + "." + part(claims) + "." + parts[2], "token_algorithm"},
		"algorithm not a text":       {part(`{"alg":["ES256"],"kid":"ec"}`) + "." + part(claims) + "." + parts[2], "token_header"},
		"HS256 with the PEM":         {hs256(`{"alg":"HS256","kid":"rsa"}`, public), "token_algorithm"},
		"HS256 with the DER":         {hs256(`{"alg":"HS256","kid":"rsa"}`, der), "token_algorithm"},
		"HS256 with the JWK":         {hs256(`{"alg":"HS256","kid":"rsa"}`, jwk), "token_algorithm"},
		"HMAC called RS256":          {hs256(`{"alg":"RS256","kid":"rsa"}`, public), "token_signature"},
		"unknown kid":                {issuer.ES256(t, "nobody").SignText(t, claims, nil), "token_key"},
		"stranger's key":             {mine.SignText(t, claims, nil), "token_signature"},
		"embedded jwk":               {mine.SignText(t, claims, map[string]any{"jwk": own}), "token_header"},
		"jku":                        {mine.SignText(t, claims, map[string]any{"jku": i.URL + "/keys"}), "token_header"},
		"x5u":                        {mine.SignText(t, claims, map[string]any{"x5u": i.URL}), "token_header"},
		"x5c":                        {mine.SignText(t, claims, map[string]any{"x5c": []string{"MII"}}), "token_header"},
		"crit":                       {ec.SignText(t, claims, map[string]any{"crit": []string{"exp"}, "exp": 1}), "token_header"},
		"unencoded payload":          {ec.SignText(t, claims, map[string]any{"b64": true}), "token_header"},
		"kid not a text":             {ec.SignText(t, claims, map[string]any{"kid": 7}), "token_header"},
		"kid of another algorithm":   {part(`{"alg":"ES256","kid":"rsa"}`) + "." + part(claims) + "." + parts[2], "token_key"},
		"no kid, one key for it":     {ec.SignText(t, claims, map[string]any{"kid": ""}), ""},
		"another type":               {ec.SignText(t, claims, map[string]any{"typ": "logout+jwt"}), "token_type"},
		"an access token":            {ec.SignText(t, claims, map[string]any{"typ": "at+JWT"}), ""},
		"claims changed":             {parts[0] + "." + part(strings.Replace(claims, "mallory", "admin", 1)) + "." + parts[2], "token_signature"},
		"signature cut":              {parts[0] + "." + parts[1] + "." + parts[2][:len(parts[2])-4], "token_signature"},
		"signature empty":            {parts[0] + "." + parts[1] + ".", "token_signature"},
		"four parts":                 {good + ".x", "token_unknown"},
		"two parts":                  {parts[0] + "." + parts[1], "token_unknown"},
		"five parts, as encrypted":   {good + ".x.y", "token_unknown"},
		"nothing but dots":           {"..", "token_not_json"},
		"padded":                     {parts[0] + "=." + parts[1] + "." + parts[2], "malformed_credentials"},
		"header is a list":           {part(`[]`) + "." + parts[1] + "." + parts[2], "token_not_json"},
		"header twice alg":           {part(`{"alg":"ES256","alg":"none","kid":"ec"}`) + "." + parts[1] + "." + parts[2], "token_not_json"},
		"a claim twice":              {ec.SignText(t, strings.Replace(claims, "{", `{"sub":"admin",`, 1), nil), "token_not_json"},
		"a claim twice, nested":      {ec.SignText(t, strings.Replace(claims, "{", `{"x":{"a":1,"a":2},`, 1), nil), "token_not_json"},
		"a claim in two spellings":   {ec.SignText(t, strings.Replace(claims, "{", `{"\u0073ub":"admin",`, 1), nil), "token_not_json"},
		"a claim in another case":    {ec.SignText(t, strings.Replace(claims, "{", `{"SUB":"admin","Roles":["admin"],`, 1), nil), ""},
		"not UTF-8":                  {ec.SignText(t, "{\"sub\":\"\xff\"}", nil), "token_not_json"},
		"claims are a list":          {ec.SignText(t, "[]", nil), "token_not_json"},
		"text after the claims":      {ec.SignText(t, claims+"{}", nil), "token_not_json"},
		"oversized":                  {ec.SignText(t, strings.Replace(claims, "{", `{"x":"`+strings.Repeat("a", 8192)+`",`, 1), nil), "malformed_credentials"},
		"general JSON serialization": {`{"payload":"` + parts[1] + `"}`, "malformed_credentials"},
	} {
		id, err := enter(t, g, "shop", c.token, "analyst")
		if got := reasonOf(t, err); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if c.want == "" && (id.User != "mallory" || !cmp.Equal(id.Roles, []string{"analyst"})) {
			t.Errorf("%s is %+v", name, id)
		}
	}
}

// TestKeysThatMayNotBeUsed: whatever stands in the issuer's set, only public keys of enough strength for signatures count.
func TestKeysThatMayNotBeUsed(t *testing.T) {
	p384, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	weak, good := issuer.RS256(t, "weak", 1024), issuer.ES256(t, "good")
	encryption, private, another := issuer.ES256(t, "encryption"), issuer.ES256(t, "private"), issuer.RS256(t, "another", 2048)
	entry := func(k jose.JSONWebKey) string {
		text, err := k.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	i := issuer.Start(t)
	i.Rotate(t, good, weak)
	i.Publish(
		entry(jose.JSONWebKey{Key: p384.Public(), KeyID: "p384"}),
		entry(jose.JSONWebKey{Key: encryption.Private.Public(), KeyID: "encryption", Use: "enc"}),
		entry(jose.JSONWebKey{Key: private.Private, KeyID: "private"}),
		entry(jose.JSONWebKey{Key: another.Private.Public(), KeyID: "another", Algorithm: "RS512"}),
		`{"kty":"oct","k":"c2VjcmV0","kid":"good","alg":"HS256"}`, `{"kty":"new"}`, `7`, `{}`,
	)
	g := newGate(t, nil, nil, "shop", trusting("shop", i))
	if _, err := enter(t, g, "shop", good.Sign(t, i.Claims("wang", nil))); err != nil {
		t.Errorf("the good key beside bad ones: %v", err)
	}
	for _, k := range []issuer.Key{weak, encryption, private, another} {
		if _, err := enter(t, g, "shop", k.Sign(t, i.Claims("wang", nil))); reasonOf(t, err) != "token_key" {
			t.Errorf("%s: %v", k.ID, err)
		}
	}
}

// TestATokenThatNamesNoKeyIsNotTriedOnSeveral: guessing among keys would hide a rotation that went wrong.
func TestATokenThatNamesNoKeyIsNotTriedOnSeveral(t *testing.T) {
	i := issuer.Start(t)
	one := issuer.ES256(t, "one")
	i.Rotate(t, one, issuer.ES256(t, "two"))
	g := newGate(t, nil, nil, "shop", trusting("shop", i))
	one.ID = ""
	if _, err := enter(t, g, "shop", one.Sign(t, i.Claims("wang", nil))); reasonOf(t, err) != "token_key" {
		t.Errorf("got %v", err)
	}
}

func TestNamespacesOfOneIssuerTellTokensApart(t *testing.T) {
	i, other := issuer.Start(t), issuer.Start(t)
	shop, stock, bound := trusting("shop", i), trusting("stock", i), trusting("bound", i)
	stock.Guard.Issuer.Audience = []string{"stock"}
	bound.Guard.Issuer.Claims.Namespaces = "ns"
	g := newGate(t, nil, nil, "shop", shop, stock, bound, trusting("else", other), table("files", "t"), identity.Namespace{Name: "open"})
	g.SetTokens("t", []identity.Token{{Hash: identity.HashOf("file-token"), User: "li", Roles: []string{"analyst"}}})
	token := func(change map[string]any) string { return i.Token(t, i.Claims("wang", change)) }
	foreign := other.Token(t, other.Claims("chen", nil))
	borrowed := maps.Clone(other.Claims("chen", map[string]any{"iss": i.URL}))
	for _, c := range []struct{ name, token, in string }{
		{"shop's audience", token(nil), "shop"},
		{"both audiences", token(map[string]any{"aud": []string{"stock", issuer.Audience}}), "shop stock"},
		{"bound by a claim", token(map[string]any{"ns": []string{"bound", "stock"}}), "shop bound"},
		{"stock's audience only", token(map[string]any{"aud": "stock"}), "stock"},
		{"of another issuer", foreign, "else"},
		{"another issuer's key", other.Token(t, borrowed), "refused"},
		{"of a file", "file-token", "files"},
	} {
		var in []string
		for _, namespace := range []string{"shop", "stock", "bound", "else", "files", "absent"} {
			id, err := enter(t, g, namespace, c.token, "analyst")
			switch {
			case err != nil && reasonOf(t, err) == "token_signature":
				in = []string{"refused"}
			case err != nil:
				t.Errorf("%s in %s: %v", c.name, namespace, err)
			case len(id.Namespaces) == 0 && id.Roles == nil && id.Attributes == nil: // reads like one that does not exist
			default:
				in = append(in, namespace)
			}
		}
		if got := strings.Join(in, " "); got != c.in {
			t.Errorf("%s is in %q, want %q", c.name, got, c.in)
		}
		if id, err := enter(t, g, "open", c.token, "admin"); err != nil || id.User != "" || id.Roles != nil {
			t.Errorf("%s is somebody in mode none: %+v %v", c.name, id, err)
		}
	}
	for namespace, want := range map[string][]string{"shop": {i.URL}, "": {i.URL}, "absent": {i.URL}, "else": {other.URL}, "files": nil, "open": nil} {
		if diff := cmp.Diff(want, g.AuthorizationServers(namespace)); diff != "" {
			t.Errorf("%s: %s", namespace, diff)
		}
	}
}

func TestLeewayIsTheNamespacesOwn(t *testing.T) {
	i := issuer.Start(t)
	c := newClock()
	strict, lenient := trusting("strict", i), trusting("lenient", i)
	strict.Guard.Issuer.Leeway, lenient.Guard.Issuer.Leeway = 0, identity.MaxLeeway
	g := newGate(t, c, nil, "strict", strict, lenient)
	token := i.Token(t, i.Claims("wang", map[string]any{"exp": c.now().Add(-2 * time.Minute).Unix()}))
	if id, err := enter(t, g, "strict", token); err != nil || len(id.Namespaces) != 0 {
		t.Errorf("strict: %+v %v", id, err)
	}
	if id, err := enter(t, g, "lenient", token); err != nil || !cmp.Equal(id.Namespaces, []string{"lenient"}) {
		t.Errorf("lenient: %+v %v", id, err)
	}
}
