// Package fault is the one error type of the service: what went wrong, in words that are safe to show a caller.
// It leaves the mapping to codes and envelopes to each transport.
package fault

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Kind says who can mend an error, and how. The zero Kind is Internal: what nobody classified is ours to mend.
type Kind uint8

// The kinds, from ours to the caller's.
const (
	Internal     Kind = iota // ours to mend; the caller learns nothing but a trace id
	Invalid                  // the request says something that cannot be honoured
	Unauthorized             // credentials are missing or refused
	Forbidden                // known, but not for this caller
	NotFound                 // no such model or namespace
	Unavailable              // overload or time-out: the same request may succeed later
)

// Error is an error whose every field but Cause may be shown to the caller.
type Error struct {
	Kind      Kind
	Reason    string   // a stable word for programs: unknown_field, bad_value, …
	Message   string   // one sentence for people
	Path      string   // where in the payload: slice[0].op
	Got       string   // what stood there
	Allowed   []string // what may stand there, at most ten
	Closest   []string // the allowed values nearest to Got, at most three
	Meant     string   // what Got is known to stand for, where that is more than a guess; Closest shows it
	Hint      string   // what to do next
	Retryable bool     // the same request may succeed later
	Cause     error    // for the log only, never shown
}

// Error returns the message with its path: what a log line or a terminal shows.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Path != "" {
		b.WriteString(e.Path)
		b.WriteString(": ")
	}
	b.WriteString(e.Message)
	if e.Cause != nil {
		b.WriteString(": ")
		b.WriteString(e.Cause.Error())
	}
	return b.String()
}

// Unwrap returns the cause, so that errors.Is sees context errors through a fault.
func (e *Error) Unwrap() error { return e.Cause }

// Text returns the message and all that helps to mend it, on one line, for envelopes that have a single string.
func (e *Error) Text() string {
	var b strings.Builder
	if e.Path != "" {
		b.WriteString(e.Path)
		b.WriteString(": ")
	}
	b.WriteString(e.Message)
	if len(e.Closest) > 0 {
		b.WriteString("; did you mean ")
		b.WriteString(quotedList(e.Closest, " or "))
		b.WriteString("?")
	}
	if len(e.Allowed) > 0 {
		b.WriteString("; allowed: ")
		b.WriteString(strings.Join(e.Allowed, ", "))
	}
	if e.Hint != "" {
		b.WriteString("; ")
		b.WriteString(e.Hint)
	}
	return b.String()
}

func quotedList(words []string, sep string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = strconv.Quote(w)
	}
	return strings.Join(quoted, sep)
}

// Invalidf makes an Invalid error at a path of the request.
func Invalidf(reason, path, format string, args ...any) *Error {
	return &Error{Kind: Invalid, Reason: reason, Path: path, Message: fmt.Sprintf(format, args...)}
}

// Internalf wraps a cause that only the log may show.
func Internalf(cause error, format string, args ...any) *Error {
	return &Error{Kind: Internal, Reason: "internal", Message: fmt.Sprintf(format, args...), Cause: cause}
}

// With returns e after the change; it exists so that an error can be built in one expression.
func (e *Error) With(change func(*Error)) *Error {
	change(e)
	return e
}

// Under returns the error with its path moved below prefix: a payload's slice[0] becomes param.slice[0].
// An error that is not a fault is returned unchanged.
func Under(prefix string, err error) error {
	if err == nil || prefix == "" {
		return err
	}
	var f *Error
	if !errors.As(err, &f) {
		return err
	}
	moved := *f
	switch {
	case moved.Path == "":
		moved.Path = prefix
	case moved.Path[0] == '[':
		moved.Path = prefix + moved.Path
	default:
		moved.Path = prefix + "." + moved.Path
	}
	return &moved
}

// As returns err as a fault; what is not one becomes Internal with err as its cause.
func As(err error) *Error {
	var f *Error
	if errors.As(err, &f) {
		return f
	}
	return &Error{Kind: Internal, Reason: "internal", Message: "Internal error", Cause: err}
}
