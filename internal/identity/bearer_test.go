package identity_test

import (
	"strings"
	"testing"

	"parlance/internal/identity"
)

func TestAuthorizationIsOneSchemeAndOneToken(t *testing.T) {
	g := newGate(t, nil, nil, "shop", identity.Namespace{Name: "shop", Guard: identity.Guard{Mode: identity.Tokens, Table: "t"}})
	g.SetTokens("t", []identity.Token{{Hash: identity.HashOf("abc.DEF-1_~+/=="), User: "wang", Roles: []string{"analyst"}}})
	for authorization, want := range map[string]string{
		"Bearer abc.DEF-1_~+/==":              "",
		"bearer abc.DEF-1_~+/==":              "",
		"BEARER abc.DEF-1_~+/==":              "",
		"Bearer    abc.DEF-1_~+/==  ":         "",
		"":                                    "missing_token",
		"Bearer":                              "missing_token",
		"Bearer   ":                           "missing_token",
		"Bearer\tabc.DEF-1_~+/==":             "malformed_credentials",
		"Bearerabc":                           "malformed_credentials",
		"Basic YWRtaW46YWRtaW4=":              "malformed_credentials",
		"abc.DEF-1_~+/==":                     "malformed_credentials",
		"Bearer abc.DEF-1_~+/== extra":        "malformed_credentials",
		"Bearer abc.DEF-1_~+/==,Bearer x":     "malformed_credentials",
		"Bearer \"abc.DEF-1_~+/==\"":          "malformed_credentials",
		"Bearer abc\x00":                      "malformed_credentials",
		"Bearer ключ":                         "malformed_credentials",
		"Bearer =abc":                         "malformed_credentials",
		"Bearer a=b":                          "malformed_credentials",
		"Bearer " + strings.Repeat("a", 8192): "token_unknown",
		"Bearer " + strings.Repeat("a", 8193): "malformed_credentials",
		"Bearer abc.DEF-1_~+/=":               "token_unknown",
		"Bearer ABC.DEF-1_~+/==":              "token_unknown",
	} {
		id, err := g.Authenticate(t.Context(), "shop", authorization, []string{"analyst"})
		if got := reasonOf(t, err); got != want {
			t.Errorf("%.60q: %q, want %q", authorization, got, want)
		}
		if (want == "") != (id.User == "wang") {
			t.Errorf("%.60q is %q", authorization, id.User)
		}
		if err != nil && strings.Contains(err.Error(), "abc") {
			t.Errorf("%.60q is repeated: %v", authorization, err)
		}
	}
}

func TestModeNoneRecordsAndGrantsNothing(t *testing.T) {
	g := newGate(t, nil, nil, "open", identity.Namespace{Name: "open"})
	for _, namespace := range []string{"", "open", "nowhere"} {
		id, err := g.Authenticate(t.Context(), namespace, "Basic x y z", []string{"admin"})
		if err != nil || id.Opaque != "Basic x y z" || id.User != "" || id.Roles != nil || id.Attributes != nil || id.Namespaces != nil {
			t.Errorf("%q: %+v, %v", namespace, id, err)
		}
	}
}
