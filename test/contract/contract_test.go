// Package contract holds the running server to the contract and to every decision, by text files of requests and
// answers (README.md has their format). It sees the server only through its port.
package contract

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite expectations from what the server answers")

func TestContract(t *testing.T) {
	rows := newOracle(t)
	servers := newServers(t)
	for _, f := range readFiles(t) {
		t.Run(strings.TrimSuffix(filepath.Base(f.name), ".txt"), func(t *testing.T) {
			base := servers(f.server)
			lines := slices.Clone(f.lines)
			for _, c := range f.cases {
				t.Run(c.name, func(t *testing.T) {
					got := c.request.send(t, base)
					wrong := c.want.check(got, rows)
					if len(wrong) > 0 && *update {
						c.want.rewrite(lines, got, rows)
						return
					}
					if len(wrong) > 0 {
						t.Errorf("%s:%d\n\t%s", f.name, c.line, strings.Join(wrong, "\n\t"))
					}
				})
			}
			if *update && !slices.Equal(lines, f.lines) {
				f.write(t, lines)
			}
		})
	}
}

// gone marks a line that -update takes out.
const gone = "\x00"

// rewrite puts what was got where the expectation stands. Assertions that compare with a statement, or with anything
// but a value, are left for a person.
func (a answer) rewrite(lines []string, got *reply, rows oracle) {
	lines[a.line-1] = "--- " + strconv.Itoa(got.status)
	if a.json != "" {
		replace(lines[a.jsonAt[0]:a.jsonAt[1]], string(got.body))
	}
	for _, one := range a.asserts {
		parts := pathAssert.FindStringSubmatch(one.text)
		if parts == nil || !strings.HasPrefix(parts[2], "=") || strings.HasPrefix(parts[3], "sql:") || one.check(got, rows) == "" {
			continue
		}
		if value, err := lookup(got.tree, parts[1]); err == nil && value != nil {
			replace(lines[one.at:one.at+one.lines], parts[1]+" "+parts[2]+" "+shown(*value))
		}
	}
}

func replace(lines []string, text string) {
	for i := range lines {
		lines[i] = gone
	}
	lines[0] = text
}

func (f *file) write(t *testing.T, lines []string) {
	t.Helper()
	kept := slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return line == gone })
	if err := os.WriteFile(f.name, []byte(strings.Join(kept, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}
