package identity_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/access"
	"parlance/internal/identity"
)

func table(name, table string) identity.Namespace {
	return identity.Namespace{Name: name, Guard: identity.Guard{Mode: identity.Tokens, Table: table}}
}

func TestTokens(t *testing.T) {
	g := newGate(t, nil, nil, "shop", table("shop", "a"), table("stock", "a"), table("hr", "b"))
	g.SetTokens("a", []identity.Token{
		{Hash: identity.HashOf("everywhere"), User: "wang", Roles: []string{"admin"}, Attributes: map[string][]string{"provinces": {"Guangdong", "Zhejiang"}}},
		{Hash: identity.HashOf("stock-only"), User: "li", Roles: []string{"analyst"}, Namespaces: []string{"stock"}},
		{Hash: identity.HashOf("nowhere"), User: "zhao", Roles: []string{"admin"}, Namespaces: []string{}},
	})
	g.SetTokens("b", []identity.Token{{Hash: identity.HashOf("hr-only"), User: "chen", Roles: []string{"admin"}, Attributes: map[string][]string{"site": {"x"}}}})
	wang := access.Identity{
		User: "wang", Roles: []string{"admin"}, Namespaces: []string{"shop", "stock"},
		Attributes: map[string][]string{"provinces": {"Guangdong", "Zhejiang"}},
	}
	stranger := func(user string) access.Identity { return access.Identity{User: user, Namespaces: []string{}} }
	for _, c := range []struct {
		namespace, token string
		want             access.Identity
		reason           string
	}{
		{"shop", "everywhere", wang, ""},
		{"", "everywhere", wang, ""},
		{"stock", "everywhere", wang, ""},
		{"hr", "everywhere", stranger("wang"), ""},
		{"absent", "everywhere", stranger("wang"), ""},
		{"stock", "stock-only", access.Identity{User: "li", Roles: []string{"analyst"}, Namespaces: []string{"stock"}, Attributes: map[string][]string{}}, ""},
		{"shop", "stock-only", stranger("li"), ""},
		{"shop", "hr-only", stranger("chen"), ""},
		{"absent", "hr-only", stranger("chen"), ""},
		{"shop", "nowhere", stranger(""), ""},
		{"shop", "unknown", access.Identity{}, "token_unknown"},
		{"hr", "unknown", access.Identity{}, "token_unknown"},
		{"absent", "unknown", access.Identity{}, "token_unknown"},
		{"absent", "", access.Identity{}, "missing_token"},
		{"shop", identity.HashOf("everywhere").String(), access.Identity{}, "token_unknown"},
	} {
		got, err := enter(t, g, c.namespace, c.token, "analyst")
		if diff := cmp.Diff(c.want, got); diff != "" || reasonOf(t, err) != c.reason {
			t.Errorf("%s in %q: %v\n%s", c.token, c.namespace, err, diff)
		}
	}
	if diff := cmp.Diff([]string{"provinces"}, g.Attributes("stock")); diff != "" {
		t.Error(diff)
	}
}

func TestATokenThatIsTakenAwayIsRefusedAtOnce(t *testing.T) {
	g := newGate(t, nil, nil, "shop", table("shop", "a"))
	one, two := identity.Token{Hash: identity.HashOf("one"), User: "1", Roles: []string{"admin"}}, identity.Token{Hash: identity.HashOf("two"), User: "2", Roles: []string{"admin"}}
	g.SetTokens("a", []identity.Token{one, two})
	if _, err := enter(t, g, "shop", "two"); err != nil {
		t.Fatal(err)
	}
	g.SetTokens("a", []identity.Token{one})
	if _, err := enter(t, g, "shop", "two"); reasonOf(t, err) != "token_unknown" {
		t.Errorf("got %v", err)
	}
	if _, err := enter(t, g, "shop", "one"); err != nil {
		t.Error(err)
	}
}

