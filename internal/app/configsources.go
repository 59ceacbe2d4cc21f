package app

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// sourceTypes are the types of datasource with the keys that each has beside the common ones. One of needs must be
// there; example follows it in the message that says so.
var sourceTypes = []struct {
	name    string
	keys    []string
	needs   []string
	example string
}{
	{"duckdb", []string{"folder", "path", "memory", "threads"}, []string{"path", "folder"}, "a DuckDB database file, or folder, a folder of Parquet and CSV files"},
	{"sqlite", []string{"path"}, []string{"path"}, "an SQLite database file"},
	{"postgres", []string{"dsn", "dsn_file"}, []string{"dsn", "dsn_file"}, `such as "${WAREHOUSE_DSN}"`},
	{"mysql", []string{"dsn", "dsn_file"}, []string{"dsn", "dsn_file"}, `such as "${WAREHOUSE_DSN}"`},
	{"clickhouse", []string{"addresses", "database", "cluster", "user", "password"}, []string{"addresses"}, `such as ["127.0.0.1:9000"]`},
}

// typeNames are the types for messages.
func typeNames() string {
	names := make([]string, len(sourceTypes))
	for i, t := range sourceTypes {
		names[i] = t.name
	}
	return strings.Join(names, ", ")
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

func (f *configFile) datasource(name string, at, n ast.Node) DatasourceConfig {
	d := DatasourceConfig{Name: name}
	what := "datasources." + name
	var typeAt ast.Node
	var own []reference // the keys of the datasource's type
	of := func(name string, read func(ast.Node)) key {
		return key{name, func(n ast.Node) { own = append(own, reference{n, name}); read(n) }}
	}
	f.mapping(n, what, []key{
		{"type", func(n ast.Node) { typeAt = n; f.into(what+".type", &d.Type)(n) }},
		{"max_conns", whole(f, what+".max_conns", 1, &d.MaxConns)},
		{"timeout", parsed(f, what+".timeout", parseDuration, &d.Timeout)},
		of("folder", f.path(what+".folder", &d.Folder)),
		of("path", f.path(what+".path", &d.Path)),
		of("memory", parsed(f, what+".memory", parseSize, &d.Memory)),
		of("threads", whole(f, what+".threads", 1, &d.Threads)),
		of("dsn", f.secret(what+".dsn", &d.DSN)),
		of("dsn_file", func(n ast.Node) { f.dsnFile(what+".dsn_file", n, &d) }),
		of("addresses", func(n ast.Node) { d.Addresses = f.list(n, what+".addresses") }),
		of("database", f.into(what+".database", &d.Database)),
		of("cluster", f.into(what+".cluster", &d.Cluster)),
		of("user", f.into(what+".user", &d.User)),
		of("password", f.secret(what+".password", &d.Password)),
	})
	if typeAt == nil {
		f.at(at, "%s needs type; allowed: %s", what, typeNames())
		return d
	}
	f.settings(what, at, typeAt, d.Type, own)
	return d
}

// settings checks that a datasource has the keys of its type and no others. Of a type that is not supported only that
// is said, whatever keys it comes with.
func (f *configFile) settings(what string, at, typeAt ast.Node, typ string, own []reference) {
	for _, t := range sourceTypes {
		if t.name != typ {
			continue
		}
		found := 0
		for _, o := range own {
			if !slices.Contains(t.keys, o.name) {
				f.at(o.at, "%s.%s is not a setting of %s", what, o.name, typ)
			}
			if slices.Contains(t.needs, o.name) {
				found++
			}
		}
		switch {
		case found == 0:
			f.at(at, "%s needs %s, %s", what, t.needs[0], t.example)
		case found > 1:
			f.at(at, "%s has %s, of which one is enough", what, strings.Join(t.needs, " and "))
		}
		return
	}
	f.at(typeAt, "%s.type: %q is not supported by this version; allowed: %s", what, typ, typeNames())
}

// secret returns a reader of a text in which ${NAME} stands for a variable of the environment.
func (f *configFile) secret(what string, to *string) func(ast.Node) {
	return func(n ast.Node) {
		s, ok := f.text(n, what)
		if !ok {
			return
		}
		expanded, err := expandEnv(s, f.env)
		if err != nil {
			f.at(n, "%s: %s", what, err)
		}
		*to = expanded
	}
}

// dsnFile reads a connection string from a file of its own, the way secrets are mounted. Nothing of it is repeated.
func (f *configFile) dsnFile(what string, n ast.Node, d *DatasourceConfig) {
	path := ""
	if f.path(what, &path)(n); path == "" {
		return
	}
	text, err := os.ReadFile(path)
	if err != nil {
		f.at(n, "%s: %s cannot be read", what, filepath.Base(path))
		return
	}
	d.DSN = strings.TrimSpace(string(text))
}
