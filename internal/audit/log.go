package audit

import (
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"sync"
	"sync/atomic"

	"parlance/internal/fault"
)

// Options are the settings of a Log. Only File is required.
type Options struct {
	File      string
	MaxSize   int64  // bytes after which the file is put aside under a numbered name; 0: 100 MB
	Keep      int    // how many of those stay; 0: all
	Values    bool   // whether what callers compare with, and their questions, are kept
	Serve     bool   // whether queries are answered while nothing can be written
	Namespace string // what a request that names none means
	Queue     int    // entries that may wait to be written; 0: 4096
	Log       *slog.Logger
}

const (
	defaultMaxSize = 100_000_000
	defaultQueue   = 4096
)

// Stats is what a Log has done.
type Stats struct {
	Written int64 // lines in the file
	Waited  int64 // entries that found the queue full and waited
	Lost    int64 // entries that are in no file
}

// Log is the record. Its methods may be called at the same time.
//
// One goroutine writes what Record has queued, many lines at a time. Where a write fails, the lines are kept and tried
// again until they are in the file; until then Admit refuses, unless the options say to serve.
type Log struct {
	opts   Options
	failed atomic.Bool // the last write failed

	mu      sync.Mutex
	work    sync.Cond // the queue is not empty, or something else is to be done
	room    sync.Cond // the queue is not full, or will not be emptied for now
	queue   []Entry
	spare   []Entry // the queue before the last, to be used again
	idle    bool    // nothing is queued and nothing is being written
	reopen  bool
	tick    bool // what is written shall be made to last
	closing bool
	lost    int64 // since the file could last be written
	stats   Stats

	closed  chan struct{} // closes when Close is called
	ended   chan struct{} // closes when the writer has ended
	outcome error         // of the writer, once ended
}

// Open opens the file for appending, makes it if it is not there, and starts the writer.
func Open(o Options) (*Log, error) {
	if o.MaxSize <= 0 {
		o.MaxSize = defaultMaxSize
	}
	if o.Queue <= 0 {
		o.Queue = defaultQueue
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	f, err := openFile(o)
	if err != nil {
		return nil, err
	}
	l := &Log{opts: o, idle: true, closed: make(chan struct{}), ended: make(chan struct{})}
	l.work.L, l.room.L = &l.mu, &l.mu
	w := &writer{log: l, file: f, encoder: encoder{run: newRun(), namespace: o.Namespace, values: o.Values}}
	go w.run()
	return l, nil
}

// newRun returns a word that no other run of the program has.
func newRun() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// Admit refuses while what is answered could not be recorded.
func (l *Log) Admit() error {
	if l.opts.Serve || !l.failed.Load() {
		return nil
	}
	return unavailable()
}

// Check reports whether the record is kept, for readiness.
func (l *Log) Check() error {
	if !l.failed.Load() {
		return nil
	}
	return unavailable()
}

func unavailable() error {
	return &fault.Error{
		Kind: fault.Unavailable, Reason: "audit_unavailable", Retryable: true,
		Message: "Queries cannot be recorded now and are not answered", Hint: "try again in a moment",
	}
}

// Record queues an entry. With a full queue it waits until the writer has caught up. Only while the file cannot be
// written is an entry given up that finds the queue full: that of a refused caller, or any where the options say to
// serve; and every entry after Close. Such entries are counted and logged.
func (l *Log) Record(e Entry) {
	if !l.opts.Values {
		e.forgetValues()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.queue) >= l.opts.Queue && !l.closing {
		l.stats.Waited++
	}
	for len(l.queue) >= l.opts.Queue && !l.closing {
		if l.failed.Load() && (l.opts.Serve || e.Refused()) {
			l.giveUp(1)
			return
		}
		l.room.Wait()
	}
	if l.closing {
		l.giveUp(1)
		l.opts.Log.Error("a request ended after the audit record was closed", "trace", e.Trace, "outcome", e.Outcome)
		return
	}
	l.queue = append(l.queue, e)
	l.idle = false
	l.work.Signal()
}

func (l *Log) giveUp(n int64) {
	l.lost += n
	l.stats.Lost += n
}

// Reopen makes the writer close the file and open the one that has its name now: what moves files aside says so this
// way.
func (l *Log) Reopen() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reopen = true
	l.work.Signal()
}

// Flush waits until all that was recorded before is in the file, or cannot be written.
func (l *Log) Flush() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for !l.idle && !l.failed.Load() {
		l.room.Wait()
	}
	return l.Check()
}

// Stats returns what the log has done.
func (l *Log) Stats() Stats {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stats
}

// Close writes all that is queued, makes it last and closes the file. What cannot be written now is lost, which is the
// error.
func (l *Log) Close() error {
	l.mu.Lock()
	again := l.closing
	l.closing = true
	l.work.Broadcast()
	l.room.Broadcast()
	l.mu.Unlock()
	if !again {
		close(l.closed)
	}
	<-l.ended
	return l.outcome
}
