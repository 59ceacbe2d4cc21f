package jsonrpc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"testing"
)

// fake answers echo with its params and misbehaves on request.
type fake struct{}

func (fake) Handle(_ context.Context, dst []byte, r *Request) ([]byte, error) {
	if r.Repeated != nil {
		return dst, &Error{Code: InvalidParams, Message: "handler: " + r.Repeated.Error()}
	}
	switch r.Method {
	case "echo":
		return append(dst, r.Params.Raw...), nil
	case "fail":
		return append(dst, "half a res"...), &Error{Code: InvalidParams, Message: "no \"good\"\x01", Data: []byte("[1]")}
	case "break":
		return append(dst, "half a res"...), errors.New("the disk said no")
	case "panic":
		panic("a secret thought")
	}
	return dst, &Error{Code: MethodNotFound, Message: "Method not found: " + Clip(r.Method)}
}

func testServer(log *bytes.Buffer) *Server {
	return &Server{Log: slog.New(slog.NewJSONHandler(log, nil)), MaxBatch: 4, Deferred: "params.own"}
}

type goldenCase struct {
	name, body, want string
}

func goldenCases(t testing.TB, file string) []goldenCase {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var cases []goldenCase
	for number, line := range strings.Split(string(text), "\n") {
		kind, rest, _ := strings.Cut(line, " ")
		switch kind {
		case "case":
			cases = append(cases, goldenCase{name: rest})
		case ">":
			cases[len(cases)-1].body = rest
		case "q>":
			if cases[len(cases)-1].body, err = strconv.Unquote(rest); err != nil {
				t.Fatalf("%s:%d: %v", file, number+1, err)
			}
		case "<":
			cases[len(cases)-1].want = rest
		case "", "#":
		default:
			t.Fatalf("%s:%d: unknown line", file, number+1)
		}
	}
	return cases
}

func TestEnvelopes(t *testing.T) {
	for _, c := range goldenCases(t, "testdata/envelope.txt") {
		t.Run(c.name, func(t *testing.T) {
			reply := testServer(new(bytes.Buffer)).Serve(context.Background(), []byte(c.body), "trace-1", fake{})
			if got := string(reply.Body); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
			if wantErr := strings.Contains(c.want, `"error":{`); wantErr != (reply.Err != nil) {
				t.Errorf("Err = %v", reply.Err)
			}
		})
	}
}

func TestLogKeepsWhatTheCallerDoesNotLearn(t *testing.T) {
	for method, want := range map[string]string{"panic": "a secret thought", "break": "the disk said no"} {
		var log bytes.Buffer
		body := `{"jsonrpc":"2.0","id":1,"method":"` + method + `"}`
		reply := testServer(&log).Serve(context.Background(), []byte(body), "trace-7", fake{})
		if strings.Contains(string(reply.Body), want) {
			t.Errorf("%s: the caller learns %s", method, reply.Body)
		}
		var line struct{ Level, Trace, Method, Panic, Error, Stack string }
		if err := json.Unmarshal(log.Bytes(), &line); err != nil {
			t.Fatalf("%s: not one log line: %q", method, log.String())
		}
		if line.Trace != "trace-7" || line.Method != method || line.Panic+line.Error != want || line.Level != "ERROR" {
			t.Errorf("%s: log line %+v", method, line)
		}
		if (method == "panic") != strings.Contains(line.Stack, "jsonrpc_test.go") {
			t.Errorf("%s: stack %q", method, line.Stack)
		}
	}
}

// gone fails as a handler does whose caller hung up.
type gone struct{}

func (gone) Handle(ctx context.Context, dst []byte, _ *Request) ([]byte, error) {
	return dst, ctx.Err()
}

func TestACallerWhoHungUpIsNoErrorOfOurs(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var log bytes.Buffer
	reply := testServer(&log).Serve(ctx, []byte(`{"jsonrpc":"2.0","id":1,"method":"x"}`), "t", gone{})
	if log.Len() > 0 || reply.Err == nil || reply.Err.Code != InternalError {
		t.Errorf("log %q, reply %s", log.String(), reply.Body)
	}
}

func TestNoTraceNoData(t *testing.T) {
	reply := testServer(new(bytes.Buffer)).Serve(context.Background(), []byte(`{"jsonrpc":"2.0","id":1,"method":"break"}`), "", fake{})
	if want := `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error"}}`; string(reply.Body) != want {
		t.Errorf("got %s", reply.Body)
	}
}

func TestDefaultBatchIsFifty(t *testing.T) {
	s := &Server{}
	entries := func(n int) []byte {
		return []byte("[" + strings.TrimSuffix(strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"echo"},`, n), ",") + "]")
	}
	if reply := s.Serve(context.Background(), entries(50), "", fake{}); reply.Err != nil {
		t.Errorf("50 entries: %v", reply.Err)
	}
	if reply := s.Serve(context.Background(), entries(51), "", fake{}); reply.Err == nil || reply.Err.Code != InvalidRequest {
		t.Errorf("51 entries: %s", reply.Body)
	}
}

func TestLongTextIsNotRepeated(t *testing.T) {
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("é", 5000) + `"}`,
		`{"jsonrpc":"2.0","id":1,"method":"echo","` + strings.Repeat("k", 5000) + `":1,"` + strings.Repeat("k", 5000) + `":1}`,
	} {
		reply := testServer(new(bytes.Buffer)).Serve(context.Background(), []byte(body), "", fake{})
		if reply.Err == nil || len(reply.Body) > 400 || !json.Valid(reply.Body) {
			t.Errorf("answered with %d bytes", len(reply.Body))
		}
	}
}

func TestAppendString(t *testing.T) {
	for in, want := range map[string]string{
		"":                   `""`,
		"plain é 中 😀 <&>":    `"plain é 中 😀 <&>"`,
		"a\"b\\c/d":          `"a\"b\\c/d"`,
		"\n\r\t\b\x00\x1f":   `"\n\r\t\u0008\u0000\u001f"`,
		"\xffa\xc3":          `"\ufffda\ufffd"`,
		"\u2028\x7f\ufffd":   "\"\u2028\x7f\ufffd\"",
		"cut \xe4\xb8 short": `"cut \ufffd\ufffd short"`,
	} {
		if got := string(AppendString(nil, in)); got != want {
			t.Errorf("AppendString(%q) = %s, want %s", in, got, want)
		}
		if got := string(AppendString(nil, []byte(in))); got != want {
			t.Errorf("AppendString of bytes %q = %s, want %s", in, got, want)
		}
	}
}
