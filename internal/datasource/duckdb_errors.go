package datasource

import (
	"errors"
	"strings"

	"github.com/duckdb/duckdb-go/v2"

	"parlance/internal/fault"
)

// fault maps the driver's errors. Its text decides only among numbers that do not fit, and is never shown.
func (d *duckDB) fault(err error) *fault.Error {
	var known *fault.Error
	if errors.As(err, &known) {
		return known
	}
	var e *duckdb.Error
	if !errors.As(err, &e) {
		return failed(err)
	}
	if noRoom(e) {
		return diskFull(err)
	}
	if d.folder != nil && aboutFiles(e) {
		return brokenFile(err)
	}
	switch e.Type {
	case duckdb.ErrorTypeOutOfRange:
		if strings.Contains(e.Msg, "Overflow") {
			return overflow(err)
		}
		return outOfRange(err)
	case duckdb.ErrorTypeConversion:
		if strings.Contains(e.Msg, "out of range for the destination type") || strings.Contains(e.Msg, "Could not cast value") {
			return overflow(err)
		}
		if strings.Contains(e.Msg, "out of range") {
			return outOfRange(err)
		}
	case duckdb.ErrorTypeInvalidInput: // the dialect's own error() where the engine would go on with a wrong number
		if strings.HasSuffix(e.Msg, "numeric overflow") {
			return overflow(err)
		}
	case duckdb.ErrorTypeOutOfMemory:
		return outOfMemory(err)
	case duckdb.ErrorTypeConnection, duckdb.ErrorTypeFatal, duckdb.ErrorTypeIO:
		return unreachable(err)
	default:
	}
	return failed(err)
}

// aboutFiles reports whether an error is about the files of a folder: one that is gone, broken, being replaced, or that
// has other columns than when its table was made.
func aboutFiles(e *duckdb.Error) bool {
	switch e.Type {
	case duckdb.ErrorTypeIO:
		return true
	case duckdb.ErrorTypeInvalidInput:
		return strings.Contains(e.Msg, filesChanged) || strings.Contains(e.Msg, "file '") || strings.Contains(e.Msg, "File '") ||
			strings.Contains(e.Msg, `file "`)
	case duckdb.ErrorTypeBinder:
		return strings.Contains(e.Msg, filesAlias)
	default:
		return false
	}
}

func brokenFile(cause error) *fault.Error {
	return &fault.Error{
		Kind: fault.Unavailable, Reason: "unreadable_file", Retryable: true, Cause: cause,
		Message: "A file of the table cannot be read: it is gone, broken, being replaced, or has other columns than before",
		Hint:    "mend it and have the datasource read its folder again",
	}
}

func badFolder(name, format string, args ...any) *fault.Error {
	return badSetting(name, "folder", format, args...)
}

func unreadableFolder(name string, cause error) *fault.Error {
	f := badFolder(name, "its folder cannot be read")
	f.Cause = cause
	return f
}

// badFile names a file as it is called within its folder.
func badFile(name, file, wrong string, cause error) *fault.Error {
	f := badFolder(name, "the file %q %s", file, wrong)
	f.Cause = cause
	return f
}

// notStarted is the error of a database file that cannot be opened. One that is written elsewhere is not broken.
func notStarted(name string, cause error) *fault.Error {
	if strings.Contains(cause.Error(), "Conflicting lock") {
		f := badSetting(name, "path", "another program has its database file open")
		f.Cause = cause
		return f
	}
	return unreadable(name, cause)
}
