package app

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// writes counts what reaches the end of a log.
type writes struct {
	mu   sync.Mutex
	text bytes.Buffer
	n    int
}

func (w *writes) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.n++
	return w.text.Write(p)
}

func (w *writes) seen() (n int, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.n, w.text.String()
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
		if n, _ := to.seen(); n != 0 {
			t.Error("written one by one")
		}
		time.Sleep(logTime)
		synctest.Wait()
		if n, text := to.seen(); n != 1 || text != "a\nb\n" {
			t.Errorf("%d writes: %q", n, text)
		}
		put(strings.Repeat("x", logBytes))
		if n, text := to.seen(); n != 2 || len(text) != 4+logBytes {
			t.Errorf("a full buffer waits: %d writes", n)
		}
		put("last\n")
		g.Flush()
		if n, text := to.seen(); n != 3 || !strings.HasSuffix(text, "last\n") {
			t.Errorf("%d writes", n)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if n, _ := to.seen(); n != 3 {
			t.Error("nothing was written again")
		}
	})
}
