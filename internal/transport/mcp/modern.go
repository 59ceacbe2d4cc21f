package mcp

import (
	"context"
	"slices"
	"time"

	"parlance/internal/jsontree"
	"parlance/internal/transport/jsonrpc"
)

// modernVersion is the stateless protocol: every request says in its _meta what initialize said once (decision 09).
const modernVersion = "2026-07-28"

// The keys of _meta that the stateless protocol reads and writes.
const (
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaClient       = "io.modelcontextprotocol/clientInfo"
	metaServer       = "io.modelcontextprotocol/serverInfo"
)

// listTTL is how long a client may keep a list of tools, which is the same until the server is started anew.
const listTTL = 5 * time.Minute

// supported are the protocol versions of both eras, newest first.
func supported() []string {
	all := append(slices.Clone(versions), modernVersion)
	slices.Reverse(all)
	return all
}

// isModern reports whether a version is of the stateless era, served or not.
func isModern(version string) bool {
	_, err := time.Parse(time.DateOnly, version)
	return err == nil && version >= modernVersion
}

// metaOf returns the _meta of a request and the protocol version that it names there. _meta alone is no sign of the
// stateless era: progress tokens live there too.
func metaOf(params jsontree.Node) (meta, version jsontree.Node) {
	meta, _ = params.Get("_meta")
	version, _ = meta.Get(metaVersion)
	return meta, version
}

// speaksModern reports whether a _meta's version makes a request one of the stateless era. A version that initialize
// knows does not: it is served as what it is.
func speaksModern(version jsontree.Node) bool {
	return version.Kind != jsontree.Null && !slices.Contains(versions, version.Text)
}

// modern answers a request of the stateless era.
func (d *dispatcher) modern(ctx context.Context, dst []byte, r *jsonrpc.Request) ([]byte, error) {
	if r.Batch {
		return dst, noBatch()
	}
	d.stateless = true
	if err := d.checkVersion(r); err != nil {
		return dst, err
	}
	if r.Method == "tools/call" {
		return d.modernCall(ctx, dst, r)
	}
	var result []byte
	switch r.Method {
	case "server/discover":
		result = d.handler.discovery
	case "tools/list":
		result = d.handler.modernList
	default:
		return dst, methodNotFound(r.Method)
	}
	if err := d.checkRequest(r); err != nil {
		return dst, err
	}
	if r.Repeated != nil {
		return dst, repeatedKey(r.Repeated)
	}
	return append(dst, result...), nil
}

func (d *dispatcher) modernCall(ctx context.Context, dst []byte, r *jsonrpc.Request) ([]byte, error) {
	if err := d.checkRequest(r); err != nil {
		return dst, err
	}
	dst, err := d.call(ctx, dst, r)
	if err != nil {
		return dst, err
	}
	return append(dst[:len(dst)-1], d.handler.signature...), nil
}

// checkVersion checks that header and _meta name one version, and that it is served.
func (d *dispatcher) checkVersion(r *jsonrpc.Request) error {
	_, version := metaOf(r.Params)
	if version.Kind != jsontree.Null && version.Kind != jsontree.String {
		return badMeta(metaVersion, version, jsontree.String)
	}
	asked := version.Text
	if d.headers != nil {
		if err := d.headers.checkVersion(version); err != nil {
			return err
		}
		asked = d.headers.version
	}
	if asked != modernVersion {
		return unsupportedVersion(asked)
	}
	return nil
}

// checkRequest checks what every request of the stateless era must say of itself.
func (d *dispatcher) checkRequest(r *jsonrpc.Request) error {
	if d.headers != nil {
		if err := d.headers.checkRequest(r); err != nil {
			return err
		}
	}
	meta, version := metaOf(r.Params)
	if version.Kind != jsontree.String {
		return badMeta(metaVersion, version, jsontree.String)
	}
	if c, _ := meta.Get(metaCapabilities); c.Kind != jsontree.Object {
		return badMeta(metaCapabilities, c, jsontree.Object)
	}
	if c, ok := meta.Get(metaClient); ok && c.Kind != jsontree.Object {
		return badMeta(metaClient, c, jsontree.Object)
	}
	return nil
}

// sign makes the answers of the stateless era, which are the same for every request, and what stands at the end of the
// others.
func (h *Handler) sign(version, instructions string) {
	h.signature = append(appendServerInfo([]byte(`,"resultType":"complete","_meta":{"`+metaServer+`":`), version), "}}"...)
	cached := appendNumber([]byte{' '}, "ttlMs", listTTL.Milliseconds())[1:]
	cached = appendField(cached, "cacheScope", "private")
	finish := func(result []byte) []byte {
		return slices.Concat(result[:len(result)-1], cached, h.signature)
	}
	discovery := appendStrings([]byte{'{'}, "supportedVersions", supported())
	discovery = append(discovery, `,"capabilities":`+capabilities...)
	discovery = appendField(discovery, "instructions", instructions)
	h.discovery = finish(append(discovery, '}'))
	h.modernList = finish(h.list)
}
