package mcp

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"parlance/internal/jsontree"
)

// argument is one key that a tool takes.
type argument struct {
	name     string
	kind     jsontree.Kind
	required bool   // missing or of another kind: the call is a protocol error (decision 12)
	admin    bool   // taken on the admin endpoint only
	hint     string // what helps where it is missing
}

// arguments are what one call was given.
type arguments struct {
	members  []jsontree.Member
	repeated *jsontree.DuplicateError // within the payload
	warnings []string
}

func (a *arguments) get(key string) (jsontree.Node, bool) {
	return jsontree.Node{Members: a.members}.Get(key)
}

// text returns a string argument, "" if it is absent.
func (a *arguments) text(key string) string {
	n, _ := a.get(key)
	return n.Text
}

// require checks that every required argument is there and of its kind.
// An object that came as a string of JSON is decoded, once, with a warning (decision 05).
func (a *arguments) require(t *tool, names naming) error {
	for _, want := range t.args {
		if !want.required {
			continue
		}
		got, _ := a.get(want.name)
		if got.Kind == jsontree.String && want.kind == jsontree.Object && a.unquote(want.name, got.Text) {
			continue
		}
		if got.Kind != want.kind || got.Kind == jsontree.String && strings.TrimSpace(got.Text) == "" {
			return missing(want.name, got, want.kind, names.in(want.hint+a.otherTool(t, want, got, names)))
		}
	}
	return nil
}

// unquoteAll takes the arguments from a string of JSON, once, with a warning, and reports whether it holds an object.
func (a *arguments) unquoteAll(text string) bool {
	n, err := jsontree.Parse([]byte(text))
	if n.Kind != jsontree.Object {
		return false
	}
	errors.As(err, &a.repeated)
	a.members = n.Members
	a.warnings = append(a.warnings, "arguments was a string of JSON and was read as the object in it; send the object itself.")
	return true
}

// unquote puts the object that text holds in the place of the argument, and reports whether there is one.
func (a *arguments) unquote(key, text string) bool {
	n, err := jsontree.Parse([]byte(text))
	if n.Kind != jsontree.Object {
		return false
	}
	var twice *jsontree.DuplicateError
	if errors.As(err, &twice) {
		a.repeated = &jsontree.DuplicateError{Path: strings.TrimSuffix(key+"."+twice.Path, "."), Key: twice.Key}
	}
	a.members = slices.Clone(a.members)
	for i := range a.members {
		if a.members[i].Key == key {
			a.members[i].Value = n
		}
	}
	a.warnings = append(a.warnings, key+" was a string of JSON and was read as the object in it; send the object itself.")
	return true
}

// checkKnown refuses the first key that the tool does not take.
func (a *arguments) checkKnown(t *tool, admin bool) error {
	for _, m := range a.members {
		if !slices.ContainsFunc(t.args, func(known argument) bool { return known.name == m.Key }) {
			return unknownArgument(t, m.Key, admin)
		}
	}
	return nil
}

// choice returns an optional word out of a few, the first if it is absent or null.
func (a *arguments) choice(key string, allowed ...string) (string, error) {
	n, _ := a.get(key)
	if n.Kind == jsontree.Null {
		return allowed[0], nil
	}
	if n.Kind != jsontree.String || !slices.Contains(allowed, n.Text) {
		return "", badChoice(key, n, allowed)
	}
	return n.Text, nil
}

// flag returns an optional boolean, false if it is absent or null.
func (a *arguments) flag(key string) (bool, error) {
	n, _ := a.get(key)
	if n.Kind != jsontree.Null && n.Kind != jsontree.Bool {
		return false, badFlag(key, n)
	}
	return n.Text == "true", nil
}

// optionalText returns an optional string, "" if it is absent or null.
func (a *arguments) optionalText(key string) (string, error) {
	n, _ := a.get(key)
	if n.Kind != jsontree.Null && n.Kind != jsontree.String {
		return "", badText(key, n)
	}
	return strings.TrimSpace(n.Text), nil
}

// integer returns an optional whole number between two bounds, absent if there is none or null stands there.
func (a *arguments) integer(key string, least, most, absent int) (int, error) {
	n, _ := a.get(key)
	if n.Kind == jsontree.Null {
		return absent, nil
	}
	i, err := strconv.Atoi(n.Text)
	if n.Kind != jsontree.Number || err != nil || i < least || i > most {
		return 0, badInteger(key, n, least, most)
	}
	return i, nil
}
