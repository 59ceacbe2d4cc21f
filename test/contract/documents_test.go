package contract

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parlance/internal/jsontree"
)

// root is the repository's, seen from this package.
const root = "../.."

// served is the address that the documents use.
const served = "127.0.0.1:7108"

// TestDocuments runs every example of the documents: a sh block that calls curl, or an http block, followed by a json
// block with the answer, against the embedded demo.
func TestDocuments(t *testing.T) {
	documents, err := filepath.Glob(root + "/docs/*.md")
	if err != nil || len(documents) == 0 {
		t.Fatalf("no documents: %v", err)
	}
	base := startServer(t, "")
	for _, name := range append(documents, root+"/README.md") {
		t.Run(filepath.Base(name), func(t *testing.T) {
			runDocument(t, name, base)
		})
	}
}

func runDocument(t *testing.T, name, base string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	examples, err := examplesOf(lines)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if strings.HasSuffix(name, "README.md") && len(examples) < 3 {
		t.Errorf("the README has %d examples", len(examples))
	}
	changed := false
	for i := len(examples) - 1; i >= 0; i-- {
		e := examples[i]
		got := e.request.send(t, base)
		wrong := got.documentDiffers(strings.Join(lines[e.first:e.last], "\n"), false)
		switch {
		case wrong == "":
		case *update && got.isJSON:
			lines = append(lines[:e.first], append(strings.Split(layout(got.tree, ""), "\n"), lines[e.last:]...)...)
			changed = true
		default:
			t.Errorf("%s:%d: %s", name, e.first, wrong)
		}
	}
	if changed {
		if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// example is a request of a document with the lines of its answer.
type example struct {
	request     request
	first, last int
}

func examplesOf(lines []string) ([]example, error) {
	var found []example
	var asked *request
	for at := 0; at < len(lines); at++ {
		language, fenced := strings.CutPrefix(lines[at], "```")
		if !fenced {
			continue
		}
		end := at + 1
		for end < len(lines) && lines[end] != "```" {
			end++
		}
		block := lines[at+1 : end]
		switch {
		case language == "json" && asked != nil:
			found = append(found, example{*asked, at + 1, end})
			asked = nil
		case language == "http", language == "sh" && strings.HasPrefix(block[0], "curl "):
			r, err := requestOf(language, block)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", at+2, err)
			}
			asked = &r
		}
		at = end
	}
	return found, nil
}

func requestOf(language string, block []string) (request, error) {
	if language == "http" {
		return parseRequest(block)
	}
	return parseCurl(strings.ReplaceAll(strings.Join(block, "\n"), "\\\n", " "))
}

// parseCurl reads the few options of curl that the documents use.
func parseCurl(command string) (request, error) {
	r := request{method: "GET"}
	words := shellWords(command)
	for i := 1; i < len(words); i++ {
		switch word := words[i]; {
		case word == "-s":
		case word == "-H" && i+1 < len(words):
			i++
			name, value, _ := strings.Cut(words[i], ":")
			r.headers = append(r.headers, [2]string{name, strings.TrimSpace(value)})
		case word == "-d" && i+1 < len(words):
			i++
			r.method, r.body = "POST", words[i]
		case strings.HasPrefix(word, "http://"+served):
			r.path = strings.TrimPrefix(word, "http://"+served)
		default:
			return r, fmt.Errorf("the example's curl has %q, which the test does not know", word)
		}
	}
	return r, nil
}

// shellWords splits at white space outside single quotes.
func shellWords(command string) []string {
	var words []string
	for i, part := range strings.Split(command, "'") {
		if i%2 == 1 {
			words = append(words, part)
			continue
		}
		words = append(words, strings.Fields(part)...)
	}
	return words
}

// layout prints a document for readers: what fits on a line stands on one.
func layout(n jsontree.Node, indent string) string {
	const fits = 110
	if len(indent)+len(n.Raw) <= fits || (n.Kind != jsontree.Array && n.Kind != jsontree.Object) {
		return string(n.Raw)
	}
	var parts []string
	for _, item := range n.Items {
		parts = append(parts, indent+"  "+layout(item, indent+"  "))
	}
	for _, m := range n.Members {
		parts = append(parts, fmt.Sprintf("%s  %q: %s", indent, m.Key, layout(m.Value, indent+"  ")))
	}
	open, closed := "[", "]"
	if n.Kind == jsontree.Object {
		open, closed = "{", "}"
	}
	return open + "\n" + strings.Join(parts, ",\n") + "\n" + indent + closed
}
