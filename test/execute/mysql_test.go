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
	return func(ctx context.Context, log *slog.Logger, statements ...string) (*datasource.Source, func() error, error) {
		name := fmt.Sprintf("world%d", databases.Add(1))
		admin, err := sql.Open("mysql", server)
		if err != nil {
			return nil, nil, err
		}
		remove := func() error {
			_, err := admin.ExecContext(context.WithoutCancel(ctx), "DROP DATABASE "+name)
			return errors.Join(err, admin.Close())
		}
		if _, err := admin.ExecContext(ctx, "CREATE DATABASE "+name+" CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci"); err != nil {
			return nil, nil, errors.Join(err, admin.Close())
		}
		dsn := server[:strings.LastIndexByte(server, '/')+1] + name
		if err := execute(ctx, "mysql", dsn+"?time_zone=%27%2B00%3A00%27", statements); err != nil {
			return nil, nil, errors.Join(err, remove())
		}
		source, err := datasource.Open(ctx, "db", datasource.Config{Type: "mysql", DSN: dsn, MaxConns: 3}, log)
		if err != nil {
			return nil, nil, errors.Join(err, remove())
		}
		return source, remove, nil
	}
}
