package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

// toolClient calls dataset.query_model over HTTP, as an agent does.
type toolClient struct {
	t                *testing.T
	base             string
	namespace, token string
	known            map[string][]any // rows of calls that were made before
}

func newToolClient(t *testing.T, base string) *toolClient {
	t.Helper()
	return &toolClient{t: t, base: base, known: map[string][]any{}}
}

// toolAnswer is what a call brings: rows or an error, and with either perhaps a patch.
type toolAnswer struct {
	text   map[string]any
	failed map[string]any
	patch  []any
}

func (c *toolClient) ask(args arguments) toolAnswer { return c.call("dataset.query_model", args) }

func (c *toolClient) call(tool string, args any) toolAnswer {
	c.t.Helper()
	res := c.post(tool, marshalled(args))
	defer res.Body.Close()
	var envelope struct {
		Result struct {
			Content []struct{ Text string }
			IsError bool
		}
		Error map[string]any
	}
	d := json.NewDecoder(res.Body)
	if err := d.Decode(&envelope); err != nil {
		c.t.Fatal(err)
	}
	var answer toolAnswer
	if envelope.Error != nil {
		answer.failed = envelope.Error
		data, _ := envelope.Error["data"].(map[string]any)
		answer.patch, _ = data["patch"].([]any)
		return answer
	}
	texts := json.NewDecoder(bytes.NewReader([]byte(envelope.Result.Content[0].Text)))
	texts.UseNumber()
	if err := texts.Decode(&answer.text); err != nil {
		c.t.Fatal(err)
	}
	answer.patch, _ = answer.text["patch"].([]any)
	if envelope.Result.IsError {
		answer.failed, _ = answer.text["error"].(map[string]any)
		answer.patch, _ = answer.failed["patch"].([]any)
	}
	return answer
}

// raw returns the body of an answer.
func (c *toolClient) raw(tool, args string) string {
	c.t.Helper()
	res := c.post(tool, args)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return string(body)
}

// post calls a tool; whoever calls it closes the body.
func (c *toolClient) post(tool, args string) *http.Response {
	c.t.Helper()
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":` + marshalled(tool) + `,"arguments":` + args + `}}`
	req, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, c.base+"/mcp/analyst/rpc", strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if c.namespace != "" {
		req.Header.Set("X-Ns", c.namespace)
	}
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	return res
}

// rows returns the rows of a right call, and whether it is one.
func (c *toolClient) rows(args arguments) ([]any, bool) {
	key := marshalled(args)
	if rows, ok := c.known[key]; ok {
		return rows, true
	}
	answer := c.ask(args)
	rows, ok := answer.text["rows"].([]any)
	c.known[key] = append(rows, answer.text["total"])
	return c.known[key], ok
}

// outcome is what a broken call came to.
type outcome struct {
	rows          []any
	patched       bool
	first, second string
}

// loop makes a call and, if it is refused or answered with a patch, once more as the answer says.
func (c *toolClient) loop(args arguments) outcome {
	answer := c.ask(args)
	if answer.failed == nil && answer.patch == nil {
		rows, _ := answer.text["rows"].([]any)
		return outcome{rows: append(rows, answer.text["total"]), first: "accepted"}
	}
	o := outcome{patched: answer.patch != nil, first: marshalled(answer.failed)}
	again, err := mendedBy(args.clone(), answer)
	if err != nil {
		o.second = err.Error()
		return o
	}
	o.second = marshalled(again)
	second := c.call("dataset.query_model", again)
	if second.failed != nil {
		o.second += " → " + marshalled(second.failed)
		return o
	}
	rows, _ := second.text["rows"].([]any)
	o.rows = append(rows, second.text["total"])
	return o
}

// mendedBy applies the patch or, without one, puts the first of the closest words where the path leads.
func mendedBy(args arguments, answer toolAnswer) (any, error) {
	var doc any = map[string]any(args)
	if answer.patch == nil {
		closest, _ := answer.failed["closest"].([]any)
		path, _ := answer.failed["path"].(string)
		if len(closest) == 0 {
			return nil, fmt.Errorf("neither a patch nor a closest word")
		}
		pointer := strings.NewReplacer(".", "/", "[", "/", "]", "").Replace("/" + path)
		return patched(doc, map[string]any{"op": "replace", "path": pointer, "value": closest[0]})
	}
	for _, op := range answer.patch {
		var err error
		if doc, err = patched(doc, op.(map[string]any)); err != nil {
			return nil, err
		}
	}
	return doc, nil
}

// patched applies one operation of RFC 6902. It is a reading of the standard of its own, not the server's.
func patched(doc any, op map[string]any) (any, error) {
	path, _ := op["path"].(string)
	value := op["value"]
	switch op["op"] {
	case "remove":
		return put(doc, tokens(path), without)
	case "replace":
		if path == "" {
			return value, nil
		}
		return put(doc, tokens(path), func(parent any, key string) (any, error) {
			if _, err := step(parent, key); err != nil {
				return nil, err
			}
			return with(parent, key, value, false)
		})
	case "move":
		from, _ := op["from"].(string)
		moved := doc
		for _, token := range tokens(from) {
			var err error
			if moved, err = step(moved, token); err != nil {
				return nil, err
			}
		}
		var err error
		if doc, err = patched(doc, map[string]any{"op": "remove", "path": from}); err != nil {
			return nil, err
		}
		value = moved
		fallthrough
	case "add":
		return put(doc, tokens(path), func(parent any, key string) (any, error) { return with(parent, key, value, true) })
	}
	return nil, fmt.Errorf("an operation %v", op["op"])
}

func tokens(pointer string) []string {
	if pointer == "" {
		return nil
	}
	list := strings.Split(pointer[1:], "/")
	for i, token := range list {
		list[i] = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
	}
	return list
}

// put changes the container that the last token is in.
func put(doc any, at []string, change func(parent any, key string) (any, error)) (any, error) {
	if len(at) == 1 {
		return change(doc, at[0])
	}
	inner, err := step(doc, at[0])
	if err != nil {
		return nil, err
	}
	if inner, err = put(inner, at[1:], change); err != nil {
		return nil, err
	}
	return with(doc, at[0], inner, false)
}

func step(doc any, token string) (any, error) {
	switch d := doc.(type) {
	case map[string]any:
		if v, ok := d[token]; ok {
			return v, nil
		}
	case []any:
		if i, err := strconv.Atoi(token); err == nil && i >= 0 && i < len(d) {
			return d[i], nil
		}
	}
	return nil, fmt.Errorf("nothing at %q", token)
}

func with(parent any, key string, value any, insert bool) (any, error) {
	switch d := parent.(type) {
	case map[string]any:
		d[key] = value
		return d, nil
	case []any:
		if key == "-" && insert {
			return append(d, value), nil
		}
		i, err := strconv.Atoi(key)
		if err != nil || i < 0 || i > len(d) || i == len(d) && !insert {
			return nil, fmt.Errorf("no place %q", key)
		}
		if insert {
			return append(d[:i:i], append([]any{value}, d[i:]...)...), nil
		}
		d[i] = value
		return d, nil
	}
	return nil, fmt.Errorf("%q in a value", key)
}

func without(parent any, key string) (any, error) {
	if _, err := step(parent, key); err != nil {
		return nil, err
	}
	switch d := parent.(type) {
	case map[string]any:
		delete(d, key)
		return d, nil
	case []any:
		i, _ := strconv.Atoi(key)
		return append(d[:i:i], d[i+1:]...), nil
	}
	return nil, fmt.Errorf("%q in a value", key)
}
