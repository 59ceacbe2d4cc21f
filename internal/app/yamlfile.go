package app

import (
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"parlance/internal/fault"
)

// problem is one mistake in a configuration file, where it stands.
type problem struct {
	file         string
	line, column int
	message      string
}

// String returns file:line:column: message.
func (p problem) String() string {
	if p.line == 0 {
		return p.file + ": " + p.message
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.file, p.line, p.column, p.message)
}

// configError is every mistake of a file, in the order of its lines.
type configError []problem

// Error returns one line a mistake.
func (e configError) Error() string {
	lines := make([]string, len(e))
	for i, p := range e {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// yamlFile reads one document strictly and gathers what is wrong with it.
type yamlFile struct {
	name     string
	problems configError
}

// key is what a mapping may hold under one name.
type key struct {
	name string
	read func(ast.Node)
}

// root parses the text and returns its document; nil means that it is empty or not YAML at all.
func (y *yamlFile) root(text []byte) ast.Node {
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		y.syntax(err)
		return nil
	}
	if len(file.Docs) > 1 {
		y.at(file.Docs[1].Body, "only one document may stand in the file")
	}
	if len(file.Docs) == 0 || empty(file.Docs[0].Body) {
		return nil
	}
	return file.Docs[0].Body
}

func (y *yamlFile) syntax(err error) {
	p := problem{file: y.name, message: "this is not YAML"}
	var positioned yaml.Error
	if errors.As(err, &positioned) {
		p.message = positioned.GetMessage()
		if t := positioned.GetToken(); t != nil {
			p.line, p.column = t.Position.Line, t.Position.Column
		}
	}
	y.problems = append(y.problems, p)
}

func (y *yamlFile) at(n ast.Node, format string, args ...any) {
	p := problem{file: y.name, message: fmt.Sprintf(format, args...)}
	if n != nil && n.GetToken() != nil {
		p.line, p.column = n.GetToken().Position.Line, n.GetToken().Position.Column
	}
	y.problems = append(y.problems, p)
}

// err returns the problems in the order of their lines, or nil.
func (y *yamlFile) err() error {
	if len(y.problems) == 0 {
		return nil
	}
	sort.SliceStable(y.problems, func(i, j int) bool {
		a, b := y.problems[i], y.problems[j]
		if a.file != b.file {
			return a.file == y.name || b.file != y.name && a.file < b.file
		}
		return a.line < b.line || a.line == b.line && a.column < b.column
	})
	return y.problems
}

func empty(n ast.Node) bool { return n == nil || n.Type() == ast.NullType }

// entries calls each for every pair of a mapping.
func (y *yamlFile) entries(n ast.Node, what string, each func(name string, at, value ast.Node)) {
	m, ok := n.(ast.MapNode)
	if !ok {
		y.at(n, "%s must be a mapping", what)
		return
	}
	for it := m.MapRange(); it.Next(); {
		k, ok := it.Key().(ast.Node)
		if !ok {
			continue
		}
		each(k.GetToken().Value, k, it.Value())
	}
}

// mapping reads the known keys of a mapping; an unknown one is a problem that names the closest.
func (y *yamlFile) mapping(n ast.Node, what string, keys []key) {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.name
	}
	y.entries(n, what, func(name string, at, value ast.Node) {
		for _, k := range keys {
			if k.name == name {
				if !empty(value) {
					k.read(value)
				}
				return
			}
		}
		hint := "known keys: " + strings.Join(names, ", ")
		if closest := fault.Closest(name, names); len(closest) > 0 {
			hint = "did you mean " + strings.Join(closest, " or ") + "?"
		}
		y.at(at, "unknown key %q in %s; %s", name, what, hint)
	})
}

// text reads a scalar as it is written.
func (y *yamlFile) text(n ast.Node, what string) (string, bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.LiteralNode:
		return n.Value.Value, true
	case ast.ScalarNode:
		return n.GetToken().Value, true
	}
	y.at(n, "%s must be a single value", what)
	return "", false
}

func (y *yamlFile) list(n ast.Node, what string) []string {
	seq, ok := n.(*ast.SequenceNode)
	if !ok {
		y.at(n, "%s must be a list", what)
		return nil
	}
	var items []string
	for _, v := range seq.Values {
		if s, ok := y.text(v, "an entry of "+what); ok {
			items = append(items, s)
		}
	}
	return items
}

// oneOrMore reads a list, or a single value as a list of one.
func (y *yamlFile) oneOrMore(n ast.Node, what string) []string {
	if _, ok := n.(*ast.SequenceNode); ok || n == nil {
		return y.list(n, what)
	}
	one, ok := y.text(n, what)
	if !ok {
		return nil
	}
	return []string{one}
}

// number reads a whole number of at least least.
func (y *yamlFile) number(n ast.Node, what string, least int64) (int64, bool) {
	s, ok := y.text(n, what)
	if !ok {
		return 0, false
	}
	v, err := strconv.ParseInt(s, 10, 64)
	if err != nil || v < least {
		y.at(n, "%s must be a whole number of at least %d, not %q", what, least, s)
		return 0, false
	}
	return v, true
}
