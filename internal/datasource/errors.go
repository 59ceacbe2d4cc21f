package datasource

import (
	"fmt"
	"strings"

	"parlance/internal/fault"
)

func overloaded(name string, cause error) *fault.Error {
	return &fault.Error{
		Kind: fault.Unavailable, Reason: "overloaded", Retryable: true, Cause: cause,
		Message: fmt.Sprintf("Datasource %q has more queries than it can take", name),
		Hint:    "try again in a moment",
	}
}

func timedOut(because string, cause error) *fault.Error {
	return &fault.Error{
		Kind: fault.Unavailable, Reason: "timeout", Retryable: true, Cause: cause,
		Message: "The query was stopped because " + because,
		Hint:    "narrow it: a shorter time range, fewer columns, fewer groups",
	}
}

func cancelled(cause error) *fault.Error {
	return &fault.Error{
		Kind: fault.Unavailable, Reason: "cancelled", Retryable: true, Cause: cause,
		Message: "The query was cancelled by its caller",
	}
}

func closing(name string) *fault.Error {
	return &fault.Error{
		Kind: fault.Unavailable, Reason: "closing", Retryable: true, Cause: errClosing,
		Message: fmt.Sprintf("Datasource %q is closing", name),
		Hint:    "try again in a moment",
	}
}

func unreachable(cause error) *fault.Error {
	return &fault.Error{
		Kind: fault.Unavailable, Reason: "unreachable", Retryable: true, Cause: cause,
		Message: "The database cannot be reached",
		Hint:    "try again in a moment",
	}
}

func outOfMemory(cause error) *fault.Error {
	return &fault.Error{
		Kind: fault.Unavailable, Reason: "out_of_memory", Retryable: true, Cause: cause,
		Message: "The query needs more memory than the database may use",
		Hint:    "narrow it: a shorter time range, fewer columns, fewer groups",
	}
}

func overflow(cause error) *fault.Error {
	return &fault.Error{
		Kind: fault.Invalid, Reason: "numeric_overflow", Cause: cause,
		Message: "A number of the query passes the 38 digits in which numbers are computed",
		Hint:    "narrow the rows, or multiply fewer large numbers",
	}
}

func outOfRange(cause error) *fault.Error {
	return &fault.Error{
		Kind: fault.Invalid, Reason: "out_of_range", Cause: cause,
		Message: "A value of the query is outside the range of the function or type that it is used with",
	}
}

func failed(cause error) *fault.Error {
	return fault.Internalf(cause, "The database could not run the query")
}

func unknownTable(source, schema, table string, cause error) *fault.Error {
	if schema != "" {
		table = schema + "." + table
	}
	return &fault.Error{
		Kind: fault.NotFound, Reason: "unknown_table", Got: table, Cause: cause,
		Message: fmt.Sprintf("Datasource %q has no table %q", source, table),
	}
}

func badQuery(source string, cause error) *fault.Error {
	f := fault.Invalidf("bad_sql", "", "Datasource %q cannot run the SQL of this source", source)
	f.Cause = cause
	return f
}

func unknownType(name, typ string) *fault.Error {
	f := fault.Invalidf("unknown_datasource_type", "type", "Datasource %q has the unknown type %q", name, typ)
	f.Got, f.Allowed, f.Closest = typ, types, fault.Closest(typ, types)
	return f
}

func badSetting(name, path, format string, args ...any) *fault.Error {
	return fault.Invalidf("bad_datasource", path, "Datasource %q: %s", name, fmt.Sprintf(format, args...))
}

func unreadable(name string, cause error) *fault.Error {
	f := fault.Invalidf("bad_datasource", "", "Datasource %q cannot be opened", name)
	f.Cause = cause
	return f
}

func notShown(column, native string) *fault.Error {
	return fault.Internalf(nil, "Column %q has the type %s, which cannot be shown", column, strings.ToLower(native))
}

func notLoaded(table string, cause error) *fault.Error {
	return fault.Internalf(cause, "Table %q could not be loaded", table)
}
