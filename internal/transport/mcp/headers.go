package mcp

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"

	"parlance/internal/jsontree"
	"parlance/internal/transport/jsonrpc"
)

// The headers that repeat, for whoever stands between, what the body of a request of the stateless era says.
const (
	versionHeader = "MCP-Protocol-Version"
	methodHeader  = "Mcp-Method"
	nameHeader    = "Mcp-Name"
)

// headers are the protocol's own headers of one HTTP request.
type headers struct{ version, method, name string }

func headersOf(h http.Header) *headers {
	return &headers{version: oneValue(h, versionHeader), method: oneValue(h, methodHeader), name: oneValue(h, nameHeader)}
}

// oneValue returns the value of a header. Different values are joined, as HTTP says, which none of them survives: two
// readers could take two of them.
func oneValue(h http.Header, name string) string {
	return strings.Join(slices.Compact(slices.Clone(h.Values(name))), ", ")
}

// checkVersion compares the version of the header with that of _meta, if there is one.
func (h *headers) checkVersion(meta jsontree.Node) error {
	switch {
	case h.version == "":
		return missingHeader(versionHeader)
	case meta.Kind == jsontree.String && meta.Text != h.version:
		return headerMismatch(versionHeader, h.version, meta.Text)
	}
	return nil
}

// checkRequest compares method and name. A body without a name has nothing to be repeated.
func (h *headers) checkRequest(r *jsonrpc.Request) error {
	if h.method == "" {
		return missingHeader(methodHeader)
	}
	if h.method != r.Method {
		return headerMismatch(methodHeader, h.method, r.Method)
	}
	if r.Method != "tools/call" {
		return nil
	}
	name, _ := r.Params.Get("name")
	if h.name == "" && (name.Kind != jsontree.String || name.Text == "") {
		return nil
	}
	if h.name == "" {
		return missingHeader(nameHeader)
	}
	given, ok := decodeHeader(h.name)
	if !ok {
		return badHeader(nameHeader)
	}
	if name.Kind != jsontree.String || given != name.Text {
		return headerMismatch(nameHeader, given, name.Text)
	}
	return nil
}

// decodeHeader reads a header's value, which stands in base64 where it is not plain ASCII: =?base64?5ZWG5ZOB?=
func decodeHeader(value string) (string, bool) {
	coded, ok := strings.CutPrefix(value, "=?base64?")
	if !ok {
		return value, true
	}
	coded, ok = strings.CutSuffix(coded, "?=")
	if !ok {
		return value, true
	}
	text, err := base64.StdEncoding.Strict().DecodeString(coded)
	return string(text), err == nil
}
