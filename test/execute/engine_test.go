package execute

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"parlance/internal/datasource"
)

// engine opens an empty database and says how to be rid of it once it is closed.
type engine func(ctx context.Context, log *slog.Logger) (*datasource.Source, func() error, error)

// engines are the databases that PARLANCE_ENGINE chooses among; duckdb when it is not set.
var engines = map[string]engine{"duckdb": openDuckDB, "sqlite": openSQLite, "postgres": openPostgres, "mysql": openMySQL, "clickhouse": openClickHouse, "cluster": openClickHouse}

// chosen is the name of the engine that the tests run on.
func chosen() string {
	if name := os.Getenv("PARLANCE_ENGINE"); name != "" {
		return name
	}
	return "duckdb"
}

func openEngine(ctx context.Context, name string) (*datasource.Source, func() error, error) {
	open, ok := engines[name]
	if !ok {
		return nil, nil, fmt.Errorf("PARLANCE_ENGINE: there is no engine %q", name)
	}
	return open(ctx, slog.New(slog.DiscardHandler))
}

func openDuckDB(ctx context.Context, log *slog.Logger) (*datasource.Source, func() error, error) {
	source, err := datasource.Open(ctx, "db", datasource.Config{Type: "duckdb", Threads: 1, MaxConns: 3, Memory: "256MB"}, log)
	return source, func() error { return nil }, err
}

func openSQLite(ctx context.Context, log *slog.Logger) (*datasource.Source, func() error, error) {
	folder, err := os.MkdirTemp("", "parlance-execute-")
	if err != nil {
		return nil, nil, err
	}
	remove := func() error { return os.RemoveAll(folder) }
	source, err := datasource.Open(ctx, "db", datasource.Config{Type: "sqlite", Path: filepath.Join(folder, "db.sqlite"), Create: true, MaxConns: 3}, log)
	if err != nil {
		return nil, nil, errors.Join(err, remove())
	}
	return source, remove, nil
}
