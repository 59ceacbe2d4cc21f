package httpserver

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"parlance/internal/fault"
	"parlance/internal/transport/queryapi"
	"parlance/schema"
)

const documentURL = "openapi.json"

// document is the OpenAPI document as plain JSON values, with its schemas ready to compile.
type document struct {
	root     map[string]any
	compiler *jsonschema.Compiler
}

func readDocument(t *testing.T) *document {
	t.Helper()
	text, err := yaml.YAMLToJSON(schema.OpenAPI)
	if err != nil {
		t.Fatal(err)
	}
	root, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(documentURL, root); err != nil {
		t.Fatal(err)
	}
	return &document{root.(map[string]any), c}
}

// at returns the value below the keys, following references, and its JSON pointer; nil where there is none.
func (d *document) at(pointer string, keys ...string) (any, string) {
	var v any = d.root
	for _, key := range pointerKeys(pointer) {
		v = v.(map[string]any)[key]
	}
	for _, key := range keys {
		m, ok := v.(map[string]any)
		if !ok {
			return nil, ""
		}
		v, pointer = m[key], pointer+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
		if m, ok := v.(map[string]any); ok && m["$ref"] != nil {
			return d.at(strings.TrimPrefix(m["$ref"].(string), "#"), keys[slices.Index(keys, key)+1:]...)
		}
	}
	return v, pointer
}

