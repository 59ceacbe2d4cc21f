package httpserver

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"parlance/internal/service"
)

// maxLogged bounds the text that a caller can put into one attribute of a log line.
const maxLogged = 256

// observe gives a request its trace id and its record, logs one line when it is answered, and leaves it in the audit
// record of its way in.
func observe(log *slog.Logger, audited way) middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			begun := time.Now()
			trace := traceID(r.Header)
			w.Header().Set(traceHeader, trace)
			ctx, record := service.WithRecord(r.Context())
			ctx = service.WithCaller(ctx, service.Caller{TraceID: trace})
			answer := &response{ResponseWriter: w}
			defer func() {
				logRequest(ctx, log, r, record, answer, trace, time.Since(begun))
				audited.record(ctx, r, record, answer, begun)
			}()
			next.ServeHTTP(answer, r.WithContext(ctx))
		})
	}
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
	log.LogAttrs(ctx, slog.LevelInfo, "request", attrs...)
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
	n, err := a.ResponseWriter.Write(b)
	a.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (a *response) Unwrap() http.ResponseWriter { return a.ResponseWriter }
