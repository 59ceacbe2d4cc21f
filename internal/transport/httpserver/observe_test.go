package httpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/fault"
	"parlance/internal/transport/queryapi"
)

// logged serves one request and returns the lines that it logged.
func logged(t *testing.T, s queryapi.Service, change func(*Options), serve func(http.Handler)) []map[string]any {
	t.Helper()
	var out bytes.Buffer
	o := testOptions(s)
	o.Log = slog.New(slog.NewJSONHandler(&out, nil))
	o.Query = queryapi.New(queryapi.Options{Service: s, Log: o.Log})
	if change != nil {
		change(&o)
	}
	server, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	serve(server.Handler())
	var lines []map[string]any
	for _, text := range strings.Split(strings.TrimSpace(out.String()), "\n") {
		var line map[string]any
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		delete(line, "time")
		lines = append(lines, line)
	}
	return lines
}

func TestOneLineARequest(t *testing.T) {
	for _, c := range []struct {
		method, target string
		err            error
		want           map[string]any
	}{
		{"POST", queryPath + "?ns=shop", nil, map[string]any{
			"path": queryPath, "namespace": "shop", "model": "FactSalesQueryModel", "rows": 1.0, "status": 200.0, "outcome": "ok",
		}},
		{"POST", queryPath, &fault.Error{Kind: fault.Invalid, Reason: "unknown_field", Message: "m"}, map[string]any{
			"path": queryPath, "namespace": "", "model": "FactSalesQueryModel", "rows": 0.0, "status": 200.0, "outcome": "unknown_field",
		}},
		{"POST", rpcPath, nil, map[string]any{
			"path": rpcPath, "namespace": "", "tool": "dataset.query_model", "rows": 0.0, "status": 200.0, "outcome": "ok",
		}},
		{"POST", "/nowhere", nil, map[string]any{
			"path": "/nowhere", "namespace": "", "rows": 0.0, "status": 404.0, "outcome": "refused",
		}},
	} {
		lines := logged(t, &fakeService{err: c.err}, nil, func(h http.Handler) { ask(h, c.method, c.target, "", "X-Trace-Id: t") })
		if len(lines) != 1 {
			t.Fatalf("%s: %d lines: %v", c.target, len(lines), lines)
		}
		if lines[0]["duration"] == nil || lines[0]["bytes"] == nil {
			t.Errorf("%s: no duration or bytes: %v", c.target, lines[0])
		}
		delete(lines[0], "duration")
		delete(lines[0], "bytes")
		c.want["level"], c.want["msg"], c.want["trace"], c.want["method"] = "INFO", "request", "t", c.method
		if diff := cmp.Diff(c.want, lines[0]); diff != "" {
			t.Errorf("%s: %s", c.target, diff)
		}
	}
}

func TestOurErrorsAreLoggedOnceWithTheirCause(t *testing.T) {
	err := fault.Internalf(context.DeadlineExceeded, "count")
	lines := logged(t, &fakeService{err: err}, nil, func(h http.Handler) {
		if w := ask(h, "POST", queryPath, "", "X-Trace-Id: t"); strings.Contains(w.Body.String(), "deadline") {
			t.Errorf("the cause is shown: %s", w.Body)
		}
	})
	if len(lines) != 2 || lines[0]["level"] != "ERROR" || lines[0]["trace"] != "t" ||
		!strings.Contains(lines[0]["error"].(string), "deadline") || lines[1]["outcome"] != "internal" {
		t.Errorf("lines: %v", lines)
	}
}

func TestAClientThatWentAwayIsNoErrorOfOurs(t *testing.T) {
	lines := logged(t, &fakeService{err: fault.Internalf(context.Canceled, "page")}, nil, func(h http.Handler) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, "POST", "http://"+home+queryPath, nil))
	})
	if len(lines) != 1 || lines[0]["outcome"] != "cancelled" {
		t.Errorf("lines: %v", lines)
	}
}

func TestLogLinesStayShort(t *testing.T) {
	lines := logged(t, &fakeService{}, nil, func(h http.Handler) {
		ask(h, "POST", "/"+strings.Repeat("p", 5000), "", "X-NS: "+strings.Repeat("n", 5000))
	})
	if got := len(lines[0]["path"].(string)) + len(lines[0]["namespace"].(string)); got > 600 {
		t.Errorf("path and namespace take %d bytes", got)
	}
}
