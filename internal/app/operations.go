package app

import (
	"context"
	"net/http"
	"time"

	"parlance/internal/datasource"
	"parlance/internal/service"
	"parlance/internal/telemetry"
	"parlance/internal/transport/operations"
)

// watchOver begins to count what the server does, over all that is open.
func (s *server) watchOver(ctx context.Context) (err error) {
	s.telemetry, err = telemetry.New(ctx, telemetry.Options{
		Version: Version(), Namespaces: s.catalog.Names(), DefaultNamespace: s.config.DefaultNamespace,
		Traces: s.config.Operations.Traces, Log: s.log,
	})
	if err != nil {
		return err
	}
	for name, source := range s.world.sources {
		s.watchSource(name, source)
	}
	for _, name := range s.catalog.Names() {
		s.watchModels(name)
	}
	s.watchRecord()
	s.watchRollups()
	s.watchAnswers()
	return nil
}

func (s *server) watchSource(name string, source *datasource.Source) {
	labels := telemetry.Labels{"datasource": name}
	s.telemetry.Gauge("parlance_statements_running", "Statements that hold a place at the datasource.", labels,
		func() float64 { return float64(source.Stats().Running) })
	s.telemetry.Gauge("parlance_statements_waiting", "Statements that wait for a place at the datasource.", labels,
		func() float64 { return float64(source.Stats().Waiting) })
}

func (s *server) watchModels(namespace string) {
	labels := telemetry.Labels{"namespace": namespace}
	s.telemetry.Gauge("parlance_models", "Models that the namespace serves; 0 while it serves none.", labels, func() float64 {
		if g, ok := s.catalog.Namespace(namespace); ok {
			return float64(len(g.Models))
		}
		return 0
	})
	s.telemetry.Gauge("parlance_models_waiting", "Models that are not served because their database could not be reached yet.", labels, func() float64 {
		if g, ok := s.catalog.Namespace(namespace); ok {
			return float64(len(g.Waiting))
		}
		return 0
	})
}

// watchRecord tells how the audit record is kept.
func (s *server) watchRecord() {
	if s.audit == nil {
		return
	}
	s.telemetry.Counter("parlance_audit_written_total", "Entries written to the audit record.", nil,
		func() float64 { return float64(s.audit.Stats().Written) })
	s.telemetry.Counter("parlance_audit_lost_total", "Entries that could not be kept.", nil,
		func() float64 { return float64(s.audit.Stats().Lost) })
	s.telemetry.Gauge("parlance_audit_failing", "1 while the audit record cannot be written.", nil, func() float64 {
		if s.audit.Check() != nil {
			return 1
		}
		return 0
	})
}

// watchAnswers tells how often answers are used again.
func (s *server) watchAnswers() {
	count := func(name, help string, of func(service.CacheStats) int64) {
		s.telemetry.Counter(name, help, nil, func() float64 { return float64(of(s.service.CacheStats())) })
	}
	count("parlance_cache_hits_total", "Queries that were answered by a kept answer.", func(c service.CacheStats) int64 { return c.Hits })
	count("parlance_cache_misses_total", "Queries whose answer may be kept and was not.", func(c service.CacheStats) int64 { return c.Misses })
	count("parlance_cache_shared_total", "Of the misses, those that waited for the run of another who asked the same.",
		func(c service.CacheStats) int64 { return c.Shared })
	s.telemetry.Gauge("parlance_result_bytes", "Bytes of answers on their way that are larger than 64 KB.", nil, func() float64 { return float64(s.service.ResultBytes()) })
	s.telemetry.Gauge("parlance_cache_bytes", "Bytes of kept answers.", nil, func() float64 { return float64(s.service.CacheStats().Bytes) })
}

// publicMetrics is what the server's own address shows of the metrics: all where only this machine reaches it and they
// have no address of their own, else nothing.
func (s *server) publicMetrics() http.Handler {
	if s.config.Operations.Listen != "" || !onLoopback(s.config.Listen) {
		return nil
	}
	return s.telemetry.Metrics()
}

// listenForOperations binds the address of operations, if there is to be one.
func (s *server) listenForOperations() (err error) {
	o := s.config.Operations
	if o.Listen == "" {
		return nil
	}
	s.operations, err = operations.Listen(operations.Options{
		Listen: o.Listen, Metrics: s.telemetry.Metrics(), Profiles: o.Profiles, Hosts: s.config.HTTP.Hosts, Log: s.log,
	})
	if err != nil {
		return err
	}
	addr := s.operations.Addr()
	s.log.Info("metrics are served", "address", addr.String(), "profiles", o.Profiles)
	if o.Profiles && beyondLoopback(addr) {
		s.log.Warn("profiles are served beyond loopback: whoever reaches the address can read and slow this process", "address", addr.String())
	}
	return nil
}

// serveOperations answers on the address of operations until ctx ends. Its failure does not end the service.
func (s *server) serveOperations(ctx context.Context) {
	if s.operations == nil {
		return
	}
	if err := s.operations.Serve(ctx); err != nil {
		s.log.ErrorContext(ctx, "operations are not served any more", "error", err)
	}
}

// traceEnd is how long the collector may take for the last spans.
const traceEnd = 2 * time.Second

// closeOperations sends what is left to tell and gives the address back.
func (s *server) closeOperations() {
	if s.operations != nil {
		s.operations.Close()
	}
	if s.telemetry == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), traceEnd)
	defer cancel()
	if err := s.telemetry.Close(ctx); err != nil {
		s.log.Warn("the last traces are not taken", "error", err)
	}
}
