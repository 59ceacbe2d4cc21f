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
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/duckdb/duckdb-go/v2"

	"parlance/internal/dialect"
	"parlance/internal/fault"
)

// duckDB is an embedded database, in memory, read from a file, or made of a folder of files. All its connections see one
// database.
type duckDB struct {
	name      string
	connector *duckdb.Connector
	free      *spare[*duckdb.Conn]
	temporary string      // the folder of what does not fit in memory
	mu        sync.Mutex  // held by who changes the tables of a folder
	folder    *duckFolder // nil: the tables are the database's own
	collated  bool        // tables of its file have columns that are declared with collations
}

var (
	errSealed     = errors.New("the source is sealed")
	errNotReading = errors.New("not a statement that reads")
	errNotLocked  = errors.New("external access or configuration is not locked")
)

var memoryPattern = regexp.MustCompile(`^[0-9]+(\.[0-9]+)? ?([KMGT]i?B)$`)

func openDuckDB(ctx context.Context, name string, c Config) (*duckDB, error) {
	address, err := duckDBAddress(name, c)
	if err != nil {
		return nil, err
	}
	d := &duckDB{name: name, free: newSpare(c.MaxConns, func(conn *duckdb.Conn) { _ = conn.Close() })}
	if d.folder, err = openFolder(name, c); err != nil {
		return nil, err
	}
	if d.temporary, err = os.MkdirTemp("", "parlance-duckdb-"); err != nil {
		return nil, unreadable(name, err)
	}
	if err = d.open(ctx, address, c); err != nil {
		return nil, notStarted(name, errors.Join(err, d.close()))
	}
	if err = d.refresh(ctx); err != nil {
		if f := (*fault.Error)(nil); errors.As(err, &f) {
			return nil, errors.Join(err, d.close())
		}
		return nil, unreadable(name, errors.Join(err, d.close()))
	}
	return d, nil
}

