package mcp

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"log/slog"
	"time"

	"parlance/internal/audit"
	"parlance/internal/fault"
	"parlance/internal/service"
	"parlance/internal/transport/jsonrpc"
)

// localExchange answers the requests of one message of a Stdio, each for whoever is at the other end.
type localExchange struct {
	stdio *Stdio
	dispatcher
	refused int // the code of a request that was not admitted, for the record
}

// Handle answers one request.
func (x *localExchange) Handle(ctx context.Context, dst []byte, r *jsonrpc.Request) ([]byte, error) {
	ctx, err := x.admit(ctx, r)
	if err == nil {
		return x.dispatcher.Handle(ctx, dst, r)
	}
	f := fault.As(err)
	record := service.RecordOf(ctx)
	if errors.Is(ctx.Err(), context.Canceled) {
		record.Fail(cancelled)
		return dst, ctx.Err()
	}
	if f.Kind == fault.Internal {
		return dst, err
	}
	record.Fail(f.Reason)
	x.refused = audit.Code(f.Kind)
	return dst, &jsonrpc.Error{Code: jsonrpc.InvalidRequest, Message: f.Text()}
}

// admit finds out who asks, and waits until what is asked for can be answered.
func (x *localExchange) admit(ctx context.Context, r *jsonrpc.Request) (context.Context, error) {
	identity, err := x.stdio.Authenticate(ctx)
	x.caller.Identity = identity
	ctx = service.WithCaller(ctx, x.caller)
	if err == nil && r.Method == "tools/call" && x.stdio.Ready != nil {
		err = x.stdio.Ready(ctx)
	}
	return ctx, err
}

// explain completes a record with why requests were not admitted.
func (x *localExchange) explain(record *service.Record) {
	if x.refused != 0 {
		record.Code = x.refused
	}
}

// note logs a message and leaves its calls in the audit record.
func (s *Stdio) note(ctx context.Context, m jsonrpc.Message, record *service.Record, begun time.Time, sent int) {
	took := time.Since(begun)
	s.Log.LogAttrs(ctx, slog.LevelInfo, "request",
		slog.String("trace", record.Caller.TraceID),
		slog.String("method", jsonrpc.Clip(m.Method())),
		slog.String("namespace", s.Namespace),
		slog.String("tool", record.Tool),
		slog.String("model", record.Model),
		slog.Int64("rows", record.Rows),
		slog.Duration("duration", took),
		slog.Int("bytes", sent),
		slog.String("outcome", record.Outcome))
	if s.Audit == nil {
		return
	}
	code := record.Code
	if record.Outcome == cancelled {
		code = statusCancelled
	}
	entries := record.Entries(record.Outcome, code)
	for _, e := range entries {
		s.complete(e, record.Caller)
		if len(entries) == 1 {
			e.Time, e.Took, e.Bytes = begun, took, int64(sent)
		}
		s.Audit(*e)
	}
}

// complete adds what all calls of a message share.
func (s *Stdio) complete(e *audit.Entry, c service.Caller) {
	e.Trace, e.User, e.Roles = c.TraceID, c.Identity.User, c.Identity.Roles
	e.Interface, e.Endpoint = "stdio", string(s.Handler.role)
	e.Credential = audit.Fingerprint(c.Identity.Opaque)
	if e.Namespace == "" {
		e.Namespace = s.Namespace
	}
	if e.Time.IsZero() {
		e.Time = time.Now()
	}
}

func newTrace() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
