package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/service"
)

const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

func TestHTTP(t *testing.T) {
	for name, c := range map[string]struct {
		method, body string
		headers      map[string]string
		status       int
		want         string // "": not looked at
	}{
		"decision-06-answer":                 {body: ping, status: 200, want: `{"jsonrpc":"2.0","id":1,"result":{}}`},
		"decision-06-error-travels-with-200": {body: `{`, status: 200},
		"decision-06-accept-is-ignored":      {body: ping, headers: map[string]string{"Accept": "text/html", "Mcp-Session-Id": "x", "Last-Event-ID": "9"}, status: 200},
		"decision-06-charset":                {body: ping, headers: map[string]string{"Content-Type": "Application/JSON; charset=utf-8"}, status: 200},
		"decision-06-vendor-json":            {body: ping, headers: map[string]string{"Content-Type": "application/vnd.x+json"}, status: 200},
		"decision-06-text-plain":             {body: ping, headers: map[string]string{"Content-Type": "text/plain"}, status: 415},
		"decision-06-not-a-media-type":       {body: ping, headers: map[string]string{"Content-Type": ";;"}, status: 415},
		"decision-06-event-stream":           {body: ping, headers: map[string]string{"Content-Type": "text/event-stream"}, status: 415},
		"decision-06-get":                    {method: "GET", status: 405},
		"decision-06-delete":                 {method: "DELETE", status: 405},
		"decision-06-put":                    {method: "PUT", body: ping, status: 405},
		"decision-02-notification":           {body: `{"jsonrpc":"2.0","method":"notifications/initialized"}`, status: 202},
		"decision-10-only-notifications":     {body: `[{"jsonrpc":"2.0","method":"notifications/initialized"}]`, status: 202},
		"decision-06-oldest-version":         {body: ping, headers: map[string]string{"MCP-Protocol-Version": "2024-11-05"}, status: 200},
		"decision-06-newest-version":         {body: ping, headers: map[string]string{"MCP-Protocol-Version": "2025-11-25"}, status: 200},
		"decision-06-unknown-version": {body: ping, headers: map[string]string{"MCP-Protocol-Version": "2020-01-01"}, status: 400,
			want: `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request: unsupported MCP-Protocol-Version 2020-01-01; supported: 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05"}}`},
		"decision-06-body-over-the-limit": {body: `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 3000) + `"}`, status: 413,
			want: `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request: the body is larger than 2048 bytes"}}`},
		"a-body-longer-than-the-first-buffer": {body: strings.Repeat(" ", 2000) + ping, status: 200, want: `{"jsonrpc":"2.0","id":1,"result":{}}`},
	} {
		t.Run(name, func(t *testing.T) {
			h := endpoint("analyst", &fake{}, quiet())
			r := httptest.NewRequestWithContext(t.Context(), orPost(c.method), "/mcp/analyst/rpc", io.NopCloser(strings.NewReader(c.body)))
			for k, v := range c.headers {
				r.Header.Set(k, v)
			}
			w := httptest.NewRecorder()
			r.Body = http.MaxBytesReader(w, r.Body, 2048)
			h.ServeHTTP(w, r)
			checkAnswer(t, w, c.status)
			if c.want != "" && w.Body.String() != c.want {
				t.Errorf("\n got %s\nwant %s", w.Body, c.want)
			}
		})
	}
}

func orPost(method string) string {
	if method == "" {
		return http.MethodPost
	}
	return method
}

// checkAnswer checks what holds for every answer.
func checkAnswer(t *testing.T, w *httptest.ResponseRecorder, status int) {
	t.Helper()
	if w.Code != status {
		t.Errorf("status %d, want %d: %s", w.Code, status, w.Body)
	}
	if status == http.StatusAccepted {
		if w.Body.Len() > 0 {
			t.Errorf("a notification is answered with %s", w.Body)
		}
		return
	}
	if !json.Valid(w.Body.Bytes()) || w.Header().Get("Content-Type") != "application/json" {
		t.Errorf("%s body %s", w.Header().Get("Content-Type"), w.Body)
	}
	if allow := w.Header().Get("Allow"); (status == http.StatusMethodNotAllowed) != (allow == "POST") {
		t.Errorf("Allow: %q", allow)
	}
}

type brokenBody struct{}

func (brokenBody) Read([]byte) (int, error) { return 0, errors.New("secret connection text") }

func TestABodyThatCannotBeReadIsRefused(t *testing.T) {
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(t.Context(), "POST", "/", brokenBody{})
	endpoint("analyst", &fake{}, quiet()).ServeHTTP(w, r)
	checkAnswer(t, w, http.StatusBadRequest)
	if strings.Contains(w.Body.String(), "secret") {
		t.Errorf("the caller learns %s", w.Body)
	}
}

