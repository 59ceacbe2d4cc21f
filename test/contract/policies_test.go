package contract

import (
	"fmt"
	"strings"
	"testing"
)

// hiddenClauses are the places of a payload that can name a field; %s stands for a field that the viewer may not see.
var hiddenClauses = map[string]string{
	"columns":            `{"columns":["%s"]}`,
	"columns as":         `{"columns":["%s as x"]}`,
	"columns aggregate":  `{"columns":["sum(%s) as x"]}`,
	"columns expression": `{"columns":["%s * 2 as x"]}`,
	"columns condition":  `{"columns":["sum(if(%s > 1, 1, 0)) as x"]}`,
	"exColumns":          `{"exColumns":["%s"]}`,
	"slice":              `{"columns":["orderId"],"slice":[{"field":"%s","op":">","value":1}]}`,
	"slice shorthand":    `{"columns":["orderId"],"slice":[{"%s":1}]}`,
	"slice or":           `{"columns":["orderId"],"slice":[{"$or":[{"field":"orderStatus","op":"=","value":"PAID"},{"field":"%s","op":">","value":1}]}]}`,
	"slice not":          `{"columns":["orderId"],"slice":[{"$not":[{"field":"%s","op":">","value":1}]}]}`,
	"slice expr":         `{"columns":["orderId"],"slice":[{"$expr":"%s > 1"}]}`,
	"slice field":        `{"columns":["orderId"],"slice":[{"field":"salesAmount","op":">","value":{"$field":"%s"}}]}`,
	"slice aggregate":    `{"columns":["orderStatus","salesAmount"],"slice":[{"field":"sum(%s)","op":">","value":1}]}`,
	"having":             `{"columns":["orderStatus","salesAmount"],"groupBy":["orderStatus"],"having":[{"field":"%s","op":">","value":1}]}`,
	"groupBy":            `{"columns":["salesAmount"],"groupBy":["%s"]}`,
	"groupBy agg":        `{"columns":["salesAmount"],"groupBy":["orderStatus",{"field":"%s","agg":"avg"}]}`,
	"orderBy":            `{"columns":["orderId"],"orderBy":["-%s"]}`,
	"orderBy object":     `{"columns":["orderId"],"orderBy":[{"field":"%s","order":"desc"}]}`,
	"orderBy aggregate":  `{"columns":["orderStatus","salesAmount"],"groupBy":["orderStatus"],"orderBy":["-sum(%s)"]}`,
	"calculated":         `{"columns":["x"],"calculatedFields":[{"name":"x","expression":"%s + 1"}]}`,
	"calculated agg":     `{"columns":["x"],"calculatedFields":[{"name":"x","expression":"%s","agg":"sum"}]}`,
	"calculated unused":  `{"columns":["orderId"],"calculatedFields":[{"name":"x","expression":"%s"}]}`,
	"partition":          `{"columns":["orderId","x"],"calculatedFields":[{"name":"x","expression":"row_number()","partitionBy":["%s"],"windowOrderBy":["orderId"]}]}`,
	"window order":       `{"columns":["orderId","x"],"calculatedFields":[{"name":"x","expression":"row_number()","windowOrderBy":["%s"]}]}`,
	"window over":        `{"columns":["orderId","sum(%s) over (partition by orderStatus) as x"]}`,
	"topN":               `{"columns":["orderStatus","salesAmount"],"groupBy":["orderStatus"],"topN":{"by":"-%s","n":2}}`,
	"timeWindow":         `{"columns":["%s"],"timeWindow":{"field":"salesDate","grain":"month","comparison":"yoy","range":"2024"}}`,
	"timeWindow metrics": `{"columns":["salesAmount"],"timeWindow":{"field":"salesDate","grain":"month","comparison":"yoy","range":"2024","targetMetrics":["%s"]}}`,
}

// TestHiddenInEveryClause names hidden fields, made and plain ones, in every clause over both interfaces: each is refused
// with 403, or, in a place that takes no such name, as any other wrong name is; no answer ever comes back (decisions 62, 63, 66).
func TestHiddenInEveryClause(t *testing.T) {
	base := startServer(t, "")
	for _, field := range []string{"profitAmount", "costAmount", "profitRate", "customer$phone", "product$unitCost"} {
		for name, clause := range hiddenClauses {
			payload := fmt.Sprintf(clause, field)
			t.Run(name+" "+field, func(t *testing.T) {
				viewer := "X-NS: demo-secure\nAuthorization: Bearer plc_demo-viewer\n"
				http := ask(t, base, "POST /jdbc-model/query-model/v2/FactSalesQueryModel\n"+viewer+"\n"+`{"param":`+payload+`}`)
				if !strings.Contains(http, `"code":403`) && !strings.Contains(http, `"code":400`) {
					t.Errorf("%s\n%s", payload, http)
				}
				if strings.Contains(http, `"code":400`) && !metricNames(name) {
					t.Errorf("refused for another reason: %s\n%s", payload, http)
				}
				tool := ask(t, base, "CALL analyst dataset.query_model\n"+viewer+"\n"+`{"model":"FactSalesQueryModel","payload":`+payload+`}`)
				if !strings.Contains(tool, `"isError":true`) || strings.Contains(tool, `\"items\"`) {
					t.Errorf("%s\n%s", payload, tool)
				}
			})
		}
	}
}

// ask sends a request as the cases write it and returns the body of its answer.
func ask(t *testing.T, base, text string) string {
	t.Helper()
	r, err := parseRequest(strings.Split(text, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	return string(r.send(t, base).body)
}

// metricNames are the clauses that name a column of the query, which a hidden field cannot be.
func metricNames(clause string) bool { return clause == "timeWindow metrics" }
