package app

import (
	"slices"

	"github.com/goccy/go-yaml/ast"
)

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
		{"auth", func(n ast.Node) { f.auth(what, n) }},
		{"cache", f.notYet(what + ".cache")},
	})
	if ns.Models == "" {
		f.at(at, "%s needs models, the folder of its model files", what)
	}
	if ns.Datasource == "" {
		f.at(at, "%s needs datasource, the name of a datasource of this file", what)
	}
	return ns
}

// auth accepts mode none only: a namespace that asks for credentials is not served without checking them.
func (f *configFile) auth(what string, n ast.Node) {
	var other []string
	later := func(name string) key { return key{name, func(ast.Node) { other = append(other, name) }} }
	mode := "none"
	f.mapping(n, what+".auth", []key{
		{"mode", func(n ast.Node) {
			f.into(what+".auth.mode", &mode)(n)
			if mode != "none" {
				f.at(n, "%s.auth.mode: %q is not supported by this version; allowed: none", what, mode)
			}
		}},
		later("file"), later("issuer"), later("jwks"), later("audience"), later("claims"),
	})
	if mode == "none" && len(other) > 0 {
		f.at(n, "%s.auth.%s has no meaning in mode none", what, other[0])
	}
}

func (f *configFile) datasources(n ast.Node) {
	f.entries(n, "datasources", func(name string, at, value ast.Node) {
		if !validName(name) {
			f.at(at, "the datasource %q must be made of letters, digits, - and _, 64 at most", name)
			return
		}
		f.config.Datasources = append(f.config.Datasources, f.datasource(name, at, value))
	})
}

// settings are the keys that each type of datasource has beside the common ones. A type without a line is not
// supported, whatever keys it comes with.
var settings = map[string][]string{
	"duckdb": {"folder", "path", "memory", "threads"},
}

func (f *configFile) datasource(name string, at, n ast.Node) DatasourceConfig {
	d := DatasourceConfig{Name: name}
	what := "datasources." + name
	var typeAt ast.Node
	var own []reference // the keys of the datasource's type
	of := func(name string, read func(ast.Node)) key {
		return key{name, func(n ast.Node) { own = append(own, reference{n, name}); read(n) }}
	}
	later := func(ast.Node) {}
	f.mapping(n, what, []key{
		{"type", func(n ast.Node) { typeAt = n; f.into(what+".type", &d.Type)(n) }},
		{"max_conns", whole(f, what+".max_conns", 1, &d.MaxConns)},
		{"timeout", parsed(f, what+".timeout", parseDuration, &d.Timeout)},
		of("folder", f.notYet(what+".folder")),
		of("path", f.path(what+".path", &d.Path)),
		of("memory", parsed(f, what+".memory", parseSize, &d.Memory)),
		of("threads", whole(f, what+".threads", 1, &d.Threads)),
		of("dsn", func(n ast.Node) { f.dsn(what, n, &d) }),
		of("addresses", later), of("database", later), of("cluster", later),
	})
	allowed, supported := settings[d.Type]
	switch {
	case typeAt == nil:
		f.at(at, "%s needs type; allowed: duckdb", what)
		return d
	case !supported:
		f.at(typeAt, "%s.type: %q is not supported by this version; allowed: duckdb", what, d.Type)
		return d
	}
	for _, o := range own {
		if !slices.Contains(allowed, o.name) {
			f.at(o.at, "%s.%s is not a setting of %s", what, o.name, d.Type)
		}
	}
	if d.Path == "" && !slices.ContainsFunc(own, func(o reference) bool { return o.name == "folder" }) {
		f.at(at, "%s needs path, a DuckDB database file", what)
	}
	return d
}

// dsn reads a connection string, in which ${NAME} stands for a variable of the environment.
func (f *configFile) dsn(what string, n ast.Node, d *DatasourceConfig) {
	s, ok := f.text(n, what+".dsn")
	if !ok {
		return
	}
	expanded, err := expandEnv(s, f.env)
	if err != nil {
		f.at(n, "%s.dsn: %s", what, err)
	}
	d.DSN = expanded
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
