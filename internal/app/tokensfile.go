package app

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/goccy/go-yaml/ast"

	"parlance/internal/identity"
)

const mostSmall = 16 << 20 // bytes of a file of tokens or certificates

// readSmall reads a file whole. Its errors name the file and never what stands in it.
func readSmall(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fileProblem(path, err)
	}
	defer func() { _ = file.Close() }() // nothing was written
	text, err := io.ReadAll(io.LimitReader(file, mostSmall+1))
	if err != nil {
		return nil, fileProblem(path, err)
	}
	if len(text) > mostSmall {
		return nil, fmt.Errorf("%s is longer than 16 MiB", filepath.Base(path))
	}
	return text, nil
}

func fileProblem(path string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("%s cannot be read: %w", filepath.Base(path), err)
}

// readTokens reads a file of tokens: a list of the SHA-256 of each token with whom it stands for. namespaces are those
// that use the file. No message repeats a hash: it may be a token that somebody forgot to hash.
func readTokens(name string, text []byte, namespaces []string) ([]identity.Token, configError) {
	f := tokensFile{yamlFile: yamlFile{name: name}, namespaces: namespaces, lines: map[identity.Hash]int{}}
	root := f.root(text)
	for i := range f.problems {
		f.problems[i].message = "this is not YAML"
	}
	if root != nil {
		f.entries(root, "the file of tokens", f.part)
	}
	if f.err() != nil {
		return nil, f.problems
	}
	return f.tokens, nil
}

type tokensFile struct {
	yamlFile
	namespaces []string
	tokens     []identity.Token
	lines      map[identity.Hash]int
}

func (f *tokensFile) part(name string, at, n ast.Node) {
	switch {
	case name != "tokens":
		f.at(at, "unknown key in the file of tokens; known keys: tokens")
	case !empty(n):
		f.all(n)
	}
}

func (f *tokensFile) all(n ast.Node) {
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		f.at(n, "tokens must be a list")
		return
	}
	for _, one := range list.Values {
		f.token(one)
	}
}

// longestKey is what a misspelt key may have to be repeated; a token has more.
const longestKey = 24

func (f *tokensFile) token(n ast.Node) {
	known := len(f.problems)
	f.entries(n, "the token", func(name string, at, _ ast.Node) {
		if len(name) > longestKey {
			f.at(at, "unknown key in the token; known keys: sha256, user, roles, namespaces, attributes")
		}
	})
	if len(f.problems) > known {
		return
	}
	var t identity.Token
	hashed, ok := false, false
	f.mapping(n, "the token", []key{
		{"sha256", func(n ast.Node) { hashed = true; t.Hash = f.hash(n) }},
		{"user", func(n ast.Node) {
			if t.User, ok = f.text(n, "user"); ok && !identity.ValidUser(t.User) {
				f.at(n, "user must be a text of 1 to 256 bytes without control characters")
			}
		}},
		{"roles", func(n ast.Node) { t.Roles = f.oneOrMore(n, "roles") }},
		{"namespaces", func(n ast.Node) { t.Namespaces = f.bound(n) }},
		{"attributes", func(n ast.Node) { t.Attributes = f.attributes(n) }},
	})
	if t.User == "" {
		f.at(n, "the token needs user, whom it stands for")
	}
	if !hashed {
		f.at(n, "the token needs sha256, its hash")
	}
	f.tokens = append(f.tokens, t)
}

func (f *tokensFile) hash(n ast.Node) identity.Hash {
	text, _ := f.text(n, "sha256")
	hash, ok := identity.ParseHash(text)
	if !ok {
		f.at(n, "sha256 is not the hash of a token in 64 hexadecimal digits; parlance token new prints one")
		return hash
	}
	if line, twice := f.lines[hash]; twice {
		f.at(n, "the hash stands in line %d already", line)
		return hash
	}
	f.lines[hash] = n.GetToken().Position.Line
	return hash
}

func (f *tokensFile) bound(n ast.Node) []string {
	names := f.oneOrMore(n, "namespaces")
	if len(names) == 0 {
		f.at(n, "namespaces names none; leave it out for every namespace that uses this file")
	}
	for _, name := range names {
		if !slices.Contains(f.namespaces, name) {
			f.at(n, "no namespace called %q uses this file%s", name, didYouMean(name, f.namespaces))
		}
	}
	return names
}

func (f *tokensFile) attributes(n ast.Node) map[string][]string {
	all := map[string][]string{}
	f.entries(n, "attributes", func(name string, at, value ast.Node) {
		if !validName(name) {
			f.at(at, "the attribute %q must be made of letters, digits, - and _, 64 at most", name)
		}
		all[name] = f.oneOrMore(value, "attributes."+name)
	})
	return all
}
