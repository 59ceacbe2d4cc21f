package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"parlance/internal/transport/mcp"
)

const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`

// wire is a client of single requests.
type wire struct {
	t   *testing.T
	url string
}

// post sends a body under a client's name and returns the status, the body and the name that the server gave.
func (w wire) post(name, body string) (status int, answer, given string) {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, w.url, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if name != "" {
		r.Header.Set("Mcp-Session-Id", name)
	}
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return reply.StatusCode, string(text), reply.Header.Get("Mcp-Session-Id")
}

// name begins as a client does and returns the name that it got.
func (w wire) name() string {
	w.t.Helper()
	status, _, given := w.post("", hello)
	if status != http.StatusOK || given == "" {
		w.t.Fatalf("initialize: %d, named %q", status, given)
	}
	return given
}

// TestDecision06CancelledByItsOwnClient checks that a request ends when its client says so, whose connection stays open,
// and at nobody else's word: ids of different clients are alike.
func TestDecision06CancelledByItsOwnClient(t *testing.T) {
	world := newOrders()
	server := httptest.NewServer(mcp.New(mcp.Options{Role: mcp.Analyst, Service: world, Version: "1"}))
	t.Cleanup(server.Close)
	w := wire{t, server.URL}
	mine, theirs := w.name(), w.name()
	if mine == theirs {
		t.Fatalf("two clients are named %s", mine)
	}
	type reply struct {
		status int
		body   string
	}
	answered := make(chan reply, 1)
	go func() {
		status, body, _ := w.post(mine, fmt.Sprintf(endless, "7"))
		answered <- reply{status, body}
	}()
	<-world.begun
	cancelled := func(id string) string {
		return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `,"reason":"test"}}`
	}
	for what, c := range map[string]struct{ name, body string }{
		"another client":       {theirs, cancelled("7")},
		"nobody":               {"", cancelled("7")},
		"a name of its making": {"7", cancelled("7")},
		"another request":      {mine, cancelled("8")},
		"a string":             {mine, cancelled(`"7"`)},
		"no request":           {mine, cancelled("null")},
		"no parameters":        {mine, `{"jsonrpc":"2.0","method":"notifications/cancelled"}`},
		"a request":            {mine, `{"jsonrpc":"2.0","id":9,"method":"notifications/cancelled","params":{"requestId":7}}`},
		"a ping of that id":    {mine, `{"jsonrpc":"2.0","id":7,"method":"ping"}`},
	} {
		w.post(c.name, c.body)
		w.post(theirs, pinging) // time for a query to end
		select {
		case err := <-world.ended:
			t.Fatalf("%s ended the query: %v", what, err)
		default:
		}
	}
	if status, body, _ := w.post(mine, cancelled("7")); status != http.StatusAccepted || body != "" {
		t.Errorf("the notification is answered %d %s", status, body)
	}
	if err := <-world.ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the query ended with %v", err)
	}
	if got := <-answered; got.status != http.StatusAccepted || got.body != "" {
		t.Errorf("the cancelled request is answered %d %s", got.status, got.body)
	}
	if status, body, _ := w.post(mine, pinging); status != http.StatusOK || !strings.Contains(body, `"result":{}`) {
		t.Errorf("afterwards the client gets %d %s", status, body)
	}
}

// TestDecision06NamesAreGivenByInitialize checks that nothing else gives one, and that none is needed.
func TestDecision06NamesAreGivenByInitialize(t *testing.T) {
	server := httptest.NewServer(mcp.New(mcp.Options{Role: mcp.Analyst, Service: newOrders(), Version: "1"}))
	t.Cleanup(server.Close)
	w := wire{t, server.URL}
	for body, named := range map[string]bool{
		hello: true,
		strings.Replace(hello, "2025-11-25", "2024-11-05", 1): true,
		pinging: false,
		`{"jsonrpc":"2.0","method":"initialize"}`:                   false,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":1}`: false,
		`[` + hello + `]`: false,
	} {
		if _, answer, given := w.post("", body); (given != "") != named {
			t.Errorf("%s is answered %s and named %q", body, answer, given)
		}
	}
}
