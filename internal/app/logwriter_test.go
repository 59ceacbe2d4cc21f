package app

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// writes counts what reaches the end of a log.
type writes struct {
	bytes.Buffer
	n int
}

func (w *writes) Write(p []byte) (int, error) {
	w.n++
	return w.Buffer.Write(p)
}

func TestGatheredLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var to writes
		g := &gathered{to: &to}
		put := func(line string) {
			if n, err := g.Write([]byte(line)); n != len(line) || err != nil {
				t.Errorf("%d %v", n, err)
			}
		}
		put("a\n")
		put("b\n")
		if to.n != 0 {
			t.Error("written one by one")
		}
		time.Sleep(logTime)
		synctest.Wait()
		if to.n != 1 || to.String() != "a\nb\n" {
			t.Errorf("%d writes: %q", to.n, to.String())
		}
		put(strings.Repeat("x", logBytes))
		if to.n != 2 || to.Len() != 4+logBytes {
			t.Errorf("a full buffer waits: %d writes", to.n)
		}
		put("last\n")
		g.Flush()
		if to.n != 3 || !strings.HasSuffix(to.String(), "last\n") {
			t.Errorf("%d writes", to.n)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if to.n != 3 {
			t.Error("nothing was written again")
		}
	})
}