// TestUserIsTheFirstEntryOfThatName: the same one at every asking.
func TestUserIsTheFirstEntryOfThatName(t *testing.T) {
	g := newGate(t, nil, nil, "shop", table("shop", "a"), identity.Namespace{Name: "open"})
	g.SetTokens("a", []identity.Token{
		{Hash: identity.HashOf("0"), User: "wang", Roles: []string{"elsewhere"}, Namespaces: []string{"stock"}},
		{Hash: identity.HashOf("1"), User: "wang", Roles: []string{"first"}}, {Hash: identity.HashOf("2"), User: "wang", Roles: []string{"second"}},
	})
	for range 50 {
		if id, ok := g.User("shop", "wang"); !ok || id.Roles[0] != "first" {
			t.Fatalf("%v %v", id, ok)
		}
	}
	for _, namespace := range []string{"open", "shop"} {
		if id, ok := g.User(namespace, "nobody"); ok {
			t.Errorf("%s: %v", namespace, id)
		}
	}
}

// TestAnIdentityIsTheCallersOwn: what one request does to its identity, no other meets.
func TestAnIdentityIsTheCallersOwn(t *testing.T) {
	g := newGate(t, nil, nil, "shop", table("shop", "a"))
	g.SetTokens("a", []identity.Token{{Hash: identity.HashOf("one"), User: "1", Roles: []string{"analyst"}, Attributes: map[string][]string{"p": {"x"}}}})
	first, err := enter(t, g, "shop", "one")
	if err != nil {
		t.Fatal(err)
	}
	first.Roles[0], first.Attributes["p"][0], first.Attributes["q"] = "admin", "y", []string{"z"}
	second, err := enter(t, g, "shop", "one")
	if err != nil {
		t.Fatal(err)
	}
	if second.Roles[0] != "analyst" || second.Attributes["p"][0] != "x" || len(second.Attributes) != 1 {
		t.Errorf("got %+v", second)
	}
}

func TestRolesCoverEndpoints(t *testing.T) {
	shop := table("shop", "a")
	shop.Guard.Endpoints = map[string][]string{"manager": {"analyst", "business"}, "business": {}}
	g := newGate(t, nil, nil, "shop", shop)
	for _, c := range []struct {
		roles   []string
		covered string
	}{
		{[]string{"admin"}, "admin analyst business"},
		{[]string{"analyst"}, "analyst business"},
		{[]string{"business"}, ""}, // as the guard says
		{[]string{"manager"}, "analyst business"},
		{[]string{"viewer"}, ""},
		{[]string{"Admin"}, ""},
		{[]string{"viewer", "manager"}, "analyst business"},
		{nil, ""},
	} {
		g.SetTokens("a", []identity.Token{{Hash: identity.HashOf("x"), User: "u", Roles: c.roles}})
		var covered []string
		for _, endpoint := range identity.Endpoints {
			_, err := enter(t, g, "shop", "x", endpoint)
			switch reasonOf(t, err) {
			case "":
				covered = append(covered, endpoint)
			case "role_not_covering":
			default:
				t.Errorf("%v on %s: %v", c.roles, endpoint, err)
			}
		}
		if got := strings.Join(covered, " "); got != c.covered {
			t.Errorf("%v cover %q, want %q", c.roles, got, c.covered)
		}
	}
}

func TestNewTokensHave256BitsAndAreAllDifferent(t *testing.T) {
	seen := map[string]bool{}
	for range 100 {
		token := identity.NewToken()
		random, ok := strings.CutPrefix(token, "plc_")
		bits, err := base64.RawURLEncoding.DecodeString(random)
		if !ok || err != nil || len(bits) != 32 || seen[token] {
			t.Fatalf("%s", token)
		}
		seen[token] = true
	}
}

func TestParseHash(t *testing.T) {
	// The SHA-256 of "abc", from FIPS 180-2.
	const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	for text, ok := range map[string]bool{
		abc: true, strings.ToUpper(abc): true, abc[:63]: false, abc + "0": false, abc + "00": false, "": false, abc[:63] + "g": false,
	} {
		h, got := identity.ParseHash(text)
		if got != ok || ok && h != identity.HashOf("abc") {
			t.Errorf("%q: %v", text, got)
		}
	}
}
