package telemetry

import (
	"bytes"
	"context"
	"encoding/hex"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	v1 "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"parlance/internal/stage"
)

// collects is a collector that keeps the spans that it is sent.
type collects struct {
	mu    sync.Mutex
	spans []*v1.Span
}

func (c *collects) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var request collector.ExportTraceServiceRequest
	if err != nil || r.URL.Path != "/v1/traces" || proto.Unmarshal(body, &request) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, resource := range request.ResourceSpans {
		for _, scope := range resource.ScopeSpans {
			c.spans = append(c.spans, scope.Spans...)
		}
	}
}

func (c *collects) named(t *testing.T, name string) *v1.Span {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.spans {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("no span %s", name)
	return nil
}

func traced(t *testing.T, sample float64, method string, header http.Header, s Served) *collects {
	t.Helper()
	got := &collects{}
	server := httptest.NewServer(got)
	defer server.Close()
	watch := watching(t, Options{Version: "v7", Namespaces: []string{"shop"}, DefaultNamespace: "shop", Traces: Traces{Endpoint: server.URL, Sample: sample}})
	ctx, r := watch.Begin(t.Context(), method, header, "t-7")
	stage.Start(ctx, stage.Plan).End()
	stage.Start(ctx, stage.Run).End()
	r.End(s)
	if err := watch.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	return got
}

func TestATraceHasASpanAStageBelowTheCallersOwn(t *testing.T) {
	header := http.Header{"Traceparent": {"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}}
	got := traced(t, 0, http.MethodPost, header, Served{Interface: "mcp", Tool: "dataset.query_model", Namespace: "shop", Outcome: "unreachable", Code: 503, Rows: 3})
	request := got.named(t, "dataset.query_model")
	if id := hex.EncodeToString(request.TraceId); id != "0af7651916cd43dd8448eb211c80319c" {
		t.Errorf("trace %s", id)
	}
	if parent := hex.EncodeToString(request.ParentSpanId); parent != "b7ad6b7169203331" {
		t.Errorf("parent %s", parent)
	}
	if request.Status.Code != v1.Status_STATUS_CODE_ERROR {
		t.Errorf("status %v", request.Status)
	}
	attributes := attributesOf(request)
	if attributes["parlance.trace_id"] != "t-7" || attributes["parlance.namespace"] != "shop" || attributes["parlance.outcome"] != "unreachable" {
		t.Errorf("attributes %v", attributes)
	}
	for _, name := range []string{"plan", "run"} {
		s := got.named(t, name)
		if !bytes.Equal(s.ParentSpanId, request.SpanId) || s.StartTimeUnixNano < request.StartTimeUnixNano || s.EndTimeUnixNano > request.EndTimeUnixNano {
			t.Errorf("%s is not within its request: %v", name, s)
		}
	}
}

func attributesOf(s *v1.Span) map[string]string {
	attributes := map[string]string{}
	for _, a := range s.Attributes {
		attributes[a.Key] = a.Value.GetStringValue()
	}
	return attributes
}

// TestWhatCallersMakeUpIsNotTold: neither a namespace that is not there nor a method that is none stands in a span.
func TestWhatCallersMakeUpIsNotTold(t *testing.T) {
	got := traced(t, 1, "CALL-13800001234", nil, Served{Interface: "http", Namespace: "13800001234", Outcome: "unknown_namespace", Code: 404})
	attributes := attributesOf(got.named(t, "request"))
	if attributes["parlance.namespace"] != "other" || attributes["http.request.method"] != "_OTHER" {
		t.Errorf("attributes %v", attributes)
	}
}

func TestOnlyTheShareOfTracesIsTold(t *testing.T) {
	if got := traced(t, 0, http.MethodPost, nil, Served{Outcome: "ok"}); len(got.spans) != 0 {
		t.Errorf("%d spans", len(got.spans))
	}
	if got := traced(t, 1, http.MethodPost, nil, Served{Outcome: "ok"}); len(got.spans) != 3 {
		t.Errorf("%d spans", len(got.spans))
	}
}

func TestACollectorThatIsAwayCostsSpansOnly(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	var out strings.Builder
	watch := watching(t, Options{Traces: Traces{Endpoint: server.URL, Sample: 1}, Log: slog.New(slog.NewTextHandler(&out, nil))})
	_, r := watch.Begin(t.Context(), http.MethodPost, nil, "t-7")
	r.End(Served{Outcome: "ok"})
	err := watch.Close(context.Background())
	if err == nil && !strings.Contains(out.String(), "traces are not taken") {
		t.Errorf("nobody is told: %v, %q", err, out.String())
	}
}
