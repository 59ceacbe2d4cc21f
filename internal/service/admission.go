package service

import (
	"context"

	"parlance/internal/datasource"
)

// owned is a database as one owner uses it: whatever statement is run counts with his others.
type owned struct {
	Source
	namespace, user string
}

// owner is whose statements are counted together: those of one user of a namespace, or of all who gave no name.
func (o owned) owner() string { return o.namespace + "\x00" + o.user }

// Query runs a statement for the owner.
func (o owned) Query(ctx context.Context, sql string, args []any, row func(cells []any) error) error {
	return o.Source.Query(datasource.WithOwner(ctx, o.owner()), sql, args, row)
}

// admitter is a source that takes in whole queries, each for the one who asks, so that none is refused half-way.
type admitter interface {
	// Admit returns the context of the query's statements, and what ends it.
	Admit(ctx context.Context, owner string) (context.Context, func(), error)
}

// admitted takes a place for a query.
func (o owned) admitted(ctx context.Context) (context.Context, func(), error) {
	a, ok := o.Source.(admitter)
	if !ok {
		return ctx, func() {}, nil
	}
	return a.Admit(ctx, o.owner())
}

// sharer is a source that can run statements over the same rows.
type sharer interface {
	Together(ctx context.Context, lanes ...[]datasource.Read) error
}

// together runs the statements of an admitted answer.
func (o owned) together(ctx context.Context, lanes ...[]datasource.Read) error {
	if s, ok := o.Source.(sharer); ok {
		return s.Together(ctx, lanes...)
	}
	return datasource.SideBySide(ctx, o.Query, lanes...)
}

// planner is a source whose database tells how it would run a statement.
type planner interface {
	Plan(ctx context.Context, sql string, args []any) (string, error)
}

// plan returns how the database would run a statement; "" where it does not tell.
func (o owned) plan(ctx context.Context, sql string, args []any) (string, error) {
	if p, ok := o.Source.(planner); ok {
		return p.Plan(datasource.WithOwner(ctx, o.owner()), sql, args)
	}
	return "", nil
}

// keeper is a source that knows which keys its database itself keeps unique; those need no check.
type keeper interface {
	Unique(ctx context.Context, schema, table string, columns []string) (bool, error)
}

// unique reports whether the database itself keeps a key unique, as far as it tells.
func (o owned) unique(ctx context.Context, schema, table string, columns []string) bool {
	k, ok := o.Source.(keeper)
	if !ok {
		return false
	}
	unique, err := k.Unique(datasource.WithOwner(ctx, o.owner()), schema, table, columns)
	return err == nil && unique
}
