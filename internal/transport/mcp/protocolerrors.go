package mcp

import (
	"fmt"
	"net/http"

	"parlance/internal/jsontree"
	"parlance/internal/transport/jsonrpc"
)

// statusOf is the HTTP status of an answer of the stateless era. What is ours to mend travels with 200, as its code and
// trace id would be lost otherwise.
func statusOf(e *jsonrpc.Error) int {
	if e == nil {
		return http.StatusOK
	}
	switch e.Code {
	case jsonrpc.MethodNotFound:
		return http.StatusNotFound
	case jsonrpc.ParseError, jsonrpc.InvalidRequest, jsonrpc.InvalidParams, jsonrpc.HeaderMismatch, jsonrpc.UnsupportedVersion:
		return http.StatusBadRequest
	case jsonrpc.InternalError:
	}
	return http.StatusOK
}

func noBatch() *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.InvalidRequest, Message: "Invalid request: protocol version " + modernVersion + " has no batches"}
}

func missingHeader(name string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.HeaderMismatch, Message: "Header mismatch: the header " + name + " is missing"}
}

func badHeader(name string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.HeaderMismatch, Message: "Header mismatch: the base64 of the header " + name + " cannot be decoded"}
}

func headerMismatch(name, header, body string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.HeaderMismatch, Message: fmt.Sprintf("Header mismatch: the header %s says %q, the body says %q",
		name, jsonrpc.Clip(header), jsonrpc.Clip(body))}
}

func unsupportedVersion(asked string) *jsonrpc.Error {
	asked = jsonrpc.Clip(asked)
	data := appendStrings([]byte{'{'}, "supported", supported())
	data = jsonrpc.AppendString(appendKey(data, "requested"), asked)
	return &jsonrpc.Error{Code: jsonrpc.UnsupportedVersion, Message: "Unsupported protocol version: " + asked, Data: append(data, '}')}
}

// badMeta says that a required key of _meta is absent or cannot be what it must be.
func badMeta(key string, got jsontree.Node, want jsontree.Kind) *jsonrpc.Error {
	return missing("_meta[\""+key+"\"]", got, want, "")
}
