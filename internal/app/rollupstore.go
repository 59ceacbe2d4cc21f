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

// rollupStore is a database in memory that is opened when the first rollup is loaded: most servers have none.
type rollupStore struct {
	config datasource.Config
	log    *slog.Logger

	mu     sync.Mutex
	source *datasource.Source
	closed bool
}

var errStoreClosed = errors.New("the rollups are closed")

func (s *rollupStore) opened(ctx context.Context) (*datasource.Source, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, fault.Internalf(errStoreClosed, "The rollups are closed")
	}
	if s.source != nil {
		return s.source, nil
	}
	source, err := datasource.Open(context.WithoutCancel(ctx), "rollups", s.config, s.log)
	s.source = source
	return source, err
}

// Load makes a table.
func (s *rollupStore) Load(ctx context.Context, t datasource.Table) error {
	source, err := s.opened(ctx)
	if err != nil {
		return err
	}
	return source.Load(ctx, t)
}

// Drop takes a table away.
func (s *rollupStore) Drop(ctx context.Context, table string) error {
	source, err := s.opened(ctx)
	if err != nil {
		return err
	}
	return source.Drop(ctx, table)
}

// Query runs a statement that reads rollups.
func (s *rollupStore) Query(ctx context.Context, sql string, args []any, row func(cells []any) error) error {
	source, err := s.opened(ctx)
	if err != nil {
		return err
	}
	return traced{source}.Query(ctx, sql, args, row)
}

// Ping reports whether the database answers.
func (s *rollupStore) Ping(ctx context.Context) error {
	source, err := s.opened(ctx)
	if err != nil {
		return err
	}
	return source.Ping(ctx)
}

// Dialect is that of DuckDB.
func (s *rollupStore) Dialect() dialect.Dialect { return dialect.DuckDB() }

func (s *rollupStore) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.source == nil {
		return nil
	}
	return s.source.Close()
}
