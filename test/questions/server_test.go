package questions

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"parlance/internal/app"
)

var listensOn = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// start serves a configuration, or the embedded demo for "", on a free port and returns its address; it stops when the
// test ends.
func start(t *testing.T, config string) string {
	t.Helper()
	args := []string{"serve", "--listen", "127.0.0.1:0"}
	if config != "" {
		args = append(args, "--config", config)
	}
	greeting, out := io.Pipe()
	var log bytes.Buffer
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan int, 1)
	go func() {
		none := func(string) (string, bool) { return "", false }
		done <- app.Run(ctx, args, app.Streams{Out: out, Err: &log, Env: none})
		out.Close()
	}()
	t.Cleanup(func() {
		stop()
		if code := <-done; code != 0 {
			t.Errorf("the server ended with %d:\n%s", code, &log)
		}
	})
	for lines := bufio.NewScanner(greeting); lines.Scan(); {
		if address := listensOn.FindString(lines.Text()); address != "" {
			go func() { _, _ = io.Copy(io.Discard, greeting) }()
			return address
		}
	}
	t.Fatal("the server did not start")
	return ""
}

// post sends a JSON body and decodes the JSON answer, numbers as they are written.
func post(t *testing.T, address string, body, to any) {
	t.Helper()
	sent, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, bytes.NewReader(sent))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	decode(t, answer.Body, to)
}

func decode(t *testing.T, from io.Reader, to any) {
	t.Helper()
	d := json.NewDecoder(from)
	d.UseNumber()
	if err := d.Decode(to); err != nil {
		t.Fatal(err)
	}
}

type row = map[string]any

// reply is the answer of dataset_nl.query.
type reply struct {
	Type, Understood, Model, Message, Summary string
	Payload                                   payload
	Items                                     []row
	Total                                     int64
	Choices                                   []struct {
		Text, Model string
		Payload     payload
	}
}

// ask asks a question, again where the words of the data are still being read, as a busy machine may be long about.
func ask(t *testing.T, server, question string) reply {
	t.Helper()
	text, failed := asked(t, server, question)
	for range 60 {
		if !failed || !strings.Contains(text, `"reason":"not_ready"`) {
			break
		}
		text, failed = asked(t, server, question)
	}
	if failed {
		t.Fatalf("%q is answered with %s", question, text)
	}
	var r reply
	decode(t, strings.NewReader(text), &r)
	return r
}

// asked asks a question once and returns the text of what came back.
func asked(t *testing.T, server, question string) (text string, failed bool) {
	t.Helper()
	var envelope struct {
		Result struct {
			Content []struct{ Text string }
			IsError bool
		}
	}
	post(t, server+"/mcp/business/rpc", map[string]any{
		"jsonrpc": "2.0", "id": "1", "method": "tools/call",
		"params": map[string]any{"name": "dataset_nl.query", "arguments": map[string]any{"query": question}},
	}, &envelope)
	if len(envelope.Result.Content) != 1 {
		t.Fatalf("%q is answered with %+v", question, envelope)
	}
	return envelope.Result.Content[0].Text, envelope.Result.IsError
}

// rows runs a payload over the HTTP interface, all its rows.
func rows(t *testing.T, server, model string, p payload) []row {
	t.Helper()
	body := map[string]any{"param": p}
	if _, limited := p["limit"]; !limited {
		body["limit"] = 10_000
	}
	var envelope struct {
		Code int
		Msg  string
		Data struct{ Items []row }
	}
	post(t, server+"/jdbc-model/query-model/v2/"+model, body, &envelope)
	if envelope.Code != 0 {
		t.Fatalf("the expected payload %v of %s is refused: %s", p, model, envelope.Msg)
	}
	return envelope.Data.Items
}
