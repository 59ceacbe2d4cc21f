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
		synctest.Wait()
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

// stalled is the end of a log that nobody reads until it is told to.
type stalled struct {
	read chan struct{}
	writes
}

func (s *stalled) Write(p []byte) (int, error) {
	<-s.read
	return s.writes.Write(p)
}

// TestALogThatNobodyReads: who writes lines does not wait for who reads them; what cannot be kept is counted, and what
// can is written in its order once it is read again.
func TestALogThatNobodyReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		to := &stalled{read: make(chan struct{})}
		lost := 0
		g := &gathered{to: to, tell: func(n int) { lost += n }}
		line := strings.Repeat("x", 1023) + "\n"
		const lines = 3 << 10 // of a KB
		for i := range lines {
			if _, err := g.Write([]byte(line)); err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				time.Sleep(logTime)
				synctest.Wait() // the first is being written
			}
		}
		began := time.Now()
		g.Flush()
		if waited := time.Since(began); waited != logEnd {
			t.Errorf("the end waits %v", waited)
		}
		close(to.read)
		g.Flush()
		synctest.Wait()
		_, text := to.seen()
		kept := strings.Count(text, line)
		if kept != 1+logHeld/len(line) || len(text) != kept*len(line) {
			t.Errorf("%d lines are kept", kept)
		}
		if kept+lost != lines {
			t.Errorf("%d lines kept, %d lost of %d", kept, lost, lines)
		}
	})
}
