package datasource

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"

	"github.com/go-sql-driver/mysql"

	"parlance/internal/fault"
)

// The errors and warnings of the server that mean something to a caller, by the numbers that it gives them.
const (
	mysqlTooManyConnections = 1040
	mysqlOutOfMemory        = 1037
	mysqlOutOfSortMemory    = 1038
	mysqlOutOfResources     = 1041
	mysqlShutdown           = 1053
	mysqlTableFull          = 1114
	mysqlTooManyTables      = 1116
	mysqlUserLimit          = 1203
	mysqlResourceLimit      = 1226
	mysqlGroupConcatCut     = 1260
	mysqlClamped            = 1264
	mysqlMixedCollations    = 1267
	mysqlPacketCut          = 1301
	mysqlInterrupted        = 1317
	mysqlTooManyArguments   = 1390
	mysqlStackOverrun       = 1436
	mysqlDateOverflow       = 1441
	mysqlOutOfRange         = 1690
	mysqlCastOverflow       = 1916
	mysqlKilled             = 1927
	mysqlRecursionCut       = 1931 // of MariaDB
	mysqlStatementTime      = 1969 // of MariaDB
	mysqlExecutionTime      = 3024 // of MySQL
	mysqlRecursionLimit     = 3636 // of MySQL
)

// warning is a warning of the server that makes an answer wrong: a number that was clamped, a text that was cut.
type warning struct {
	number  uint16
	message string
}

func (w *warning) Error() string { return fmt.Sprintf("warning %d: %s", w.number, w.message) }

// warnings returns what the server warned of while it ran the last statement, where that makes its answer wrong.
func (c *mysqlConn) warnings(ctx context.Context) error {
	var found *warning
	err := c.each(ctx, "SHOW WARNINGS", func(cells []string) error {
		if cells[0] != "Warning" { // an error of an earlier statement, which one without tables leaves there
			return nil
		}
		number, err := strconv.ParseUint(cells[1], 10, 16)
		if err != nil {
			return err
		}
		switch number {
		case mysqlGroupConcatCut, mysqlClamped, mysqlPacketCut, mysqlDateOverflow, mysqlOutOfRange, mysqlCastOverflow, mysqlRecursionCut:
			found = &warning{uint16(number), cells[2]}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if found != nil {
		return found
	}
	return nil
}

// answered reports whether an error is what the server answered, after which the connection serves on.
func answered(err error) bool {
	var e *mysql.MySQLError
	return errors.As(err, &e) && e.Number != mysqlShutdown && e.Number != mysqlKilled
}

// connectionLost reports whether an error means that there is no connection any more.
func connectionLost(err error) bool {
	var network net.Error
	return errors.Is(err, driver.ErrBadConn) || errors.Is(err, mysql.ErrInvalidConn) || errors.Is(err, io.EOF) ||
		errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &network) || numberOf(err) == mysqlShutdown || numberOf(err) == mysqlKilled
}

func numberOf(err error) uint16 {
	var e *mysql.MySQLError
	var w *warning
	switch {
	case errors.As(err, &e):
		return e.Number
	case errors.As(err, &w):
		return w.number
	}
	return 0
}

// fault maps the server's errors by their numbers; their texts are never shown.
func (m *mySQL) fault(err error) *fault.Error {
	var known *fault.Error
	if errors.As(err, &known) {
		return known
	}
	switch numberOf(err) {
	case mysqlClamped, mysqlOutOfRange, mysqlCastOverflow:
		return overflow(err)
	case mysqlDateOverflow:
		return outOfRange(err)
	case mysqlMixedCollations:
		return mixedCollations(err)
	case mysqlGroupConcatCut, mysqlPacketCut:
		return textTooLong(err)
	case mysqlRecursionCut, mysqlRecursionLimit:
		return treeTooDeep(err)
	case mysqlTooManyTables, mysqlTooManyArguments, mysqlStackOverrun:
		return tooComplex(err)
	case mysqlOutOfMemory, mysqlOutOfSortMemory, mysqlOutOfResources, mysqlTableFull:
		return outOfMemory(err)
	case mysqlStatementTime, mysqlExecutionTime:
		return timedOut(fmt.Sprintf("it took longer than it may (%s)", m.timeout), err)
	case mysqlTooManyConnections, mysqlUserLimit, mysqlResourceLimit, mysqlInterrupted:
		return unreachable(err)
	}
	if connectionLost(err) {
		return unreachable(err)
	}
	return failed(err)
}

func textTooLong(cause error) *fault.Error {
	return &fault.Error{
		Kind: fault.Invalid, Reason: "text_too_long", Cause: cause,
		Message: "A text that the query puts together is longer than the database may build",
		Hint:    "narrow the rows, or make more groups; a median is taken of the text of a group's values too",
	}
}

func mixedCollations(cause error) *fault.Error {
	return &fault.Error{
		Kind: fault.Invalid, Reason: "mixed_collations", Cause: cause,
		Message: "Two text columns that the model joins have different collations, which the database cannot compare",
		Hint:    "leave out the dimension, or have the model's author give both columns one collation",
	}
}

func treeTooDeep(cause error) *fault.Error {
	return &fault.Error{
		Kind: fault.Invalid, Reason: "tree_too_deep", Cause: cause,
		Message: "A hierarchy is deeper than the database follows, or goes in a circle",
	}
}

func tooComplex(cause error) *fault.Error {
	f := fault.Invalidf("too_complex", "", "the query is too complex to run")
	f.Cause = cause
	return f
}
