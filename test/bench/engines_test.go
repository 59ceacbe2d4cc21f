package bench

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	clickhousedriver "github.com/ClickHouse/clickhouse-go/v2/lib/driver"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"modernc.org/sqlite"

	"parlance/internal/datasource"
	"parlance/internal/datasource/sqlitefn"
	"parlance/internal/value"
	"parlance/test/servers"
	"parlance/test/shop"
)

// conns is how many connections either side may have.
const conns = 4

// engine is the shop on a database, and the same database by hand.
type engine struct {
	shop *shop.Shop
	seen *recorder
	hand func(ctx context.Context, text string, args []any) error // runs a statement and scans all its rows
}

var names = []string{"duckdb", "sqlite", "postgres", "mysql", "clickhouse"}

// open starts an engine, loads the demo, and opens it both ways.
func open(b *testing.B, name string, conns int) *engine {
	b.Helper()
	var c datasource.Config
	var hand func(context.Context, string, []any) error
	switch name {
	case "duckdb":
		c, hand = openDuckDB(b, conns)
	case "sqlite":
		c, hand = openSQLite(b, conns)
	case "postgres":
		c, hand = openPostgres(b, conns)
	case "mysql":
		c, hand = openMySQL(b, conns)
	case "clickhouse":
		c, hand = openClickHouse(b, conns)
	}
	c.MaxConns = conns
	r := &recorder{Source: shop.Again(b, c).Source}
	return &engine{shop: shop.Over(b, r.Source, r), seen: r, hand: hand}
}

// load fills a database and lets go of it.
func load(b *testing.B, c datasource.Config) {
	b.Helper()
	if err := shop.New(b, c).Source.Close(); err != nil {
		b.Fatal(err)
	}
}

func openDuckDB(b *testing.B, conns int) (datasource.Config, func(context.Context, string, []any) error) {
	b.Helper()
	folder := b.TempDir()
	c := datasource.Config{Type: "duckdb", Path: filepath.Join(folder, "shop.duckdb"), Create: true}
	load(b, c)
	c.Create = false
	copied := filepath.Join(folder, "copy.duckdb") // one process opens a file in one way
	copyFile(b, c.Path, copied)
	return c, overSQL(opened(b, "duckdb", copied+"?access_mode=read_only", conns))
}

func copyFile(b *testing.B, from, to string) {
	b.Helper()
	in, err := os.Open(from)
	if err != nil {
		b.Fatal(err)
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		b.Fatal(err)
	}
	defer out.Close()
	if _, err := io.Copy(out, in); err != nil {
		b.Fatal(err)
	}
}

func openSQLite(b *testing.B, conns int) (datasource.Config, func(context.Context, string, []any) error) {
	b.Helper()
	c := datasource.Config{Type: "sqlite", Path: filepath.Join(b.TempDir(), "shop.sqlite"), Create: true}
	load(b, c)
	c.Create = false
	d := &sqlite.Driver{}
	if err := sqlitefn.Register(d); err != nil {
		b.Fatal(err)
	}
	db := sql.OpenDB(connector{d, "file:" + c.Path + "?" + url.Values{"mode": {"ro"}, "_pragma": {"cache_size(-16000)"}}.Encode()})
	bound(b, db, conns)
	return c, overSQL(db)
}

// connector opens connections of a driver that has functions of its own.
type connector struct {
	driver driver.Driver
	dsn    string
}

// Connect opens a connection.
func (c connector) Connect(context.Context) (driver.Conn, error) { return c.driver.Open(c.dsn) }

// Driver returns the driver.
func (c connector) Driver() driver.Driver { return c.driver }

func openMySQL(b *testing.B, conns int) (datasource.Config, func(context.Context, string, []any) error) {
	b.Helper()
	c := datasource.Config{Type: "mysql", DSN: servers.StartMySQL(b)}
	load(b, c)
	settings := "?collation=utf8mb4_nopad_bin&join_cache_level=2&max_sort_length=16384&group_concat_max_len=4294967295&sql_mode=%27ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES%27"
	return c, overSQL(opened(b, "mysql", c.DSN+settings, conns))
}

