package httpserver

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"parlance/internal/query"
	"parlance/internal/service"
	"parlance/internal/transport/queryapi"
)

const home = "127.0.0.1:7108"

// fakeService answers every query with one row and remembers who asked.
type fakeService struct {
	caller service.Caller
	err    error
}

func (f *fakeService) Query(_ context.Context, c service.Caller, _ string, q *query.Query, _ service.QueryOptions) (*service.Answer, error) {
	f.caller = c
	if f.err != nil {
		return nil, f.err
	}
	a := &service.Answer{Items: []byte(`[{"orderId":"SO1","salesAmount":12.50}]`), Total: 1, Returned: 1}
	if q.ReturnTotal {
		a.TotalData = []byte(`{"total":1,"salesAmount":12.50}`)
	}
	return a, nil
}

func (f *fakeService) Summarize(_ context.Context, c service.Caller, s service.Summary) ([]byte, error) {
	f.caller = c
	return []byte(`{"` + s.Columns[0].Key() + `":12.50}`), f.err
}

// rpcEcho answers any POST as ping is answered, and panics or notes what a test asks for.
func rpcEcho(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	_, _ = io.Copy(io.Discard, r.Body)
	service.RecordOf(r.Context()).Tool = "dataset.query_model"
	send(w, http.StatusOK, []byte(`{"jsonrpc":"2.0","id":"1","result":{}}`))
}

func testOptions(s queryapi.Service) Options {
	quiet := slog.New(slog.DiscardHandler)
	o := Options{
		Listen: home,
		RPC:    map[string]http.Handler{},
		Query:  queryapi.New(queryapi.Options{Service: s, Log: quiet}),
		Log:    quiet,
	}
	for _, role := range []string{"admin", "analyst", "business"} {
		o.RPC["/mcp/"+role] = http.HandlerFunc(rpcEcho)
		o.RPC["/mcp/"+role+"/rpc"] = http.HandlerFunc(rpcEcho)
	}
	return o
}

// newTestServer makes a server over a fake service; change may alter its options.
func newTestServer(t *testing.T, change func(*Options)) *Server {
	t.Helper()
	o := testOptions(&fakeService{})
	if change != nil {
		change(&o)
	}
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// ask sends one request; headers are "Name: value" lines, Host among them.
func ask(h http.Handler, method, target, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://"+home+target, strings.NewReader(body))
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		if name == "Host" {
			r.Host = value
			continue
		}
		r.Header.Add(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

const (
	rpcPath   = "/mcp/analyst/rpc"
	queryPath = "/jdbc-model/query-model/v2/FactSalesQueryModel"
)
