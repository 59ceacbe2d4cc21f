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
	if id := service.CallerOf(ctx).TraceID; id != "" {
		ctx = datasource.WithComment(ctx, id)
	}
	return t.Source.Query(ctx, sql, args, row)
}
