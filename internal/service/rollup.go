package service

import (
	"context"
	"slices"
	"time"

	"parlance/internal/compile"
	"parlance/internal/fault"
	"parlance/internal/semantic"
)

// Rollups knows what is kept of models beside their rows.
type Rollups interface {
	// Usable returns the rollups of a model of a namespace that are whole, of its present definition and young enough.
	Usable(namespace string, m *semantic.Model) []compile.Rollup
	// Source returns the database that holds a rollup.
	Source(r compile.Rollup) Source
	// Used takes note that a query was answered from a rollup, or could not be.
	Used(namespace string, r compile.Rollup, err error)
}

// RollupUse says which rollup an answer was read from, and how fresh it is.
type RollupUse struct {
	Name      string `json:"name"`
	BuiltAt   string `json:"builtAt"`             // the moment of the rows that it was built from
	Watermark string `json:"watermark,omitempty"` // the newest time among them
	Age       int64  `json:"-"`                   // seconds since BuiltAt
}

// overRollups lets the compiler read the rollups of the model that are not older than the caller takes; one who wants
// nothing that was kept is answered from the rows.
func (s *Service) overRollups(ctx context.Context, t target, req compile.Request) compile.Request {
	if s.Rollups == nil || len(t.Rollups) == 0 || ctx.Value(rowsKey{}) != nil {
		return req
	}
	control := cacheControlOf(ctx)
	if control.NoCache || control.NoStore {
		return req
	}
	req.Rollups = s.Rollups.Usable(t.view.caller.Namespace, t.Model)
	if control.MaxAge > 0 {
		req.Rollups = slices.DeleteFunc(req.Rollups, func(r compile.Rollup) bool { return s.Now().Sub(r.BuiltAt) > control.MaxAge })
	}
	return req
}

type rowsKey struct{}

// overRows returns a context whose queries are answered from the rows.
func overRows(ctx context.Context) context.Context { return context.WithValue(ctx, rowsKey{}, true) }

// unread reports whether a query failed because its rollup could not be read; the rows can.
func unread(c *compile.Compiled, err error) bool {
	return err != nil && c.Rollup != nil && fault.As(err).Kind == fault.Internal
}

// reading returns the target with the database that the statements read.
func (s *Service) reading(t target, c *compile.Compiled) target {
	if c.Rollup != nil {
		t.source.Source = noted{Source: s.Rollups.Source(*c.Rollup), rollups: s.Rollups, namespace: t.view.caller.Namespace, rollup: *c.Rollup}
	}
	return t
}

// rollupUse says which rollup the statements read, and notes it; nil: none.
func (s *Service) rollupUse(ctx context.Context, c *compile.Compiled) *RollupUse {
	r, record := c.Rollup, RecordOf(ctx)
	if record.Rollup = nil; r == nil {
		return nil
	}
	use := &RollupUse{
		Name: r.Definition.Rollup.Name, BuiltAt: r.BuiltAt.UTC().Format(time.RFC3339), Watermark: r.Watermark,
		Age: max(0, int64(s.Now().Sub(r.BuiltAt)/time.Second)),
	}
	record.Rollup = use
	return use
}

// noted is the database of a rollup, which is told of failures that are not the caller's.
type noted struct {
	Source
	rollups   Rollups
	namespace string
	rollup    compile.Rollup
}

// Query runs a statement.
func (n noted) Query(ctx context.Context, sql string, args []any, row func(cells []any) error) error {
	err := n.Source.Query(ctx, sql, args, row)
	if err == nil || fault.As(err).Kind == fault.Internal {
		n.rollups.Used(n.namespace, n.rollup, err)
	}
	return err
}

// Admit takes a place for a query where the database of rollups has places.
func (n noted) Admit(ctx context.Context, owner string) (context.Context, func(), error) {
	if a, ok := n.Source.(admitter); ok {
		return a.Admit(ctx, owner)
	}
	return ctx, func() {}, nil
}
