package app

import (
	"io"
	"sync"
	"time"
)

const (
	logBytes = 32 << 10              // that gather at most before they are written
	logTime  = 10 * time.Millisecond // for which they gather at most
	logHeld  = 1 << 20               // that are kept while the log cannot be written
	logEnd   = time.Second           // that the last lines may take
)

// gathered is a writer of log lines that writes those of a moment at once: a line a request would cost a request as much
// as a small answer does. Nobody waits for who reads the log: where that stands still, lines are kept as far as there is
// room, and then lost and counted.
type gathered struct {
	to   io.Writer
	tell func(lost int) // says that lines were lost, once lines can be written again; nil: nobody does

	mu      sync.Mutex
	lines   []byte
	spare   []byte
	lost    int
	pending bool          // they will be written in a moment
	writing chan struct{} // closed when what is being written is; nil: nothing is
}

// Write takes a line. That it cannot be written is told by nobody, as with any log.
func (g *gathered) Write(line []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.lines)+len(line) > logHeld {
		g.lost++
		return len(line), nil
	}
	g.lines = append(g.lines, line...)
	switch {
	case g.writing != nil:
	case len(g.lines) >= logBytes:
		g.begin()
	default:
		g.later()
	}
	return len(line), nil
}

// Flush writes what has gathered, unless that takes too long.
func (g *gathered) Flush() {
	end := time.NewTimer(logEnd)
	defer end.Stop()
	for {
		g.mu.Lock()
		g.begin()
		writing := g.writing
		g.mu.Unlock()
		if writing == nil {
			return
		}
		select {
		case <-writing:
		case <-end.C:
			return
		}
	}
}

// later has the lines written in a moment. The lock is held.
func (g *gathered) later() {
	if g.pending {
		return
	}
	g.pending = true
	time.AfterFunc(logTime, func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.pending = false
		g.begin()
	})
}

// begin has the lines written now, unless others are being written. The lock is held.
func (g *gathered) begin() {
	if g.writing != nil || len(g.lines) == 0 {
		return
	}
	g.writing = make(chan struct{})
	batch := g.lines
	g.lines = g.spare[:0]
	go g.write(batch)
}

func (g *gathered) write(batch []byte) {
	_, _ = g.to.Write(batch)
	g.mu.Lock()
	lost := g.lost
	g.lost, g.spare = 0, batch
	close(g.writing)
	g.writing = nil
	switch {
	case len(g.lines) >= logBytes:
		g.begin()
	case len(g.lines) > 0:
		g.later()
	}
	g.mu.Unlock()
	if lost > 0 && g.tell != nil {
		g.tell(lost)
	}
}