// duckDBAddress checks the settings and returns what stands before the ? of the driver's address. The driver reads
// the address as a URL, so characters that mean something there would silently cut the options off.
func duckDBAddress(name string, c Config) (string, error) {
	switch {
	case c.DSN != "":
		return "", badSetting(name, "dsn", "a duckdb datasource has no dsn; it has a path")
	case !memoryPattern.MatchString(c.Memory):
		return "", badSetting(name, "memory", "%q is no amount of memory like 2GB or 512MiB", c.Memory)
	case c.Path == "":
		return ":memory:", nil
	case strings.ContainsAny(c.Path, "?#%"):
		return "", badSetting(name, "path", "a path may not hold ?, # or %%")
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

// open starts the database and shuts its doors before any statement runs: external access cannot be switched off at
// start because the driver gives options in no order and the temporary folder must come first.
func (d *duckDB) open(ctx context.Context, address string, c Config) (err error) {
	options := url.Values{
		"temp_directory":               {d.temporary},
		"memory_limit":                 {c.Memory},
		"threads":                      {strconv.Itoa(c.Threads)},
		"autoinstall_known_extensions": {"false"},
		"autoload_known_extensions":    {"false"},
		"allow_community_extensions":   {"false"},
	}
	if c.Path != "" && !c.Create {
		options.Set("access_mode", "read_only")
	}
	if d.connector, err = duckdb.NewConnector(address+"?"+options.Encode(), nil); err != nil {
		return err
	}
	conn, err := d.take(ctx)
	if err != nil {
		return err
	}
	defer d.give(conn)
	settings := []string{
		"SET GLOBAL TimeZone = 'UTC'", // what a session's zone would decide must not depend on the machine
		"SET GLOBAL max_temp_directory_size = '" + strconv.FormatUint(diskSize(d.temporary)/10*9, 10) + "B'",
	}
	if d.folder != nil {
		settings = append(settings, "SET allowed_directories = ["+duckText(d.folder.root)+"]")
	}
	if c.Lines != nil {
		settings = append(settings, c.Lines.settings()...)
	}
	for _, setting := range append(settings, "SET enable_external_access = false", "SET lock_configuration = true") {
		if _, err := conn.ExecContext(ctx, setting, nil); err != nil {
			return err
		}
	}
	if d.collated, err = d.holds(ctx, "SELECT count(*) > 0 FROM duckdb_tables() WHERE contains(lower(sql), 'collate')"); err != nil {
		return err
	}
	return d.seal(ctx)
}

// seal checks the doors. A database in memory cannot be made read-only; only statements that read ever run on it.
func (d *duckDB) seal(ctx context.Context) error {
	locked, err := d.holds(ctx, `SELECT NOT current_setting('enable_external_access') AND current_setting('lock_configuration')
		AND NOT current_setting('autoinstall_known_extensions') AND NOT current_setting('autoload_known_extensions')`)
	if err == nil && !locked {
		return errNotLocked
	}
	return err
}

// holds asks for one boolean.
func (d *duckDB) holds(ctx context.Context, query string) (bool, error) {
	rows, err := d.query(ctx, query, nil)
	if err != nil {
		return false, err
	}
	defer rows.close()
	cells, err := rows.next()
	if err != nil {
		return false, err
	}
	is, _ := cells[0].(bool)
	return is, nil
}

func (d *duckDB) ping(ctx context.Context) error {
	rows, err := d.query(ctx, "SELECT 1", nil)
	if err != nil {
		return err
	}
	rows.close()
	return nil
}

func (d *duckDB) dialect() dialect.Dialect {
	if d.collated {
		return dialect.CollatedDuckDB()
	}
	return dialect.DuckDB()
}

// take returns a free connection or opens one. The gate bounds how many are taken.
func (d *duckDB) take(ctx context.Context) (*duckdb.Conn, error) {
	if conn, ok := d.free.take(); ok {
		return conn, nil
	}
	opened, err := d.connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	conn, ok := opened.(*duckdb.Conn)
	if !ok {
		return nil, fmt.Errorf("the driver opened a %T", opened)
	}
	return conn, nil
}

func (d *duckDB) give(conn *duckdb.Conn) { d.free.give(conn) }

// query runs a statement. Only one that reads is run, and only one: an address of a file or a second statement in the
// text cannot change anything.
func (d *duckDB) query(ctx context.Context, text string, args []any) (cursor, error) {
	conn, err := d.take(ctx)
	if err != nil {
		return nil, err
	}
	r := &duckRows{db: d, conn: conn, kind: duckdb.STATEMENT_TYPE_SELECT}
	if err := r.open(ctx, text, args); err != nil {
		if ctx.Err() != nil {
			settle(conn)
		}
		r.close()
		return nil, err
	}
	return r, nil
}

// settleTime is how long a connection on which nothing runs takes at most to answer.
const settleTime = 20 * time.Millisecond

// settle ends what a cancelled statement left running. The driver leaves one behind when its context ends after the
// statement was begun and before it is waited for, and the connection's next call would wait for its end; an interrupt
// during such a call ends both.
func settle(conn *duckdb.Conn) {
	const tries = 3
	for range tries {
		ctx, cancel := context.WithTimeout(context.Background(), settleTime)
		rows, err := conn.QueryContext(ctx, "SELECT 1", nil)
		cancel()
		if err == nil {
			_ = rows.Close()
			return
		}
	}
}

func (d *duckDB) close() error {
	for _, conn := range d.free.all() {
		_ = conn.Close()
	}
	var err error
	if d.connector != nil {
		err = d.connector.Close()
	}
	return errors.Join(err, os.RemoveAll(d.temporary))
}

// named gives arguments their places.
func named(args []any) ([]driver.NamedValue, error) {
	const hugeBits = 127
	out := make([]driver.NamedValue, len(args))
	for i, a := range args {
		v, err := argument(a)
		if err != nil {
			return nil, err
		}
		if n, ok := v.(*big.Int); ok && n.BitLen() > hugeBits {
			return nil, overflow(nil)
		}
		out[i] = driver.NamedValue{Ordinal: i + 1, Value: v}
	}
	return out, nil
}
