package datasource

import (
	"context"
	"time"
)

type patienceKey struct{}

// WithPatience returns a context whose statements may run, and wait for a place, as long as d instead of the source's
// time-out. It is for work of the program's own, such as a load.
func WithPatience(ctx context.Context, d time.Duration) context.Context {
	return context.WithValue(ctx, patienceKey{}, d)
}

// patience is how long a statement of a context may run.
func (s *Source) patience(ctx context.Context) time.Duration {
	if d, ok := ctx.Value(patienceKey{}).(time.Duration); ok && d > 0 {
		return d
	}
	return s.timeout
}
