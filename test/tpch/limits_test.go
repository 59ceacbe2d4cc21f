package tpch

import (
	"testing"

	"parlance/internal/fault"
)

// TestLimits holds what README.md says of the language: where one payload is not enough, and which tempting forms of a
// question mean something else, so that they are refused.
func TestLimits(t *testing.T) {
	p := start(t, engines[0].open(t), generate(defaultScale))
	for _, c := range []struct{ name, model, payload, reason string }{
		{
			"q21 counts what remains after a window in the same payload", "LineItem",
			`{"columns": ["supplier$caption", "numwait"], "groupBy": ["order$id", "supplier$id", "supplier$caption"], "calculatedFields": [
				{"name": "late", "expression": "sum(if(receiptDate > commitDate, 1, 0))"},
				{"name": "suppliers", "expression": "count(*) over (partition by order$id)"},
				{"name": "waited", "expression": "if(suppliers > 1, late, 0)"},
				{"name": "numwait", "expression": "sum(waited) over (partition by supplier$id)"}]}`,
			"misplaced_window",
		},
		{
			"q17 aggregates over a window", "LineItem",
			`{"columns": ["lost"], "calculatedFields": [
				{"name": "usual", "expression": "avg(quantity) over (partition by part$id)"},
				{"name": "lost", "expression": "sum(if(quantity < 0.2 * usual, price, 0)) / 7"}]}`,
			"nested_aggregate",
		},
		{
			"q22 filters the customers of a grouped query by an average of all", "Customers",
			`{"columns": ["customers", "balance"], "calculatedFields": [{"name": "average", "expression": "avg(balance) over ()"}],
				"slice": [{"$expr": "balance > average"}]}`,
			"mixed_condition",
		},
		{
			"q13 asks several facts for rows", "CustomerOrders",
			`{"columns": ["customer$id", "count(*) as n"]}`,
			"not_shared",
		},
		{
			"q13 filters one of several facts by its own field", "CustomerOrders",
			`{"columns": ["customer$id", "orders"], "groupBy": ["customer$id"], "slice": [{"field": "comment", "op": "not like", "value": "special"}]}`,
			"not_shared",
		},
		{
			"q14 compares with a pattern", "LineItem",
			`{"columns": ["lines"], "slice": [{"field": "part$type", "op": "like 'PROMO%'", "value": true}]}`,
			"unknown_operator",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, err := p.query(t.Context(), c.model, c.payload)
			if err == nil {
				t.Fatalf("answered: %s", a.Items)
			}
			if f := fault.As(err); f.Kind != fault.Invalid || f.Reason != c.reason {
				t.Errorf("refused as %s: %s; expected %s", f.Reason, f.Message, c.reason)
			}
		})
	}
}
