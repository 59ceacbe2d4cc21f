package app

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"parlance/internal/datasource"
	"parlance/internal/dialect"
	"parlance/internal/fault"
)

// lazySource is a datasource that is opened when it is first needed: most servers have no rollups.
type lazySource struct {
	name   string
	config datasource.Config
	log    *slog.Logger

	mu     sync.Mutex
	source *datasource.Source
	closed bool
}

var errSourceClosed = errors.New("the source is closed")

func (s *lazySource) opened(ctx context.Context) (*datasource.Source, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, fault.Internalf(errSourceClosed, "The rollups are closed")
	}
	if s.source != nil {
		return s.source, nil
	}
	source, err := datasource.Open(context.WithoutCancel(ctx), s.name, s.config, s.log)
	if err != nil {
		return nil, err
	}
	s.source = source
	return source, nil
}

func (s *lazySource) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.source == nil {
		return nil
	}
	return s.source.Close()
}

// rollupStore is the database in memory that holds rollups.
type rollupStore struct{ *lazySource }

// Load makes a table.
func (s rollupStore) Load(ctx context.Context, t datasource.Table) error {
	source, err := s.opened(ctx)
	if err != nil {
		return err
	}
	return source.Load(ctx, t)
}

// Drop takes a table away.
func (s rollupStore) Drop(ctx context.Context, table string) error {
	source, err := s.opened(ctx)
	if err != nil {
		return err
	}
	return source.Drop(ctx, table)
}

// Query runs a statement that reads rollups.
func (s rollupStore) Query(ctx context.Context, sql string, args []any, row func(cells []any) error) error {
	source, err := s.opened(ctx)
	if err != nil {
		return err
	}
	return traced{source}.Query(ctx, sql, args, row)
}

// Admit takes a place for a query that reads rollups.
func (s rollupStore) Admit(ctx context.Context, owner string) (context.Context, func(), error) {
	source, err := s.opened(ctx)
	if err != nil {
		return nil, nil, err
	}
	return source.Admit(ctx, owner)
}

// Ping reports whether the database answers.
func (s rollupStore) Ping(ctx context.Context) error {
	source, err := s.opened(ctx)
	if err != nil {
		return err
	}
	return source.Ping(ctx)
}

// Dialect is that of DuckDB.
func (rollupStore) Dialect() dialect.Dialect { return dialect.DuckDB() }

// buildSource is a database as builds read it: over connections of their own, so that callers find theirs free, and
// with time enough also by the server's own clock.
type buildSource struct {
	*lazySource
	serving *datasource.Source
}

// Query runs a statement of a build.
func (s buildSource) Query(ctx context.Context, sql string, args []any, row func(cells []any) error) error {
	source, err := s.opened(ctx)
	if err != nil {
		return err
	}
	return source.Query(ctx, sql, args, row)
}

// Dialect is that of the database that callers read.
func (s buildSource) Dialect() dialect.Dialect { return s.serving.Dialect() }
