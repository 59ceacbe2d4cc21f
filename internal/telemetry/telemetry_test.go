package telemetry

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"parlance/internal/stage"
)

func scrape(t *testing.T, watch *Telemetry) string {
	t.Helper()
	w := httptest.NewRecorder()
	watch.Metrics().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", http.NoBody))
	if w.Code != http.StatusOK {
		t.Fatalf("status %d", w.Code)
	}
	return w.Body.String()
}

func has(t *testing.T, text string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !strings.Contains(text, "\n"+line+"\n") {
			name, _, _ := strings.Cut(line, "{")
			var near []string
			for _, l := range strings.Split(text, "\n") {
				if strings.HasPrefix(l, name) {
					near = append(near, l)
				}
			}
			t.Errorf("no line %s among\n%s", line, strings.Join(near, "\n"))
		}
	}
}

func watching(t *testing.T, o Options) *Telemetry {
	t.Helper()
	watch, err := New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return watch
}

func TestRequestsAreCountedByWhatTheyWere(t *testing.T) {
	watch := watching(t, Options{Version: "v7", Namespaces: []string{"default", "shop"}, DefaultNamespace: "default"})
	for _, s := range []Served{
		{Interface: "mcp", Tool: "dataset.query_model", Outcome: "ok", Rows: 3, Bytes: 100},
		{Interface: "mcp", Tool: "dataset.query_model", Outcome: "ok", Rows: 4, Bytes: 11},
		{Interface: "mcp", Tool: "dataset.query_model", Namespace: "shop", Outcome: "unknown_field", Code: 400},
		{Interface: "http", Tool: "query", Outcome: "unreachable", Code: 503},
		{Interface: "http", Tool: "query", Namespace: "'; drop", Outcome: "cancelled", Code: 499},
	} {
		_, r := watch.Begin(t.Context(), http.MethodPost, nil, "t1")
		r.End(s)
	}
	watch.Reloaded("shop", true)
	watch.Reloaded("shop", false)
	has(t, scrape(t, watch),
		`parlance_build_info{version="v7"} 1`,
		`parlance_requests_total{interface="mcp",namespace="default",outcome="ok",tool="dataset.query_model"} 2`,
		`parlance_requests_total{interface="mcp",namespace="shop",outcome="refused",tool="dataset.query_model"} 1`,
		`parlance_requests_total{interface="http",namespace="default",outcome="failed",tool="query"} 1`,
		`parlance_requests_total{interface="http",namespace="other",outcome="cancelled",tool="query"} 1`,
		`parlance_refusals_total{reason="unknown_field"} 1`,
		`parlance_refusals_total{reason="unreachable"} 1`,
		`parlance_rows_total{interface="mcp"} 7`,
		`parlance_response_bytes_total{interface="mcp"} 111`,
		`parlance_request_seconds_count{interface="mcp"} 3`,
		`parlance_requests_running 0`,
		`parlance_reloads_total{namespace="shop",outcome="ok"} 1`,
		`parlance_reloads_total{namespace="shop",outcome="refused"} 1`,
		`parlance_reloads_total{namespace="default",outcome="refused"} 0`, // from which an increase can be told
	)
}

func TestStagesOfARequestAreTimed(t *testing.T) {
	watch := watching(t, Options{})
	ctx, r := watch.Begin(t.Context(), http.MethodPost, nil, "t1")
	stage.Start(ctx, stage.Plan).End()
	stage.Start(ctx, stage.Run).End()
	stage.Start(ctx, stage.Run).End()
	has(t, scrape(t, watch), `parlance_requests_running 1`, `parlance_stage_seconds_count{stage="plan"} 1`,
		`parlance_stage_seconds_count{stage="run"} 2`, `parlance_stage_seconds_count{stage="queue"} 0`)
	r.End(Served{Interface: "mcp", Outcome: "ok"})
}

func TestWhatCallersSendCannotMakeSeries(t *testing.T) {
	watch := watching(t, Options{})
	for i := range 1000 {
		_, r := watch.Begin(t.Context(), http.MethodPost, nil, "t1")
		r.End(Served{Interface: "mcp", Tool: fmt.Sprint("tool", i), Namespace: fmt.Sprint("ns", i), Outcome: fmt.Sprint("reason", i), Code: 400})
	}
	if n := strings.Count(scrape(t, watch), "\nparlance_"); n > 500 {
		t.Errorf("%d series", n)
	}
}

func TestNobodyWatches(t *testing.T) {
	var watch *Telemetry
	ctx, r := watch.Begin(t.Context(), http.MethodPost, nil, "t1")
	stage.Start(ctx, stage.Run).End()
	r.End(Served{})
}

func TestGaugesAndCountersAreReadWhenAsked(t *testing.T) {
	watch := watching(t, Options{})
	n := 1.0
	watch.Gauge("parlance_test_gauge", "A gauge.", Labels{"datasource": "a"}, func() float64 { return n })
	watch.Counter("parlance_test_total", "A counter.", nil, func() float64 { return 2 * n })
	n = 21
	has(t, scrape(t, watch), `parlance_test_gauge{datasource="a"} 21`, `parlance_test_total 42`)
}

func BenchmarkRequest(b *testing.B) {
	watch, err := New(context.Background(), Options{Namespaces: []string{"default"}, DefaultNamespace: "default"})
	if err != nil {
		b.Fatal(err)
	}
	served := Served{Interface: "mcp", Tool: "dataset.query_model", Outcome: "ok", Rows: 3, Bytes: 100}
	b.ReportAllocs()
	for b.Loop() {
		ctx, r := watch.Begin(context.Background(), http.MethodPost, nil, "t1")
		for s := range stage.Stage(stage.Count) {
			stage.Start(ctx, s).End()
		}
		r.End(served)
	}
}
