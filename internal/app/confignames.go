package app

import (
	"github.com/goccy/go-yaml/ast"
)

// minSecret is the fewest characters of a secret that keeps masks from being guessed.
const minSecret = 16

func (f *configFile) namespaces(n ast.Node) {
	f.entries(n, "namespaces", func(name string, at, value ast.Node) {
		if !validName(name) {
			f.at(at, "the namespace %q must be made of letters, digits, - and _, 64 at most", name)
			return
		}
		f.config.Namespaces = append(f.config.Namespaces, f.namespace(name, at, value))
	})
}

func (f *configFile) namespace(name string, at, n ast.Node) NamespaceConfig {
	ns := NamespaceConfig{Name: name, Calendar: defaultCalendar()}
	what := "namespaces." + name
	f.mapping(n, what, []key{
		{"models", f.path(what+".models", &ns.Models)},
		{"datasource", func(n ast.Node) {
			f.into(what+".datasource", &ns.Datasource)(n)
			f.named = append(f.named, reference{n, ns.Datasource})
		}},
		{"timezone", parsed(f, what+".timezone", parseZone, &ns.Calendar.Zone)},
		{"week_start", parsed(f, what+".week_start", parseWeekday, &ns.Calendar.WeekStart)},
		{"fiscal_start", parsed(f, what+".fiscal_start", parseMonth, &ns.Calendar.FiscalStart)},
		{"today", parsed(f, what+".today", parseToday, &ns.Calendar.Today)},
		{"auth", func(n ast.Node) { ns.Auth = f.auth(what, n) }},
		{"mask_secret", func(n ast.Node) {
			f.secret(what+".mask_secret", &ns.MaskSecret)(n)
			if len(ns.MaskSecret) < minSecret {
				f.at(n, "%s.mask_secret must have %d characters at least", what, minSecret)
			}
		}},
		{"cache", func(n ast.Node) {
			f.mapping(n, what+".cache", []key{{"ttl", parsed(f, what+".cache.ttl", parseSpan, &ns.Cache.TTL)}})
		}},
	})
	if ns.Models == "" {
		f.at(at, "%s needs models, the folder of its model files", what)
	}
	if ns.Datasource == "" {
		f.at(at, "%s needs datasource, the name of a datasource of this file", what)
	}
	return ns
}

// validName reports whether a namespace or a datasource may be called so: it stands in headers, paths and logs.
func validName(s string) bool {
	if s == "" || len(s) > 64 {
		return false
	}
	for _, r := range s {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_':
		default:
			return false
		}
	}
	return true
}
