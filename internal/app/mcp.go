package app

import (
	"context"
	"errors"
	"io"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"parlance/internal/access"
	"parlance/internal/fault"
	"parlance/internal/identity"
	"parlance/internal/transport/mcp"
)

// tokenVariable is where the mcp command finds the token of its client: a process has no headers.
const tokenVariable = "PARLANCE_TOKEN"

// stdioMargin is what an answer may take beyond one statement's time, as over HTTP.
const stdioMargin = 10 * time.Second

type mcpCommand struct {
	Role      string `enum:"admin,analyst,business" default:"analyst" help:"Interface to serve: admin, analyst or business."`
	Config    string `placeholder:"FILE" help:"The server's file, parlance.yaml; the embedded demo serves without one."`
	Namespace string `placeholder:"NS" help:"Namespace of all requests; the configuration's default unless given."`
	Log       string `enum:"text,json" default:"text" help:"Form of the log lines on standard error: text or json."`
}

// Run serves until the input or ctx ends.
func (c mcpCommand) Run(ctx context.Context, s Streams) error {
	config, err := configured(c.Config, s.Env)
	if err != nil {
		return err
	}
	config.TLS = TLSConfig{}       // nothing listens
	signal.Ignore(syscall.SIGPIPE) // a client that is gone is an error of the next write, after which the record is kept
	log, flush := gatheringLogger(c.Log, s.Err)
	defer flush()
	server, err := open(ctx, config, log)
	if err != nil {
		return unlessStopped(ctx, err)
	}
	return server.runStdio(ctx, c, s)
}

// runStdio answers one client while models and data are loaded; tools wait for them.
func (s *server) runStdio(ctx context.Context, c mcpCommand, streams Streams) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	r := &readiness{done: make(chan struct{})}
	var background sync.WaitGroup
	background.Go(func() {
		if r.finish(s.load(ctx)) != nil {
			stop()
			return
		}
		s.tend(ctx, streams)
	})
	err := mcp.NewStdio(s.stdioOptions(c, streams, r)).Serve(ctx, streams.input(), streams.Out)
	stop()
	background.Wait()
	s.gate.Close()
	if r.err != nil && !errors.Is(r.err, context.Canceled) {
		err = r.err
	}
	return errors.Join(err, s.close())
}

func (s *server) stdioOptions(c mcpCommand, streams Streams, r *readiness) mcp.StdioOptions {
	limits := s.config.Limits
	o := mcp.StdioOptions{
		Handler: s.endpoint(mcp.Role(c.Role), mcp.Underscored), Namespace: c.Namespace,
		Authenticate: s.localUser(c, streams), Ready: r.wait,
		MaxLine: int(limits.MaxBody), Timeout: limits.Timeout + stdioMargin, Drain: limits.Shutdown, Log: s.log,
	}
	if s.audit != nil {
		o.Audit = s.audit.Record
	}
	return o
}

// localUser returns who is at the other end of the streams: whoever the gate knows by the token of the environment.
func (s *server) localUser(c mcpCommand, streams Streams) func(context.Context) (access.Identity, error) {
	var authorization string
	if token, _ := streams.Env(tokenVariable); token != "" {
		authorization = "Bearer " + token
	}
	return func(ctx context.Context) (access.Identity, error) {
		id, err := s.gate.Authenticate(ctx, c.Namespace, authorization, []string{c.Role})
		if f := fault.As(err); f != nil && f.Reason == identity.MissingToken {
			err = f.With(func(e *fault.Error) { e.Hint = "set " + tokenVariable + " in the environment of parlance mcp" })
		}
		return id, err
	}
}

// input returns the input, which without one is at its end.
func (s Streams) input() io.Reader {
	if s.In == nil {
		return strings.NewReader("")
	}
	return s.In
}

// readiness is the end of the loading of models and data.
type readiness struct {
	done chan struct{}
	err  error // once done is closed
}

func (r *readiness) finish(err error) error {
	r.err = err
	close(r.done)
	return err
}

// wait returns when all is loaded, or why it will not be.
func (r *readiness) wait(ctx context.Context) error {
	select {
	case <-r.done:
		return r.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