func openPostgres(b *testing.B, conns int) (datasource.Config, func(context.Context, string, []any) error) {
	b.Helper()
	c := datasource.Config{Type: "postgres", DSN: servers.StartPostgres(b)}
	load(b, c)
	config, err := pgx.ParseConfig(c.DSN)
	if err != nil {
		b.Fatal(err)
	}
	config.DefaultQueryExecMode = pgx.QueryExecModeExec // one round trip, as a statement that is new each time
	config.RuntimeParams["jit"], config.RuntimeParams["TimeZone"] = "off", "UTC"
	db := stdlib.OpenDB(*config)
	bound(b, db, conns)
	return c, overSQL(db)
}

func openClickHouse(b *testing.B, conns int) (datasource.Config, func(context.Context, string, []any) error) {
	b.Helper()
	s := servers.RunClickHouse(b, 1, "UTC")
	c := datasource.Config{Type: "clickhouse", Addresses: s.Addresses, Database: "default", User: s.User, Password: s.Password}
	load(b, c)
	conn, err := clickhouse.Open(&clickhouse.Options{
		Addr: s.Addresses, Auth: clickhouse.Auth{Database: "default", Username: s.User, Password: s.Password}, MaxOpenConns: conns, MaxIdleConns: conns,
		Settings:    clickhouse.Settings{"join_use_nulls": 1, "decimal_check_overflow": 1, "max_query_size": 16 << 20, "readonly": 2},
		DialTimeout: time.Minute, // who waits for a connection waits that long
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := conn.Close(); err != nil {
			b.Error(err)
		}
	})
	return c, func(ctx context.Context, text string, args []any) error {
		rows, err := conn.Query(ctx, text+" SETTINGS join_default_strictness = 'ALL'", args...)
		if err != nil {
			return err
		}
		return scanned(rows)
	}
}

// scanned reads rows into variables of the columns' own types.
func scanned(rows clickhousedriver.Rows) error {
	defer rows.Close()
	types := rows.ColumnTypes()
	into := make([]any, len(types))
	for i, t := range types {
		into[i] = reflect.New(t.ScanType()).Interface()
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
	}
	return rows.Err()
}

func opened(b *testing.B, driver, dsn string, conns int) *sql.DB {
	b.Helper()
	db, err := sql.Open(driver, dsn)
	if err != nil {
		b.Fatal(err)
	}
	bound(b, db, conns)
	return db
}

func bound(b *testing.B, db *sql.DB, conns int) {
	b.Helper()
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	b.Cleanup(func() {
		if err := db.Close(); err != nil {
			b.Error(err)
		}
	})
}

// overSQL runs statements through database/sql.
func overSQL(db *sql.DB) func(context.Context, string, []any) error {
	return func(ctx context.Context, text string, args []any) error {
		rows, err := db.QueryContext(ctx, text, plain(args)...)
		if err != nil {
			return err
		}
		defer rows.Close()
		columns, err := rows.Columns()
		if err != nil {
			return err
		}
		cells, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range cells {
			into[i] = &cells[i]
		}
		for rows.Next() {
			if err := rows.Scan(into...); err != nil {
				return err
			}
		}
		return rows.Err()
	}
}

// plain returns arguments as Go's own values.
func plain(args []any) []any {
	out := make([]any, len(args))
	for i, a := range args {
		v, ok := a.(value.Value)
		if !ok {
			out[i] = a
			continue
		}
		switch v.Kind {
		case value.Integer:
			out[i], _ = strconv.ParseInt(v.Text, 10, 64)
		case value.Float:
			out[i], _ = strconv.ParseFloat(v.Text, 64)
		default:
			out[i] = v.Text
		}
	}
	return out
}
