package telemetry

import (
	"context"
	"net/http"
	"time"

	"go.opentelemetry.io/otel/trace"

	"parlance/internal/stage"
)

// Served is how a request ended.
type Served struct {
	Interface string // mcp, http, or other
	Tool      string // the contract's name of the tool; "" if none was called
	Model     string // a model of the catalogue; "" if none was found
	Namespace string
	Outcome   string // ok, clarify, cancelled, or the reason of the failure
	Code      int    // of a failure; 500 and above are ours
	Rows      int64
	Bytes     int64
}

// Request is a request that is being answered.
type Request struct {
	of    *Telemetry
	begun time.Time
	ctx   context.Context //nolint:containedctx // the parent of the spans of its stages
	span  trace.Span      // nil: no traces
}

// Begin watches a request until End; the stages of its context are counted. The header may name the trace that it is
// part of. A nil watch sees nothing.
func (t *Telemetry) Begin(ctx context.Context, method string, header http.Header, traceID string) (context.Context, *Request) {
	if t == nil {
		return ctx, nil
	}
	r := &Request{of: t, begun: time.Now()}
	t.counts.running.Inc()
	if t.tracing != nil {
		ctx, r.span = t.tracing.begin(ctx, method, header, traceID)
	}
	r.ctx = ctx
	return stage.With(ctx, r), r
}

// Spent counts a stage.
func (r *Request) Spent(s stage.Stage, begun time.Time, took time.Duration) {
	r.of.counts.stages[s].Observe(took.Seconds())
	if r.span != nil {
		r.of.tracing.stage(r.ctx, s, begun, took)
	}
}

// End counts the request.
func (r *Request) End(s Served) {
	if r == nil {
		return
	}
	r.of.counts.running.Dec()
	r.of.counts.add(s, time.Since(r.begun).Seconds())
	if r.span != nil {
		s.Namespace = r.of.counts.namespace(s)
		finish(r.span, s)
	}
}
