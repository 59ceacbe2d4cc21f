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
