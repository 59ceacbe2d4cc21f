package service

import "context"

type callerKey struct{}

// WithCaller returns a context that carries who asks; the server sets it once, before any handler runs. The context's
// record takes note of it.
func WithCaller(ctx context.Context, c Caller) context.Context {
	RecordOf(ctx).Caller = c
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerOf returns who asks. Without WithCaller it is anonymous, in the default namespace, and has the trace id of the
// context's record.
func CallerOf(ctx context.Context) Caller {
	if c, ok := ctx.Value(callerKey{}).(Caller); ok {
		return c
	}
	return Caller{TraceID: RecordOf(ctx).Caller.TraceID}
}
