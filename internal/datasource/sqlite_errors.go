package datasource

import (
	"errors"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"parlance/internal/datasource/sqlitefn"
	"parlance/internal/fault"
)

// sqliteBounds are the errors by which SQLite refuses a statement that is too large for it.
var sqliteBounds = []string{"too many SQL variables", "Expression tree is too large", "parser stack overflow", "too many terms in compound SELECT", "at most 64 tables in a join"}

// fault maps the driver's errors. Its text decides only among the errors of our own functions, and is never shown.
func (d *sqliteDB) fault(err error) *fault.Error {
	var known *fault.Error
	if errors.As(err, &known) {
		return known
	}
	if errors.Is(err, errGone) {
		return unreachable(err)
	}
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return failed(err)
	}
	const primary = 0xff
	switch e.Code() & primary {
	case sqlite3.SQLITE_ERROR:
		switch {
		case strings.Contains(e.Error(), sqlitefn.ErrOverflow.Error()):
			return overflow(err)
		case strings.Contains(e.Error(), sqlitefn.ErrRange.Error()):
			return outOfRange(err)
		}
		for _, bound := range sqliteBounds {
			if strings.Contains(e.Error(), bound) {
				return tooComplex(err)
			}
		}
	case sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_FULL:
		return outOfMemory(err)
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_PROTOCOL,
		sqlite3.SQLITE_NOTADB: // half of a file, most likely
		return unreachable(err)
	}
	return failed(err)
}
