package app

import (
	"fmt"
	"reflect"

	"github.com/goccy/go-yaml/ast"

	"parlance/internal/audit"
	"parlance/internal/identity"
)

// AuditConfig is the record of queries and refusals; without a File there is none.
type AuditConfig struct {
	File      string
	Values    bool   // whether what callers compare with, and their questions, are kept
	MaxSize   int64  // bytes after which the file is put aside
	Keep      int    // how many of those stay; 0: all
	Serve     bool   // whether queries are answered that cannot be recorded
	Namespace string // in which admins can query the record
	Auth      identity.Guard
}

// served reports whether the record can be queried: only where callers are known.
func (a AuditConfig) served() bool { return a.File != "" && a.Auth.Mode != identity.None }

func defaultAudit() AuditConfig {
	return AuditConfig{MaxSize: 100_000_000, Keep: 10, Namespace: "audit"}
}

// minAuditSize is the least that a file of the record may hold.
const minAuditSize = 4 * audit.MaxLine

func (f *configFile) audit(n ast.Node) {
	a := defaultAudit()
	onFailure := "refuse"
	f.mapping(n, "audit", []key{
		{"file", f.path("audit.file", &a.File)},
		{"values", parsed(f, "audit.values", parseSwitch, &a.Values)},
		{"max_size", func(n ast.Node) {
			parsed(f, "audit.max_size", parseSize, &a.MaxSize)(n)
			if a.MaxSize < minAuditSize {
				f.at(n, "audit.max_size must be at least %d bytes", minAuditSize)
			}
		}},
		{"keep", whole(f, "audit.keep", 0, &a.Keep)},
		{"on_failure", func(n ast.Node) {
			f.into("audit.on_failure", &onFailure)(n)
			if onFailure != "refuse" && onFailure != "serve" {
				f.at(n, "audit.on_failure: %q is neither refuse nor serve", onFailure)
			}
		}},
		{"namespace", func(n ast.Node) {
			f.into("audit.namespace", &a.Namespace)(n)
			if !validName(a.Namespace) {
				f.at(n, "the namespace %q must be made of letters, digits, - and _, 64 at most", a.Namespace)
			}
		}},
		{"auth", func(n ast.Node) { a.Auth = f.auth("audit", n) }},
	})
	if a.File == "" {
		f.at(n, "audit needs file, the name of the record")
	}
	a.Serve = onFailure == "serve"
	f.config.Audit = a
}

// auditNamespace checks that the record's namespace is nobody else's. Unless it says otherwise, it knows its callers as
// all other namespaces do that ask for credentials.
func (f *configFile) auditNamespace() {
	a := &f.config.Audit
	if a.File == "" {
		return
	}
	var guards []identity.Guard
	for _, n := range f.config.Namespaces {
		if n.Name == a.Namespace {
			f.at(nil, "audit.namespace: %q is a namespace of this file; the record needs one of its own", n.Name)
		}
		if n.Auth.Mode != identity.None {
			guards = append(guards, n.Auth)
		}
	}
	if a.Auth.Mode != identity.None || len(guards) == 0 {
		return
	}
	for _, g := range guards {
		if !reflect.DeepEqual(g, guards[0]) {
			return
		}
	}
	a.Auth = guards[0]
}

func parseSwitch(s string) (bool, error) {
	switch s {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, fmt.Errorf("%q is neither true nor false", s)
}