func pointerKeys(pointer string) []string {
	if pointer == "" {
		return nil
	}
	keys := strings.Split(pointer[1:], "/")
	for i := range keys {
		keys[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(keys[i])
	}
	return keys
}

// validate holds a value against the schema at a pointer.
func (d *document) validate(t *testing.T, pointer string, value any) {
	t.Helper()
	s, err := d.compiler.Compile(documentURL + "#" + pointer)
	if err != nil {
		t.Fatalf("%s: %v", pointer, err)
	}
	if err := s.Validate(value); err != nil {
		t.Errorf("%s: %v", pointer, err)
	}
}

// operation is one method of one path of the document.
type operation struct{ path, method string }

func (d *document) operations() []operation {
	var ops []operation
	for path, item := range d.root["paths"].(map[string]any) {
		for method := range item.(map[string]any) {
			if method != "parameters" {
				ops = append(ops, operation{path, method})
			}
		}
	}
	return ops
}

// media returns the schema's pointer and the examples of a body below the operation.
func (d *document) media(o operation, keys ...string) (pointer string, examples map[string]any) {
	at := append([]string{"paths", o.path, o.method}, keys...)
	if _, pointer = d.at("", append(at, "content", "application/json", "schema")...); pointer == "" {
		return "", nil
	}
	found, _ := d.at("", append(at, "content", "application/json", "examples")...)
	examples, _ = found.(map[string]any)
	return pointer, examples
}

// targets returns the paths that a pattern stands for.
func targets(pattern string) []string {
	if strings.Contains(pattern, "{role}") {
		var all []string
		for _, role := range []string{"admin", "analyst", "business"} {
			all = append(all, strings.Replace(pattern, "{role}", role, 1))
		}
		return all
	}
	return []string{strings.Replace(pattern, "{model}", "FactSalesQueryModel", 1)}
}

func TestDocumentedExamplesAreAnsweredAsDocumented(t *testing.T) {
	d, h := readDocument(t), newTestServer(t, nil).Handler()
	for _, o := range d.operations() {
		schemaAt, examples := d.media(o, "requestBody")
		if examples == nil {
			examples = map[string]any{"none": nil}
		}
		for name, example := range examples {
			body := ""
			if m, ok := example.(map[string]any); ok {
				b, err := json.Marshal(m["value"])
				if err != nil {
					t.Fatal(err)
				}
				body = string(b)
				if name != "misspeltFilter" {
					d.validate(t, schemaAt, m["value"])
				}
			}
			for _, target := range targets(o.path) {
				w := ask(h, strings.ToUpper(o.method), target, body)
				if w.Code != http.StatusOK {
					t.Errorf("%s %s (%s) = %d", o.method, target, name, w.Code)
				}
				d.holds(t, o, w)
			}
		}
	}
}

// holds checks an answer against the response that the operation declares for its status.
func (d *document) holds(t *testing.T, o operation, w *httptest.ResponseRecorder) {
	t.Helper()
	schemaAt, _ := d.media(o, "responses", strconv.Itoa(w.Code))
	if schemaAt == "" {
		t.Errorf("%s %s: status %d is not documented", o.method, o.path, w.Code)
		return
	}
	value, err := jsonschema.UnmarshalJSON(w.Body)
	if err != nil {
		t.Errorf("%s %s: %v", o.method, o.path, err)
		return
	}
	d.validate(t, schemaAt, value)
}

func TestDocumentedResponseExamplesFitTheirSchemas(t *testing.T) {
	d := readDocument(t)
	checked := 0
	for _, o := range d.operations() {
		responses, _ := d.at("", "paths", o.path, o.method, "responses")
		for status := range responses.(map[string]any) {
			schemaAt, examples := d.media(o, "responses", status)
			for _, example := range examples {
				d.validate(t, schemaAt, example.(map[string]any)["value"])
				checked++
			}
		}
	}
	if checked < 20 {
		t.Errorf("only %d examples", checked)
	}
}

func TestServedRoutesAreDocumented(t *testing.T) {
	d := readDocument(t)
	paths := d.root["paths"].(map[string]any)
	for _, p := range queryapi.Patterns() {
		if item, ok := paths[p].(map[string]any); !ok || item["post"] == nil {
			t.Errorf("POST %s is served and not documented", p)
		}
	}
	for path := range testOptions(&fakeService{}).RPC {
		role, _ := roleOf(path)
		if pattern := strings.Replace(path, "/"+role, "/{role}", 1); paths[pattern] == nil {
			t.Errorf("%s is served and not documented", path)
		}
	}
	for _, p := range []string{"/healthz", "/readyz"} {
		if paths[p] == nil {
			t.Errorf("%s is served and not documented", p)
		}
	}
}

func TestRefusalsAreDocumented(t *testing.T) {
	d := readDocument(t)
	strict := newTestServer(t, func(o *Options) {
		o.MaxBody = 100
		o.RuntimeCode = RuntimeCode{Code: "c"}
		o.Authenticate = refusing{&fault.Error{Kind: fault.Unauthorized, Message: "Who?"}}
	}).Handler()
	busy := testOptions(&fakeService{err: &fault.Error{Kind: fault.Unavailable, Message: "Busy"}})
	server, err := New(busy)
	if err != nil {
		t.Fatal(err)
	}
	page, kpi, rpc := operation{"/jdbc-model/query-model/v2/{model}", "post"}, operation{"/jdbc-model/query-model/queryKpi", "post"}, operation{"/mcp/{role}/rpc", "post"}
	kpiPath := "/jdbc-model/query-model/queryKpi"
	for _, c := range []struct {
		o               operation
		h               http.Handler
		target, headers string
		body            string
		status          int
	}{
		{page, strict, queryPath, "X-NS: n", "", 401},
		{kpi, strict, kpiPath, "X-NS: n", "", 401},
		{rpc, strict, rpcPath, "X-NS: n", "", 401},
		{page, strict, queryPath, "Origin: https://evil.example", "", 403},
		{rpc, strict, rpcPath, "Host: evil.example", "", 403},
		{page, strict, queryPath, "X-NS: open", strings.Repeat(" ", 200), 413},
		{kpi, strict, kpiPath, "X-NS: open", strings.Repeat(" ", 200), 413},
		{page, strict, queryPath, "X-NS: open\nContent-Type: text/plain", "", 415},
		{page, strict, "/jdbc-model/query-model/v2/", "X-NS: open", "", 404},
		{page, server.Handler(), queryPath, "X-NS: open", "", 503},
		{kpi, server.Handler(), kpiPath, "X-NS: open", `{"queryModel":"M","columns":["a"]}`, 503},
		{kpi, server.Handler(), kpiPath, "X-NS: open", `{"queryModel":"M"}`, 200},
	} {
		w := ask(c.h, "POST", c.target, c.body, strings.Split(c.headers, "\n")...)
		if w.Code != c.status {
			t.Errorf("%s with %s = %d, want %d", c.target, c.headers, w.Code, c.status)
		}
		d.holds(t, c.o, w)
	}
}
