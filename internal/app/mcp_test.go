package app

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// stdio runs the mcp command over pipes and connects the official client to it. What ends it is the client's Close.
func stdio(t *testing.T, version string, env map[string]string, args ...string) *sdk.ClientSession {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	log, done := newLogLines(), make(chan int, 1)
	go func() {
		done <- Run(context.Background(), append([]string{"mcp"}, args...), Streams{In: in, Out: out, Err: log, Env: func(name string) (string, bool) {
			value, ok := env[name]
			return value, ok
		}})
		_ = out.Close()
	}()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: fromServer, Writer: toServer}, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		_ = toServer.Close()
		t.Fatalf("%v\n%s", err, log)
	}
	t.Cleanup(func() {
		_ = session.Close()
		if code := <-done; code != exitOK {
			t.Errorf("the command ended with %d:\n%s", code, log)
		}
	})
	return session
}

// ask calls a tool and returns the text of its result.
func ask(t *testing.T, session *sdk.ClientSession, tool string, arguments map[string]any) (text string, failed bool) {
	t.Helper()
	result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	return result.Content[0].(*sdk.TextContent).Text, result.IsError
}

// TestStdioFromTheFirstMessage connects, lists, chooses, describes, errs, mends and asks before the data can have been
// loaded.
func TestStdioFromTheFirstMessage(t *testing.T) {
	for _, version := range []string{"2026-07-28", "2025-11-25"} {
		t.Run(version, func(t *testing.T) {
			session := stdio(t, version, nil)
			if got := session.InitializeResult().ProtocolVersion; got != version {
				t.Errorf("settled on %s", got)
			}
			text, failed := ask(t, session, "dataset_list_models", nil)
			if failed || !strings.Contains(text, "FactOrderQueryModel") {
				t.Errorf("list: %s", text)
			}
			if text, failed = ask(t, session, "dataset_describe_model_internal", map[string]any{"model": "FactOrderQueryModel"}); failed || !strings.Contains(text, "orderCount") {
				t.Errorf("describe: %s", text)
			}
			query := map[string]any{"model": "FactOrderQueryModel", "payload": map[string]any{"columns": []string{"orderCuont"}}}
			text, failed = ask(t, session, "dataset_query_model", query)
			var mend struct{ Error struct{ Closest []string } }
			if err := json.Unmarshal([]byte(text), &mend); err != nil || !failed || len(mend.Error.Closest) == 0 {
				t.Fatalf("error: %s", text)
			}
			query["payload"] = map[string]any{"columns": mend.Error.Closest[:1]}
			text, failed = ask(t, session, "dataset_query_model", query)
			var answer struct{ Rows [][]int64 }
			if err := json.Unmarshal([]byte(text), &answer); err != nil || failed {
				t.Fatalf("query: %s", text)
			}
			if diff := cmp.Diff([][]int64{{20_000}}, answer.Rows); diff != "" { // the demo's orders
				t.Error(diff)
			}
		})
	}
}

// TestStdioAsAProcess starts the program as clients do.
func TestStdioAsAProcess(t *testing.T) {
	command := exec.CommandContext(t.Context(), "parlance", "mcp", "--role", "business")
	var log bytes.Buffer
	command.Stderr = &log
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: command}, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, log.String())
	}
	if text, failed := ask(t, session, "dataset_nl_query", map[string]any{"query": "order count"}); failed || !strings.Contains(text, "20000") {
		t.Errorf("got %s", text)
	}
	if err := session.Close(); err != nil {
		t.Errorf("%v\n%s", err, log.String())
	}
}

