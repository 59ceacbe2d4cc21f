package mcp

import (
	"bytes"
	"encoding/json"
	"flag"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/service"
)

var update = flag.Bool("update", false, "rewrite the answers in testdata")

// TestGolden runs the cases of testdata/*.txt. A case is its name, the endpoint ("on analyst", "on analyst_" for the
// second mount, a namespace may follow), the body ("> ", or "call TOOL ARGUMENTS"), and the answer: all of it ("< "),
// or the text of a result ("ok ") or of a failed one ("err "), each to the byte.
func TestGolden(t *testing.T) { golden(t, "testdata/*.txt", runGolden) }

// golden holds files against what running their cases makes of them; -update rewrites them.
func golden(t *testing.T, pattern string, run func(t *testing.T, text string) string) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, file := range files {
		before, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		after := run(t, string(before))
		if *update {
			if err := os.WriteFile(file, []byte(after), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(string(before), after); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
	}
}

func runGolden(t *testing.T, text string) string {
	t.Helper()
	var out []string
	handler, caller := endpoint("analyst", &fake{}, quiet()), service.Caller{TraceID: "trace-1"}
	for _, line := range strings.Split(text, "\n") {
		kind, rest, _ := strings.Cut(line, " ")
		var body string
		switch kind {
		case "<", "ok", "err":
			continue
		case "on":
			name, namespace, _ := strings.Cut(rest, " ")
			handler, caller.Namespace = endpoint(name, &fake{}, quiet()), namespace
		case "call":
			tool, arguments, _ := strings.Cut(rest, " ")
			body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}}`
		case ">":
			body = rest
		}
		out = append(out, line)
		if body == "" {
			continue
		}
		reply := handler.Dispatch(t.Context(), caller, []byte(body))
		if answer := shown(t, reply.Body, kind == "call"); answer != "" {
			out = append(out, answer)
		}
	}
	return strings.Join(out, "\n")
}

// shown returns an answer as a golden file has it.
func shown(t *testing.T, body []byte, short bool) string {
	t.Helper()
	if len(body) == 0 {
		return ""
	}
	if !json.Valid(body) {
		t.Errorf("not JSON: %s", body)
	}
	var envelope struct {
		Result struct {
			Content []struct{ Type, Text string }
			IsError *bool
		}
	}
	if !short || json.Unmarshal(body, &envelope) != nil || len(envelope.Result.Content) != 1 {
		return "< " + string(body)
	}
	result := envelope.Result
	if result.Content[0].Type != "text" || !json.Valid([]byte(result.Content[0].Text)) {
		t.Errorf("content is not one text of JSON: %s", body)
	}
	if result.IsError != nil && *result.IsError {
		return "err " + result.Content[0].Text
	}
	if bytes.Contains(body, []byte(`"isError":`)) {
		t.Errorf("a result that is none has isError: %s", body)
	}
	return "ok " + result.Content[0].Text
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }
