package app

import (
	"fmt"
	"os"
	"sync"
	"testing"
)

// demoOfAll starts the embedded demo for the tests that only ask it.
var demoOfAll struct {
	once    sync.Once
	running *running // nil where no test asked for it
	err     error
}

// servedDemo returns a server of the embedded demo that the package's tests share: they leave it as they found it.
func servedDemo(t *testing.T) *running {
	t.Helper()
	d := &demoOfAll
	d.once.Do(func() { d.running, d.err = begin(demoConfig()) })
	if d.err != nil {
		t.Fatal(d.err)
	}
	return d.running
}

// withDemo runs the tests and then stops the server that they share; one that does not stop in peace fails them.
type withDemo struct{ *testing.M }

// Run returns the exit code.
func (m withDemo) Run() int {
	code := m.M.Run()
	if r := demoOfAll.running; r != nil {
		r.stop()
		if err := <-r.done; err != nil {
			fmt.Fprintln(os.Stderr, "the server that the tests share ended with", err)
			return max(code, 1)
		}
	}
	return code
}
