package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"parlance/internal/access"
	"parlance/internal/audit"
	"parlance/internal/fault"
	"parlance/internal/transport/mcp"
)

// local is a Stdio under test with the streams of its client.
type local struct {
	in      *io.PipeWriter
	answers *bufio.Reader
	out     *io.PipeReader
	stop    context.CancelFunc
	done    chan error

	mu      sync.Mutex
	entries []string
}

// dial starts a Stdio over pipes; its end is the test's to wait for.
func dial(t *testing.T, world orders, o mcp.StdioOptions) *local {
	t.Helper()
	l := &local{done: make(chan error, 1)}
	o.Handler = mcp.New(mcp.Options{Role: mcp.Analyst, Service: world, Log: silent(), Version: "1.2.3"})
	o.Log = silent()
	if o.Authenticate == nil {
		o.Authenticate = func(context.Context) (access.Identity, error) { return access.Identity{User: "me"}, nil }
	}
	o.Audit = func(e audit.Entry) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.entries = append(l.entries, fmt.Sprint(e.Interface, " ", e.Endpoint, " ", e.User, " ", e.Tool, " ", e.Outcome, " ", e.Code))
	}
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	l.in, l.out, l.answers = toServer, fromServer, bufio.NewReader(fromServer)
	var ctx context.Context
	ctx, l.stop = context.WithCancel(context.Background())
	t.Cleanup(l.stop)
	go func() {
		l.done <- mcp.NewStdio(o).Serve(ctx, in, out)
		_ = in.Close()
		_ = out.Close()
	}()
	return l
}

func silent() *slog.Logger { return slog.New(slog.DiscardHandler) }

func (l *local) send(t *testing.T, lines ...string) {
	t.Helper()
	for _, text := range lines {
		if _, err := io.WriteString(l.in, text+"\n"); err != nil {
			t.Fatal(err)
		}
	}
}

func (l *local) receive(t *testing.T) string {
	t.Helper()
	text, err := l.answers.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if !json.Valid([]byte(text)) {
		t.Errorf("not JSON: %s", text)
	}
	return strings.TrimSuffix(text, "\n")
}

// end closes the input and checks that nothing more is answered and that the serving ends in peace.
func (l *local) end(t *testing.T) {
	t.Helper()
	_ = l.in.Close()
	rest, _ := io.ReadAll(l.answers)
	if err := <-l.done; err != nil || len(rest) > 0 {
		t.Errorf("ended with %v, unread answers %q", err, rest)
	}
}

