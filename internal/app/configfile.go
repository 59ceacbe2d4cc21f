package app

import (
	"net"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"parlance/internal/fault"
	"parlance/internal/transport/httpserver"
)

// readConfig reads the text of the file called name. Every mistake is reported, not only the first; env answers
// ${NAME} in a dsn and the variable of runtime_code.
func readConfig(name string, text []byte, env func(string) (string, bool)) (Config, error) {
	f := configFile{yamlFile: yamlFile{name: name}, env: env, config: defaults()}
	if root := f.root(text); root != nil {
		f.mapping(root, "the configuration", []key{
			{"listen", f.listen},
			{"default_namespace", f.into("default_namespace", &f.config.DefaultNamespace)},
			{"namespaces", f.namespaces},
			{"datasources", f.datasources},
			{"tls", f.tls},
			{"runtime_code", f.runtimeCode},
			{"http", f.http},
			{"limits", f.limits},
			{"audit", f.audit},
			{"operations", f.operations},
			{"cache", f.cache},
			{"rollups", f.rollups},
			{"questions", f.questions},
		})
	}
	f.references()
	f.auditNamespace()
	f.tokenFiles()
	return f.config, f.err()
}

// configFile is a yamlFile that knows the keys of parlance.yaml.
type configFile struct {
	yamlFile
	env    func(string) (string, bool)
	config Config
	named  []reference
	tokens []reference // the files of tokens
}

// reference is a name that must be declared somewhere in the file.
type reference struct {
	at   ast.Node
	name string
}

// into returns a reader that keeps the text of a scalar.
func (f *configFile) into(what string, to *string) func(ast.Node) {
	return func(n ast.Node) {
		if s, ok := f.text(n, what); ok {
			*to = s
		}
	}
}

// path returns a reader of a path that is relative to the file's folder.
func (f *configFile) path(what string, to *string) func(ast.Node) {
	return func(n ast.Node) {
		if s, ok := f.text(n, what); ok && !filepath.IsAbs(s) {
			*to = filepath.Join(filepath.Dir(f.name), s)
		} else if ok {
			*to = s
		}
	}
}

// parsed returns a reader that turns the text of a scalar into a T.
func parsed[T any](f *configFile, what string, parse func(string) (T, error), to *T) func(ast.Node) {
	return func(n ast.Node) {
		s, ok := f.text(n, what)
		if !ok {
			return
		}
		v, err := parse(s)
		if err != nil {
			f.at(n, "%s: %s", what, err)
			return
		}
		*to = v
	}
}

// whole returns a reader of a whole number of at least least.
func whole[T int | int64](f *configFile, what string, least int64, to *T) func(ast.Node) {
	return func(n ast.Node) {
		if v, ok := f.number(n, what, least); ok {
			*to = T(v)
		}
	}
}

func (f *configFile) listen(n ast.Node) {
	s, ok := f.text(n, "listen")
	if !ok {
		return
	}
	if err := checkListen(s); err != "" {
		f.at(n, "listen: %s", err)
		return
	}
	f.config.Listen = s
}

// checkListen returns what is wrong with an address to listen on, or "".
func checkListen(s string) string {
	if _, _, err := net.SplitHostPort(s); err != nil {
		return `"` + s + `" is not HOST:PORT such as 127.0.0.1:7108`
	}
	return ""
}

func (f *configFile) runtimeCode(n ast.Node) {
	var variable string
	var at ast.Node
	f.mapping(n, "runtime_code", []key{
		{"env", func(n ast.Node) { at = n; f.into("runtime_code.env", &variable)(n) }},
		{"endpoints", func(n ast.Node) { f.config.RuntimeCode.Endpoints = f.endpoints(n) }},
	})
	if variable == "" {
		f.at(n, "runtime_code needs env, the name of the variable that holds the code")
		return
	}
	code, _ := f.env(variable)
	if code == "" {
		f.at(at, "the environment variable %s is not set", variable)
	}
	f.config.RuntimeCode.Code = code
}

func (f *configFile) endpoints(n ast.Node) []string {
	names := f.list(n, "runtime_code.endpoints")
	if len(names) == 0 {
		f.at(n, "runtime_code.endpoints names no endpoint; allowed: %s", strings.Join(roles, ", "))
	}
	for _, name := range names {
		if !slices.Contains(roles, name) {
			f.at(n, "%q is not an endpoint; allowed: %s", name, strings.Join(roles, ", "))
		}
	}
	return names
}

