package contract

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"parlance/internal/jsontree"
)

// reply is what the server sent.
type reply struct {
	status int
	header http.Header
	body   []byte
	tree   jsontree.Node // of the body; the zero Node unless it is JSON
	isJSON bool
	trace  string
}

// send runs one request against a server.
func (r request) send(t *testing.T, base string) *reply {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), r.method, base+r.path, strings.NewReader(r.body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	for _, h := range r.headers {
		switch {
		case h[0] == "Host":
			req.Host = h[1]
		case h[1] == "<none>":
			req.Header.Del(h[0])
		default:
			req.Header.Add(h[0], h[1])
			if h[0] == "Content-Type" {
				req.Header.Set(h[0], h[1])
			}
		}
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	got := &reply{status: res.StatusCode, header: res.Header, body: body, trace: res.Header.Get("X-Trace-Id")}
	if tree, err := jsontree.Parse(body); err == nil {
		got.tree, got.isJSON = tree, true
	}
	return got
}

// check returns everything that is wrong with the reply.
func (a answer) check(got *reply, rows oracle) []string {
	var wrong []string
	add := func(what string) {
		if what != "" {
			wrong = append(wrong, what)
		}
	}
	if got.status != a.status {
		add(fmt.Sprintf("status: want %d, got %d", a.status, got.status))
	}
	for _, h := range a.headers {
		add(got.headerDiffers(h[0], h[1]))
	}
	switch {
	case a.anything:
	case a.json != "":
		add(got.documentDiffers(a.json, a.exact))
	case len(a.asserts) > 0 && !got.isJSON:
		add(fmt.Sprintf("body: want JSON, got %.300q", got.body))
	case len(a.asserts) > 0:
		for _, one := range a.asserts {
			add(one.check(got, rows))
		}
	case len(got.body) > 0:
		add(fmt.Sprintf("body: want none, got %.300q", got.body))
	}
	return wrong
}

func (r *reply) headerDiffers(name, want string) string {
	got := r.header.Get(name)
	switch {
	case want == "<any>" && got != "", want == "<none>" && got == "", want == "<trace>" && got == r.trace && got != "", want == got:
		return ""
	}
	return fmt.Sprintf("header %s: want %s, got %q", name, want, got)
}

func (r *reply) documentDiffers(document string, exact bool) string {
	want, err := jsontree.Parse([]byte(document))
	if err != nil {
		return fmt.Sprintf("the expected document: %v", err)
	}
	if !r.isJSON {
		return fmt.Sprintf("body: want JSON, got %.300q", r.body)
	}
	return comparison{exact: exact, trace: r.trace}.differ("$", want, r.tree)
}

// refused checks an error envelope of the query interface: exactly {code, msg, data}, data null.
func (r *reply) refused(rest string) string {
	code, texts := codeAndTexts(rest)
	want := fmt.Sprintf(`{"code":%s,"msg":"<string>","data":null}`, code)
	if d := r.documentDiffers(want, false); d != "" {
		return fmt.Sprintf("%s in %.300s", d, r.body)
	}
	msg, _ := r.tree.Get("msg")
	return missing("msg", msg.Text, texts)
}

// rpcError checks a JSON-RPC error: no result, the code, and texts in the message.
func (r *reply) rpcError(rest string) string {
	code, texts := codeAndTexts(rest)
	failure, ok := r.tree.Get("error")
	if !ok {
		return fmt.Sprintf("want a JSON-RPC error, got %.300s", r.body)
	}
	if _, both := r.tree.Get("result"); both {
		return fmt.Sprintf("a result beside an error: %.300s", r.body)
	}
	if got, _ := failure.Get("code"); got.Text != code {
		return fmt.Sprintf("error.code: want %s, got %.300s", code, r.body)
	}
	message, _ := failure.Get("message")
	return missing("error.message", message.Text, texts)
}

// toolError checks a tool result with isError: one text, JSON, {error: {code, reason, message, …}}.
func (r *reply) toolError(rest string) string {
	code, texts := codeAndTexts(rest)
	flag, err := lookup(r.tree, "$.result.isError")
	if err != nil || flag == nil || flag.Text != "true" {
		return fmt.Sprintf("want a result with isError true, got %.300s", r.body)
	}
	failure, err := lookup(r.tree, "@.error")
	if err != nil || failure == nil {
		return fmt.Sprintf("want a text with an error in it, got %.300s", r.body)
	}
	for _, key := range []string{"code", "reason", "message"} {
		if _, ok := failure.Get(key); !ok {
			return fmt.Sprintf("error.%s is missing in %.300s", key, failure.Raw)
		}
	}
	if got, _ := failure.Get("code"); got.Text != code {
		return fmt.Sprintf("error.code: want %s, got %.300s", code, failure.Raw)
	}
	return missing("error", words(*failure), texts)
}

// words is every string of a document, decoded, so that texts are found whatever their JSON escapes.
func words(n jsontree.Node) string {
	all := n.Text
	for _, item := range n.Items {
		all += " " + words(item)
	}
	for _, m := range n.Members {
		all += " " + words(m.Value)
	}
	return all
}
