package contract

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// concealedNames are names of fields that are hidden behind conceal, and slips, captions, synonyms and functions of them.
var concealedNames = []string{
	"costAmount", "costAmuont", "CostAmount", "cost_amount", "Cost of goods", "expenses", "cost", "sum(costAmount)", "sum(costAmuont)",
	"margin", "margni", "avg(margin)", "region", "regoin", "region$caption", "region$id", "region$captoin", "region.caption",
	"status", "statsu", "State", "status$caption", "count(status)",
	"amuont", "Amount", "piecse", "sum(amuont)", "sold", // and of what everybody may see, which are mended
}

// concealedCalls are the places of a query in which a name can stand, alone and beside another mistake.
var concealedCalls = []string{
	`{"model":"Sale","payload":{"columns":["NAME"]}}`,
	`{"model":"Sale","payload":{"columns":["saleId","NAME as x"]}}`,
	`{"model":"Sale","payload":{"colums":["NAME"]}}`,
	`{"model":"Sale","payload":{"select":["NAME","Amount"]}}`,
	`{"model":"Sale","payload":"{\"columns\":[\"NAME\"]}"}`,
	`{"model":"Sale","payload":{"columns":[{"field":"NAME","agg":"sum"}]}}`,
	`{"model":"Sale","payload":{"columns":["amount"],"exColumns":["NAME"]}}`,
	`{"model":"Sale","payload":{"columns":["amount"],"slice":[{"field":"NAME","op":"=","value":"Done"}]}}`,
	`{"model":"Sale","payload":{"columns":["amount"],"slice":[{"field":"NAME","op":"equals","value":1}]}}`,
	`{"model":"Sale","payload":{"columns":["amount"],"slice":[{"NAME":"finished"}]}}`,
	`{"model":"Sale","payload":{"columns":["amount"],"slice":[{"$or":[{"field":"NAME","op":">","value":1},{"field":"amount","op":">","value":1}]}]}}`,
	`{"model":"Sale","payload":{"columns":["amount"],"slice":[{"$expr":"NAME > 1"}]}}`,
	`{"model":"Sale","payload":{"columns":["amount"],"slice":[{"field":"amount","op":">","value":{"$field":"NAME"}}]}}`,
	`{"model":"Sale","payload":{"columns":["NAME","amount"],"groupBy":["NAME"]}}`,
	`{"model":"Sale","payload":{"columns":["amount"],"groupBy":[{"field":"NAME"}]}}`,
	`{"model":"Sale","payload":{"columns":["amount"],"groupBy":["soldAt$year"],"having":[{"field":"NAME","op":">","value":1}]}}`,
	`{"model":"Sale","payload":{"columns":["amount"],"orderBy":["-NAME"]}}`,
	`{"model":"Sale","payload":{"columns":["amount"],"sort":[{"field":"NAME","dir":"descending"}]}}`,
	`{"model":"Sale","payload":{"columns":["x"],"calculatedFields":[{"name":"x","expression":"NAME * 2"}]}}`,
	`{"model":"Sale","payload":{"columns":["soldAt$year","amount"],"groupBy":["soldAt$year"],"topN":{"by":"NAME","n":1}}}`,
	`{"model":"Sale","payload":{"columns":["amount"],"timeWindow":{"field":"NAME","grain":"month","comparison":"yoy","range":"2024"}}}`,
	`{"model":"NAME","payload":{}}`,
	`{"model":"Sale","payload":{"columns":["amount"]},"mode":"NAME"}`,
}

// otherCalls name what is concealed to other tools, and a model that is.
var otherCalls = []struct{ tool, arguments string }{
	{"dataset.field_values", `{"model":"Sale","field":"NAME"}`},
	{"dataset.field_values", `{"model":"Sale","field":"NAME","search":"done"}`},
	{"dataset.explain_query", `{"model":"Sale","payload":{"columns":["NAME"]}}`},
	{"dataset.describe_model_internal", `{"model":"NAME"}`},
	{"dataset.list_models", `{"search":"NAME"}`},
}

var concealedModels = []string{"Ledger", "Ledgre", "ledger", "Ledger of costs", "balance", "entry"}

// TestDecision63PatchesOfTheConcealed asks the same of two namespaces: one whose fields and model nobody may see, and one
// that does not have them. With conceal the answers are the same bytes: messages, closest names, hints and patches.
func TestDecision63PatchesOfTheConcealed(t *testing.T) {
	base := startServer(t, "concealed")
	concealed, removed := newToolClient(t, base), newToolClient(t, base)
	concealed.namespace, removed.namespace = "concealed", "removed"
	patches, asked := 0, 0
	same := func(tool, arguments string) {
		t.Helper()
		asked++
		got, want := concealed.raw(tool, arguments), removed.raw(tool, arguments)
		got = strings.ReplaceAll(got, `\"namespace\":\"concealed\"`, `\"namespace\":\"removed\"`)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s %s: %s", tool, arguments, diff)
		}
		if strings.Contains(got, `\"patch\"`) {
			patches++
		}
	}
	for _, name := range append(append([]string{}, concealedNames...), concealedModels...) {
		for _, call := range concealedCalls {
			same("dataset.query_model", strings.ReplaceAll(call, "NAME", name))
		}
		for _, call := range otherCalls {
			same(call.tool, strings.ReplaceAll(call.arguments, "NAME", name))
		}
	}
	if text := concealed.raw("dataset.query_model", `{"model":"Sale","payload":{"columns":["sum(amount) as a"]}}`); !strings.Contains(text, "10.60") {
		t.Errorf("the sum of all amounts is answered %s", text)
	}
	same("dataset.get_metadata", `{}`)
	same("dataset.list_models", `{}`)
	if patches < 50 {
		t.Errorf("only %d answers have a patch: the comparison says little of them", patches)
	}
	t.Logf("%d calls, %d patches", asked, patches)
}