func (f *configFile) http(n ast.Node) {
	status, page := "ok", true
	h := &f.config.HTTP
	f.mapping(n, "http", []key{
		{"status", func(n ast.Node) {
			f.into("http.status", &status)(n)
			if status != "ok" && status != "mirror" {
				f.at(n, "http.status: %q is neither ok nor mirror", status)
			}
		}},
		{"public_url", func(n ast.Node) {
			f.into("http.public_url", &h.PublicURL)(n)
			if err := httpserver.CheckPublicURL(h.PublicURL); err != nil {
				f.at(n, "http.public_url: %s", err)
			}
		}},
		{"origins", func(n ast.Node) { h.Origins = f.list(n, "http.origins") }},
		{"hosts", func(n ast.Node) { h.Hosts = f.list(n, "http.hosts") }},
		{"leave_out", func(n ast.Node) { h.LeaveOut = f.leaveOut(n) }},
		{"page", parsed(f, "http.page", parseSwitch, &page)},
	})
	h.NoPage = !page
	h.MirrorStatus = status == "mirror"
}

// leaveOut reads which listing tools are not offered; one of them must stay, or nobody could find a model.
func (f *configFile) leaveOut(n ast.Node) []string {
	names := f.list(n, "http.leave_out")
	for _, name := range names {
		if !slices.Contains(listingTools, name) {
			f.at(n, "%q cannot be left out; allowed: %s", name, strings.Join(listingTools, ", "))
		}
	}
	if !slices.ContainsFunc(listingTools, func(tool string) bool { return !slices.Contains(names, tool) }) {
		f.at(n, "http.leave_out names every tool that lists models; one must stay")
	}
	return names
}

func (f *configFile) limits(n ast.Node) {
	l := &f.config.Limits
	body, rows := l.MaxBody, int64(l.MaxResult)
	f.mapping(n, "limits", []key{
		{"max_rows", whole(f, "limits.max_rows", 1, &l.MaxRows)},
		{"max_body", parsed(f, "limits.max_body", parseSize, &body)},
		{"max_columns", whole(f, "limits.max_columns", 1, &l.MaxColumns)},
		{"max_conditions", whole(f, "limits.max_conditions", 1, &l.MaxConditions)},
		{"max_depth", whole(f, "limits.max_depth", 1, &l.MaxDepth)},
		{"max_values", whole(f, "limits.max_values", 1, &l.MaxValues)},
		{"default_rows", whole(f, "limits.default_rows", 1, &l.DefaultRows)},
		{"max_result", parsed(f, "limits.max_result", parseSize, &rows)},
		{"timeout", parsed(f, "limits.timeout", parseDuration, &l.Timeout)},
		{"concurrency", whole(f, "limits.concurrency", 1, &l.Concurrency)},
		{"identity_concurrency", whole(f, "limits.identity_concurrency", 0, &l.IdentityConcurrency)},
		{"queue", whole(f, "limits.queue", 0, &l.Queue)},
		{"result_memory", parsed(f, "limits.result_memory", parseBound, &l.ResultMemory)},
		{"shutdown", parsed(f, "limits.shutdown", parseDuration, &l.Shutdown)},
	})
	l.MaxBody, l.MaxResult = body, int(rows)
	if l.DefaultRows == defaults().Limits.DefaultRows {
		l.DefaultRows = min(l.DefaultRows, l.MaxRows)
	}
	if l.DefaultRows > l.MaxRows {
		f.at(n, "limits.default_rows is %d, more than limits.max_rows, %d", l.DefaultRows, l.MaxRows)
	}
}

// references checks that what one part of the file names, another declares.
func (f *configFile) references() {
	var sources, namespaces []string
	for _, d := range f.config.Datasources {
		sources = append(sources, d.Name)
	}
	for _, r := range f.named {
		if !slices.Contains(sources, r.name) {
			f.at(r.at, "no datasource is called %q%s", r.name, didYouMean(r.name, sources))
		}
	}
	if f.config.Demo() {
		namespaces = []string{defaults().DefaultNamespace}
	}
	for _, n := range f.config.Namespaces {
		namespaces = append(namespaces, n.Name)
	}
	name := f.config.DefaultNamespace
	switch {
	case slices.Contains(namespaces, name):
	case len(namespaces) == 1 && name == defaults().DefaultNamespace:
		f.config.DefaultNamespace = namespaces[0]
	default:
		f.at(nil, "default_namespace: no namespace is called %q%s", name, didYouMean(name, namespaces))
	}
}

func didYouMean(got string, known []string) string {
	if closest := fault.Closest(got, known); len(closest) > 0 {
		return "; did you mean " + strings.Join(closest, " or ") + "?"
	}
	return ""
}
