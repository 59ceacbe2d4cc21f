package datasource

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"parlance/internal/dialect"
)

// mysqlServer is what a server was found to have.
type mysqlServer struct {
	dialect dialect.MySQLServer
	session string // the statement that makes a new session ours
}

// The collations that a dialect needs, by the kind of server that has them, newest first.
var (
	textCollations = []string{"utf8mb4_nopad_bin", "utf8mb4_0900_bin"}
	caseCollations = []string{"utf8mb4_uca1400_as_cs", "utf8mb4_0900_as_cs", "utf8mb4_unicode_520_ci"}
)

// learn asks the server what it has and opens the first session.
func (m *mySQL) learn(ctx context.Context) error {
	opened, err := m.connector.Connect(ctx)
	if err != nil {
		return err
	}
	driver, ok := opened.(mysqlDriverConn)
	if !ok {
		return errors.Join(fmt.Errorf("the driver opened a %T", opened), opened.Close())
	}
	conn := &mysqlConn{mysqlDriverConn: driver}
	err = m.ask(ctx, conn)
	return errors.Join(err, conn.Close())
}

func (m *mySQL) ask(ctx context.Context, conn *mysqlConn) error {
	d := &m.server.dialect
	if d.Text = conn.first(ctx, textCollations); d.Text == "" {
		return errOldServer
	}
	d.Case = conn.first(ctx, caseCollations)
	d.Lag = conn.can(ctx, "SELECT LAG(n, 1, 0) OVER (ORDER BY n) FROM (SELECT 1 AS n) AS t")
	err := conn.each(ctx, "SELECT CONVERT_TZ('2024-01-01 12:00:00', '+00:00', 'Europe/Berlin') IS NOT NULL", func(cells []string) error {
		d.Zones = cells[0] == "1"
		return nil
	})
	if err != nil {
		return err
	}
	m.server.session, err = m.settings(ctx, conn)
	return err
}

// first returns the first of some collations that the server has; "" where it has none.
func (c *mysqlConn) first(ctx context.Context, collations []string) string {
	for _, name := range collations {
		if c.can(ctx, "SELECT _utf8mb4'a' COLLATE "+name) {
			return name
		}
	}
	return ""
}

func (c *mysqlConn) can(ctx context.Context, text string) bool {
	return c.each(ctx, text, func([]string) error { return nil }) == nil
}

// settings returns the statement that each session begins with: whatever the server's own defaults are, answers do not
// depend on them. Names that only some servers have are set where they are.
func (m *mySQL) settings(ctx context.Context, conn *mysqlConn) (string, error) {
	list := []string{
		"NAMES utf8mb4 COLLATE " + m.server.dialect.Text,
		"time_zone = '+00:00'", // instants are read and written as UTC
		"sql_mode = 'ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'",
		"autocommit = 1", "sql_notes = 0", "max_error_count = 1000",
		"div_precision_increment = 4",
		"max_sort_length = " + strconv.Itoa(mysqlSortLength),
		"group_concat_max_len = 4294967295",
	}
	seconds := m.timeout.Seconds() + 1 // the source's own time-out comes first
	optional := map[string]string{
		"max_statement_time": strconv.FormatFloat(seconds, 'f', 3, 64),
		"max_execution_time": strconv.FormatInt(int64(seconds*1000), 10),
		"join_cache_level":   "2", // MariaDB's joins by hashes lose rows that <=> matches by a null
	}
	err := conn.each(ctx, "SHOW SESSION VARIABLES WHERE Variable_name IN ('max_statement_time', 'max_execution_time', 'join_cache_level')", func(cells []string) error {
		if setting, ok := optional[cells[0]]; ok {
			list = append(list, cells[0]+" = "+setting)
		}
		return nil
	})
	return "SET " + strings.Join(list, ", "), err
}

// mysqlSortLength is how many bytes of a text are looked at when rows are sorted or grouped. The server's own default
// would put texts that differ only after a thousand bytes in no order.
const mysqlSortLength = 16384

// connect opens a session that only reads.
func (m *mySQL) connect(ctx context.Context) (*mysqlConn, error) {
	opened, err := m.connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	driver, ok := opened.(mysqlDriverConn)
	if !ok {
		return nil, errors.Join(fmt.Errorf("the driver opened a %T", opened), opened.Close())
	}
	conn := &mysqlConn{mysqlDriverConn: driver}
	if err := m.begin(ctx, conn); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return conn, nil
}

func (m *mySQL) begin(ctx context.Context, conn *mysqlConn) error {
	for _, text := range []string{m.server.session, "SET SESSION TRANSACTION READ ONLY"} {
		if _, err := conn.ExecContext(ctx, text, nil); err != nil {
			return err
		}
	}
	return conn.each(ctx, "SELECT CONNECTION_ID()", func(cells []string) error {
		conn.id = cells[0]
		return nil
	})
}

// rowsEnded is the error of reading rows to their end.
func rowsEnded(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
