package clients

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

var snippet = regexp.MustCompile("`(\\{.*?\\})` \\|")

// entry is how a client's file names a server.
type entry struct {
	Command, URL, ServerURL string
	Args                    []string
}

// TestReadmeSnippets does with each snippet of the README what its client would: start the command, or connect to the
// address, which here is that of another port.
func TestReadmeSnippets(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(text), "## Connect a client\n")
	section, _, ends := strings.Cut(section, "\n## ")
	if !ok || !ends {
		t.Fatal("the README has no section on clients")
	}
	w := &world{home: t.TempDir()}
	w.demo = w.serve(t)
	tried := map[string]bool{}
	for line := range strings.Lines(section) {
		found := snippet.FindAllStringSubmatch(line, -1)
		if strings.HasPrefix(line, "| ") && len(found) == 0 != strings.HasPrefix(line, "| client |") {
			t.Errorf("%s has no snippet", line)
		}
		for _, match := range found {
			t.Run(strings.Split(line, "|")[1], func(t *testing.T) {
				e := entryOf(t, match[1])
				if key := strings.Join(append(e.Args, e.Command, e.URL+e.ServerURL), " "); !tried[key] {
					tried[key] = true
					e.try(t, w)
				}
			})
		}
	}
	if len(tried) < 3 {
		t.Errorf("only %d ways to connect", len(tried))
	}
}

// entryOf returns the one server that a snippet names, under a key that is the client's own.
func entryOf(t *testing.T, text string) entry {
	t.Helper()
	var file map[string]map[string]entry
	if err := json.Unmarshal([]byte(text), &file); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	for _, servers := range file {
		if e, ok := servers["parlance"]; ok && len(file) == 1 && len(servers) == 1 {
			return e
		}
	}
	t.Fatalf("it names no server: %s", text)
	return entry{}
}

// try connects as the entry says and lists the tools.
func (e entry) try(t *testing.T, w *world) {
	t.Helper()
	const address = "http://127.0.0.1:7108"
	url := strings.Replace(e.URL+e.ServerURL, address, w.demo, 1)
	transport := overHTTP(t, place{url: url})
	if e.Command != "" {
		for i, a := range e.Args {
			e.Args[i] = strings.Replace(a, address, w.demo, 1)
		}
		command := program
		if e.Command == "npx" {
			w.node = installed(t)
			w.node.need(t)
			command, e.Args[0] = w.node.program, "node_modules/"+e.Args[0]+"/dist/proxy.js"
		} else if e.Command != "parlance" {
			t.Fatalf("it starts %s", e.Command)
		}
		cmd := exec.CommandContext(context.WithoutCancel(t.Context()), command, e.Args...)
		cmd.Env = w.environment()
		transport = &sdk.CommandTransport{Command: cmd}
	}
	s, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), transport, &sdk.ClientSessionOptions{ProtocolVersion: legacy})
	if err != nil {
		t.Fatal(err)
	}
	tools, err := (&goSession{s}).Tools(t.Context())
	if err != nil || !slices.Contains(tools, "dataset_query_model") {
		t.Errorf("the tools are %v, %v", tools, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
