package app

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

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
	defer file.Close()
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

// readTokens reads a file of tokens: a mapping from the SHA-256 of each token to whom it stands for. namespaces are
// those that use the file. No message repeats a key of the mapping: it may be a token that somebody forgot to hash.
func readTokens(name string, text []byte, namespaces []string) ([]identity.Token, configError) {
	f := tokensFile{yamlFile: yamlFile{name: name}, namespaces: namespaces, lines: map[identity.Hash]int{}}
	root := f.root(text)
	for i, p := range f.problems {
		f.problems[i].message = "this is not YAML"
		if strings.Contains(p.message, "already defined") {
			f.problems[i].message = "the hash stands twice"
		}
	}
	if root != nil {
		f.entries(root, "the file of tokens", f.token)
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

func (f *tokensFile) token(name string, at, n ast.Node) {
	hash, ok := identity.ParseHash(name)
	if !ok {
		f.at(at, "the key is not the SHA-256 of a token in 64 hexadecimal digits; parlance token new prints one")
		return
	}
	if line, twice := f.lines[hash]; twice {
		f.at(at, "the hash stands in line %d already", line)
		return
	}
	f.lines[hash] = at.GetToken().Position.Line
	t := identity.Token{Hash: hash}
	f.mapping(n, "the token", []key{
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
		f.at(at, "the token needs user, whom it stands for")
	}
	f.tokens = append(f.tokens, t)
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
