package jsonrpc

import (
	"strconv"
	"strings"

	"parlance/internal/jsontree"
)

// notifications is the namespace of the methods that want no answer (decision 02).
const notifications = "notifications/"

// read checks one entry. Without an error a nil request is a notification; with one, a request holds the id to echo.
func (c *call) read(entry jsontree.Node) (*Request, *Error) {
	if entry.Kind != jsontree.Object {
		return nil, invalidf("a request must be an object, not %s", KindName(entry.Kind))
	}
	r := &Request{Batch: c.batched}
	id, hasID := entry.Get("id")
	if hasID {
		if id.Kind != jsontree.String && id.Kind != jsontree.Number {
			return nil, invalidf("id must be a string or a number, not %s", KindName(id.Kind))
		}
		r.ID = id.Raw
	}
	if c.repeated {
		if err := c.checkRepeated(entry, r); err != nil {
			return r, err
		}
	}
	if err := readMethod(entry, r); err != nil {
		return r, err
	}
	if !hasID {
		if strings.HasPrefix(r.Method, notifications) {
			return nil, nil
		}
		return nil, invalidf("id is missing")
	}
	return r, readParams(entry, r)
}

func readMethod(entry jsontree.Node, r *Request) *Error {
	version, _ := entry.Get("jsonrpc")
	if version.Kind != jsontree.String || version.Text != "2.0" {
		return invalidf(`jsonrpc must be "2.0"`)
	}
	method, ok := entry.Get("method")
	if !ok {
		return invalidf("method is missing")
	}
	if method.Kind != jsontree.String {
		return invalidf("method must be a string, not %s", KindName(method.Kind))
	}
	r.Method = method.Text
	return nil
}

func readParams(entry jsontree.Node, r *Request) *Error {
	params, _ := entry.Get("params")
	switch params.Kind {
	case jsontree.Null:
		r.Params = jsontree.Node{Kind: jsontree.Object, Raw: []byte("{}")}
	case jsontree.Object:
		r.Params = params
	case jsontree.Bool, jsontree.Number, jsontree.String, jsontree.Array:
		return &Error{Code: InvalidParams, Message: "Invalid params: params must be an object, not " + KindName(params.Kind)}
	}
	return nil
}

// checkRepeated refuses a repeated key outside the deferred path and notes the first one within it.
// A repeated id cannot be read, so it is not echoed.
func (c *call) checkRepeated(entry jsontree.Node, r *Request) *Error {
	refused, deferred := repeatedKeys(entry, "", c.server.Deferred)
	r.Repeated = deferred
	if refused == nil {
		return nil
	}
	if refused.Path == "" && refused.Key == "id" {
		r.ID = nil
	}
	return &Error{Code: InvalidRequest, Message: Clip("Invalid request: " + refused.Error())}
}

// repeatedKeys returns the first repeated key outside the deferred path, outer objects first, and the first within it.
func repeatedKeys(n jsontree.Node, path, deferred string) (refused, later *jsontree.DuplicateError) {
	if deferred != "" && path == deferred {
		return nil, firstRepeated(n, path)
	}
	seen := make(map[string]bool, len(n.Members))
	for _, m := range n.Members {
		if seen[m.Key] {
			return &jsontree.DuplicateError{Path: path, Key: m.Key}, later
		}
		seen[m.Key] = true
	}
	note := func(child jsontree.Node, path string) {
		r, l := repeatedKeys(child, path, deferred)
		if refused == nil {
			refused = r
		}
		if later == nil {
			later = l
		}
	}
	for _, m := range n.Members {
		note(m.Value, jsontree.Join(path, m.Key))
	}
	for i, item := range n.Items {
		note(item, path+"["+strconv.Itoa(i)+"]")
	}
	return refused, later
}

func firstRepeated(n jsontree.Node, path string) *jsontree.DuplicateError {
	refused, _ := repeatedKeys(n, path, "")
	return refused
}

// KindName returns a kind as messages name it: a string, an object, null.
func KindName(k jsontree.Kind) string {
	switch k {
	case jsontree.Null:
		return "null"
	case jsontree.Array, jsontree.Object:
		return "an " + k.String()
	case jsontree.Bool, jsontree.Number, jsontree.String:
	}
	return "a " + k.String()
}
