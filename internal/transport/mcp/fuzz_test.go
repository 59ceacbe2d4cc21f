package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"parlance/internal/access"
	"parlance/internal/audit"
	"parlance/internal/transport/mcp"
)

// FuzzStdio holds that whatever a client says on its stream, every line that comes back is JSON, and the end of the stream
// is an end in peace.
func FuzzStdio(f *testing.F) {
	for _, s := range []string{
		"", "\n\n", `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n", "{\n}\n", "\xff\n[]\n[[]]\r\n", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}` + "\n",
		`{"jsonrpc":"2.0","id":"a","method":"tools/list"}` + "\n" + `[{"jsonrpc":"2.0","id":2,"method":"ping"},7]` + "\nno end of line",
	} {
		f.Add([]byte(s))
	}
	o := mcp.StdioOptions{
		Handler: mcp.New(mcp.Options{Role: mcp.Analyst, Service: orders{}, Log: silent(), Version: "1.2.3"}), Log: silent(),
		Authenticate: func(context.Context) (access.Identity, error) { return access.Identity{}, nil },
		Audit:        func(audit.Entry) {},
	}
	f.Fuzz(func(t *testing.T, said []byte) {
		var out bytes.Buffer
		if err := mcp.NewStdio(o).Serve(t.Context(), bytes.NewReader(said), &out); err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(out.Bytes()) {
			if !json.Valid(line) {
				t.Fatalf("%q is answered with %q", said, line)
			}
		}
	})
}
