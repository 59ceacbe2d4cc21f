package datasource

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"math/big"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"sync"

	"modernc.org/libc"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"parlance/internal/datasource/sqlitefn"
	"parlance/internal/dialect"
)

// sqliteDB is a database file. Its connections only read; loading opens one of its own that writes.
type sqliteDB struct {
	driver *sqlite.Driver
	path   string
	free   *spare[*sqliteConn]
	loads  sync.Mutex // held by who loads: a file has one writer
}

var (
	errNotQueryOnly = errors.New("a connection could still write or attach files")
	errNoHandle     = errors.New("the driver's connections cannot be interrupted")
)

func openSQLite(ctx context.Context, name string, c Config) (*sqliteDB, error) {
	path, err := sqlitePath(name, c)
	if err != nil {
		return nil, err
	}
	d := &sqliteDB{driver: &sqlite.Driver{}, path: path, free: newSpare(c.MaxConns, func(conn *sqliteConn) { _ = conn.close() })}
	if err := sqlitefn.Register(d.driver); err != nil {
		return nil, unreadable(name, err)
	}
	if c.Create {
		err = d.create()
	}
	if err == nil {
		err = d.seal(ctx)
	}
	if err != nil {
		return nil, unreadable(name, errors.Join(err, d.close()))
	}
	return d, nil
}

func sqlitePath(name string, c Config) (string, error) {
	switch {
	case c.DSN != "":
		return "", badSetting(name, "dsn", "a sqlite datasource has no dsn; it has a path")
	case c.Folder != "":
		return "", badSetting(name, "folder", "a sqlite datasource has no folder; it has a path")
	case c.Path == "":
		return "", badSetting(name, "path", "a sqlite datasource needs a path to its database file")
	}
	path, err := filepath.Abs(c.Path)
	if err != nil {
		return "", unreadable(name, err)
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() || err != nil && !c.Create {
		f := badSetting(name, "path", "there is no database file at its path")
		f.Cause = err
		return "", f
	}
	return path, nil
}

// create makes the file if there is none.
func (d *sqliteDB) create() error {
	conn, err := d.connect("rwc")
	if err != nil {
		return err
	}
	err = conn.exec("PRAGMA user_version")
	return errors.Join(err, conn.close())
}

// sqliteConn is one connection. It is used by one goroutine at a time, but for interrupt.
type sqliteConn struct {
	driver.Conn
	file   os.FileInfo // that it reads
	mu     sync.Mutex
	handle uintptr // of the database, which interrupts and limits need; 0 once closed
	turn   uint64  // counts the statements
}

// take returns a free connection or opens one, to the file that stands at the path now: what was opened before another
// took its place is closed. The gate bounds how many are taken.
func (d *sqliteDB) take() (*sqliteConn, error) {
	file, err := os.Stat(d.path)
	if err != nil {
		return nil, errors.Join(errGone, err)
	}
	for {
		conn, ok := d.free.take()
		if !ok {
			return d.reader(file)
		}
		if os.SameFile(conn.file, file) {
			return conn, nil
		}
		_ = conn.close()
	}
}

// reader opens a connection of queries and makes sure which file it reads.
func (d *sqliteDB) reader(file os.FileInfo) (*sqliteConn, error) {
	conn, err := d.connect("ro")
	if err != nil {
		return nil, err
	}
	conn.file = file
	if now, err := os.Stat(d.path); err != nil || !os.SameFile(file, now) {
		return nil, errors.Join(errGone, err, conn.close())
	}
	return conn, nil
}

// connect opens a connection that reads (ro), writes (rw) or may make the file (rwc). Words in double quotes are names
// and never text, the schema's own expressions may call nothing, and no other file can be attached.
func (d *sqliteDB) connect(mode string) (*sqliteConn, error) {
	options := url.Values{
		"mode": {mode}, "_dqs": {"0"}, "_defensive": {"1"}, "_busy_timeout": {"5000"},
		"_pragma": {"trusted_schema(0)", "cache_size(-16000)"},
	}
	if mode == "ro" {
		options.Set("_query_only", "1")
	}
	opened, err := d.driver.Open("file:" + (&url.URL{Path: d.path}).EscapedPath() + "?" + options.Encode())
	if err != nil {
		return nil, err
	}
	conn := &sqliteConn{Conn: opened}
	// The driver interrupts a statement only until its first row.
	if field := reflect.Indirect(reflect.ValueOf(opened)).FieldByName("db"); field.Kind() == reflect.Uintptr {
		conn.handle = uintptr(field.Uint())
	}
	if conn.handle == 0 {
		return nil, errors.Join(errNoHandle, opened.Close())
	}
	conn.call(func(tls *libc.TLS) { sqlite3.Xsqlite3_limit(tls, conn.handle, sqlite3.SQLITE_LIMIT_ATTACHED, 0) })
	return conn, nil
}

// call calls SQLite itself, unless the connection is closed.
func (c *sqliteConn) call(f func(tls *libc.TLS)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.handle == 0 {
		return
	}
	tls := libc.NewTLS()
	defer tls.Close()
	f(tls)
}

// begin counts a statement and has it interrupted when ctx is done, until the returned function is called: not the
// next one that runs on the connection.
func (c *sqliteConn) begin(ctx context.Context) (end func()) {
	c.mu.Lock()
	c.turn++
	turn := c.turn
	c.mu.Unlock()
	stop := context.AfterFunc(ctx, func() {
		c.call(func(tls *libc.TLS) {
			if c.turn == turn {
				sqlite3.Xsqlite3_interrupt(tls, c.handle)
			}
		})
	})
	return func() {
		if !stop() {
			c.mu.Lock()
			c.turn++
			c.mu.Unlock()
		}
	}
}

func (c *sqliteConn) exec(text string) error {
	execer, ok := c.Conn.(driver.ExecerContext)
	if !ok {
		return fmt.Errorf("the driver opened a %T", c.Conn)
	}
	_, err := execer.ExecContext(context.Background(), text, nil)
	return err
}

func (c *sqliteConn) close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.handle = 0
	return c.Conn.Close()
}

