package mcp

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"

	"parlance/internal/access"
	"parlance/internal/audit"
	"parlance/internal/service"
	"parlance/internal/transport/jsonrpc"
)

// StdioOptions are the settings of a Stdio. Handler and Authenticate must be set.
type StdioOptions struct {
	Handler   *Handler
	Namespace string // "": the default one
	// Authenticate returns who is at the other end; it is asked for every request. An identity beside an error is
	// recorded and nothing else.
	Authenticate func(ctx context.Context) (access.Identity, error)
	// Ready returns when tools can be called, or why they cannot; other methods do not wait for it. Nil: they can.
	Ready func(ctx context.Context) error
	// MaxLine is the longest message in bytes. Zero: 1 MiB.
	MaxLine int
	// Timeout is how long the answer to a message may take. Zero: 40 s.
	Timeout time.Duration
	// Drain is how long running requests may go on once the input has ended. Zero: 10 s.
	Drain time.Duration
	// Audit takes what is recorded of each call. Nil: nothing is.
	Audit func(audit.Entry)
	// Log takes one line a message. Nil: slog.Default.
	Log *slog.Logger
}

const (
	defaultMaxLine = 1 << 20
	defaultTimeout = 40 * time.Second
	defaultDrain   = 10 * time.Second
	cutOffMargin   = 2 * time.Second // for requests that were cut off to come to their end
	maxRunning     = 256             // messages that are answered at once; while there are as many, none is read
)

// Stdio answers one client over a pair of streams, a message a line. Messages are answered side by side, so answers may
// come in another order; a request that is cancelled ends and is not answered.
type Stdio struct {
	StdioOptions
	running  running
	places   chan struct{}
	failed   chan error // the first failure of the output
	out      io.Writer
	outgoing sync.Mutex
}

// NewStdio makes the server of one client.
func NewStdio(o StdioOptions) *Stdio {
	if o.MaxLine == 0 {
		o.MaxLine = defaultMaxLine
	}
	if o.Timeout == 0 {
		o.Timeout = defaultTimeout
	}
	if o.Drain == 0 {
		o.Drain = defaultDrain
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	return &Stdio{StdioOptions: o, places: make(chan struct{}, maxRunning), failed: make(chan error, 1)}
}

// Serve answers what comes from in until in or ctx ends or nothing can be written to out any more. Running requests may
// then finish within the drain time and are cancelled after it. It is called once; where ctx ends it, a read that waits
// for input is left behind.
func (s *Stdio) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	s.out = out
	stop := make(chan struct{})
	defer close(stop)
	lines := readLines(in, s.MaxLine, stop)
	work, cutOff := context.WithCancel(context.WithoutCancel(ctx))
	defer cutOff()
	for {
		select {
		case l := <-lines:
			if l.err != nil {
				s.drain(cutOff)
				return unlessEOF(l.err)
			}
			if !s.take(ctx, work, l) {
				s.drain(cutOff)
				return nil
			}
		case <-ctx.Done():
			s.drain(cutOff)
			return nil
		case err := <-s.failed:
			cutOff() // nobody reads the answers
			s.running.wait(cutOffMargin)
			return err
		}
	}
}

func unlessEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// take begins the answer to a line, once there is a place for it. It returns false if ctx ended before.
func (s *Stdio) take(ctx, work context.Context, l line) bool {
	m := jsonrpc.Read(l.text)
	if m.ID() == "" && m.Method() == "notifications/cancelled" {
		id, _ := m.Params().Get("requestId")
		s.running.cancel(jsonrpc.IDOf(id))
	}
	select {
	case s.places <- struct{}{}:
	case <-ctx.Done():
		return false
	}
	bounded, cancel := context.WithTimeout(work, s.Timeout)
	j := s.running.begin(m.ID(), cancel)
	go func() {
		defer func() {
			s.running.end(j)
			<-s.places
		}()
		s.answer(bounded, j, m, l.tooLong)
	}()
	return true
}

// answer answers one message.
func (s *Stdio) answer(ctx context.Context, j *job, m jsonrpc.Message, tooLong bool) {
	begun := time.Now()
	ctx, record := service.WithRecord(ctx)
	caller := service.Caller{Namespace: s.Namespace, TraceID: newTrace()}
	ctx = service.WithCaller(ctx, caller)
	var reply jsonrpc.Reply
	if tooLong {
		reply.Body = refuseLine(record, s.MaxLine)
	} else {
		x := &localExchange{stdio: s, dispatcher: dispatcher{handler: s.Handler, caller: caller}}
		reply = noted(ctx, s.Handler.rpc.Answer(ctx, m, caller.TraceID, x))
		x.explain(record)
	}
	var sent int
	if reply.Body != nil && !j.cancelled.Load() {
		sent = s.write(reply.Body)
	}
	s.note(ctx, m, record, begun, sent)
}

// write sends one message and returns its length. What cannot be sent ends the serving.
func (s *Stdio) write(body []byte) int {
	for i, c := range body {
		if c == '\n' {
			body[i] = ' ' // it stands between two values: within a string it would be escaped
		}
	}
	s.outgoing.Lock()
	defer s.outgoing.Unlock()
	if _, err := s.out.Write(append(body, '\n')); err != nil {
		select {
		case s.failed <- err:
		default:
		}
	}
	return len(body)
}

// drain lets running requests finish, and cuts off those that take too long.
func (s *Stdio) drain(cutOff context.CancelFunc) {
	if s.running.wait(s.Drain) {
		return
	}
	cutOff()
	s.Log.Warn("stopped before every request was answered", "after", s.Drain)
	s.running.wait(cutOffMargin)
}
