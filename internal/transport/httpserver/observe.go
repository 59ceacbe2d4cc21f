package httpserver

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"parlance/internal/audit"
	"parlance/internal/service"
	"parlance/internal/stage"
	"parlance/internal/telemetry"
)

// maxLogged bounds the text that a caller can put into one attribute of a log line.
const maxLogged = 256

// observe gives a request its trace id and its record, logs one line when it is answered, counts it, and leaves it in the
// audit record of its way in.
func observe(log *slog.Logger, watch *telemetry.Telemetry, in way) middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			begun := time.Now()
			trace := traceID(r.Header)
			w.Header().Set(traceHeader, trace)
			ctx, watched := watch.Begin(r.Context(), r.Method, r.Header, trace)
			ctx, record := service.WithRecord(ctx)
			record.Caller.TraceID = trace
			answer := &response{ResponseWriter: w, ctx: ctx, begun: begun}
			defer func() {
				logRequest(ctx, log, r, record, answer, trace, time.Since(begun))
				in.record(ctx, r, record, answer, begun)
				watched.End(in.served(ctx, r, record, answer))
			}()
			next.ServeHTTP(answer, r.WithContext(ctx))
		})
	}
}

// served is how a request ended. A model is named only where there is one of the name.
func (v way) served(ctx context.Context, r *http.Request, record *service.Record, a *response) telemetry.Served {
	s := telemetry.Served{
		Interface: v.transport, Tool: record.Entry().Tool, Namespace: namespaceOf(r), Outcome: outcome(ctx, record, a), Rows: record.Rows, Bytes: a.bytes,
	}
	if s.Interface == "" {
		s.Interface = "other"
	}
	if s.Outcome == audit.OK {
		s.Model = record.Model
	} else {
		s.Code = failureCode(record, a, s.Outcome)
	}
	return s
}

func logRequest(ctx context.Context, log *slog.Logger, r *http.Request, record *service.Record, a *response, trace string, took time.Duration) {
	if !log.Enabled(ctx, slog.LevelInfo) {
		return
	}
	attrs := make([]slog.Attr, 0, 12)
	attrs = append(attrs,
		slog.String("trace", trace),
		slog.String("method", r.Method),
		slog.String("path", cut(r.URL.Path)),
		slog.String("namespace", cut(namespaceOf(r))))
	if record.Tool != "" {
		attrs = append(attrs, slog.String("tool", cut(record.Tool)))
	}
	if record.Model != "" {
		attrs = append(attrs, slog.String("model", cut(record.Model)))
	}
	attrs = append(attrs,
		slog.Int64("rows", record.Rows),
		slog.Duration("duration", took),
		slog.Int("status", a.status),
		slog.Int64("bytes", a.bytes),
		slog.String("outcome", outcome(ctx, record, a)))
	line := slog.NewRecord(time.Now(), slog.LevelInfo, "request", 0) // which place in the code says so is nothing to look up each time
	line.AddAttrs(attrs...)
	_ = log.Handler().Handle(ctx, line)
}

// outcome is the handler's own word where it left one.
func outcome(ctx context.Context, record *service.Record, a *response) string {
	switch {
	case record.Outcome != "":
		return record.Outcome
	case ctx.Err() != nil:
		return "cancelled"
	case a.status >= http.StatusBadRequest:
		return "refused"
	}
	return "ok"
}

func cut(s string) string {
	if len(s) <= maxLogged {
		return s
	}
	return s[:maxLogged] + "…"
}

// response remembers what was sent.
type response struct {
	http.ResponseWriter
	ctx    context.Context //nolint:containedctx // whose stage of sending it is
	begun  time.Time
	status int // 0: nothing yet
	bytes  int64
}

// WriteHeader notes the final status; interim ones pass.
func (a *response) WriteHeader(status int) {
	if a.status == 0 && status >= http.StatusOK {
		a.status = status
	}
	a.ResponseWriter.WriteHeader(status)
}

// Write counts the bytes.
func (a *response) Write(b []byte) (int, error) {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	sending := stage.Start(a.ctx, stage.Send)
	n, err := a.send(b)
	sending.End()
	a.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (a *response) Unwrap() http.ResponseWriter { return a.ResponseWriter }
