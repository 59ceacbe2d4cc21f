package jsonrpc

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"
)

// FuzzServe holds the envelope to its promises: no panic, an answer that is valid JSON or none, ids as they were sent.
func FuzzServe(f *testing.F) {
	for _, c := range goldenCases(f, "testdata/envelope.txt") {
		f.Add([]byte(c.body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		reply := testServer(new(bytes.Buffer)).Serve(context.Background(), body, "trace", fake{})
		if reply.Body == nil {
			if !bytes.Contains(body, []byte("notifications")) && !bytes.Contains(body, []byte(`\u`)) && !bytes.Contains(body, []byte(`\/`)) {
				t.Fatalf("%q is left without an answer", body)
			}
			return
		}
		if !json.Valid(reply.Body) {
			t.Fatalf("%q is answered with %q", body, reply.Body)
		}
		checkEcho(t, body, reply.Body)
	})
}

// checkEcho reads the body once more with encoding/json: a result carries the id of its request byte for byte, an error
// carries null or bytes that were sent.
func checkEcho(t *testing.T, body, answer []byte) {
	t.Helper()
	type envelope struct {
		ID     json.RawMessage `json:"id"`
		Result json.RawMessage `json:"result"`
	}
	var got envelope
	if json.Unmarshal(answer, &got) != nil {
		return // a batch
	}
	if got.Result == nil {
		if id := string(got.ID); id != "null" && !bytes.Contains(body, got.ID) {
			t.Fatalf("%q: the answer's id %s was never sent", body, id)
		}
		return
	}
	if keys := map[string]json.RawMessage{}; json.Unmarshal(body, &keys) == nil && string(keys["id"]) != string(got.ID) {
		t.Fatalf("%q: id %s is answered as %s", body, keys["id"], got.ID)
	}
}

func FuzzAppendString(f *testing.F) {
	f.Add("a\"\\\x00é\xff😀")
	f.Fuzz(func(t *testing.T, s string) {
		var back string
		if err := json.Unmarshal(AppendString(nil, s), &back); err != nil {
			t.Fatal(err)
		}
		if back != string([]rune(s)) {
			t.Fatalf("%q came back as %q", s, back)
		}
	})
}

func BenchmarkServe(b *testing.B) {
	body := []byte(`{"jsonrpc":"2.0","id":1,"method":"echo","params":{"a":1}}`)
	s := &Server{}
	b.ReportAllocs()
	for b.Loop() {
		if reply := s.Serve(context.Background(), body, "t", fake{}); reply.Err != nil {
			b.Fatal(reply.Err)
		}
	}
}
