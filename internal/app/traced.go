package app

import (
	"context"

	"parlance/internal/datasource"
	"parlance/internal/service"
)

// traced is a datasource whose statements carry the trace id of the request that they answer.
type traced struct{ *datasource.Source }

// Query runs a statement behind a comment.
func (t traced) Query(ctx context.Context, sql string, args []any, row func(cells []any) error) error {
	return t.Source.Query(commented(ctx), sql, args, row)
}

// Together runs the statements of an answer behind comments.
func (t traced) Together(ctx context.Context, lanes ...[]datasource.Read) error {
	return t.Source.Together(commented(ctx), lanes...)
}

func commented(ctx context.Context) context.Context {
	if id := service.CallerOf(ctx).TraceID; id != "" {
		return datasource.WithComment(ctx, id)
	}
	return ctx
}
