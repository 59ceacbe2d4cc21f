// Package telemetry counts what the server does, for Prometheus, and tells a trace of each request to an OpenTelemetry
// collector where one is configured. No label and no attribute holds text that a caller made up.
package telemetry

import (
	"context"
	"errors"
	"log/slog"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Options say what is watched. The zero value counts and tells no traces.
type Options struct {
	Version          string
	Namespaces       []string // those that may stand in a label; all others are "other"
	DefaultNamespace string   // of requests that name none
	Traces           Traces
	Log              *slog.Logger // nil: slog.Default()
}

// Telemetry is the watch over a serving process.
type Telemetry struct {
	registry *prometheus.Registry
	counts   *counts
	tracing  *tracing // nil: no traces
	log      *slog.Logger
}

// New makes a watch. It reaches no collector yet: one that is away costs spans, never requests.
func New(ctx context.Context, o Options) (*Telemetry, error) {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	t := &Telemetry{registry: prometheus.NewRegistry(), log: o.Log}
	t.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	t.counts = newCounts(t.registry, o.Namespaces, o.DefaultNamespace)
	t.Gauge("parlance_build_info", "The version that runs.", Labels{"version": o.Version}, func() float64 { return 1 })
	if o.Traces.Endpoint == "" {
		return t, nil
	}
	var err error
	t.tracing, err = newTracing(ctx, o.Traces, o.Version, o.Log)
	return t, err
}

// Labels tell the series of one name apart.
type Labels = prometheus.Labels

// Gauge adds a number that is read when metrics are asked for.
func (t *Telemetry) Gauge(name, help string, labels Labels, read func() float64) {
	t.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help, ConstLabels: labels}, read))
}

// Counter adds a number that only grows and is read when metrics are asked for.
func (t *Telemetry) Counter(name, help string, labels Labels, read func() float64) {
	t.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help, ConstLabels: labels}, read))
}

// Metrics serves what is counted in the format that Prometheus reads.
func (t *Telemetry) Metrics() http.Handler {
	return promhttp.HandlerFor(t.registry, promhttp.HandlerOpts{
		ErrorLog: slog.NewLogLogger(t.log.Handler(), slog.LevelError), MaxRequestsInFlight: 4, EnableOpenMetrics: true,
	})
}

// Close sends the spans that are still held, until ctx ends.
func (t *Telemetry) Close(ctx context.Context) error {
	if t.tracing == nil {
		return nil
	}
	if err := t.tracing.provider.Shutdown(ctx); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}
