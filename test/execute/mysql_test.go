package execute

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"parlance/internal/datasource"
	"parlance/test/servers"
)

// startMySQL makes a database of its own for each world.
func startMySQL(t testing.TB) opener {
	t.Helper()
	server := servers.StartMySQL(t)
	return func(ctx context.Context, log *slog.Logger) (*datasource.Source, func() error, error) {
		name := fmt.Sprintf("world%d", databases.Add(1))
		admin, err := sql.Open("mysql", server)
		if err != nil {
			return nil, nil, err
		}
		remove := func() error {
			_, err := admin.ExecContext(context.WithoutCancel(ctx), "DROP DATABASE "+name)
			return errors.Join(err, admin.Close())
		}
		if _, err := admin.ExecContext(ctx, "CREATE DATABASE "+name); err != nil {
			return nil, nil, errors.Join(err, admin.Close())
		}
		dsn := server[:strings.LastIndexByte(server, '/')+1] + name
		source, err := datasource.Open(ctx, "db", datasource.Config{Type: "mysql", DSN: dsn, MaxConns: 3}, log)
		if err != nil {
			return nil, nil, errors.Join(err, remove())
		}
		return source, remove, nil
	}
}
