// Package clients connects the clients of others to a served demo and holds each to the same scenarios: connect, list the
// tools, go from the models to a right answer, mend a mistake, cancel. docs/clients.md is the table of what was seen.
package clients

import (
	"context"
	"fmt"
	"os"
	"testing"

	"parlance/test/binary"
)

// program is the program under test, built for this run.
var program string

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	folder, err := os.MkdirTemp("", "parlance-clients-")
	if err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	if program, err = binary.Build(context.Background(), folder); err != nil {
		return 0, err
	}
	return m.Run(), nil
}

// TestClients runs every scenario with every client: TestClients/CLIENT/SCENARIO/MOUNT.
func TestClients(t *testing.T) {
	w := newWorld(t)
	seen := &table{}
	t.Run("all", func(t *testing.T) {
		for _, c := range w.clients(t) {
			row := seen.add(c)
			t.Run(c.name+" "+c.version, func(t *testing.T) {
				t.Parallel()
				if c.npm {
					w.node.need(t)
				}
				exercise(t, w, c, row)
			})
		}
		for _, s := range suites {
			row := seen.addSuite(s, versionOf(t, s.pkg))
			t.Run(s.name+" "+row.version, func(t *testing.T) {
				t.Parallel()
				w.node.need(t)
				conform(t, w, s, row)
			})
		}
	})
	if !t.Failed() {
		seen.compare(t, "../../docs/clients.md")
	}
}
