package mcp

import (
	"context"
	"crypto/rand"
	"net/http"

	"parlance/internal/transport/jsonrpc"
)

// sessionHeader names the client of a request. A name is given with the answer to initialize and remembered nowhere: it
// only tells the ids of one client from the equal ones of others, so that notifications/cancelled finds its request
// (decision 06). Requests are answered alike with any name, and without one.
const sessionHeader = "Mcp-Session-Id"

// The outcome of a request that nobody waits for any more, and its code.
const (
	cancelled       = "cancelled"
	statusCancelled = 499
)

// sessionLength is that of the names given here. Others are no names: two clients may have chosen the same.
var sessionLength = len(rand.Text())

// client returns the name of the client that sent a request, "" if it has none.
func client(h http.Header) string {
	if name := oneValue(h, sessionHeader); len(name) == sessionLength {
		return name
	}
	return ""
}

// cancellable lets a later request of the same client cancel this one. Either has a name, or nothing happens. The job is
// to be ended once the request is answered; it is nil for what cannot be cancelled.
func (h *Handler) cancellable(ctx context.Context, client string, m jsonrpc.Message) (context.Context, *job) {
	if client == "" || m.Method() == "notifications/cancelled" {
		return ctx, nil
	}
	id := m.ID()
	if id == "" {
		return ctx, nil
	}
	ctx, stop := context.WithCancel(ctx)
	return ctx, h.running.begin(requestOf(client, id), stop)
}

// cancel ends the request that a notification of the client names.
func (h *Handler) cancel(client string, m jsonrpc.Message) {
	named, _ := m.Params().Get("requestId")
	if id := jsonrpc.IDOf(named); client != "" && id != "" && m.Method() == "notifications/cancelled" {
		h.running.cancel(requestOf(client, id))
	}
}

// requestOf is the id of a client's request among those of all clients.
func requestOf(client string, id jsonrpc.ID) jsonrpc.ID { return jsonrpc.ID(client) + id }