func (d *sqliteDB) give(conn *sqliteConn) { d.free.give(conn) }

// query runs a statement, if it is one and reads.
func (d *sqliteDB) query(ctx context.Context, text string, args []any) (cursor, error) {
	if !reads(text) {
		return nil, errNotReading
	}
	conn, err := d.take()
	if err != nil {
		return nil, err
	}
	r := &sqliteRows{db: d, conn: conn, end: conn.begin(ctx)}
	if err := r.open(text, args); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

// seal checks that the connections of queries only read.
func (d *sqliteDB) seal(ctx context.Context) error {
	rows, err := d.query(ctx, "SELECT (SELECT query_only FROM pragma_query_only), (SELECT count(*) FROM sqlite_schema)", nil)
	if err != nil {
		return err
	}
	defer rows.close()
	cells, err := rows.next()
	if err != nil {
		return err
	}
	if on, _ := cells[0].(int64); on != 1 {
		return errNotQueryOnly
	}
	return nil
}

func (d *sqliteDB) ping(ctx context.Context) error {
	rows, err := d.query(ctx, "SELECT count(*) FROM sqlite_schema", nil)
	if err != nil {
		return err
	}
	rows.close()
	return nil
}

func (d *sqliteDB) dialect() dialect.Dialect { return dialect.SQLite() }

func (d *sqliteDB) close() error {
	var errs []error
	for _, conn := range d.free.all() {
		errs = append(errs, conn.close())
	}
	return errors.Join(errs...)
}

// sqliteArguments gives arguments their places. An integer beyond 64 bits is text, which the dialect's functions read.
func sqliteArguments(args []any) ([]driver.NamedValue, error) {
	out := make([]driver.NamedValue, len(args))
	for i, a := range args {
		v, err := argument(a)
		if err != nil {
			return nil, err
		}
		if n, ok := v.(*big.Int); ok {
			v = n.String()
		}
		out[i] = driver.NamedValue{Ordinal: i + 1, Value: v}
	}
	return out, nil
}
