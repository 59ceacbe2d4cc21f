package contract

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"parlance/internal/jsontree"
)

// assert is one line of an answer: a path, an operator and what it compares with, or a word and quoted texts.
type assert struct {
	text  string
	at    int // the index of its first line in the file
	lines int
}

// assertion is a parsed assert about the value at a path.
type assertion struct{ path, op, rest string }

var pathAssert = regexp.MustCompile(`^([$@](?:\[[^\]]*\]|[^ \[])*) (==|=|has|lacks|~|exists|absent|length|keys|size <=) ?(.*)$`)

// check returns what is wrong with the answer, or "".
func (a assert) check(got *reply, rows oracle) string {
	word, rest, _ := strings.Cut(a.text, " ")
	switch word {
	case "refused":
		return got.refused(rest)
	case "rpc-error":
		return got.rpcError(rest)
	case "tool-error":
		return got.toolError(rest)
	}
	parts := pathAssert.FindStringSubmatch(a.text)
	if parts == nil {
		return fmt.Sprintf("not an assertion: %q", a.text)
	}
	value, err := lookup(got.tree, parts[1])
	if err != nil {
		return err.Error()
	}
	one := assertion{path: parts[1], op: parts[2], rest: parts[3]}
	switch {
	case one.op == "absent" && value != nil:
		return fmt.Sprintf("%s: want nothing, got %s", one.path, value.Raw)
	case one.op == "absent":
		return ""
	case value == nil:
		return fmt.Sprintf("%s leads nowhere", one.path)
	case one.op == "exists":
		return ""
	case one.op == "=" || one.op == "==":
		return one.equals(*value, got, rows)
	}
	if !one.holds(*value) {
		return fmt.Sprintf("%s %s %s does not hold; got %.300s", one.path, one.op, one.rest, shown(*value))
	}
	return ""
}

// equals compares with a JSON document or with the outcome of a statement.
func (a assertion) equals(value jsontree.Node, got *reply, rows oracle) string {
	text := a.rest
	if statement, ok := strings.CutPrefix(text, "sql: "); ok {
		var err error
		if text, err = rows(statement, value.Kind); err != nil {
			return fmt.Sprintf("%s: %v", a.path, err)
		}
	}
	want, err := jsontree.Parse([]byte(text))
	if err != nil {
		return fmt.Sprintf("%s: the expected value: %v", a.path, err)
	}
	return comparison{exact: a.op == "==", trace: got.trace}.differ(a.path, want, value)
}

// holds evaluates the operators that ask one question of a value.
func (a assertion) holds(value jsontree.Node) bool {
	switch a.op {
	case "has":
		return contains(value, unquoted(a.rest))
	case "lacks":
		return !contains(value, unquoted(a.rest))
	case "~":
		return value.Kind == jsontree.String && regexp.MustCompile(a.rest).MatchString(value.Text)
	case "length":
		return strconv.Itoa(len(value.Items)+len(value.Members)) == a.rest
	case "keys":
		return strings.Join(keys(value), ", ") == a.rest
	case "size <=":
		bound, err := strconv.Atoi(a.rest)
		return err == nil && len(value.Raw) <= bound
	}
	return false
}

// contains reports whether a string has the text, an array an element or an object a key that is it.
func contains(value jsontree.Node, text string) bool {
	switch value.Kind {
	case jsontree.Array:
		return slices.ContainsFunc(value.Items, func(n jsontree.Node) bool { return n.Text == text })
	case jsontree.Object:
		_, ok := value.Get(text)
		return ok
	case jsontree.Null, jsontree.Bool, jsontree.Number, jsontree.String:
	}
	return strings.Contains(value.Text, text)
}

// shown is a value as a failure prints it.
func shown(value jsontree.Node) string {
	if value.Kind == jsontree.Array && string(value.Raw) == "…" {
		var items []string
		for _, item := range value.Items {
			items = append(items, string(item.Raw))
		}
		return "[" + strings.Join(items, ",") + "]"
	}
	return string(value.Raw)
}

func unquoted(text string) string {
	if plain, err := strconv.Unquote(text); err == nil {
		return plain
	}
	return text
}

var quotedText = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// codeAndTexts splits the rest of a refusal: 400 "text" "text".
func codeAndTexts(rest string) (code string, texts []string) {
	code, rest, _ = strings.Cut(rest, " ")
	for _, quoted := range quotedText.FindAllString(rest, -1) {
		texts = append(texts, unquoted(quoted))
	}
	return code, texts
}

func missing(where, in string, texts []string) string {
	for _, text := range texts {
		if !strings.Contains(in, text) {
			return fmt.Sprintf("%s: want a text with %q, got %q", where, text, in)
		}
	}
	return ""
}
