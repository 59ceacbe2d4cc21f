package clients

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// goSDK connects the official Go client, of a protocol version, over what carries it.
func goSDK(version string, carrier func(t *testing.T, at place) sdk.Transport) func(*testing.T) opener {
	return func(*testing.T) opener {
		return func(t *testing.T, at place) session {
			t.Helper()
			c := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
			s, err := c.Connect(t.Context(), carrier(t, at), &sdk.ClientSessionOptions{ProtocolVersion: version})
			if err != nil {
				t.Fatalf("connect to %s: %v", at.mount, err)
			}
			return &goSession{s}
		}
	}
}

// overHTTP carries messages over HTTP.
func overHTTP(_ *testing.T, at place) sdk.Transport {
	marked := &http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
		if at.mark != "" {
			r.Header.Set("X-Trace-Id", at.mark)
		}
		return http.DefaultTransport.RoundTrip(r)
	})}
	return &sdk.StreamableClientTransport{Endpoint: at.url, HTTPClient: marked, MaxRetries: -1}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// overStdio starts the program, as desktop clients do.
func (w *world) overStdio(t *testing.T, at place) sdk.Transport {
	t.Helper()
	args := []string{"mcp", "--role", at.role}
	if at.config != "" {
		args = append(args, "--config", at.config)
	}
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), program, args...)
	cmd.Env = w.environment()
	return &sdk.CommandTransport{Command: cmd}
}

// overRemote starts mcp-remote, by which clients that know only stdio reach a server.
func (w *world) overRemote(t *testing.T, at place) sdk.Transport {
	t.Helper()
	args := []string{"node_modules/mcp-remote/dist/proxy.js", at.url, "--transport", "http-only"}
	if at.mark != "" {
		args = append(args, "--header", "X-Trace-Id: "+at.mark)
	}
	cmd := w.command(context.WithoutCancel(t.Context()), args...)
	cmd.Env = append(cmd.Env, "MCP_REMOTE_CONFIG_DIR="+w.home)
	return &sdk.CommandTransport{Command: cmd}
}

// goSession is a session of the Go client.
type goSession struct{ *sdk.ClientSession }

func (s *goSession) Protocol() string { return s.InitializeResult().ProtocolVersion }

func (s *goSession) Tools(ctx context.Context) (names []string, err error) {
	list, err := s.ListTools(ctx, nil)
	if err != nil {
		return nil, err
	}
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	return names, nil
}

func (s *goSession) Call(ctx context.Context, tool string, arguments any) (string, bool, error) {
	result, err := s.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: arguments})
	var wire *jsonrpc.Error
	if errors.As(err, &wire) {
		return "", false, &refusal{Code: int(wire.Code), Message: wire.Message, Data: wire.Data}
	}
	if err != nil {
		return "", false, err
	}
	text, err := json.Marshal(result)
	if err != nil {
		return "", false, err
	}
	var read toolResult
	if err := json.Unmarshal(text, &read); err != nil {
		return "", false, err
	}
	return read.text()
}

var goSDKLine = regexp.MustCompile(`modelcontextprotocol/go-sdk v(\S+)`)

// goSDKVersion is the version of the Go client that go.mod names.
func goSDKVersion(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	match := goSDKLine.FindSubmatch(text)
	if match == nil {
		t.Fatal("go.mod has no Go SDK")
	}
	return string(match[1])
}
