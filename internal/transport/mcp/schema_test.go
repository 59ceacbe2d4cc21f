package mcp

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"parlance/internal/jsontree"
	"parlance/internal/query"
)

// everyEndpoint is each role on each mount, as the golden files spell them.
var everyEndpoint = []string{"admin", "analyst", "business", "admin_", "analyst_", "business_"}

// compiled reads a schema with an independent validator, which also holds it against the schema of schemas.
func compiled(t *testing.T, text string) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("tool.json", document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("tool.json")
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return schema
}

func validates(t *testing.T, schema *jsonschema.Schema, document string) error {
	t.Helper()
	instance, err := jsonschema.UnmarshalJSON(strings.NewReader(document))
	if err != nil {
		t.Fatalf("%v: %s", err, document)
	}
	return schema.Validate(instance)
}

// TestSchemas: every schema is one, has nothing at its root that some clients refuse, and every example in it fits the
// schema that it stands in.
func TestSchemas(t *testing.T) {
	for _, name := range everyEndpoint {
		for _, l := range listTools(t, endpoint(name, &fake{}, quiet())) {
			compiled(t, l.InputSchema.text)
			root, err := jsontree.Parse([]byte(l.InputSchema.text))
			if err != nil {
				t.Fatal(err)
			}
			for _, key := range []string{"anyOf", "oneOf", "allOf", "not", "$ref", "if"} {
				if _, found := root.Get(key); found {
					t.Errorf("%s: %s at the root", l.Name, key)
				}
			}
			checkExamples(t, l.Name, root)
			checkPortable(t, l.Name, root)
		}
	}
}

// checkPortable: every place has one type, or lists its kinds, and every list says what is in it. Model providers refuse
// other schemas, and with them the tool.
func checkPortable(t *testing.T, where string, n jsontree.Node) {
	t.Helper()
	kind, _ := n.Get("type")
	kinds, _ := n.Get("anyOf")
	if (kind.Kind == jsontree.String) == (len(kinds.Items) > 1) {
		t.Errorf("%s: neither one type nor a list of kinds: %s", where, n.Raw)
	}
	items, listed := n.Get("items")
	if listed != (kind.Text == "array") {
		t.Errorf("%s: a list of what? %s", where, n.Raw)
	}
	if listed {
		checkPortable(t, where+"[]", items)
	}
	for _, k := range kinds.Items {
		checkPortable(t, where, k)
	}
	properties, _ := n.Get("properties")
	for _, m := range properties.Members {
		checkPortable(t, where+"."+m.Key, m.Value)
	}
}

func checkExamples(t *testing.T, where string, n jsontree.Node) {
	t.Helper()
	if examples, ok := n.Get("examples"); ok && examples.Kind == jsontree.Array {
		schema := compiled(t, string(n.Raw))
		for _, e := range examples.Items {
			if err := validates(t, schema, string(e.Raw)); err != nil {
				t.Errorf("%s: %s: %v", where, e.Raw, err)
			}
		}
	}
	for _, m := range n.Members {
		checkExamples(t, where+"."+m.Key, m.Value)
	}
}

// exampleOf returns the arguments that a description shows, on a line of their own.
func exampleOf(t *testing.T, l listedTool) string {
	t.Helper()
	var found []string
	for _, line := range strings.Split(l.Description, "\n") {
		if strings.HasPrefix(line, "{") {
			found = append(found, line)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%s has %d examples", l.Name, len(found))
	}
	return found[0]
}

// TestEveryDescriptionHasOneExampleThatFits: it passes the tool's own schema, its payload the strict decoder, and the tool
// takes it under both spellings. The contract ring runs it on the demo.
func TestEveryDescriptionHasOneExampleThatFits(t *testing.T) {
	for _, name := range everyEndpoint {
		h := endpoint(name, &fake{}, quiet())
		for _, l := range listTools(t, h) {
			example := exampleOf(t, l)
			if err := validates(t, compiled(t, l.InputSchema.text), example); err != nil {
				t.Errorf("%s: %v", l.Name, err)
			}
			n, err := jsontree.Parse([]byte(example))
			if err != nil {
				t.Fatal(err)
			}
			if payload, ok := n.Get("payload"); ok {
				if _, err := query.Decode(payload, query.DecodeOptions{Format: true}); err != nil {
					t.Errorf("%s: %v", l.Name, err)
				}
			}
			row := h.tools[l.Name]
			if h.tools[row.name] != row || h.tools[underscored(row.name)] != row {
				t.Errorf("%s is not called by both its spellings", l.Name)
			}
		}
	}
}

// TestSchemasRefuse: what the tools refuse about the form of arguments, their schemas refuse too.
func TestSchemasRefuse(t *testing.T) {
	schemas := map[string]*jsonschema.Schema{}
	for _, l := range listTools(t, endpoint("analyst", &fake{}, quiet())) {
		schemas[l.Name] = compiled(t, l.InputSchema.text)
	}
	for _, c := range [][2]string{
		{"dataset.list_models", `{"search":7}`},
		{"dataset.list_models", `{"limit":0}`},
		{"dataset.list_models", `{"limt":5}`},
		{"dataset.describe_model_internal", `{}`},
		{"dataset.describe_model_internal", `{"model":"M","format":"xml"}`},
		{"dataset.field_values", `{"model":"M"}`},
		{"dataset.field_values", `{"model":"M","field":"f","limit":101}`},
		{"dataset.query_model", `{"model":"M"}`},
		{"dataset.query_model", `{"model":"M","payload":{"colums":[]}}`},
		{"dataset.query_model", `{"model":"M","payload":{"slice":[{"field":"a","op":"equals","value":1}]}}`},
		{"dataset.query_model", `{"model":"M","payload":{"limit":-1}}`},
		{"dataset.query_model", `{"model":"M","payload":{},"showSql":true}`},
		{"dataset.explain_query", `{"model":"M","payload":[]}`},
	} {
		if err := validates(t, schemas[c[0]], c[1]); err == nil {
			t.Errorf("%s takes %s", c[0], c[1])
		}
	}
}

func TestOperatorsAreSpelledOut(t *testing.T) {
	for _, l := range listTools(t, endpoint("analyst_", &fake{}, quiet())) {
		if l.Name != "dataset_query_model" {
			continue
		}
		var payload struct {
			Properties struct {
				Slice struct {
					Items struct {
						Properties struct{ Op struct{ Enum []string } }
					}
				}
			}
		}
		if err := json.Unmarshal(l.InputSchema.Properties["payload"], &payload); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(query.OpWords, payload.Properties.Slice.Items.Properties.Op.Enum); diff != "" {
			t.Error(diff)
		}
		return
	}
	t.Error("no tool of queries")
}

// TestInstructionsTellTheWorkflow: in the order of the work, with every data tool by its listed name.
func TestInstructionsTellTheWorkflow(t *testing.T) {
	for _, name := range []string{"analyst", "analyst_", "admin", "admin_"} {
		h := endpoint(name, &fake{}, quiet())
		text := h.names.in(instructions(Analyst))
		var at []int
		for _, tool := range []string{"dataset.list_models", "dataset.describe_model_internal", "dataset.field_values", "dataset.query_model"} {
			at = append(at, strings.Index(text, h.names.of(tool)))
		}
		if !slices.IsSorted(at) || at[0] < 0 {
			t.Errorf("%s: the tools stand at %v", name, at)
		}
		for _, word := range []string{"Never add up", "closest", "patch", "total"} {
			if !strings.Contains(text, word) {
				t.Errorf("%s: nothing about %q", name, word)
			}
		}
	}
}
