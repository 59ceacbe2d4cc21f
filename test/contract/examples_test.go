package contract

import (
	"encoding/json"
	"strings"
	"testing"

	"parlance/internal/jsontree"
)

// TestExamplesOfToolsRun calls every tool of every endpoint with the example of its description, which must find something.
func TestExamplesOfToolsRun(t *testing.T) {
	base := startServer(t, "")
	ran := 0
	for _, role := range []string{"admin", "analyst", "business"} {
		for _, endpoint := range []string{"/mcp/" + role + "/rpc", "/mcp/" + role} {
			for _, tool := range at(t, rpc(t, base, endpoint, "tools/list", "{}"), "$.result.tools").Items {
				name, _ := tool.Get("name")
				description, _ := tool.Get("description")
				for _, line := range strings.Split(description.Text, "\n") {
					if strings.HasPrefix(line, "{") {
						found := at(t, call(t, base, endpoint, name.Text, line), "@")
						mustFind(t, name.Text+" "+line, found)
						ran++
					}
				}
			}
		}
	}
	if want := 2 * (7 + 6 + 1); ran != want {
		t.Errorf("%d examples, want %d", ran, want)
	}
}

// mustFind refuses an answer without rows, models or values, or with a warning.
func mustFind(t *testing.T, what string, answer jsontree.Node) {
	t.Helper()
	for _, key := range []string{"items", "rows", "models", "fields", "values", "columns"} {
		if list, ok := answer.Get(key); ok && list.Kind == jsontree.Array && len(list.Items) == 0 {
			t.Errorf("%s: no %s", what, key)
		}
	}
	if w, ok := answer.Get("warnings"); ok {
		t.Errorf("%s: %s", what, w.Raw)
	}
}

// TestExamplesOfModelsRun runs the examples of every description, whoever reads it.
func TestExamplesOfModelsRun(t *testing.T) {
	base := startServer(t, "")
	const endpoint = "/mcp/analyst/rpc"
	for _, model := range at(t, call(t, base, endpoint, "dataset.list_models", "{}"), "@.models").Items {
		name, _ := model.Get("name")
		examples := at(t, call(t, base, endpoint, "dataset.describe_model_internal", `{"model":"`+name.Text+`"}`), "@.examples").Items
		if len(examples) < 2 {
			t.Errorf("%s has %d examples", name.Text, len(examples))
		}
		for _, e := range examples {
			payload, _ := e.Get("payload")
			total := at(t, call(t, base, endpoint, "dataset.query_model", `{"model":"`+name.Text+`","payload":`+string(payload.Raw)+`}`), "@.total")
			if total.Text == "0" {
				t.Errorf("%s: %s finds nothing", name.Text, payload.Raw)
			}
		}
	}
}

// TestExamplesOfTheSchemaRun puts each example of a key of the payload into a query that is right without it.
func TestExamplesOfTheSchemaRun(t *testing.T) {
	base := startServer(t, "")
	const endpoint = "/mcp/analyst/rpc"
	ran := 0
	for _, property := range at(t, rpc(t, base, endpoint, "tools/list", "{}"), "$.result.tools[3].inputSchema.properties.payload.properties").Members {
		examples, _ := property.Value.Get("examples")
		for _, e := range examples.Items {
			payload := map[string]json.RawMessage{
				"columns": json.RawMessage(`["customer$province","salesAmount","sum(salesAmount) as sales"]`),
				"groupBy": json.RawMessage(`["customer$province"]`), "limit": json.RawMessage("3"),
			}
			payload[property.Key] = json.RawMessage(e.Raw)
			text, err := json.Marshal(payload)
			if err != nil {
				t.Fatal(err)
			}
			call(t, base, endpoint, "dataset.query_model", `{"model":"FactSalesQueryModel","payload":`+string(text)+`}`)
			ran++
		}
	}
	if ran < 6 {
		t.Errorf("%d examples", ran)
	}
}
