package contract

import (
	"fmt"
	"strings"
	"testing"
)

// TestPagesTogetherAreAllRows holds decision 50: whatever the order, even one of ties only, every row stands on exactly
// one page.
func TestPagesTogetherAreAllRows(t *testing.T) {
	base := startServer(t, "")
	tests := []struct{ name, model, key, param string }{
		{"ties of a detail query", "DimProductQueryModel", "productKey", `"columns":["productKey","brand"],"orderBy":["brand"]`},
		{"the default order", "DimCustomerQueryModel", "customerKey", `"columns":["customerKey"]`},
		{"ties of groups", "FactSalesQueryModel", "product$id", `"columns":["product$id","min(orderLineNo) as first"],"groupBy":["product$id"],"orderBy":["first"]`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			seen := map[string]bool{}
			total := ""
			for page := 1; page <= 20; page++ {
				got := request{method: "POST", path: "/jdbc-model/query-model/v2/" + test.model,
					body: fmt.Sprintf(`{"page":%d,"pageSize":70,"param":{%s}}`, page, test.param)}.send(t, base)
				keys, err := lookup(got.tree, `$.data.items[*].`+test.key)
				if err != nil || !strings.Contains(string(got.body), `"code":0`) {
					t.Fatalf("%v in %.300s", err, got.body)
				}
				for _, key := range keys.Items {
					if seen[key.Text] {
						t.Errorf("row %s stands on two pages", key.Text)
					}
					seen[key.Text] = true
				}
				count, _ := lookup(got.tree, "$.data.total")
				total = count.Text
			}
			if fmt.Sprint(len(seen)) != total {
				t.Errorf("%d rows on the pages, total %s", len(seen), total)
			}
		})
	}
}
