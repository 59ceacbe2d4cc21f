package mcp

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"parlance/internal/service"
)

func TestACallerWhoHungUpIsNoted(t *testing.T) {
	ctx, record := service.WithRecord(t.Context())
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"dataset.query_model","arguments":{"model":"Gone","payload":{}}}}`
	reply := endpoint("analyst", &fake{}, quiet()).Dispatch(ctx, service.Caller{}, []byte(body))
	if record.Outcome != "cancelled" || reply.Err == nil {
		t.Errorf("outcome %q, reply %s", record.Outcome, reply.Body)
	}
}

func TestLimitsReachTheService(t *testing.T) {
	s := &fake{}
	body := []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"dataset.query_model","arguments":{"model":"Orders","payload":{}}}}`)
	endpoint("analyst", s, quiet()).Dispatch(t.Context(), service.Caller{}, body)
	if s.options.DefaultRows != 100 || s.options.MaxBytes != 60_000 || s.options.ShowSQL || s.options.Validate {
		t.Errorf("defaults: %+v", s.options)
	}
	New(Options{Role: Admin, Service: s, Log: quiet(), Limits: Limits{Rows: 7, Bytes: 900}}).Dispatch(t.Context(), service.Caller{}, body)
	if s.options.DefaultRows != 7 || s.options.MaxBytes != 900 {
		t.Errorf("settings: %+v", s.options)
	}
}

// FuzzDispatch feeds whole bodies to an endpoint that offers every tool: whatever they hold, the answer is valid JSON
// or none, a tool's text is JSON, and nothing of ours breaks.
func FuzzDispatch(f *testing.F) {
	for _, file := range []string{"testdata/protocol.txt", "testdata/query.txt", "testdata/tools.txt"} {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, line := range strings.Split(string(text), "\n") {
			if body, ok := strings.CutPrefix(line, "> "); ok {
				f.Add([]byte(body))
			}
			if call, ok := strings.CutPrefix(line, "call "); ok {
				tool, arguments, _ := strings.Cut(call, " ")
				f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}}`))
			}
		}
	}
	h := endpoint("admin", &fake{}, quiet())
	f.Fuzz(func(t *testing.T, body []byte) {
		if strings.Contains(string(body), "Panic") || strings.Contains(string(body), "Broken") || strings.Contains(string(body), "Plain") || strings.Contains(string(body), `\u`) {
			return // the fake's own failures
		}
		reply := h.Dispatch(t.Context(), service.Caller{}, body)
		if reply.Body == nil {
			return
		}
		if !json.Valid(reply.Body) || strings.Contains(string(reply.Body), `"code":-32603`) && strings.Contains(string(reply.Body), `"Internal error"`) {
			t.Fatalf("%s is answered with %s", body, reply.Body)
		}
		var envelope struct {
			Result struct{ Content []struct{ Text string } }
		}
		if json.Unmarshal(reply.Body, &envelope) == nil && len(envelope.Result.Content) == 1 && !json.Valid([]byte(envelope.Result.Content[0].Text)) {
			t.Fatalf("%s: text is no JSON: %s", body, reply.Body)
		}
	})
}

func BenchmarkPing(b *testing.B) { benchmark(b, &fake{}, ping) }

// BenchmarkQuery answers a query of a hundred rows.
func BenchmarkQuery(b *testing.B) {
	benchmark(b, &fake{answer: &service.Answer{Items: rowsOf(100), Returned: 100, Total: 100, Limit: 100}},
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"dataset.query_model","arguments":{"model":"Orders","payload":{"columns":["name","n"],"slice":[{"field":"n","op":">","value":0}],"limit":100}}}}`)
}

func benchmark(b *testing.B, s Service, body string) {
	b.Helper()
	h := endpoint("analyst", s, quiet())
	b.ReportAllocs()
	for b.Loop() {
		if reply := h.Dispatch(b.Context(), service.Caller{}, []byte(body)); reply.Err != nil {
			b.Fatal(reply.Err)
		}
	}
}
