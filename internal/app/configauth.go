package app

import (
	"crypto/tls"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"parlance/internal/identity"
)

// authModes are the modes with the keys that each has beside mode, and those that it needs, with an example.
var authModes = []struct {
	mode  identity.Mode
	keys  []string
	needs []struct{ name, example string }
}{
	{identity.None, []string{"attributes"}, nil},
	{identity.Tokens, []string{"attributes", "endpoints", "file"}, []struct{ name, example string }{{"file", "such as ./tokens.yaml"}}},
	{
		identity.JWT, []string{"attributes", "endpoints", "issuer", "jwks", "audience", "leeway", "claims"},
		[]struct{ name, example string }{{"issuer", "such as https://login.example.com"}, {"audience", "what the claim aud must hold"}},
	},
}

// auth reads how a namespace knows its callers (decision 61).
func (f *configFile) auth(what string, n ast.Node) identity.Guard {
	what += ".auth"
	g := identity.Guard{Issuer: identity.Issuer{Leeway: identity.DefaultLeeway}}
	mode, modeAt := "none", n
	var own []reference
	of := func(name string, read func(ast.Node)) key {
		return key{name, func(n ast.Node) { own = append(own, reference{n, name}); read(n) }}
	}
	i := &g.Issuer
	f.mapping(n, what, []key{
		{"mode", func(n ast.Node) { modeAt = n; f.into(what+".mode", &mode)(n) }},
		of("file", func(n ast.Node) {
			f.path(what+".file", &g.Table)(n)
			f.tokens = append(f.tokens, reference{n, g.Table})
		}),
		of("issuer", f.address(what+".issuer", &i.URL)),
		of("jwks", f.address(what+".jwks", &i.JWKS)),
		of("audience", func(n ast.Node) {
			if i.Audience = f.oneOrMore(n, what+".audience"); len(i.Audience) == 0 || slices.Contains(i.Audience, "") {
				f.at(n, "%s.audience names none", what)
			}
		}),
		of("leeway", f.leeway(what+".leeway", &i.Leeway)),
		of("claims", func(n ast.Node) { i.Claims = f.claims(what+".claims", n) }),
		of("endpoints", func(n ast.Node) { g.Endpoints = f.roleEndpoints(what+".endpoints", n) }),
		of("attributes", func(n ast.Node) { g.Attributes = f.names(n, what+".attributes", "an attribute") }),
	})
	if at := slices.Index(identity.Modes, mode); at < 0 {
		f.at(modeAt, "%s.mode: %q is not a mode; allowed: %s", what, mode, strings.Join(identity.Modes, ", "))
	} else {
		g.Mode = identity.Mode(at)
		f.authKeys(what, n, g.Mode, own)
	}
	if g.Mode != identity.JWT {
		g.Issuer = identity.Issuer{}
	}
	return g
}

// authKeys checks that a guard has the keys of its mode and no others.
func (f *configFile) authKeys(what string, n ast.Node, mode identity.Mode, own []reference) {
	of := authModes[mode]
	for _, o := range own {
		if !slices.Contains(of.keys, o.name) {
			f.at(o.at, "%s.%s has no meaning in mode %s", what, o.name, mode)
		}
	}
	for _, need := range of.needs {
		if !slices.ContainsFunc(own, func(o reference) bool { return o.name == need.name }) {
			f.at(n, "%s needs %s, %s, in mode %s", what, need.name, need.example, mode)
		}
	}
}

func (f *configFile) address(what string, to *string) func(ast.Node) {
	return func(n ast.Node) {
		s, ok := f.text(n, what)
		if !ok {
			return
		}
		if wrong := identity.CheckURL(s); wrong != "" {
			f.at(n, "%s %s", what, wrong) // not repeated: it may hold a password
			return
		}
		*to = s
	}
}

func (f *configFile) leeway(what string, to *time.Duration) func(ast.Node) {
	return func(n ast.Node) {
		s, ok := f.text(n, what)
		if !ok {
			return
		}
		d, err := time.ParseDuration(s)
		if err != nil || d < 0 || d > identity.MaxLeeway {
			f.at(n, "%s: %q is not a duration from 0s to 5m", what, s)
			return
		}
		*to = d
	}
}

func (f *configFile) claims(what string, n ast.Node) identity.Claims {
	var c identity.Claims
	f.mapping(n, what, []key{
		{"user", f.into(what+".user", &c.User)},
		{"roles", f.into(what+".roles", &c.Roles)},
		{"namespaces", f.into(what+".namespaces", &c.Namespaces)},
		{"attributes", func(n ast.Node) {
			c.Attributes = map[string]string{}
			f.entries(n, what+".attributes", func(name string, at, value ast.Node) {
				if !validName(name) {
					f.at(at, "the attribute %q must be made of letters, digits, - and _, 64 at most", name)
				}
				path, _ := f.text(value, what+".attributes."+name)
				c.Attributes[name] = path
			})
		}},
	})
	return c
}

// roleEndpoints reads which role endpoints further roles cover, or the three named ones in another way.
func (f *configFile) roleEndpoints(what string, n ast.Node) map[string][]string {
	covers := map[string][]string{}
	f.entries(n, what, func(role string, _, value ast.Node) {
		covers[role] = []string{}
		for _, name := range f.oneOrMore(value, what+"."+role) {
			if !slices.Contains(roles, name) {
				f.at(value, "%q is not an endpoint; allowed: %s", name, strings.Join(roles, ", "))
			}
			covers[role] = append(covers[role], name)
		}
	})
	return covers
}

// names reads a list of names that stand in other files too.
func (f *configFile) names(n ast.Node, what, each string) []string {
	list := f.oneOrMore(n, what)
	for _, name := range list {
		if !validName(name) {
			f.at(n, "%s: %s %q must be made of letters, digits, - and _, 64 at most", what, each, name)
		}
	}
	return list
}

// tls reads the certificate that the server shows.
func (f *configFile) tls(n ast.Node) {
	t := &f.config.TLS
	f.mapping(n, "tls", []key{{"cert", f.path("tls.cert", &t.Cert)}, {"key", f.path("tls.key", &t.Key)}})
	if t.Cert == "" || t.Key == "" {
		f.at(n, "tls needs cert and key, two files in PEM form")
		return
	}
	if _, err := tls.LoadX509KeyPair(t.Cert, t.Key); err != nil {
		f.at(n, "tls: %s", err)
	}
}

// tokenFiles reads every file of tokens that a namespace names; what is wrong in one is reported where it stands.
func (f *configFile) tokenFiles() {
	done := map[string]bool{}
	for _, r := range f.tokens {
		users := f.config.usersOf(r.name)
		if len(users) == 0 || done[r.name] {
			continue
		}
		done[r.name] = true
		text, err := readSmall(r.name)
		if err != nil {
			f.at(r.at, "%s", err)
			continue
		}
		_, problems := readTokens(r.name, text, users)
		f.problems = append(f.problems, problems...)
	}
}
