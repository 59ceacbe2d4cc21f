package datasource

import (
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/jackc/pgx/v5/pgconn"

	"parlance/internal/fault"
)

// fault maps the server's errors by their codes; its text is never shown.
func (p *postgres) fault(err error) *fault.Error {
	var known *fault.Error
	if errors.As(err, &known) {
		return known
	}
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return postgresFault(e.Code, err)
	}
	var connecting *pgconn.ConnectError
	var parsing *pgconn.ParseConfigError
	switch {
	case errors.Is(err, errNotReading), errors.As(err, &parsing):
		return failed(err)
	case errors.As(err, &connecting), pgconn.Timeout(err), broken(err):
		return unreachable(err)
	}
	return failed(err)
}

// broken reports whether an error is the network's, or of a connection that is closed.
func broken(err error) bool {
	var network net.Error
	return errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) || pgconn.SafeToRetry(err)
}

// postgresFault says what a code of the server means. Its first two characters are a class.
func postgresFault(code string, err error) *fault.Error {
	switch code {
	case "22003": // numeric value out of range
		return overflow(err)
	case "22008", "22011", "22012", "22015", "2201B", "2201E", "2201F", "2201W", "54000":
		return outOfRange(err)
	case "53100", "53200", "53400":
		return outOfMemory(err)
	case "57014": // cancelled, by its own time-out or by an administrator
		return timedOut("the database ended it", err)
	case "08P01": // the protocol was broken, by us
		return failed(err)
	case "53300", "57P01", "57P02", "57P03", "57P05":
		return unreachable(err)
	}
	const class = 2
	if len(code) < class {
		return failed(err)
	}
	switch code[:class] {
	case "08":
		return unreachable(err)
	case "40": // a deadlock, or a standby that had to go on
		return interrupted(err)
	}
	return failed(err)
}

func interrupted(cause error) *fault.Error {
	return &fault.Error{
		Kind: fault.Unavailable, Reason: "interrupted", Retryable: true, Cause: cause,
		Message: "The database interrupted the query for the sake of another",
		Hint:    "try again in a moment",
	}
}

// unfit says why a server cannot serve.
func unfit(format string, args ...any) *fault.Error {
	return fault.Invalidf("bad_datasource", "", format, args...)
}

// notOpened is a fault of a datasource that could not be opened, with its name.
func notOpened(name string, f *fault.Error) *fault.Error {
	named := *f
	switch f.Kind {
	case fault.Unavailable:
		named.Message = fmt.Sprintf("The database of datasource %q cannot be reached", name)
	case fault.Invalid:
		named.Message = fmt.Sprintf("Datasource %q cannot be used: %s", name, f.Message)
	default:
		return unreadable(name, f.Cause)
	}
	return &named
}
