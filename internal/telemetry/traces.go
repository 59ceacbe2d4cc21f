package telemetry

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"parlance/internal/stage"
)

// Traces say where traces go.
type Traces struct {
	Endpoint string  // the collector's OTLP address over HTTP, such as http://127.0.0.1:4318; "": none are told
	Sample   float64 // the share of the requests that are told when nobody upstream decided; 1: all
}

// tracing tells spans to a collector, from memory and in batches.
type tracing struct {
	provider *sdktrace.TracerProvider
	tracer   trace.Tracer
}

const exportTimeout = 5 * time.Second

func newTracing(ctx context.Context, t Traces, version string, log *slog.Logger) (*tracing, error) {
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(t.Endpoint+"/v1/traces"), otlptracehttp.WithTimeout(exportTimeout),
		otlptracehttp.WithRetry(otlptracehttp.RetryConfig{Enabled: false}))
	if err != nil {
		return nil, fmt.Errorf("traces: %w", err)
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("traces are not taken", "error", err) }))
	about := resource.NewSchemaless(attribute.String("service.name", "parlance"), attribute.String("service.version", version))
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(about),
		sdktrace.WithSampler(sdktrace.ParentBased(sdktrace.TraceIDRatioBased(t.Sample))))
	return &tracing{provider, provider.Tracer("parlance")}, nil
}

// begin opens the span of a request, below the one that its traceparent names.
func (t *tracing) begin(ctx context.Context, method string, header http.Header, traceID string) (context.Context, trace.Span) {
	ctx = propagation.TraceContext{}.Extract(ctx, propagation.HeaderCarrier(header))
	return t.tracer.Start(ctx, "request", trace.WithSpanKind(trace.SpanKindServer),
		trace.WithAttributes(attribute.String("http.request.method", methodOf(method)), attribute.String("parlance.trace_id", traceID)))
}

// methodOf is a method that HTTP has; what callers make up is _OTHER, as the conventions of OpenTelemetry say.
func methodOf(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodConnect,
		http.MethodOptions, http.MethodTrace:
		return method
	}
	return "_OTHER"
}

// stage tells of a stage that is over.
func (t *tracing) stage(ctx context.Context, s stage.Stage, begun time.Time, took time.Duration) {
	_, span := t.tracer.Start(ctx, s.String(), trace.WithTimestamp(begun))
	span.End(trace.WithTimestamp(begun.Add(took)))
}

// finish closes the span of a request.
func finish(span trace.Span, s Served) {
	span.SetAttributes(
		attribute.String("parlance.interface", s.Interface), attribute.String("parlance.tool", s.Tool),
		attribute.String("parlance.namespace", s.Namespace), attribute.String("parlance.model", s.Model),
		attribute.String("parlance.outcome", s.Outcome), attribute.Int64("parlance.rows", s.Rows), attribute.Int64("parlance.bytes", s.Bytes))
	if s.Tool != "" {
		span.SetName(s.Tool)
	}
	if classOf(s) == "failed" {
		span.SetStatus(codes.Error, s.Outcome)
	}
	span.End()
}
