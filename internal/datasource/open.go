package datasource

import (
	"context"
	"log/slog"
	"runtime"
	"time"
)

// Config is how a database is opened.
type Config struct {
	Type     string        // one of types
	DSN      string        // of databases that are reached by one
	Path     string        // of duckdb: a database file, opened read-only; "": a database in memory; of sqlite: its file
	Folder   string        // of duckdb: a folder of files as tables
	Lines    *Lines        // of duckdb: files of JSON lines as a table
	Create   bool          // of sqlite: a file that is not there is made, to be loaded
	MaxConns int           // statements that run at once; 0: 16
	MaxEach  int           // of those of one owner; 0: as many
	Queue    int           // statements that may wait for a place; 0: 64, negative: none
	Timeout  time.Duration // of a statement, and of waiting for a place; 0: 30 s

	Addresses []string // of clickhouse: HOST:PORT, tried in order
	Database  string   // of clickhouse
	Cluster   string   // of clickhouse: the cluster whose servers share the tables; "": the server stands alone
	User      string   // of clickhouse; "": default
	Password  string   // of clickhouse

	Memory  string // of duckdb: what it may use before it writes to a temporary folder; "": 2GB
	Threads int    // of duckdb; 0: one a processor
}

const (
	defaultConns   = 16
	defaultQueue   = 64
	defaultTimeout = 30 * time.Second
	defaultMemory  = "2GB"
)

// types are the kinds of database that can be opened.
var types = []string{"duckdb", "sqlite", "postgres", "mysql", "clickhouse"}

// Open opens a database and checks that it answers. What the configuration gets wrong is an Invalid fault.
func Open(ctx context.Context, name string, c Config, log *slog.Logger) (*Source, error) {
	c = c.withDefaults()
	start := time.Now()
	e, err := openEngine(ctx, name, c)
	if err != nil {
		return nil, err
	}
	log.InfoContext(ctx, "datasource opened", "datasource", name, "type", c.Type, "duration", time.Since(start))
	return newSource(ctx, name, c, log, e), nil
}

func newSource(ctx context.Context, name string, c Config, log *slog.Logger, e engine) *Source {
	s := &Source{name: name, engine: e, gate: newGate(c.MaxConns, max(0, c.Queue), c.MaxEach), timeout: c.Timeout, log: log}
	s.life, s.stop = context.WithCancelCause(context.WithoutCancel(ctx))
	return s
}

func openEngine(ctx context.Context, name string, c Config) (engine, error) {
	switch c.Type {
	case "duckdb":
		if c.Path == "" || c.Create {
			return openDuckDB(ctx, name, c)
		}
		return openReplaceable(ctx, c.Path, func(ctx context.Context) (engine, error) { return openDuckDB(ctx, name, c) })
	case "sqlite":
		return openSQLite(ctx, name, c)
	case "postgres":
		return openPostgres(ctx, name, c)
	case "mysql":
		return openMySQL(ctx, name, c)
	case "clickhouse":
		return openClickHouse(ctx, name, c)
	default:
		return nil, unknownType(name, c.Type)
	}
}

func (c Config) withDefaults() Config {
	if c.MaxConns <= 0 {
		c.MaxConns = defaultConns
	}
	if c.Queue == 0 {
		c.Queue = defaultQueue
	}
	if c.Timeout <= 0 {
		c.Timeout = defaultTimeout
	}
	if c.Memory == "" {
		c.Memory = defaultMemory
	}
	if c.Threads <= 0 {
		c.Threads = runtime.GOMAXPROCS(0)
	}
	return c
}
