package jsonrpc

import (
	"fmt"
	"unicode/utf8"
)

// Code is an error code of JSON-RPC 2.0 (contract 7.1).
type Code int

// The codes.
const (
	ParseError     Code = -32700
	InvalidRequest Code = -32600
	MethodNotFound Code = -32601
	InvalidParams  Code = -32602
	InternalError  Code = -32603
)

// The codes that the Model Context Protocol adds.
const (
	HeaderMismatch     Code = -32020 // headers that do not say what the body says
	UnsupportedVersion Code = -32022 // of the protocol
)

// String returns the code's name as logs show it.
func (c Code) String() string {
	switch c {
	case ParseError:
		return "parse_error"
	case InvalidRequest:
		return "invalid_request"
	case MethodNotFound:
		return "method_not_found"
	case InvalidParams:
		return "invalid_params"
	case InternalError:
		return "internal"
	case HeaderMismatch:
		return "header_mismatch"
	case UnsupportedVersion:
		return "unsupported_protocol_version"
	}
	return "error"
}

// Error is the error of a response. All of it is shown to the caller.
type Error struct {
	Code    Code
	Message string
	Data    []byte // JSON; nil: none
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

func invalidf(format string, args ...any) *Error {
	return &Error{Code: InvalidRequest, Message: "Invalid request: " + fmt.Sprintf(format, args...)}
}

// internal is all that a caller learns of an error that is ours to mend (decision 14).
func internal(trace string) *Error {
	e := &Error{Code: InternalError, Message: "Internal error"}
	if trace != "" {
		e.Data = append(AppendString([]byte(`{"traceId":`), trace), '}')
	}
	return e
}

// maxEcho bounds, in bytes, how much of a caller's own text a message repeats.
const maxEcho = 200

// Clip returns s, or its beginning where it is too long to be repeated in a message.
func Clip(s string) string {
	if len(s) <= maxEcho {
		return s
	}
	cut := maxEcho
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}
