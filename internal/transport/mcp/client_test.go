package mcp_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"parlance/internal/compile"
	"parlance/internal/fault"
	"parlance/internal/query"
	"parlance/internal/service"
	"parlance/internal/transport/mcp"
)

// orders is a service of one model.
type orders struct{}

func (orders) ListModels(context.Context, service.Caller, service.ListOptions) (*service.ModelList, error) {
	return &service.ModelList{Namespace: "default", Models: []service.ModelCard{{Name: "Orders"}}}, nil
}

func (orders) Metadata(context.Context, service.Caller) (*service.Metadata, error) {
	return &service.Metadata{Namespace: "default"}, nil
}

func (orders) DescribeModel(_ context.Context, _ service.Caller, model string) (*service.Description, error) {
	return &service.Description{Model: model}, nil
}

func (orders) Query(_ context.Context, _ service.Caller, model string, _ *query.Query, o service.QueryOptions) (*service.Answer, error) {
	if model != "Orders" {
		return nil, &fault.Error{Kind: fault.NotFound, Reason: "unknown_model", Message: "Unknown model"}
	}
	return &service.Answer{Items: []byte(`[{"n":1}]`), Total: 1, Returned: 1, Limit: o.DefaultRows, LimitSource: compile.LimitDefault}, nil
}

func (orders) Ask(_ context.Context, _ service.Caller, question string) (*service.AskReply, error) {
	return &service.AskReply{Type: "clarify", Question: question}, nil
}

// connect starts an endpoint and connects the official client to it, at the protocol version given or its newest.
func connect(t *testing.T, o mcp.Options, version string) *sdk.ClientSession {
	t.Helper()
	o.Service, o.Version = orders{}, "1.2.3"
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
		"analyst, newest client":  {mcp.Options{Role: mcp.Analyst}, "", "2025-11-25", "dataset.list_models", nil},
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
			if err := session.Ping(t.Context(), nil); err != nil {
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
	session := connect(t, mcp.Options{Role: mcp.Analyst}, "")
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
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
