package service

import "context"

type callerKey struct{}

// WithCaller returns a context that carries who asks; the server sets it once, before any handler runs. The context's
// record takes note of it.
func WithCaller(ctx context.Context, c Caller) context.Context {
	RecordOf(ctx).Caller = c
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerOf returns who asks. Without WithCaller it is anonymous, in the default namespace.
func CallerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}
