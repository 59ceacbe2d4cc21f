package app

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parlance/test/servers"
)

// running is a server that a test talks to over HTTP.
type running struct {
	*server
	base   string
	log    *logLines
	hangup chan os.Signal
	stop   context.CancelFunc
	done   chan error
}

// run starts a server on a free port; it is stopped when the test ends.
func run(t *testing.T, c Config) *running {
	t.Helper()
	r, err := begin(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.end(t) })
	return r
}

// begin starts a server, which runs until it is stopped.
func begin(c Config) (*running, error) {
	log := newLogLines()
	ctx, stop := context.WithCancel(context.Background())
	s, err := start(ctx, c, slog.New(slog.NewTextHandler(log, nil)))
	if err != nil {
		stop()
		return nil, err
	}
	r := &running{server: s, base: "http://" + s.http.Addr().String(), log: log, hangup: make(chan os.Signal), stop: stop, done: make(chan error, 1)}
	go func() { r.done <- s.run(ctx, Streams{Out: io.Discard, Reload: r.hangup}) }()
	return r, nil
}

// end stops the server once and checks that it stopped in peace.
func (r *running) end(t *testing.T) {
	t.Helper()
	r.stop()
	if err, open := <-r.done; open {
		close(r.done)
		if err != nil {
			t.Errorf("the server ended with %v", err)
		}
	}
}

func (r *running) post(t *testing.T, path, body string, headers ...string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.base+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	return send(t, request)
}

func (r *running) read(t *testing.T, path string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.base+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	return send(t, request)
}

func send(t *testing.T, request *http.Request) (int, string) {
	t.Helper()
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}

// tool calls a tool and decodes the text of its result.
func (r *running) tool(t *testing.T, role, name, arguments string, to any) {
	t.Helper()
	_, body := r.post(t, "/mcp/"+role+"/rpc", `{"jsonrpc":"2.0","id":"1","method":"tools/call","params":{"name":"`+name+`","arguments":`+arguments+`}}`)
	var reply struct {
		Result struct {
			Content []struct{ Text string }
			IsError bool
		}
	}
	if err := json.Unmarshal([]byte(body), &reply); err != nil || len(reply.Result.Content) != 1 {
		t.Fatalf("%s answers %s", name, body)
	}
	if reply.Result.IsError {
		t.Fatalf("%s refuses: %s", name, reply.Result.Content[0].Text)
	}
	if err := json.Unmarshal([]byte(reply.Result.Content[0].Text), to); err != nil {
		t.Fatalf("%s answers %s", name, reply.Result.Content[0].Text)
	}
}

// logLines is a log that a test can wait on.
type logLines struct {
	mu    sync.Mutex
	text  bytes.Buffer
	grown chan struct{} // closed and replaced when a line is written
}

func newLogLines() *logLines { return &logLines{grown: make(chan struct{})} }

// Write appends a line.
func (l *logLines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.grown)
	l.grown = make(chan struct{})
	return l.text.Write(p)
}

// await returns when the log, from a mark on, has a line with all the words.
func (l *logLines) await(t *testing.T, mark int, words ...string) {
	t.Helper()
	late := time.After(2 * time.Minute)
	for {
		l.mu.Lock()
		text, grown := l.text.String()[mark:], l.grown
		l.mu.Unlock()
		for line := range strings.Lines(text) {
			if all(line, words) {
				return
			}
		}
		select {
		case <-grown:
		case <-late:
			t.Fatalf("no log line has %q:\n%s", words, text)
		}
	}
}

func (l *logLines) mark() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Len()
}

func all(line string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(line, w) {
			return false
		}
	}
	return true
}

func demoConfig() Config {
	c := defaults()
	c.Listen = "127.0.0.1:0"
	return c
}

