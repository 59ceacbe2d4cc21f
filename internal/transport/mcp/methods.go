package mcp

import (
	"context"
	"slices"

	"parlance/internal/jsontree"
	"parlance/internal/service"
	"parlance/internal/transport/jsonrpc"
)

// versions are the protocol versions that are served, oldest first; the first answers whoever names none of them
// (decision 08).
var versions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}

// dispatcher answers the requests of one body.
type dispatcher struct {
	handler *Handler
	caller  service.Caller
}

// Handle answers one request.
func (d *dispatcher) Handle(ctx context.Context, dst []byte, r *jsonrpc.Request) ([]byte, error) {
	if r.Method == "tools/call" {
		return d.call(ctx, dst, r)
	}
	if r.Repeated != nil {
		return dst, repeatedKey(r.Repeated)
	}
	switch r.Method {
	case "initialize":
		return d.handler.initialize(dst, r.Params)
	case "ping":
		return append(dst, "{}"...), nil
	case "tools/list":
		return append(dst, d.handler.list...), nil
	}
	return dst, methodNotFound(r.Method)
}

func (h *Handler) initialize(dst []byte, params jsontree.Node) ([]byte, error) {
	version := versions[0]
	asked, _ := params.Get("protocolVersion")
	switch {
	case asked.Kind == jsontree.Null:
	case asked.Kind != jsontree.String:
		return dst, badVersion(asked.Kind)
	case slices.Contains(versions, asked.Text):
		version = asked.Text
	}
	dst = append(dst, `{"protocolVersion":`...)
	dst = jsonrpc.AppendString(dst, version)
	return append(dst, h.handshake...), nil
}

// appendHandshake appends what an initialize result says after its protocol version.
func appendHandshake(dst []byte, version, instructions string) []byte {
	dst = append(dst, `,"capabilities":{"tools":{}},"serverInfo":{"name":"parlance","version":`...)
	dst = jsonrpc.AppendString(dst, version)
	dst = append(dst, `},"instructions":`...)
	dst = jsonrpc.AppendString(dst, instructions)
	return append(dst, '}')
}
