package service

import (
	"context"

	"parlance/internal/datasource"
)

// admitter is a source that takes in whole queries, each for the one who asks, so that none is refused half-way.
type admitter interface {
	// Admit returns the context of the query's statements, and what ends it.
	Admit(ctx context.Context, owner string) (context.Context, func(), error)
}

// admitted takes a place for a query at its source.
func (t target) admitted(ctx context.Context) (context.Context, func(), error) {
	a, ok := t.source.(admitter)
	if !ok {
		return ctx, func() {}, nil
	}
	return a.Admit(ctx, t.view.caller.owner())
}

// sharer is a source that can run statements over the same rows.
type sharer interface {
	Together(ctx context.Context, lanes ...[]datasource.Read) error
}

// together runs the statements of an answer.
func (t target) together(ctx context.Context, lanes ...[]datasource.Read) error {
	if s, ok := t.source.(sharer); ok {
		return s.Together(ctx, lanes...)
	}
	return datasource.SideBySide(ctx, t.source.Query, lanes...)
}

// owner is whose queries are counted together: those of one user of a namespace, or of all who gave no name.
func (c Caller) owner() string { return c.Namespace + "\x00" + c.Identity.User }
