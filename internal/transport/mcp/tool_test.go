package mcp

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/jsontree"
	"parlance/internal/query"
	"parlance/internal/service"
)

type listedTool struct {
	Name        string
	Title       string
	Description string
	InputSchema inputSchema
	Annotations map[string]bool
}

// inputSchema is a schema with the text that it was read from.
type inputSchema struct {
	Type       string
	Properties map[string]json.RawMessage
	Required   []string
	text       string
}

func (s *inputSchema) UnmarshalJSON(text []byte) error {
	type plain inputSchema
	s.text = string(text)
	return json.Unmarshal(text, (*plain)(s))
}

func listTools(t *testing.T, h *Handler) []listedTool {
	t.Helper()
	var list struct{ Tools []listedTool }
	if err := json.Unmarshal(h.list, &list); err != nil {
		t.Fatal(err)
	}
	return list.Tools
}

func toolNames(tools []listedTool) []string {
	var names []string
	for _, l := range tools {
		names = append(names, l.Name)
	}
	return names
}

func TestToolsOfEachEndpoint(t *testing.T) {
	for name, want := range map[string][]string{
		"admin":     {"dataset.get_metadata", "dataset.list_models", "dataset.describe_model_internal", "dataset.query_model", "dataset_nl.query", "dataset.field_values", "dataset.explain_query"},
		"analyst":   {"dataset.get_metadata", "dataset.list_models", "dataset.describe_model_internal", "dataset.query_model", "dataset.field_values", "dataset.explain_query"},
		"business":  {"dataset_nl.query"},
		"analyst_":  {"dataset_get_metadata", "dataset_list_models", "dataset_describe_model_internal", "dataset_query_model", "dataset_field_values", "dataset_explain_query"},
		"business_": {"dataset_nl_query"},
	} {
		if diff := cmp.Diff(want, toolNames(listTools(t, endpoint(name, &fake{}, quiet())))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestDescriptorsKeepTheirPromises(t *testing.T) {
	hints := map[string]bool{"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false}
	for _, name := range everyEndpoint {
		h := endpoint(name, &fake{}, quiet())
		if strings.Contains(string(h.list), "null,") || strings.Contains(string(h.list), ":null") {
			t.Errorf("%s: a null in %s", name, h.list)
		}
		for _, l := range listTools(t, h) {
			if len(l.Description) >= 2048 || !strings.Contains(l.Description, "Example") || !strings.Contains(l.Description, "Trap") {
				t.Errorf("%s: description of %d bytes: %s", l.Name, len(l.Description), l.Description)
			}
			if l.Title == "" || len(l.Title) > 40 {
				t.Errorf("%s: title %q", l.Name, l.Title)
			}
			if l.InputSchema.Type != "object" || l.InputSchema.Properties == nil {
				t.Errorf("%s: schema %+v", l.Name, l.InputSchema)
			}
			if diff := cmp.Diff(hints, l.Annotations); diff != "" {
				t.Errorf("%s: %s", l.Name, diff)
			}
			checkArguments(t, h, l)
		}
	}
}

// checkArguments holds a schema against the table: the same keys, the same of them required.
func checkArguments(t *testing.T, h *Handler, l listedTool) {
	t.Helper()
	var keys, required []string
	for _, a := range h.tools[l.Name].args {
		if !a.admin || h.admin {
			keys = append(keys, a.name)
		}
		if a.required {
			required = append(required, a.name)
		}
	}
	slices.Sort(keys)
	if diff := cmp.Diff(keys, slices.Sorted(maps.Keys(l.InputSchema.Properties))); diff != "" {
		t.Errorf("%s: arguments %s", l.Name, diff)
	}
	if diff := cmp.Diff(required, l.InputSchema.Required); diff != "" {
		t.Errorf("%s: required %s", l.Name, diff)
	}
}

func TestTextsNameOnlyToolsThatAreOffered(t *testing.T) {
	for _, o := range []Options{
		{Role: Admin}, {Role: Analyst}, {Role: Business}, {Role: Admin, Style: Underscored}, {Role: Business, Style: Underscored},
		{Role: Analyst, LeaveOut: []string{"dataset.list_models"}}, {Role: Analyst, LeaveOut: []string{"dataset_get_metadata"}},
	} {
		h := New(o)
		text := string(h.list) + string(h.handshake)
		for _, placeholder := range []string{"{list}", "{metadata}", "{describe}", "{query}", "{ask}", "{values}", "{explain}", "{tools}", "SQL_ARGUMENT", "OPERATORS", "CONDITION"} {
			if strings.Contains(text, placeholder) {
				t.Errorf("%+v: %s is left", o, placeholder)
			}
		}
		offered := toolNames(listTools(t, h))
		for _, row := range table() {
			for _, spelling := range []string{row.name, underscored(row.name)} {
				if strings.Contains(text, spelling) && !slices.Contains(offered, spelling) {
					t.Errorf("%+v: the texts name %s", o, spelling)
				}
			}
		}
	}
}

func TestInstructionsAreShort(t *testing.T) {
	for _, role := range Roles {
		if n := len(endpoint(string(role), nil, nil).handshake); n >= 2048 {
			t.Errorf("%s: %d bytes", role, n)
		}
	}
}

func TestLeaveOut(t *testing.T) {
	h := New(Options{Role: Analyst, Service: &fake{}, Log: quiet(), LeaveOut: []string{"dataset.list_models", "dataset.query_model"}})
	want := []string{"dataset.get_metadata", "dataset.describe_model_internal", "dataset.query_model", "dataset.field_values", "dataset.explain_query"}
	if diff := cmp.Diff(want, toolNames(listTools(t, h))); diff != "" {
		t.Errorf("only listing tools are left out: %s", diff)
	}
	for _, c := range []struct{ body, want string }{
		{`{"name":"dataset.list_models"}`, `"message":"Unknown tool: dataset.list_models"`},
		{`{"name":"dataset.describe_model_internal"}`, `"message":"Missing required parameter: model. dataset.get_metadata lists the names of the models."`},
	} {
		reply := h.Dispatch(t.Context(), service.Caller{}, []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":`+c.body+`}`))
		if !strings.Contains(string(reply.Body), c.want) {
			t.Errorf("got %s, want %s", reply.Body, c.want)
		}
	}
}

// TestPayloadKeysAreTheDecodersKeys holds the schema's keys against what the decoder knows.
func TestPayloadKeysAreTheDecodersKeys(t *testing.T) {
	for _, l := range listTools(t, endpoint("analyst", &fake{}, quiet())) {
		if l.Name != "dataset.query_model" {
			continue
		}
		var payload struct{ Properties map[string]json.RawMessage }
		if err := json.Unmarshal(l.InputSchema.Properties["payload"], &payload); err != nil {
			t.Fatal(err)
		}
		want := slices.Sorted(slices.Values(payloadKeys))
		if diff := cmp.Diff(want, slices.Sorted(maps.Keys(payload.Properties))); diff != "" {
			t.Error(diff)
		}
	}
	for _, key := range payloadKeys {
		n, _ := jsontree.Parse([]byte(`{"` + key + `":null}`))
		if _, err := query.Decode(n, query.DecodeOptions{Format: true}); err != nil {
			t.Errorf("%s: %v", key, err)
		}
	}
}
