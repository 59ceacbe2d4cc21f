package audit

import (
	"bytes"
	"errors"
	"fmt"
	"time"
)

const (
	batchBytes = 256 << 10              // of one write
	syncEvery  = time.Second            // what a crash of the machine may lose
	retryAfter = 250 * time.Millisecond // after a write that failed
	gatherTime = 2 * time.Millisecond   // for which lines gather that are then written at once
)

// writer is the goroutine behind a Log.
type writer struct {
	log     *Log
	file    *file
	encoder encoder
	buffer  []byte // lines that are not in the file yet
	pending bool   // a tick is on its way
}

func (w *writer) run() {
	defer close(w.log.ended)
	for {
		todo := w.next()
		if todo.reopen {
			w.file.stale = true
		}
		err := w.write(todo.batch)
		w.done(todo.batch)
		if todo.last {
			w.log.outcome = errors.Join(err, w.file.close())
			return
		}
		if todo.tick {
			w.sync()
		}
	}
}

// task is what the writer is to do next.
type task struct {
	batch              []Entry
	reopen, tick, last bool
}

// next waits for something to do.
func (w *writer) next() task {
	l := w.log
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.queue) == 0 && !l.closing && !l.reopen && !l.tick {
		l.work.Wait()
	}
	if n := len(l.queue); n > 0 && n < l.opts.Queue/2 && !l.closing {
		l.mu.Unlock()
		time.Sleep(gatherTime) //nolint:forbidigo // it waits for time to pass, and nothing else
		l.mu.Lock()
	}
	t := task{batch: l.queue, reopen: l.reopen, tick: l.tick, last: l.closing}
	l.queue, l.spare, l.reopen, l.tick = l.spare[:0], nil, false, false
	l.room.Broadcast()
	return t
}

// done gives the memory of a batch back and tells who waits for it to be written.
func (w *writer) done(batch []Entry) {
	clear(batch)
	l := w.log
	l.mu.Lock()
	defer l.mu.Unlock()
	l.spare = batch[:0]
	l.idle = len(l.queue) == 0
	l.room.Broadcast()
}

// write brings a batch into the file, however long that takes. Only once the log closes is it an error that it cannot
// be written, and then for good.
func (w *writer) write(batch []Entry) error {
	for i := range batch {
		w.buffer = w.encoder.appendLine(w.buffer, &batch[i])
		if len(w.buffer) < batchBytes {
			continue
		}
		if err := w.flush(); err != nil {
			return w.lose(len(batch)-i-1, err)
		}
	}
	if err := w.flush(); err != nil {
		return w.lose(0, err)
	}
	return nil
}

func (w *writer) lose(further int, cause error) error {
	n := bytes.Count(w.buffer, []byte{'\n'}) + further
	w.log.mu.Lock()
	w.log.giveUp(int64(n))
	w.log.mu.Unlock()
	w.log.opts.Log.Error("the audit record could not be written to its end", "lost", n, "error", cause)
	return fmt.Errorf("%d entries of the audit record are lost: %w", n, cause)
}

// flush writes the buffer, again and again until all of it is in the file.
func (w *writer) flush() error {
	for len(w.buffer) > 0 || w.file.stale {
		n, err := w.file.write(w.buffer)
		w.count(w.buffer[:n])
		w.buffer = w.buffer[:copy(w.buffer, w.buffer[n:])]
		if err == nil {
			w.recover()
			w.schedule()
			continue
		}
		w.fail(err)
		if !w.pause() {
			return err
		}
	}
	return nil
}

func (w *writer) count(lines []byte) {
	w.log.mu.Lock()
	defer w.log.mu.Unlock()
	w.log.stats.Written += int64(bytes.Count(lines, []byte{'\n'}))
}

// fail says loudly, once, that the record is not kept any more.
func (w *writer) fail(err error) {
	l := w.log
	if l.failed.Swap(true) {
		return
	}
	consequence := "no query is answered until it can be"
	if l.opts.Serve {
		consequence = "queries are answered all the same; records that do not fit in memory are lost"
	}
	l.opts.Log.Error("the audit record cannot be written: "+consequence, "error", err)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.room.Broadcast()
}

func (w *writer) recover() {
	l := w.log
	if !l.failed.Swap(false) {
		return
	}
	l.mu.Lock()
	lost := l.lost
	l.lost = 0
	l.mu.Unlock()
	l.opts.Log.Warn("the audit record is written again", "lost", lost)
}

// pause waits before another try, and reports whether there shall be one.
func (w *writer) pause() bool {
	select {
	case <-w.log.closed:
		return false
	default:
	}
	select {
	case <-w.log.closed:
	case <-time.After(retryAfter):
	}
	return true
}

// schedule sees to it that what is written lasts, a while after the first line that does not yet.
func (w *writer) schedule() {
	if w.pending {
		return
	}
	w.pending = true
	l := w.log
	time.AfterFunc(syncEvery, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.tick = true
		l.work.Signal()
	})
}

func (w *writer) sync() {
	w.pending = false
	if err := w.file.sync(); err != nil {
		w.log.opts.Log.Error("the audit record may not last: it could not be synced", "error", err)
	}
}
