package app

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"parlance/internal/catalog"
	"parlance/internal/service"
	"parlance/internal/transport/httpserver"
)

// serve runs a server until ctx ends and then lets running requests finish.
func serve(ctx context.Context, c Config, streams Streams, log *slog.Logger) error {
	s, err := start(ctx, c, log)
	if err != nil {
		return unlessStopped(ctx, err)
	}
	return s.run(ctx, streams)
}

// unlessStopped returns an error of the start, but none when the process was told to stop meanwhile.
func unlessStopped(ctx context.Context, err error) error {
	select {
	case <-ctx.Done():
		return nil
	default:
		return err
	}
}

// run serves until ctx ends, and closes everything.
func (s *server) run(ctx context.Context, streams Streams) error {
	addr := s.http.Addr()
	s.warnOfExposure(ctx, addr)
	greet(streams.Out, s.scheme(), addr, s.config.Demo(), !s.config.HTTP.NoPage)
	ctx, stop := context.WithCancel(ctx)
	var background sync.WaitGroup
	background.Go(func() { s.tend(ctx, streams) })
	err := s.http.Serve(ctx)
	stop()
	background.Wait()
	s.gate.Close()
	if errors.Is(err, httpserver.ErrCutOff) {
		s.log.Warn("stopped before every request was answered", "after", s.config.Limits.Shutdown)
		err = nil
	}
	return errors.Join(err, s.close())
}

// tend follows what changes while the server runs, until ctx ends.
func (s *server) tend(ctx context.Context, streams Streams) {
	var all sync.WaitGroup
	all.Go(func() { s.watch(ctx) })
	all.Go(func() { s.watchSecrets(ctx) })
	all.Go(func() { s.lookOutAll(ctx) })
	all.Go(func() { s.gate.Warm(ctx) })
	all.Go(func() { s.obey(ctx, streams) })
	all.Go(func() { s.warm(ctx) })
	all.Go(func() { s.serveOperations(ctx) })
	all.Go(func() { s.rollups.Run(ctx) })
	all.Wait()
}

// obey reads the models, the tokens and the certificate again whenever the process is asked to.
func (s *server) obey(ctx context.Context, streams Streams) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-streams.Reload:
			s.reopenAudit()
			s.refresh(ctx)
			s.secrets.refresh(true)
			s.reload(ctx)
		}
	}
}

// watchSecrets reads tokens and certificate again when their files change.
func (s *server) watchSecrets(ctx context.Context) {
	if err := s.secrets.watch(ctx); err != nil {
		s.log.ErrorContext(ctx, "tokens and certificate are not watched: changes are read on SIGHUP only", "error", err)
	}
}

// refresh has datasources of files read their folders again. One with a problem goes on with the tables that it had.
func (s *server) refresh(ctx context.Context) {
	for name, source := range s.world.sources {
		if err := source.Refresh(ctx); err != nil {
			s.log.ErrorContext(ctx, "files not read again: the tables of before go on serving", "datasource", name, "error", err)
		}
	}
}

// reload reads every namespace. One with problems goes on serving what it served before.
func (s *server) reload(ctx context.Context) {
	for _, name := range s.catalog.Names() {
		problems := s.catalog.Reload(ctx, name)
		if ctx.Err() != nil {
			return // what was not read because the process ends is no problem of the files
		}
		s.report(catalog.Reloaded{Namespace: name, Problems: problems})
	}
}

// watch reads a namespace again when its files change.
func (s *server) watch(ctx context.Context) {
	if err := s.catalog.Watch(ctx, s.report); err != nil {
		s.log.ErrorContext(ctx, "model files are not watched: changes are read on SIGHUP only", "error", err)
	}
}

func (s *server) report(r catalog.Reloaded) {
	for _, p := range r.Problems {
		s.log.Error("model file has a problem", "namespace", r.Namespace, "problem", p.String())
	}
	s.telemetry.Reloaded(r.Namespace, len(r.Problems) == 0)
	g, serving := s.catalog.Namespace(r.Namespace)
	switch {
	case len(r.Problems) == 0 && serving:
		s.log.Info("models loaded", "namespace", r.Namespace, "models", len(g.Models), "generation", g.ID)
		if n := len(g.Waiting); n > 0 {
			s.log.Warn("models wait for their database", "namespace", r.Namespace, "models", n, "datasources", s.catalog.Waits(r.Namespace))
		}
	case serving:
		s.log.Warn("models not changed: the earlier ones go on serving", "namespace", r.Namespace, "generation", g.ID)
	default:
		s.log.Error("namespace is not served until its files are mended", "namespace", r.Namespace)
	}
}

// warm reads what descriptions and questions need of the data, so that the first caller need not wait for it.
func (s *server) warm(ctx context.Context) {
	defer s.sparing()()
	for _, name := range s.catalog.Names() {
		s.warmOne(ctx, name)
	}
}

func (s *server) warmOne(ctx context.Context, namespace string) {
	if err := s.service.Warm(ctx, service.Caller{Namespace: namespace}); err != nil {
		s.log.DebugContext(ctx, "not warmed", "namespace", namespace, "error", err)
	}
}
