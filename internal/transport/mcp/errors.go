package mcp

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"parlance/internal/fault"
	"parlance/internal/jsontree"
	"parlance/internal/transport/jsonrpc"
)

// codes maps what the caller can mend to the code of a tool's error (decision 13). What is not here is ours to mend
// and becomes an internal error of the protocol (decision 14).
var codes = map[fault.Kind]int{
	fault.Invalid:      400,
	fault.Unauthorized: 403,
	fault.Forbidden:    403,
	fault.NotFound:     404,
	fault.Unavailable:  500,
}

// appendFault appends the text of a failed call, with the patch that mends it, if there is one. Empty fields are left
// out.
func appendFault(dst []byte, f *fault.Error, code int, patch []byte) []byte {
	dst = append(dst, `{"error":{"code":`...)
	dst = strconv.AppendInt(dst, int64(code), 10)
	dst = appendField(dst, "reason", f.Reason)
	dst = appendField(dst, "message", f.Message)
	dst = appendField(dst, "path", f.Path)
	dst = appendField(dst, "got", jsonrpc.Clip(f.Got))
	dst = appendStrings(dst, "allowed", f.Allowed)
	dst = appendStrings(dst, "closest", f.Closest)
	dst = appendField(dst, "hint", f.Hint)
	if f.Retryable || f.Kind == fault.Unavailable {
		dst = append(dst, `,"retryable":true`...)
	}
	if patch != nil {
		dst = append(appendKey(dst, "patch"), patch...)
	}
	return append(dst, "}}"...)
}

func outcome(f *fault.Error) string {
	if errors.Is(f, context.Canceled) {
		return cancelled
	}
	if f.Reason == "" {
		return "error"
	}
	return f.Reason
}

func methodNotFound(method string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.MethodNotFound, Message: "Method not found: " + jsonrpc.Clip(method)}
}

func repeatedKey(twice *jsontree.DuplicateError) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.InvalidRequest, Message: jsonrpc.Clip("Invalid request: " + twice.Error())}
}

func badVersion(got jsontree.Kind) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.InvalidParams, Message: "Invalid params: protocolVersion must be a string, not " + jsonrpc.KindName(got)}
}

func unknownTool(name string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.InvalidParams, Message: "Unknown tool: " + jsonrpc.Clip(name)}
}

func notAnObject(key string, got jsontree.Kind) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.InvalidParams, Message: fmt.Sprintf("Invalid params: %s must be an object, not %s", key, jsonrpc.KindName(got))}
}

// missing says that a required parameter is absent, or that what stands there cannot be it.
func missing(key string, got jsontree.Node, want jsontree.Kind, hint string) *jsonrpc.Error {
	var b strings.Builder
	b.WriteString("Missing required parameter: ")
	b.WriteString(key)
	switch {
	case got.Kind == jsontree.Null:
	case got.Kind == want:
		b.WriteString(" (it is empty)")
	default:
		fmt.Fprintf(&b, " (it must be %s, not %s)", jsonrpc.KindName(want), jsonrpc.KindName(got.Kind))
	}
	if hint != "" {
		b.WriteString(". ")
		b.WriteString(hint)
	}
	return &jsonrpc.Error{Code: jsonrpc.InvalidParams, Message: b.String()}
}

func unknownArgument(t *tool, key string, admin bool) error {
	var allowed []string
	for _, a := range t.args {
		if admin || !a.admin {
			allowed = append(allowed, a.name)
		}
	}
	key = jsonrpc.Clip(key)
	return fault.Invalidf("unknown_argument", key, "Unknown argument %q", key).With(func(e *fault.Error) {
		e.Got, e.Allowed, e.Closest = key, allowed, fault.Closest(key, allowed)
		if len(allowed) == 0 {
			e.Hint = "This tool takes no arguments."
		}
		if key == "model" && t.listing {
			e.Hint = "This tool lists models; dataset.describe_model_internal describes one."
		}
		if t.payload(key) {
			e.Closest, e.Hint = []string{"payload." + key}, key+" belongs inside payload."
		}
	})
}

func badChoice(key string, got jsontree.Node, allowed []string) error {
	shown := jsonrpc.Clip(got.Text)
	if got.Kind != jsontree.String {
		shown = jsonrpc.KindName(got.Kind)
	}
	return fault.Invalidf("bad_argument", key, "%s must be %s, not %s", key, strings.Join(allowed, " or "), shown).With(func(e *fault.Error) {
		e.Got, e.Allowed, e.Closest = shown, allowed, fault.Closest(got.Text, allowed)
	})
}

func badFlag(key string, got jsontree.Node) error {
	return fault.Invalidf("bad_argument", key, "%s must be true or false, not %s", key, jsonrpc.KindName(got.Kind)).With(func(e *fault.Error) {
		e.Got, e.Allowed = jsonrpc.Clip(string(got.Raw)), []string{"true", "false"}
	})
}

func repeatedInPayload(twice *jsontree.DuplicateError) error {
	path := strings.TrimPrefix(twice.Path, "params.arguments.")
	key := jsonrpc.Clip(twice.Key)
	return fault.Invalidf("repeated_key", path, "Key %q stands twice", key).With(func(e *fault.Error) { e.Got = key })
}

func sqlForAdminOnly() error {
	return &fault.Error{Kind: fault.Forbidden, Reason: "sql_not_shown", Path: "showSql", Message: "SQL is shown on the admin endpoint only"}
}