func TestDemoIsReadyAndAnswersEveryCall(t *testing.T) {
	r := servedDemo(t)

	t.Run("ready", func(t *testing.T) {
		status, body := r.read(t, "/readyz")
		var got struct {
			Status string
			Checks []struct{ Name, Status string }
		}
		if err := json.Unmarshal([]byte(body), &got); err != nil {
			t.Fatal(err)
		}
		names := []string{}
		for _, c := range got.Checks {
			names = append(names, c.Name+" "+c.Status)
		}
		want := []string{"namespace default ok", "guarded namespace 1 ok", "demo data ok", "datasource demo ok"}
		if diff := cmp.Diff(want, names); diff != "" || status != http.StatusOK || got.Status != "ok" {
			t.Errorf("got %d %s (-want +got):\n%s", status, body, diff)
		}
	})
	t.Run("list", func(t *testing.T) {
		var got struct {
			Namespace string
			Models    []struct {
				Name      string
				TimeRange *struct{ From, To string }
			}
		}
		r.tool(t, "analyst", "dataset.list_models", "{}", &got)
		if got.Namespace != "default" || len(got.Models) != 11 {
			t.Errorf("got %+v", got)
		}
		for _, m := range got.Models {
			if m.Name == "FactSalesQueryModel" && (m.TimeRange == nil || m.TimeRange.From != "2022-01-01" || m.TimeRange.To != "2024-12-31") {
				t.Errorf("%s has the time range %+v", m.Name, m.TimeRange)
			}
		}
	})
	t.Run("metadata", func(t *testing.T) {
		var got struct {
			Models     []any
			FieldIndex map[string]any
		}
		r.tool(t, "analyst", "dataset.get_metadata", "{}", &got)
		if len(got.Models) != 11 || got.FieldIndex["customer$caption"] == nil {
			t.Errorf("got %d models, %d fields", len(got.Models), len(got.FieldIndex))
		}
	})
	t.Run("describe", func(t *testing.T) {
		var got struct {
			Model        string
			Fields       []struct{ Name, Additivity string }
			SampleValues map[string][]string
		}
		r.tool(t, "analyst", "dataset.describe_model_internal", `{"model":"FactInventorySnapshotQueryModel"}`, &got)
		additivity := map[string]string{}
		for _, f := range got.Fields {
			additivity[f.Name] = f.Additivity
		}
		if additivity["quantityOnHand"] != "semi-additive (last over snapshotDate)" {
			t.Errorf("quantityOnHand is %q", additivity["quantityOnHand"])
		}
		want := []string{"2022-Q1", "2022-Q2", "2022-Q3", "2022-Q4", "2023-Q1", "2023-Q2", "2023-Q3", "2023-Q4", "2024-Q1", "2024-Q2"}
		if diff := cmp.Diff(want, got.SampleValues["snapshotDate$yearQuarter"]); diff != "" {
			t.Errorf("samples (-want +got):\n%s", diff)
		}
	})
	t.Run("query", func(t *testing.T) {
		var got struct {
			Items []map[string]json.Number
			Total int64
		}
		r.tool(t, "analyst", "dataset.query_model", `{"model":"FactOrderQueryModel","payload":{"columns":["orderDate$year","orderCount"]}}`, &got)
		sum := int64(0)
		for _, item := range got.Items {
			n, err := item["orderCount"].Int64()
			if err != nil {
				t.Fatal(err)
			}
			sum += n
		}
		if got.Total != 3 || sum != 20_000 {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("page", func(t *testing.T) {
		status, body := r.post(t, "/jdbc-model/query-model/v2/FactOrderQueryModel", `{"param":{"columns":["orderId"]},"limit":0}`)
		if want := `{"code":0,"data":{"items":[],"total":20000},"msg":"success"}`; status != 200 || strings.TrimSpace(body) != want {
			t.Errorf("got %d %s", status, body)
		}
	})
	t.Run("summary", func(t *testing.T) {
		status, body := r.post(t, "/jdbc-model/query-model/queryKpi", `{"queryModel":"FactOrderQueryModel","columns":["orderCount"]}`)
		if want := `{"code":0,"data":{"orderCount":20000},"msg":"success"}`; status != 200 || strings.TrimSpace(body) != want {
			t.Errorf("got %d %s", status, body)
		}
	})
	t.Run("unknown namespace", func(t *testing.T) {
		status, body := r.post(t, "/jdbc-model/query-model/v2/FactOrderQueryModel", "{}", "X-NS", "nowhere")
		if !strings.Contains(body, `"code":404`) || !strings.Contains(body, "nowhere") || status != 200 {
			t.Errorf("got %d %s", status, body)
		}
	})
}

func TestServerFreesItsAddressAndLogsEachRequest(t *testing.T) {
	c, _ := shop(t)
	c.Listen = net.JoinHostPort("127.0.0.1", strconv.Itoa(servers.FreePort(t)))
	first := run(t, c)
	if status, body := first.read(t, "/healthz"); status != http.StatusOK {
		t.Errorf("got %d %s", status, body)
	}
	first.log.await(t, 0, "path=/healthz", "outcome=ok")
	first.end(t)
	second := run(t, c)
	if status, body := second.read(t, "/readyz"); status != http.StatusOK {
		t.Errorf("got %d %s", status, body)
	}
	if _, err := start(t.Context(), c, discard()); err == nil {
		t.Error("a taken port is no error")
	}
}

func TestRuntimeCodeGuardsTheEndpointsThatTheConfigurationNames(t *testing.T) {
	c, _ := shop(t)
	c.RuntimeCode = RuntimeCode{Code: "sesame", Endpoints: []string{"admin"}}
	r := run(t, c)
	const ping = `{"jsonrpc":"2.0","id":"1","method":"ping","params":{}}`
	for _, call := range []struct {
		path   string
		code   string
		status int
	}{
		{"/mcp/admin/rpc", "", 401},
		{"/mcp/admin", "wrong", 401},
		{"/mcp/admin/rpc", "sesame", 200},
		{"/mcp/analyst/rpc", "", 200},
	} {
		if status, body := r.post(t, call.path, ping, "X-Service-Runtime-Code", call.code); status != call.status {
			t.Errorf("%s with %q: got %d %s", call.path, call.code, status, body)
		}
	}
}

func TestGreetingTellsAnAddressThatAnswers(t *testing.T) {
	for address, want := range map[string]string{
		"0.0.0.0:7108": "http://127.0.0.1:7108/readyz", "[::]:80": "http://127.0.0.1:80/readyz",
		"127.0.0.1:7108": "http://127.0.0.1:7108/readyz", "10.1.2.3:80": "http://10.1.2.3:80/readyz",
	} {
		addr, err := net.ResolveTCPAddr("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		greet(&out, "http", addr, true, true)
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s: got %s", address, out.String())
		}
		if got := beyondLoopback(addr); got != (address != "127.0.0.1:7108") {
			t.Errorf("%s: beyond loopback is %v", address, got)
		}
	}
}

func discard() *slog.Logger { return slog.New(slog.DiscardHandler) }
