package datasource

import (
	"context"
)

// refresher is an engine that keeps something of what lies outside the database.
type refresher interface {
	refresh(ctx context.Context) error
}

// Refresh has a source of files read its folder again: tables of files that came, went or were changed. On error the
// tables stay as they were. Other sources have nothing to read again.
func (s *Source) Refresh(ctx context.Context) error {
	r, ok := s.current().(refresher)
	if !ok {
		return nil
	}
	leave, err := s.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	if err := r.refresh(ctx); err != nil {
		return s.outcome(ctx, err)
	}
	return nil
}
