package contract

import (
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// file is one topic: its cases and the configuration that they run under.
type file struct {
	name   string // of the file
	server string // of servers/; "" is the embedded demo without any configuration
	lines  []string
	cases  []*testCase
}

// testCase is a request and what must come back. Line numbers count from 1 and serve errors and -update.
type testCase struct {
	name    string
	line    int
	request request
	want    answer
}

// request is what is sent.
type request struct {
	method, path string
	headers      [][2]string
	body         string
}

// answer is what must come back.
type answer struct {
	line    int // of the status
	status  int
	headers [][2]string
	exact   bool   // the document's key order and number text count
	json    string // a whole document, or ""
	jsonAt  [2]int // first and last line of the document
	asserts []assert

	anything bool // the body is not looked at
}

// readFiles parses every file of cases/.
func readFiles(t *testing.T) []*file {
	t.Helper()
	names, err := filepath.Glob("cases/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatalf("no case files: %v", err)
	}
	var files []*file
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := parseFile(name, string(data))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return files
}

func parseFile(name, text string) (*file, error) {
	f := &file{name: name, lines: strings.Split(strings.TrimSuffix(text, "\n"), "\n")}
	r := &reader{lines: f.lines}
	for !r.done() && !strings.HasPrefix(r.peek(), "=== ") {
		if server, ok := strings.CutPrefix(r.next(), "server: "); ok {
			f.server = server
		}
	}
	for !r.done() {
		c, err := r.testCase()
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, r.at, err)
		}
		f.cases = append(f.cases, c)
	}
	return f, nil
}

// reader walks the lines of a file; at is how many were read.
type reader struct {
	lines []string
	at    int
}

func (r *reader) done() bool   { return r.at >= len(r.lines) }
func (r *reader) peek() string { return r.lines[r.at] }
func (r *reader) next() string { r.at++; return r.lines[r.at-1] }

func (r *reader) until(prefix string) []string {
	start := r.at
	for !r.done() && !strings.HasPrefix(r.peek(), prefix) {
		r.at++
	}
	return r.lines[start:r.at]
}

func (r *reader) testCase() (*testCase, error) {
	c := &testCase{name: strings.TrimPrefix(r.next(), "=== "), line: r.at}
	var err error
	if c.request, err = parseRequest(r.until("--- ")); err != nil {
		return nil, err
	}
	if r.done() {
		return nil, fmt.Errorf("case %s has no answer", c.name)
	}
	c.want.line = r.at + 1
	if c.want.status, err = strconv.Atoi(strings.TrimPrefix(r.next(), "--- ")); err != nil {
		return nil, fmt.Errorf("the status of case %s: %w", c.name, err)
	}
	first := r.at
	return c, c.want.parse(first, r.until("=== "))
}

// parseRequest reads the first line, the headers and the body. Comment lines start with #.
func parseRequest(lines []string) (request, error) {
	for len(lines) > 0 && (lines[0] == "" || strings.HasPrefix(lines[0], "#")) {
		lines = lines[1:]
	}
	if len(lines) == 0 {
		return request{}, fmt.Errorf("no request")
	}
	words := strings.SplitN(lines[0], " ", 3)
	headers, body, err := headersAndBody(lines[1:])
	if err != nil {
		return request{}, err
	}
	r := request{headers: headers, body: expand(strings.TrimSpace(strings.Join(body, "\n")))}
	switch {
	case words[0] == "CALL" && len(words) == 3:
		r.method, r.path = "POST", "/mcp/"+words[1]+"/rpc"
		if r.body == "" {
			r.body = "{}"
		}
		r.body = fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, words[2], r.body)
	case len(words) == 2:
		r.method, r.path = words[0], words[1]
	default:
		return request{}, fmt.Errorf("a request starts with METHOD path or CALL role tool, got %q", lines[0])
	}
	return r, nil
}

func headersAndBody(lines []string) (headers [][2]string, body []string, err error) {
	for i, line := range lines {
		if line == "" {
			return headers, lines[i+1:], nil
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			return nil, nil, fmt.Errorf("a header line has a colon, got %q", line)
		}
		headers = append(headers, [2]string{name, strings.TrimSpace(value)})
	}
	return headers, nil, nil
}

func (a *answer) parse(first int, lines []string) error {
	headers, body, err := headersAndBody(lines)
	if err != nil {
		return err
	}
	a.headers = headers
	at := first + len(lines) - len(body)
	for len(body) > 0 && body[len(body)-1] == "" {
		body = body[:len(body)-1]
	}
	for len(body) > 0 && strings.HasPrefix(body[0], "#") {
		body, at = body[1:], at+1
	}
	if len(body) == 1 && body[0] == "anything" {
		a.anything = true
		return nil
	}
	if len(body) > 0 && body[0] == "exact" {
		a.exact, body, at = true, body[1:], at+1
	}
	if len(body) > 0 && strings.ContainsAny(body[0][:1], `{["`) {
		a.json, a.jsonAt = strings.Join(body, "\n"), [2]int{at, at + len(body)}
		return nil
	}
	for i, line := range body {
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case line[0] == ' ' || line[0] == '\t':
			if len(a.asserts) == 0 {
				return fmt.Errorf("nothing to continue: %q", line)
			}
			last := &a.asserts[len(a.asserts)-1]
			last.text += " " + strings.TrimSpace(line)
			last.lines++
		default:
			a.asserts = append(a.asserts, assert{text: line, at: at + i, lines: 1})
		}
	}
	return nil
}

var (
	repeated = regexp.MustCompile(`<<(\d+) \* (.*?)>>`)
	hexBytes = regexp.MustCompile(`<<hex ([0-9a-f]+)>>`)
)

// expand replaces <<500 * text>> and <<hex ff>>.
func expand(body string) string {
	body = repeated.ReplaceAllStringFunc(body, func(found string) string {
		parts := repeated.FindStringSubmatch(found)
		n, err := strconv.Atoi(parts[1])
		if err != nil {
			return found
		}
		return strings.Repeat(parts[2]+",", n-1) + parts[2]
	})
	return hexBytes.ReplaceAllStringFunc(body, func(found string) string {
		raw, err := hex.DecodeString(hexBytes.FindStringSubmatch(found)[1])
		if err != nil {
			return found
		}
		return string(raw)
	})
}
