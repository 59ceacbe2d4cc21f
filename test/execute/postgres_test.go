package execute

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"parlance/internal/datasource"
	"parlance/test/servers"
)

// startPostgres makes a schema of its own for each world.
func startPostgres(t testing.TB) opener {
	t.Helper()
	server := servers.StartPostgres(t)
	return func(ctx context.Context, log *slog.Logger, statements ...string) (*datasource.Source, func() error, error) {
		name := fmt.Sprintf("world%d", databases.Add(1))
		admin := func(statement string) error {
			ctx := context.WithoutCancel(ctx)
			conn, err := pgconn.Connect(ctx, server)
			if err != nil {
				return err
			}
			return errors.Join(conn.Exec(ctx, statement).Close(), conn.Close(ctx))
		}
		if err := admin("CREATE SCHEMA " + name); err != nil {
			return nil, nil, err
		}
		remove := func() error {
			return admin("SET client_min_messages = warning; DROP SCHEMA " + name + " CASCADE")
		}
		for _, s := range statements {
			if err := admin("SET search_path = " + name + "; " + s); err != nil {
				return nil, nil, errors.Join(fmt.Errorf("%s: %w", s, err), remove())
			}
		}
		source, err := datasource.Open(ctx, "db", datasource.Config{Type: "postgres", DSN: server + "&search_path=" + name, MaxConns: 3}, log)
		if err != nil {
			return nil, nil, errors.Join(err, remove())
		}
		return source, remove, nil
	}
}
