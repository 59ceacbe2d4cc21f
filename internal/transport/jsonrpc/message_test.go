package jsonrpc

import (
	"bytes"
	"context"
	"testing"
)

func TestMessage(t *testing.T) {
	for body, want := range map[string]struct {
		id     ID
		method string
		params string
	}{
		`{"jsonrpc":"2.0","id":1,"method":"a","params":{"x":1}}`: {id: "n1", method: "a", params: `{"x":1}`},
		`{"jsonrpc":"2.0","id":"1","method":"a"}`:                {id: "s1", method: "a"},
		`{"jsonrpc":"2.0","id":"\u0031","method":"\u0061"}`:      {id: "s1", method: "a"},
		`{"id":"a","id":"b","method":"a"}`:                       {id: "sa", method: "a"},
		`{"jsonrpc":"2.0","method":"a","params":[]}`:             {method: "a", params: "[]"},
		`{"id":null,"method":7}`:                                 {},
		`{"id":{"id":1}}`:                                        {},
		`[{"jsonrpc":"2.0","id":1,"method":"a"}]`:                {},
		`{`:   {},
		`"a"`: {},
	} {
		m := Read([]byte(body))
		if m.ID() != want.id || m.Method() != want.method || string(m.Params().Raw) != want.params {
			t.Errorf("%s: id %q, method %q, params %s", body, m.ID(), m.Method(), m.Params().Raw)
		}
	}
}

func TestSingleRefusesBatches(t *testing.T) {
	s := testServer(new(bytes.Buffer))
	s.Single = true
	const want = `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request: the body must be one request, not a batch"}}`
	for _, body := range []string{`[]`, `[{"jsonrpc":"2.0","id":1,"method":"echo"}]`, `[{"jsonrpc":"2.0","method":"notifications/x"}]`} {
		if reply := s.Serve(context.Background(), []byte(body), "", fake{}); string(reply.Body) != want || reply.Err == nil {
			t.Errorf("%s: %s", body, reply.Body)
		}
	}
	if reply := s.Serve(context.Background(), []byte(`{"jsonrpc":"2.0","id":1,"method":"echo"}`), "", fake{}); reply.Err != nil {
		t.Errorf("one request: %s", reply.Body)
	}
}

// inBatch answers whether its request stands in a batch.
type inBatch struct{}

func (inBatch) Handle(_ context.Context, dst []byte, r *Request) ([]byte, error) {
	if r.Batch {
		return append(dst, "true"...), nil
	}
	return append(dst, "false"...), nil
}

func TestARequestKnowsItsBatch(t *testing.T) {
	for body, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"method":"a"}`:   `{"jsonrpc":"2.0","id":1,"result":false}`,
		`[{"jsonrpc":"2.0","id":1,"method":"a"}]`: `[{"jsonrpc":"2.0","id":1,"result":true}]`,
	} {
		if reply := (&Server{}).Serve(context.Background(), []byte(body), "", inBatch{}); string(reply.Body) != want {
			t.Errorf("%s: %s", body, reply.Body)
		}
	}
}
