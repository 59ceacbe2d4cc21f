package datasource

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"parlance/internal/dialect"
)

// postgres is a PostgreSQL server, reached over connections of its own: the gate in front of them is the only queue.
// Values travel as text, which is exact and the same for every type.
type postgres struct {
	config *pgconn.Config
	free   *spare[*pgconn.PgConn]
	server dialect.PostgresServer
	paces  paces
	tables tables
}

// leastPostgres is the oldest version whose settings tell that a session only reads.
const leastPostgres = 14

// late is how much longer than ours the server's own time-out of a statement is: it only counts where ours could not.
const late = time.Second

func openPostgres(ctx context.Context, name string, c Config) (*postgres, error) {
	config, err := postgresConfig(name, c)
	if err != nil {
		return nil, err
	}
	p := &postgres{config: config, free: newSpare(c.MaxConns, hangUp)}
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	conn, err := p.dial(ctx)
	if err != nil {
		return nil, notOpened(name, p.fault(err))
	}
	if p.server.Folds, err = foldsText(ctx, conn); err != nil {
		hangUp(conn)
		return nil, notOpened(name, p.fault(err))
	}
	p.give(conn)
	return p, nil
}

// foldsText asks whether the database has columns in which texts are equal that differ.
func foldsText(ctx context.Context, conn *pgconn.PgConn) (bool, error) {
	results, err := conn.Exec(ctx, `SELECT 1 FROM pg_catalog.pg_attribute a LEFT JOIN pg_catalog.pg_collation c ON c.oid = a.attcollation
LEFT JOIN pg_catalog.pg_type t ON t.oid = a.atttypid WHERE a.attnum > 0 AND (NOT c.collisdeterministic OR t.typname = 'citext') LIMIT 1`).ReadAll()
	return len(results) > 0 && len(results[0].Rows) > 0, err
}

// postgresConfig reads the connection string. What is wrong with it is not repeated: it may hold a password.
func postgresConfig(name string, c Config) (*pgconn.Config, error) {
	switch {
	case c.DSN == "":
		return nil, badSetting(name, "dsn", "a postgres datasource needs a dsn such as postgres://user@host:5432/database")
	case c.Path != "":
		return nil, badSetting(name, "path", "a postgres datasource has no path; it has a dsn")
	case c.Folder != "":
		return nil, badSetting(name, "folder", "a postgres datasource has no folder; it has a dsn")
	}
	config, err := pgconn.ParseConfig(c.DSN)
	if err != nil {
		return nil, badSetting(name, "dsn", "its dsn is no connection string such as postgres://user@host:5432/database")
	}
	for setting, value := range postgresSession {
		config.RuntimeParams[setting] = value
	}
	if _, chosen := config.RuntimeParams["jit"]; !chosen { // it costs short queries more than it gives long ones
		config.RuntimeParams["jit"] = "off"
	}
	config.RuntimeParams["default_transaction_isolation"] = "read committed" // a statement sees what is there once it holds its tables
	config.RuntimeParams["statement_timeout"] = strconv.FormatInt((c.Timeout + late).Milliseconds(), 10)
	config.OnNotice = func(*pgconn.PgConn, *pgconn.Notice) {}
	return config, nil
}

// postgresSession is what every session is asked for. The server reports these settings, so that a proxy which swallows
// them is found out.
var postgresSession = map[string]string{
	"default_transaction_read_only": "on",
	"application_name":              "parlance",
	"client_encoding":               "UTF8",
	"DateStyle":                     "ISO, YMD",
	"TimeZone":                      "UTC",
	"standard_conforming_strings":   "on",
}

// dial opens a connection and checks that it is what every query relies on.
func (p *postgres) dial(ctx context.Context) (*pgconn.PgConn, error) {
	conn, err := pgconn.ConnectConfig(ctx, p.config)
	if err != nil {
		return nil, err
	}
	if err := checkSession(conn); err != nil {
		hangUp(conn)
		return nil, err
	}
	return conn, nil
}

func checkSession(conn *pgconn.PgConn) error {
	version := conn.ParameterStatus("server_version")
	digits := len(version) - len(strings.TrimLeft(version, "0123456789"))
	if major, err := strconv.Atoi(version[:digits]); err != nil || major < leastPostgres {
		return unfit("it is PostgreSQL %s, and %d is the oldest version that is supported", version, leastPostgres)
	}
	if encoding := conn.ParameterStatus("server_encoding"); encoding != "UTF8" {
		return unfit("its encoding is %s, and only UTF8 holds every text", encoding)
	}
	return checkSettings(conn)
}

