package clients

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write docs/clients.md anew")

// table is what was seen of all clients.
type table struct {
	rows   []*row
	suites []*suiteRow
}

// row is what was seen of one client.
type row struct {
	client *client

	mu       sync.Mutex
	protocol []string
	outcomes map[string]string // by scenario
}

// suiteRow is what was seen of a conformance suite.
type suiteRow struct {
	suite   suite
	version string

	mu     sync.Mutex
	passed map[string][]int // checks that passed, by scenario, one a mount
}

func (t *table) add(c *client) *row {
	r := &row{client: c, outcomes: map[string]string{}}
	t.rows = append(t.rows, r)
	return r
}

func (t *table) addSuite(s suite, version string) *suiteRow {
	r := &suiteRow{suite: s, version: version, passed: map[string][]int{}}
	t.suites = append(t.suites, r)
	return r
}

func (r *row) note(scenario, outcome string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.outcomes[scenario] = outcome
}

// settled notes a protocol version that the client and a mount settled on.
func (r *row) settled(protocol string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.protocol {
		if p == protocol {
			return
		}
	}
	r.protocol = append(r.protocol, protocol)
}

func (r *suiteRow) note(scenario string, passed int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.passed[scenario] = append(r.passed[scenario], passed)
}

const begin, end = "<!-- seen -->\n", "<!-- /seen -->\n"

// compare holds the document to what was seen, or makes it so. What was skipped was not seen: then nothing is compared.
func (t *table) compare(test *testing.T, file string) {
	test.Helper()
	for _, r := range t.rows {
		if len(r.outcomes) < len(scenarios) {
			test.Logf("SKIPPED: the comparison with %s: %s was not seen", file, r.client.name)
			return
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		test.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), begin)
	_, tail, ends := strings.Cut(rest, end)
	if !ok || !ends {
		test.Fatalf("%s has no place for the table", file)
	}
	want := head + begin + "\n" + t.markdown() + "\n" + end + tail
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			test.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, string(text)); diff != "" {
		test.Errorf("%s is not what was seen (go test ./test/clients -update writes it): %s", file, diff)
	}
}

func (t *table) markdown() string {
	var b strings.Builder
	fmt.Fprint(&b, "| client | version | protocol |")
	for _, s := range scenarios {
		fmt.Fprintf(&b, " %s |", s.name)
	}
	fmt.Fprintf(&b, "\n|%s\n", strings.Repeat("---|", 3+len(scenarios)))
	for _, r := range t.rows {
		protocol := strings.Join(r.protocol, ", ")
		if protocol == "" {
			protocol = "not told"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |", r.client.name, r.client.version, protocol)
		for _, s := range scenarios {
			fmt.Fprintf(&b, " %s |", r.outcomes[s.name])
		}
		fmt.Fprintln(&b)
	}
	fmt.Fprint(&b, "\n| suite | version | protocol | scenario | checks that passed, on each mount |\n|---|---|---|---|---|\n")
	for _, r := range t.suites {
		protocol := r.suite.protocol
		if protocol == "" {
			protocol = "its own"
		}
		for _, s := range r.suite.scenarios {
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", r.suite.name, r.version, protocol, s.name, counts(r.passed[s.name]))
		}
	}
	return b.String()
}

// counts says how many checks passed on each mount: one number where they are alike.
func counts(passed []int) string {
	if len(passed) == 0 {
		return "none"
	}
	alike := true
	var all []string
	for _, n := range passed {
		alike = alike && n == passed[0]
		all = append(all, fmt.Sprint(n))
	}
	if alike {
		return all[0]
	}
	return strings.Join(all, ", ")
}
