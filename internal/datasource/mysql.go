package datasource

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"

	"parlance/internal/dialect"
	"parlance/internal/value"
)

// mySQL is a server of the MySQL family, reached over the network. Its sessions only read.
type mySQL struct {
	connector driver.Connector
	free      *spare[*mysqlConn]
	timeout   time.Duration
	server    mysqlServer
}

// mysqlConn is one session. Its id is what the server calls it.
type mysqlConn struct {
	mysqlDriverConn
	id string
}

// mysqlDriverConn is what the driver's connections can do.
type mysqlDriverConn interface {
	driver.Conn
	driver.ConnPrepareContext
	driver.QueryerContext
	driver.ExecerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// dialTime bounds connecting to a server that does not say how long it may take.
const dialTime = 10 * time.Second

var (
	errNotReadOnly = errors.New("sessions are not read-only")
	errOldServer   = errors.New("the server has no collation of utf8mb4 that compares by code point without padding; MySQL 8 and MariaDB 10.2 have one")
)

func openMySQL(ctx context.Context, name string, c Config) (*mySQL, error) {
	settings, err := mysqlSettings(name, c)
	if err != nil {
		return nil, err
	}
	m := &mySQL{free: newSpare(c.MaxConns, func(conn *mysqlConn) { _ = conn.Close() }), timeout: c.Timeout}
	if m.connector, err = mysql.NewConnector(settings); err != nil {
		return nil, unreadable(name, err)
	}
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	if err = m.learn(ctx); err == nil {
		err = m.seal(ctx)
	}
	if err != nil {
		return nil, notOpened(name, m.fault(errors.Join(err, m.close())))
	}
	return m, nil
}

// mysqlSettings reads the dsn. What it says beyond the way to the server and its database is overruled where answers
// depend on it. A dsn that cannot be read may hold a secret anywhere, so its error says nothing of it.
func mysqlSettings(name string, c Config) (*mysql.Config, error) {
	const form = "user:password@tcp(host:3306)/database"
	switch {
	case c.DSN == "":
		return nil, badSetting(name, "dsn", "a mysql datasource needs a dsn like %s", form)
	case c.Path != "":
		return nil, badSetting(name, "path", "a mysql datasource has no path; it has a dsn")
	case c.Folder != "":
		return nil, badSetting(name, "folder", "a mysql datasource has no folder; it has a dsn")
	}
	s, err := mysql.ParseDSN(c.DSN)
	if err != nil {
		return nil, badSetting(name, "dsn", "its dsn is not like %s", form)
	}
	if s.DBName == "" {
		return nil, badSetting(name, "dsn", "its dsn names no database; it is like %s", form)
	}
	if s.Timeout == 0 {
		s.Timeout = dialTime
	}
	s.ParseTime, s.InterpolateParams, s.MultiStatements, s.AllowAllFiles, s.ColumnsWithAlias = false, false, false, false, false
	s.Loc, s.Collation, s.Logger = time.UTC, "", &mysql.NopLogger{}
	return s, nil
}

func (m *mySQL) dialect() dialect.Dialect { return dialect.MySQL(m.server.dialect) }

// seal checks that sessions only read.
func (m *mySQL) seal(ctx context.Context) error {
	conn, err := m.take(ctx)
	if err != nil {
		return err
	}
	defer m.give(conn)
	return conn.each(ctx, "SHOW SESSION VARIABLES WHERE Variable_name IN ('tx_read_only', 'transaction_read_only')", func(cells []string) error {
		if cells[1] != "ON" {
			return errNotReadOnly
		}
		return nil
	})
}

func (m *mySQL) ping(ctx context.Context) error {
	conn, err := m.take(ctx)
	if err != nil {
		return err
	}
	if err := conn.Ping(ctx); err != nil {
		_ = conn.Close()
		return err
	}
	m.give(conn)
	return nil
}

// take returns a free connection that is still open, or opens one. The gate bounds how many are taken.
func (m *mySQL) take(ctx context.Context) (*mysqlConn, error) {
	for {
		conn, ok := m.free.take()
		if !ok {
			return m.connect(ctx)
		}
		if conn.IsValid() && conn.ResetSession(ctx) == nil {
			return conn, nil
		}
		_ = conn.Close()
	}
}

func (m *mySQL) give(conn *mysqlConn) { m.free.give(conn) }

// drop closes every free connection: where one was lost, the others most likely are.
func (m *mySQL) drop() {
	for _, conn := range m.free.all() {
		_ = conn.Close()
	}
}

// query runs a statement, once more on a new connection where the first was lost before it answered.
func (m *mySQL) query(ctx context.Context, text string, args []any) (cursor, error) {
	if !readsOnly(text) {
		return nil, errNotReading
	}
	bound, err := mysqlArguments(args)
	if err != nil {
		return nil, err
	}
	r, err := m.rows(ctx, text, bound)
	if err != nil && outOfTime(ctx) {
		m.drop()
	}
	if err != nil && connectionLost(err) && ctx.Err() == nil {
		m.drop()
		r, err = m.rows(ctx, text, bound)
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

func (m *mySQL) close() error {
	m.drop()
	return nil
}

// readsOnly reports whether a statement begins as one that reads. What begins with a comment that the server would
// run does not.
func readsOnly(text string) bool {
	for {
		text = strings.TrimLeft(text, " \t\r\n(")
		inner, ok := strings.CutPrefix(text, "/* ")
		if !ok {
			break
		}
		if _, text, ok = strings.Cut(inner, "*/"); !ok {
			return false
		}
	}
	word := text[:min(len(text), len("SELECT"))]
	return strings.EqualFold(word, "SELECT") || len(word) >= len("WITH") && strings.EqualFold(word[:len("WITH")], "WITH")
}

// mysqlArguments gives arguments their places. Times go as text, which keeps their digits, and integers of more than 64
// bits too.
func mysqlArguments(args []any) ([]driver.NamedValue, error) {
	out := make([]driver.NamedValue, len(args))
	for i, a := range args {
		v, err := argument(a)
		if err != nil {
			return nil, err
		}
		switch x := v.(type) {
		case nil, int64, float64, bool, string, []byte:
		case int:
			v = int64(x)
		case *big.Int:
			if len(x.Text(10)) > value.MaxPrecision+1 {
				return nil, overflow(nil)
			}
			v = x.Text(10)
		case time.Time:
			v = x.UTC().Format("2006-01-02 15:04:05.999999")
		default:
			return nil, fmt.Errorf("a %T cannot be bound", v)
		}
		out[i] = driver.NamedValue{Ordinal: i + 1, Value: v}
	}
	return out, nil
}

// each runs a statement of the engine's own, without arguments, and reads its rows as texts; a null is "".
func (c *mysqlConn) each(ctx context.Context, text string, row func(cells []string) error) (err error) {
	rows, err := c.QueryContext(ctx, text, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	raw := make([]driver.Value, len(rows.Columns()))
	cells := make([]string, len(raw))
	for {
		if err := rows.Next(raw); err != nil {
			return rowsEnded(err)
		}
		for i, v := range raw {
			cells[i] = mysqlText(v)
		}
		if err := row(cells); err != nil {
			return err
		}
	}
}

func mysqlText(v driver.Value) string {
	switch x := v.(type) {
	case []byte:
		return string(x)
	case string:
		return x
	case int64:
		return strconv.FormatInt(x, 10)
	case nil:
		return ""
	}
	return fmt.Sprint(v)
}
