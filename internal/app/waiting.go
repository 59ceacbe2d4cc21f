package app

import (
	"cmp"
	"context"
	"sync"
	"time"

	"parlance/internal/catalog"
	"parlance/internal/datasource"
	"parlance/internal/fault"
)

const (
	lookEvery  = time.Second     // how often awaited databases are looked for
	lookLatest = time.Minute     // the most between two loads of models that do not fit a database that is there
	lookTime   = 5 * time.Second // that one look may take
)

// lookOutAll looks for the databases that models wait for, until ctx ends, and has the models checked and served once one
// is there.
func (s *server) lookOutAll(ctx context.Context) {
	var all sync.WaitGroup
	for _, name := range s.catalog.Names() {
		all.Go(func() { s.lookOut(ctx, name) })
	}
	all.Wait()
}

// lookOut is lookOutAll for a namespace. Models that do not fit the database that came are tried again later and later.
func (s *server) lookOut(ctx context.Context, namespace string) {
	pause, refused := lookEvery, map[string]string{}
	for wait(ctx, pause) {
		switch {
		case !s.found(ctx, s.catalog.Waits(namespace), refused), s.resume(ctx, namespace):
			pause = lookEvery
		default:
			pause = min(2*pause, lookLatest)
		}
	}
}

// wait returns after d; false where ctx ended.
func wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// found reports whether one of some datasources answers. One that answers and refuses to be opened is told to the log,
// once for each reason; refused keeps those by datasource.
func (s *server) found(ctx context.Context, names []string, refused map[string]string) bool {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	type look struct {
		name string
		err  error
	}
	looks := make(chan look, len(names))
	for _, name := range names {
		go func() { looks <- look{name, s.world.sources[name].Ping(ctx)} }()
	}
	for range names {
		l := <-looks
		if l.err == nil {
			return true
		}
		why := cmp.Or(datasource.Refusal(l.err), fault.As(l.err).Message)
		if fault.As(l.err).Kind != fault.Unavailable && refused[l.name] != why {
			refused[l.name] = why
			s.log.ErrorContext(ctx, "datasource cannot be opened: its models wait", "datasource", l.name, "why", why)
		}
	}
	return false
}

// resume reads a namespace again and reports whether fewer models wait.
func (s *server) resume(ctx context.Context, namespace string) bool {
	before, _ := s.catalog.Namespace(namespace)
	problems := s.catalog.Resume(ctx, namespace)
	if ctx.Err() != nil {
		return true
	}
	s.report(catalog.Reloaded{Namespace: namespace, Problems: problems})
	after, _ := s.catalog.Namespace(namespace)
	if len(after.Waiting) >= len(before.Waiting) {
		return false
	}
	s.warmOne(ctx, namespace)
	return true
}
