package clients

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// suite is the official conformance suite, and its scenarios for servers that need no tools, prompts or resources of its
// own test server.
type suite struct {
	name, pkg string
	protocol  string // to be tested at; "": the suite's own choice
	scenarios []scenario
}

type scenario struct {
	name    string
	without []string // beginnings of the checks that are about what this server does not offer
}

var suites = []suite{
	{"conformance suite", "@modelcontextprotocol/conformance", "", []scenario{
		{name: "server-initialize"}, {name: "ping"}, {name: "tools-list"}, {name: "dns-rebinding-protection"},
	}},
	{"conformance suite, legacy", "conformance-next", legacy, []scenario{
		{name: "server-initialize"}, {name: "server-session-lifecycle"}, {name: "ping"}, {name: "tools-list"},
		{name: "dns-rebinding-protection"}, {name: "server-sse-multiple-streams"},
	}},
	{"conformance suite, modern", "conformance-next", modern, []scenario{
		{name: "server-stateless"}, {name: "tools-list"}, {name: "http-header-validation"}, {name: "dns-rebinding-protection"},
		{name: "server-sse-multiple-streams"}, {name: "caching", without: []string{"sep-2549-prompts", "sep-2549-resources"}},
		{name: "input-required-result-unsupported-methods"},
	}},
}

// check is one thing that the suite looked at.
type check struct {
	ID, Status, ErrorMessage string
}

// conform runs the suite against every mount and judges the scenarios that apply.
func conform(t *testing.T, w *world, s suite, row *suiteRow) {
	t.Helper()
	found := map[mount]map[string][]check{}
	for _, m := range served {
		found[m] = s.run(t, w, m)
	}
	for _, one := range s.scenarios {
		t.Run(one.name, func(t *testing.T) {
			for _, m := range served {
				t.Run(m.String(), func(t *testing.T) { row.note(one.name, one.judge(t, found[m][one.name])) })
			}
		})
	}
	for m, scenarios := range found {
		for name, checks := range scenarios {
			for _, c := range checks {
				if c.ID == "wire-schema-valid" && c.Status == "FAILURE" {
					t.Errorf("%s %s: a message does not fit the protocol's schema: %s", m, name, c.ErrorMessage)
				}
			}
		}
	}
}

// run runs all scenarios at once, those too that cannot pass, and returns what each checked.
func (s suite) run(t *testing.T, w *world, m mount) map[string][]check {
	t.Helper()
	folder := t.TempDir()
	args := []string{"node_modules/" + s.pkg + "/dist/index.js", "server", "--url", w.demo + m.path(), "--suite", "all", "-o", folder}
	if s.protocol != "" {
		args = append(args, "--spec-version", s.protocol)
	}
	out, err := w.command(t.Context(), args...).CombinedOutput() // whose exit code counts what cannot pass
	files, _ := filepath.Glob(filepath.Join(folder, "*", "checks.json"))
	if len(files) < len(s.scenarios) {
		t.Fatalf("%s: %v\n%s", m, err, out)
	}
	found := map[string][]check{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var checks []check
		if err := json.Unmarshal(text, &checks); err != nil {
			t.Fatal(err)
		}
		found[scenarioOf(filepath.Base(filepath.Dir(file)))] = checks
	}
	return found
}

// scenarioOf takes a scenario's name out of server-NAME-2026-11-15T09-36-40-918Z.
func scenarioOf(folder string) string {
	name := strings.TrimPrefix(folder, "server-")
	return name[:max(len(name)-len("-2026-11-15T09-36-40-918Z"), 0)]
}

// judge fails the test on every check that applies and failed, and returns how many passed.
func (s scenario) judge(t *testing.T, checks []check) int {
	t.Helper()
	if len(checks) == 0 {
		t.Fatal("the suite did not run it")
	}
	passed := 0
	for _, c := range checks {
		switch {
		case c.Status == "SUCCESS":
			passed++
		case c.Status != "FAILURE", strings.HasPrefix(c.ErrorMessage, "Not testable"): // for want of a tool of its own
		case strings.Contains(c.ErrorMessage, "Missing required parameter"): // for want of a tool that takes nothing
		case slices.ContainsFunc(s.without, func(prefix string) bool { return strings.HasPrefix(c.ID, prefix) }):
		default:
			t.Errorf("%s: %s", c.ID, c.ErrorMessage)
		}
	}
	return passed
}
