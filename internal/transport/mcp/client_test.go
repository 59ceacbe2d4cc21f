package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"parlance/internal/compile"
	"parlance/internal/fault"
	"parlance/internal/query"
	"parlance/internal/service"
	"parlance/internal/transport/mcp"
)

// orders is a service of one model, and of one whose queries end only when they are cancelled.
type orders struct {
	begun chan struct{}
	ended chan error
}

func newOrders() orders {
	return orders{begun: make(chan struct{}, 1), ended: make(chan error, 1)}
}

func (orders) ListModels(context.Context, service.Caller, service.ListOptions) (*service.ModelList, error) {
	return &service.ModelList{Namespace: "default", Models: []service.ModelCard{{Name: "Orders"}}}, nil
}

func (orders) Metadata(context.Context, service.Caller) (*service.Metadata, error) {
	return &service.Metadata{Namespace: "default"}, nil
}

func (orders) DescribeModel(_ context.Context, _ service.Caller, model string) (*service.Description, error) {
	return &service.Description{Model: model}, nil
}

func (w orders) Query(ctx context.Context, _ service.Caller, model string, _ *query.Query, o service.QueryOptions) (*service.Answer, error) {
	if model == "Endless" {
		w.begun <- struct{}{}
		<-ctx.Done()
		w.ended <- context.Cause(ctx)
		return nil, context.Cause(ctx)
	}
	if model != "Orders" {
		return nil, &fault.Error{Kind: fault.NotFound, Reason: "unknown_model", Message: "Unknown model"}
	}
	return &service.Answer{Items: []byte(`[{"n":1}]`), Total: 1, Returned: 1, Limit: o.DefaultRows, LimitSource: compile.LimitDefault}, nil
}

func (orders) FieldValues(context.Context, service.Caller, service.ValuesRequest) (*service.FieldValues, error) {
	return &service.FieldValues{Model: "Orders", Field: "status"}, nil
}

func (orders) Explain(context.Context, service.Caller, string, *query.Query, service.ExplainOptions) (*service.Explanation, error) {
	return &service.Explanation{Model: "Orders"}, nil
}

func (orders) Ask(_ context.Context, _ service.Caller, r service.AskRequest) (*service.AskReply, error) {
	return &service.AskReply{Type: "clarify", Question: r.Text}, nil
}

// connect starts an endpoint and connects the official client to it, at the protocol version given or its newest.
func connect(t *testing.T, o mcp.Options, version string) *sdk.ClientSession {
	t.Helper()
	o.Version = "1.2.3"
	if o.Service == nil {
		o.Service = newOrders()
	}
	server := httptest.NewServer(mcp.New(o))
	t.Cleanup(server.Close)
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	transport := &sdk.StreamableClientTransport{Endpoint: server.URL, HTTPClient: http.DefaultClient, MaxRetries: -1}
	session, err := client.Connect(t.Context(), transport, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

func TestOfficialClient(t *testing.T) {
	for name, c := range map[string]struct {
		options          mcp.Options
		version, settled string
		tool             string
		arguments        map[string]any
	}{
		"analyst, newest client":  {mcp.Options{Role: mcp.Analyst}, "", "2026-07-28", "dataset.list_models", nil},
		"business, stateless":     {mcp.Options{Role: mcp.Business, Style: mcp.Underscored}, "2026-07-28", "2026-07-28", "dataset_nl_query", map[string]any{"query": "x"}},
		"analyst, newest before":  {mcp.Options{Role: mcp.Analyst}, "2025-11-25", "2025-11-25", "dataset.list_models", nil},
		"analyst, oldest version": {mcp.Options{Role: mcp.Analyst}, "2024-11-05", "2024-11-05", "dataset.list_models", map[string]any{}},
		"admin, second mount":     {mcp.Options{Role: mcp.Admin, Style: mcp.Underscored}, "2025-06-18", "2025-06-18", "dataset_query_model", map[string]any{"model": "Orders", "payload": map[string]any{}}},
		"business":                {mcp.Options{Role: mcp.Business}, "2025-03-26", "2025-03-26", "dataset_nl.query", map[string]any{"query": "x"}},
	} {
		t.Run(name, func(t *testing.T) {
			session := connect(t, c.options, c.version)
			hello := session.InitializeResult()
			if hello.ProtocolVersion != c.settled || hello.ServerInfo.Name != "parlance" || hello.ServerInfo.Version != "1.2.3" || hello.Instructions == "" {
				t.Errorf("initialize: %+v %+v", hello, hello.ServerInfo)
			}
			if err := session.Ping(t.Context(), nil); (err == nil) != (c.settled < "2026-07-28") {
				t.Errorf("ping: %v", err)
			}
			tools, err := session.ListTools(t.Context(), nil)
			if err != nil || len(tools.Tools) == 0 || !tools.Tools[0].Annotations.ReadOnlyHint {
				t.Fatalf("tools/list: %v", err)
			}
			result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: c.tool, Arguments: c.arguments})
			if err != nil || result.IsError || len(result.Content) != 1 {
				t.Fatalf("tools/call: %+v, %v", result, err)
			}
			if text := result.Content[0].(*sdk.TextContent).Text; !json.Valid([]byte(text)) {
				t.Errorf("text is no JSON: %s", text)
			}
		})
	}
}

func TestOfficialClientReadsErrors(t *testing.T) {
	for _, version := range []string{"2026-07-28", "2025-11-25"} {
		t.Run(version, func(t *testing.T) { readErrors(t, version) })
	}
}

func readErrors(t *testing.T, version string) {
	t.Helper()
	session := connect(t, mcp.Options{Role: mcp.Analyst}, version)
	result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "dataset.query_model",
		Arguments: map[string]any{"model": "Nope", "payload": map[string]any{}}})
	if err != nil || !result.IsError {
		t.Fatalf("%+v, %v", result, err)
	}
	want := `{"error":{"code":404,"reason":"unknown_model","message":"Unknown model"}}`
	if diff := cmp.Diff(want, result.Content[0].(*sdk.TextContent).Text); diff != "" {
		t.Error(diff)
	}
	for name, want := range map[string]string{"dataset.query_model": "Missing required parameter: model", "nope": "Unknown tool: nope"} {
		_, err = session.CallTool(t.Context(), &sdk.CallToolParams{Name: name})
		var wire *jsonrpc.Error
		if !errors.As(err, &wire) || wire.Code != jsonrpc.CodeInvalidParams || !strings.Contains(wire.Message, want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestACallIsCancelled checks that a client which gives a call up ends the query, in both eras.
func TestACallIsCancelled(t *testing.T) {
	for _, version := range []string{"2026-07-28", "2025-11-25", "2024-11-05"} {
		t.Run(version, func(t *testing.T) {
			world := newOrders()
			session := connect(t, mcp.Options{Role: mcp.Analyst, Service: world}, version)
			cancelCall(t, session, world)
			if _, err := session.ListTools(t.Context(), nil); err != nil {
				t.Errorf("the session is of no use afterwards: %v", err)
			}
		})
	}
}

// cancelCall begins an endless query, gives it up and waits for its end.
func cancelCall(t *testing.T, session *sdk.ClientSession, world orders) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	answered := make(chan error, 1)
	go func() {
		_, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "dataset.query_model",
			Arguments: map[string]any{"model": "Endless", "payload": map[string]any{}}})
		answered <- err
	}()
	<-world.begun
	cancel()
	if err := <-world.ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the query ended with %v", err)
	}
	if err := <-answered; !errors.Is(err, context.Canceled) {
		t.Errorf("the client got %v", err)
	}
}
