package mcp

import (
	"context"
	"slices"

	"parlance/internal/jsontree"
	"parlance/internal/service"
	"parlance/internal/transport/jsonrpc"
)

// versions are the protocol versions that begin with initialize, oldest first; the first answers whoever names none of
// them (decision 08).
var versions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}

// capabilities is what the server can do beside answering.
const capabilities = `{"tools":{}}`

// dispatcher answers the requests of one body.
type dispatcher struct {
	handler   *Handler
	caller    service.Caller
	headers   *headers // nil: what carries the body has none
	stateless bool     // a request was answered as one of the stateless era
}

// Handle answers one request in the era that it speaks.
func (d *dispatcher) Handle(ctx context.Context, dst []byte, r *jsonrpc.Request) ([]byte, error) {
	_, version := metaOf(r.Params)
	if d.headers != nil && isModern(d.headers.version) || speaksModern(version) {
		return d.modern(ctx, dst, r)
	}
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
	dst = append(dst, `,"capabilities":`+capabilities+`,"serverInfo":`...)
	dst = appendServerInfo(dst, version)
	dst = append(dst, `,"instructions":`...)
	dst = jsonrpc.AppendString(dst, instructions)
	return append(dst, '}')
}

// appendServerInfo appends who answers.
func appendServerInfo(dst []byte, version string) []byte {
	dst = append(dst, `{"name":"parlance","version":`...)
	return append(jsonrpc.AppendString(dst, version), '}')
}
