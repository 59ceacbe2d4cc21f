package httpserver

import (
	"net/http"
	"strconv"

	"parlance/internal/service"
	"parlance/internal/transport/jsonrpc"
)

// face is how a part of the tree says no before its handler is reached.
type face interface {
	// refuse answers with an HTTP status and a message that is safe to show.
	refuse(w http.ResponseWriter, r *http.Request, status int, message string)
	// fail answers that something of ours went wrong; the caller learns the trace id and nothing else.
	fail(w http.ResponseWriter, r *http.Request)
}

// plainFace answers in one line of text.
type plainFace struct{}

func (plainFace) refuse(w http.ResponseWriter, _ *http.Request, status int, message string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	send(w, status, append([]byte(message), '\n'))
}

func (f plainFace) fail(w http.ResponseWriter, r *http.Request) {
	f.refuse(w, r, http.StatusInternalServerError, "Internal error (trace "+traceOf(r)+")")
}

// queryFace answers with the envelope of the query interface, which its handler knows how to write.
type queryFace struct{ QueryHandler }

func (f queryFace) refuse(w http.ResponseWriter, _ *http.Request, status int, message string) {
	f.Refuse(w, status, message)
}

func (f queryFace) fail(w http.ResponseWriter, r *http.Request) { f.Fail(w, traceOf(r)) }

// rpcFace answers with a JSON-RPC error whose id is null: at this point no id has been read.
type rpcFace struct{}

func (rpcFace) refuse(w http.ResponseWriter, _ *http.Request, status int, message string) {
	sendRPC(w, status, &jsonrpc.Error{Code: jsonrpc.InvalidRequest, Message: message})
}

// fail answers with status 500: a client that waits for its own id takes no notice of an error without one.
func (rpcFace) fail(w http.ResponseWriter, r *http.Request) {
	trace := append(jsonrpc.AppendString([]byte(`{"traceId":`), traceOf(r)), '}')
	sendRPC(w, http.StatusInternalServerError, &jsonrpc.Error{Code: jsonrpc.InternalError, Message: "Internal error", Data: trace})
}

func sendRPC(w http.ResponseWriter, status int, e *jsonrpc.Error) {
	w.Header().Set("Content-Type", "application/json")
	send(w, status, jsonrpc.AppendError(nil, nil, e))
}

// send writes a whole answer. A client that is gone is nobody's error.
func send(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// traceOf returns the request's trace id.
func traceOf(r *http.Request) string { return service.CallerOf(r.Context()).TraceID }
