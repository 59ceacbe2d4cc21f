package app

import (
	"fmt"
	"slices"
	"strings"

	"parlance/internal/identity"
)

type tokenCommand struct {
	New tokenNewCommand `cmd:"" help:"Print a new token, once, and the line for the file of tokens."`
}

type tokenNewCommand struct {
	User       string   `required:"" placeholder:"NAME" help:"Whom the token stands for."`
	Roles      []string `placeholder:"ROLE,…" help:"Roles; admin, analyst and business cover endpoints of their own."`
	Namespaces []string `placeholder:"NAME,…" help:"Namespaces that the token is bound to; every one that uses the file unless given."`
	Attributes []string `placeholder:"NAME=VALUE,…" sep:"none" help:"An attribute with its values; may be given several times."`
}

// Run prints the token and its line. The token is kept nowhere.
func (c tokenNewCommand) Run(s Streams) error {
	line, err := c.line()
	if err != nil {
		return fmt.Errorf("parlance: %w", err)
	}
	token := identity.NewToken()
	hash := identity.HashOf(token)
	fmt.Fprintf(s.Out, `The token, which is shown only now:

  %s

The line for the file of tokens:

  - {sha256: %s, %s}
`, token, quote(hash.String()), line)
	return nil
}

// line returns what stands beside the hash, in one line of YAML.
func (c tokenNewCommand) line() (string, error) {
	if !identity.ValidUser(c.User) {
		return "", fmt.Errorf("--user must be a text of 1 to 256 bytes without control characters")
	}
	parts := []string{"user: " + quote(c.User)}
	if len(c.Roles) > 0 {
		parts = append(parts, "roles: "+quoteAll(c.Roles))
	}
	if len(c.Namespaces) > 0 {
		parts = append(parts, "namespaces: "+quoteAll(c.Namespaces))
	}
	attributes, err := c.attributes()
	if err != nil {
		return "", err
	}
	if len(attributes) > 0 {
		parts = append(parts, "attributes: {"+strings.Join(attributes, ", ")+"}")
	}
	return strings.Join(parts, ", "), nil
}

func (c tokenNewCommand) attributes() ([]string, error) {
	var all, names []string
	for _, given := range c.Attributes {
		name, values, ok := strings.Cut(given, "=")
		if !ok || !validName(name) || slices.Contains(names, name) {
			return nil, fmt.Errorf("--attributes: %q is not NAME=VALUE,… with a name of letters, digits, - and _ that was not given before", given)
		}
		names = append(names, name)
		all = append(all, name+": "+quoteAll(strings.Split(values, ",")))
	}
	return all, nil
}

// plain are the characters of a word that YAML reads as the text that it is, if a letter begins it.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

// keywords are words that some readers of YAML take for something else than text.
var keywords = []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf"}

// quote returns a text as YAML reads it back.
func quote(s string) string {
	letter := s != "" && strings.IndexByte(plain, s[0]) >= 0 && strings.IndexByte(plain, s[0]) < 52
	if letter && strings.Trim(s, plain) == "" && !slices.Contains(keywords, strings.ToLower(s)) {
		return s
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(s) + `"`
}

func quoteAll(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = quote(w)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
