package app

import (
	"io"
	"sync"
	"time"
)

const (
	logBytes = 32 << 10              // that gather at most before they are written
	logTime  = 10 * time.Millisecond // for which they gather at most
)

// gathered is a writer of log lines that writes those of a moment at once: a line a request would cost a request as much
// as a small answer does.
type gathered struct {
	to io.Writer

	mu      sync.Mutex
	lines   []byte
	pending bool // they will be written in a moment
}

// Write takes a line. That it cannot be written is told by nobody, as with any log.
func (g *gathered) Write(line []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.lines = append(g.lines, line...)
	switch {
	case len(g.lines) >= logBytes:
		g.flush()
	case !g.pending:
		g.pending = true
		time.AfterFunc(logTime, g.Flush)
	}
	return len(line), nil
}

// Flush writes what has gathered.
func (g *gathered) Flush() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.pending = false
	g.flush()
}

func (g *gathered) flush() {
	if len(g.lines) > 0 {
		_, _ = g.to.Write(g.lines)
		g.lines = g.lines[:0]
	}
}