// checkSettings looks at what the server last said of the session: a statement's own functions may change it.
func checkSettings(conn *pgconn.PgConn) error {
	for setting, want := range postgresSession {
		if got := conn.ParameterStatus(setting); got != want {
			return unfit("the session's %s is %q and not %q; a proxy between may not pass settings on", setting, got, want)
		}
	}
	return nil
}

// hangUp closes a connection and waits until the server has let go of what ran on it. A server that compiles a statement
// may miss the driver's request to cancel it, so that it is repeated.
func hangUp(conn *pgconn.PgConn) {
	soon := func(call func(context.Context) error) {
		ctx, cancel := context.WithTimeout(context.Background(), late)
		defer cancel()
		_ = call(ctx)
	}
	soon(conn.Close)
	again := time.NewTicker(late / 4)
	defer again.Stop()
	for {
		select {
		case <-conn.CleanupDone():
			return
		case <-again.C:
			soon(conn.CancelRequest)
		}
	}
}

// take returns a free connection or opens one. The gate bounds how many are taken.
func (p *postgres) take(ctx context.Context) (*pgconn.PgConn, error) {
	if conn, ok := p.free.take(); ok {
		return conn, nil
	}
	return p.dial(ctx)
}

// give takes a connection back unless it is broken, something still runs on it, or its session is not what it was.
func (p *postgres) give(conn *pgconn.PgConn) {
	const idle = 'I'
	if conn.IsClosed() || conn.IsBusy() || conn.TxStatus() != idle || checkSettings(conn) != nil {
		hangUp(conn)
		return
	}
	p.free.give(conn)
}

// forget closes the free connections: where one was lost, so may be the others.
func (p *postgres) forget() {
	for _, conn := range p.free.all() {
		hangUp(conn)
	}
}

// query runs a statement. When the connection is lost before the first row, it is run once more on a new one.
func (p *postgres) query(ctx context.Context, text string, args []any) (cursor, error) {
	if !reading(text) {
		return nil, errNotReading
	}
	bound, err := postgresArguments(args)
	if err != nil {
		return nil, err
	}
	conn, err := p.take(ctx)
	if err != nil {
		return nil, err
	}
	r := &postgresRows{db: p, conn: conn}
	err = r.start(ctx, text, bound)
	if err == nil {
		return r, nil
	}
	again := ctx.Err() == nil && postgresLost(conn, err)
	if again || outOfTime(ctx) {
		p.forget()
	}
	r.close()
	if !again {
		return nil, err
	}
	if conn, err = p.dial(ctx); err != nil {
		return nil, err
	}
	r = &postgresRows{db: p, conn: conn}
	if err := r.start(ctx, text, bound); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

// reading reports whether a statement is a SELECT. The protocol lets no second one stand behind it, and the session
// lets none write.
func reading(text string) bool {
	if rest, ok := strings.CutPrefix(text, "/*"); ok {
		_, text, _ = strings.Cut(rest, "*/")
	}
	const word = "SELECT"
	text = strings.TrimLeft(text, " \t\r\n(")
	return len(text) >= len(word) && strings.EqualFold(text[:len(word)], word)
}

// postgresLost reports whether an error means that the connection is gone and not that the statement is wrong.
func postgresLost(conn *pgconn.PgConn, err error) bool {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return postgresFault(e.Code, err).Reason == "unreachable"
	}
	return conn.IsClosed()
}

func (p *postgres) seal(ctx context.Context) error {
	cells, err := p.first(ctx, "SELECT current_setting('transaction_read_only') = 'on'")
	if err != nil {
		return err
	}
	if reads, _ := cells[0].(bool); !reads {
		return fmt.Errorf("the session may write: %v", cells)
	}
	return nil
}

func (p *postgres) ping(ctx context.Context) error {
	_, err := p.first(ctx, "SELECT 1")
	return err
}

// first returns the first row of a statement that has one.
func (p *postgres) first(ctx context.Context, text string) ([]any, error) {
	rows, err := p.query(ctx, text, nil)
	if err != nil {
		return nil, err
	}
	defer rows.close()
	return rows.next()
}

func (p *postgres) dialect() dialect.Dialect { return dialect.Postgres(p.server) }

func (p *postgres) close() error {
	p.forget()
	return nil
}