func TestTheCallerReachesTheService(t *testing.T) {
	s := &fake{}
	want := service.Caller{Namespace: "empty", TraceID: "t-9"}
	h := New(Options{Role: Analyst, Service: s, Log: quiet(), Caller: func(*http.Request) service.Caller { return want }})
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"dataset.list_models"}}`
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), "POST", "/", strings.NewReader(body)))
	if diff := cmp.Diff(want, s.caller); diff != "" {
		t.Error(diff)
	}
	h = New(Options{Role: Analyst, Service: s, Log: quiet()})
	ctx := service.WithCaller(t.Context(), service.Caller{TraceID: "t-10"})
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, "POST", "/", strings.NewReader(body)))
	if s.caller.TraceID != "t-10" {
		t.Errorf("without a function the caller is %+v", s.caller)
	}
}

// TestRecord checks what the access log learns of each call.
func TestRecord(t *testing.T) {
	call := func(tool, arguments string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}}`
	}
	for body, want := range map[string]service.Record{
		ping: {Outcome: "ok"},
		`{`:  {Outcome: "parse_error"},
		`{"jsonrpc":"2.0","method":"notifications/x"}`:                   {Outcome: "ok"},
		`{"jsonrpc":"2.0","id":1,"method":"nope"}`:                       {Outcome: "method_not_found"},
		call("nope", `{}`):                                               {Outcome: "invalid_params"},
		call("dataset_list_models", `{}`):                                {Tool: "dataset.list_models", Rows: 1, Outcome: "ok"},
		call("dataset.query_model", `{"model":"Orders","payload":{}}`):   {Tool: "dataset.query_model", Model: "Orders", Rows: 2, Outcome: "ok"},
		call("dataset.query_model", `{"model":"BadField","payload":{}}`): {Tool: "dataset.query_model", Model: "BadField", Outcome: "unknown_field"},
		call("dataset.query_model", `{"model":"Plain","payload":{}}`):    {Tool: "dataset.query_model", Model: "Plain", Outcome: "internal"},
		call("dataset.query_model", `{"model":"Panic","payload":{}}`):    {Tool: "dataset.query_model", Model: "Panic", Outcome: "internal"},
		call("dataset_nl.query", `{"query":"amount"}`):                   {Tool: "dataset_nl.query", Model: "Orders", Rows: 2, Outcome: "ok"},
		"[" + call("dataset.query_model", `{"model":"Busy","payload":{}}`) + "," + call("dataset.query_model", `{"model":"Orders","payload":{}}`) + "]": {Tool: "dataset.query_model", Model: "Orders", Rows: 2, Outcome: "overloaded"},
	} {
		ctx, got := service.WithRecord(t.Context())
		endpoint("admin", &fake{}, quiet()).Dispatch(ctx, service.Caller{}, []byte(body))
		line := service.Record{Tool: got.Tool, Model: got.Model, Rows: got.Rows, Outcome: got.Outcome}
		if diff := cmp.Diff(want, line, cmp.AllowUnexported(service.Record{})); diff != "" {
			t.Errorf("%s: %s", body, diff)
		}
	}
}

// TestEntries checks what the audit record learns of each call.
func TestEntries(t *testing.T) {
	call := func(model string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"dataset_query_model","arguments":{"model":"` + model + `","payload":{}}}}`
	}
	for body, want := range map[string]string{
		ping: "",
		`{"jsonrpc":"2.0","method":"notifications/x"}`: "",
		`{`: "  0 parse_error -32700",
		`{"jsonrpc":"2.0","id":1,"method":"nope"}`:                                "  0 method_not_found -32601",
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nope"}}`: "  0 invalid_params -32602",
		call("Orders"):   "dataset.query_model Orders 2 ok 0",
		call("BadField"): "dataset.query_model BadField 0 unknown_field 400",
		call("Plain"):    "dataset.query_model Plain 0 internal 500",
		call("Panic"):    "dataset.query_model Panic 0 internal 500",
		"[" + call("Panic") + "," + call("Orders") + "," + call("Busy") + "]": "dataset.query_model Panic 0 internal 500\n" +
			"dataset.query_model Orders 2 ok 0\ndataset.query_model Busy 0 overloaded 503",
		"[" + call("Orders") + ",{}]": "dataset.query_model Orders 2 ok 0\n  0 invalid_request -32600",
	} {
		ctx, record := service.WithRecord(t.Context())
		endpoint("admin", &fake{}, quiet()).Dispatch(ctx, service.Caller{}, []byte(body))
		var got []string
		for _, e := range record.Entries(record.Outcome, record.Code) {
			got = append(got, fmt.Sprintf("%s %s %d %s %d", e.Tool, e.Model, e.Rows, e.Outcome, e.Code))
		}
		if text := strings.Join(got, "\n"); text != want {
			t.Errorf("%s: %s", body, cmp.Diff(want, text))
		}
	}
}

func TestInternalErrorsAreLoggedOnceWithTheirCause(t *testing.T) {
	for model, secret := range map[string]string{"Broken": "secret driver text", "Plain": "secret plain text", "Panic": "secret panic text"} {
		var log bytes.Buffer
		h := endpoint("analyst", &fake{}, slog.New(slog.NewJSONHandler(&log, nil)))
		body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"dataset.query_model","arguments":{"model":"` + model + `","payload":{}}}}`
		reply := h.Dispatch(t.Context(), service.Caller{TraceID: "t-3"}, []byte(body))
		if bytes.Contains(reply.Body, []byte("secret")) {
			t.Errorf("%s: the caller learns %s", model, reply.Body)
		}
		if n := strings.Count(log.String(), "\n"); n != 1 || !strings.Contains(log.String(), secret) || !strings.Contains(log.String(), `"t-3"`) {
			t.Errorf("%s: %d log lines: %s", model, n, log.String())
		}
	}
}