func TestStdioAnswersLineByLine(t *testing.T) {
	defer goleak.VerifyNone(t)
	l := dial(t, newOrders(), mcp.StdioOptions{MaxLine: 400})
	for _, c := range []struct{ send, want string }{
		{`{"jsonrpc":"2.0","id":0,"method":"ping"}`, `{"jsonrpc":"2.0","id":0,"result":{}}`},
		{`{"jsonrpc":"2.0","id":"a\u0062","method":"ping"}` + "\r", `{"jsonrpc":"2.0","id":"a\u0062","result":{}}`},
		{"\n  \n" + `{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, `{"jsonrpc":"2.0","id":9007199254740993,"result":{}}`},
		{`{"jsonrpc":`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error: unexpected end at byte 11"}}`},
		{`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" + `{"jsonrpc":"2.0","id":7.5,"method":"nope"}`,
			`{"jsonrpc":"2.0","id":7.5,"error":{"code":-32601,"message":"Method not found: nope"}}`},
		{strings.Repeat("x", 401), `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request: the message is longer than 400 bytes"}}`},
		{strings.Repeat("x", 100_000), `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request: the message is longer than 400 bytes"}}`},
		{strings.Repeat(" ", 360) + `{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"result":{}}`},
		{`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]`,
			`[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":{}}]`},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"dataset.query_model","arguments":{"model":"Nope","payload":{}},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
			`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"error\":{\"code\":404,\"reason\":\"unknown_model\",\"message\":\"Unknown model\"}}"}],"isError":true,"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"parlance","version":"1.2.3"}}}}`},
		{`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01"}}}`,
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"Unsupported protocol version: 2099-01-01","data":{"supported":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"],"requested":"2099-01-01"}}}`},
	} {
		l.send(t, c.send)
		if diff := cmp.Diff(c.want, l.receive(t)); diff != "" {
			t.Errorf("%.200s: %s", c.send, diff)
		}
	}
	l.end(t)
	want := []string{
		"stdio analyst   body_too_large 413",
		"stdio analyst   body_too_large 413",
		"stdio analyst   parse_error -32700",
		"stdio analyst me  method_not_found -32601",
		"stdio analyst me  unsupported_protocol_version -32022",
		"stdio analyst me dataset.query_model unknown_model 404",
	}
	slices.Sort(l.entries)
	if diff := cmp.Diff(want, l.entries); diff != "" {
		t.Errorf("the record: %s", diff)
	}
}

const (
	endless = `{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"dataset.query_model","arguments":{"model":"Endless","payload":{}}}}`
	pinging = `{"jsonrpc":"2.0","id":"p","method":"ping"}`
	ponging = `{"jsonrpc":"2.0","id":"p","result":{}}`
)

func TestStdioCancelsTheRequestOfAnID(t *testing.T) {
	defer goleak.VerifyNone(t)
	world := newOrders()
	l := dial(t, world, mcp.StdioOptions{})
	for _, c := range []struct{ id, other, same string }{
		{"1", `"1"`, "1"}, {`"a"`, `"b"`, `"\u0061"`}, {"9007199254740993", "9007199254740992", "9007199254740993"},
	} {
		l.send(t, fmt.Sprintf(endless, c.id))
		<-world.begun
		for _, wrong := range []string{c.other, "null", "{}", `""`} {
			l.send(t, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":`+wrong+`}}`)
		}
		l.send(t, `{"jsonrpc":"2.0","method":"notifications/cancelled"}`, pinging)
		if got := l.receive(t); got != ponging { // meanwhile others are answered
			t.Errorf("got %s", got)
		}
		select {
		case err := <-world.ended:
			t.Fatalf("%s: another id ended the query: %v", c.id, err)
		default:
		}
		l.send(t, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":`+c.same+`,"reason":"user"}}`)
		if err := <-world.ended; !errors.Is(err, context.Canceled) {
			t.Errorf("%s: the query ended with %v", c.id, err)
		}
	}
	l.end(t) // a cancelled request is not answered
	for _, entry := range l.entries {
		if entry != "stdio analyst me dataset.query_model cancelled 499" {
			t.Errorf("the record has %s", entry)
		}
	}
	if len(l.entries) != 3 {
		t.Errorf("the record has %d entries", len(l.entries))
	}
}

func TestStdioLetsRunningRequestsFinish(t *testing.T) {
	defer goleak.VerifyNone(t)
	ready := make(chan struct{})
	l := dial(t, newOrders(), mcp.StdioOptions{Ready: func(context.Context) error { <-ready; return nil }})
	l.send(t, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"dataset.list_models"}}`, pinging)
	if got := l.receive(t); got != ponging { // only tools wait
		t.Errorf("got %s", got)
	}
	_ = l.in.Close()
	close(ready)
	if got := l.receive(t); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":1,"result":{"content"`) {
		t.Errorf("got %s", got)
	}
	l.end(t)
}

func TestStdioCutsOffWhatDoesNotFinish(t *testing.T) {
	for name, leave := range map[string]func(*local){
		"the input ends":   func(l *local) { _ = l.in.Close() },
		"the process ends": func(l *local) { l.stop() },
		"the client is gone": func(l *local) {
			_ = l.out.Close()
			_, _ = io.WriteString(l.in, pinging+"\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer goleak.VerifyNone(t)
			world := newOrders()
			l := dial(t, world, mcp.StdioOptions{Drain: time.Millisecond})
			l.send(t, fmt.Sprintf(endless, "1"))
			<-world.begun
			leave(l)
			if err := <-world.ended; !errors.Is(err, context.Canceled) {
				t.Errorf("the query ended with %v", err)
			}
			_, _ = io.Copy(io.Discard, l.out)
			if err := <-l.done; (err != nil) != (name == "the client is gone") {
				t.Errorf("the serving ended with %v", err)
			}
			_ = l.in.Close()
		})
	}
}

func TestStdioBoundsTheTimeOfAnAnswer(t *testing.T) {
	defer goleak.VerifyNone(t)
	world := newOrders()
	l := dial(t, world, mcp.StdioOptions{Timeout: time.Millisecond})
	l.send(t, fmt.Sprintf(endless, "1"))
	<-world.begun
	if err := <-world.ended; !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the query ended with %v", err)
	}
	if got := l.receive(t); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,`) {
		t.Errorf("got %s", got)
	}
	l.end(t)
}

func TestStdioRefusesWhomItDoesNotKnow(t *testing.T) {
	defer goleak.VerifyNone(t)
	refusal := error(&fault.Error{Kind: fault.Unauthorized, Reason: "missing_token", Message: "This namespace needs a token", Hint: "set TOKEN"})
	l := dial(t, newOrders(), mcp.StdioOptions{Authenticate: func(context.Context) (access.Identity, error) {
		return access.Identity{User: "half known"}, refusal
	}})
	for _, method := range []string{"initialize", "tools/list", "tools/call", "server/discover", "nope"} {
		l.send(t, `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{"name":"dataset.list_models"}}`)
		if got := l.receive(t); got != `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"This namespace needs a token; set TOKEN"}}` {
			t.Errorf("%s: %s", method, got)
		}
	}
	refusal = errors.New("secret text")
	l.send(t, pinging)
	if got := l.receive(t); strings.Contains(got, "secret") || !strings.Contains(got, "-32603") {
		t.Errorf("got %s", got)
	}
	l.end(t)
	slices.Sort(l.entries)
	if len(l.entries) != 6 || l.entries[0] != "stdio analyst half known  internal -32603" || l.entries[5] != "stdio analyst half known  missing_token 401" {
		t.Errorf("the record has %q", l.entries)
	}
}

// TestOfficialClientOverStdio walks the official client through both eras over one pair of streams each.
func TestOfficialClientOverStdio(t *testing.T) {
	for _, version := range []string{"2026-07-28", "2025-11-25", "2024-11-05"} {
		t.Run(version, func(t *testing.T) {
			defer goleak.VerifyNone(t)
			world := newOrders()
			l := dial(t, world, mcp.StdioOptions{})
			client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
			session, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: l.out, Writer: l.in}, &sdk.ClientSessionOptions{ProtocolVersion: version})
			if err != nil {
				t.Fatal(err)
			}
			if hello := session.InitializeResult(); hello.ProtocolVersion != version || hello.ServerInfo.Name != "parlance" {
				t.Errorf("%+v", hello)
			}
			if tools, err := session.ListTools(t.Context(), nil); err != nil || len(tools.Tools) == 0 {
				t.Errorf("tools/list: %v", err)
			}
			cancelCall(t, session, world)
			var calls sync.WaitGroup
			for range 20 {
				calls.Go(func() {
					result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "dataset.query_model",
						Arguments: map[string]any{"model": "Orders", "payload": map[string]any{}}})
					if err != nil || result.IsError {
						t.Errorf("tools/call: %+v %v", result, err)
					}
				})
			}
			calls.Wait()
			if err := session.Close(); err != nil {
				t.Errorf("close: %v", err)
			}
			if err := <-l.done; err != nil {
				t.Errorf("the serving ended with %v", err)
			}
		})
	}
}