// TestStdioKnowsItsUserByTheEnvironment asks as each user of the demo's guarded namespace, and as nobody.
func TestStdioKnowsItsUserByTheEnvironment(t *testing.T) {
	cost := map[string]any{"model": "FactSalesQueryModel", "payload": map[string]any{"columns": []string{"costAmount"}}}
	args := []string{"--namespace", secureName}
	session := stdio(t, "", map[string]string{tokenVariable: "plc_demo-manager"}, args...)
	if text, failed := ask(t, session, "dataset_query_model", cost); failed {
		t.Errorf("the manager is refused: %s", text)
	}
	session = stdio(t, "", map[string]string{tokenVariable: "plc_demo-viewer"}, args...)
	if text, failed := ask(t, session, "dataset_query_model", cost); !failed {
		t.Errorf("the viewer sees %s", text)
	}
	for want, c := range map[string]struct{ token, role string }{
		"This namespace needs a token; set PARLANCE_TOKEN in the environment of parlance mcp": {"", "analyst"},
		"The token is not valid":                             {"wrong", "analyst"},
		"No role of this identity covers the admin endpoint": {"plc_demo-viewer", "admin"},
	} {
		var out bytes.Buffer
		env := func(name string) (string, bool) { return c.token, name == tokenVariable && c.token != "" }
		code := Run(t.Context(), append([]string{"mcp", "--role", c.role}, args...), Streams{
			In: strings.NewReader(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}` + "\n"), Out: &out, Err: io.Discard, Env: env,
		})
		if text := fmt.Sprintf(`{"jsonrpc":"2.0","id":0,"error":{"code":-32600,"message":%q}}`+"\n", want); code != exitOK || out.String() != text {
			t.Errorf("exit code %d, %s", code, out.String())
		}
	}
}

// oneAtATime is a namespace whose only connection an endless query takes; another query is refused meanwhile.
func oneAtATime(t *testing.T) (config, record string) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"models", "data"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(dir, "data"), "sales.csv", "sale_id,amount\n1,10\n2,20\n")
	write(t, filepath.Join(dir, "models"), "sales.yaml", `model: Sales
source: {table: sales, key: [sale_id]}
measures:
  - {name: amount, column: amount, type: integer, agg: sum}
`)
	write(t, filepath.Join(dir, "models"), "endless.yaml", `model: Endless
source: {sql: "select i as id, (hash(i) % 1000)::integer as amount from range(1000000000000) t(i)", key: [id]}
measures:
  - {name: amount, column: amount, type: integer, agg: sum}
`)
	write(t, dir, "parlance.yaml", `namespaces: {default: {models: ./models, datasource: files}}
datasources: {files: {type: duckdb, folder: ./data, max_conns: 1}}
limits: {queue: 0}
audit: {file: ./audit.jsonl}
`)
	return filepath.Join(dir, "parlance.yaml"), filepath.Join(dir, "audit.jsonl")
}

// TestStdioCancelsTheStatement checks at the database that a cancelled request ends its statement: the only connection
// is free again.
func TestStdioCancelsTheStatement(t *testing.T) {
	config, record := oneAtATime(t)
	t.Run("session", func(t *testing.T) {
		session := stdio(t, "", nil, "--config", config)
		count := func(model string) map[string]any { // one statement: there are no rows to read
			return map[string]any{"model": model, "payload": map[string]any{"columns": []string{"amount"}, "limit": 0}}
		}
		ctx, cancel := context.WithCancel(t.Context())
		var endless sync.WaitGroup
		endless.Go(func() {
			for ctx.Err() == nil { // again where the other query was there first
				_, _ = session.CallTool(ctx, &sdk.CallToolParams{Name: "dataset_query_model", Arguments: count("Endless")})
			}
		})
		until := func(busy bool) {
			for t.Context().Err() == nil {
				text, failed := ask(t, session, "dataset_query_model", count("Sales"))
				if failed == busy {
					return
				}
				if failed && !strings.Contains(text, `"retryable":true`) {
					t.Fatal(text)
				}
			}
		}
		until(true)
		cancel()
		endless.Wait()
		until(false)
	})
	var ends []string
	for _, l := range readAudit(t, record) {
		if l.Interface != "stdio" || l.Endpoint != "analyst" {
			t.Errorf("the record has %s", l.card())
		}
		if l.Model == "Endless" {
			ends = append(ends, l.Outcome)
		}
	}
	if last := len(ends) - 1; last < 0 || ends[last] != "cancelled" {
		t.Errorf("the endless query ended with %q", ends)
	}
}
