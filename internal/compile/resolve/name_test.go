package resolve_test

import (
	"strings"
	"testing"
)

// TestAliases is decision 52: under which keys columns stand, or why a name cannot be given.
func TestAliases(t *testing.T) {
	m := visits(t, utc)
	for _, c := range []struct{ payload, want string }{
		{`{"columns": ["page", "spent"]}`, "page spent"},
		{`{"columns": ["page", "page", "spent", "page"]}`, "page spent"},
		{`{"columns": ["page as p", "page"]}`, "p page"},
		{`{"columns": ["page as p", "page as p"]}`, "p"},
		{`{"columns": ["page as p", "page as q"]}`, "p q"},
		{`{"columns": ["page as page"]}`, "page"},
		{`{"columns": ["sum(spent) as spent"]}`, "spent"},
		{`{"columns": ["max(spent) as spent"]}`, "spent"},
		{`{"columns": ["sum(spent)", "SUM( spent )"]}`, "sum(spent) SUM( spent )"},
		{`{"columns": ["sum(spent)", "sum(spent) as s"]}`, "sum(spent) s"},
		{`{"columns": ["spent as s", "sum(spent) as t"]}`, "s t"},
		{`{"columns": ["customer$caption as name", "customer$id"]}`, "name customer$id"},
		{`{"columns": ["名前"], "calculatedFields": [{"name": "名前", "expression": "page"}]}`, "名前"},
		{`{"columns": ["x as y"], "calculatedFields": [{"name": "x", "expression": "page"}]}`, "y"},
		{`{"columns": ["x as x"], "calculatedFields": [{"name": "x", "expression": "page"}]}`, "x"},
		{`{"columns": ["page", "spent"], "exColumns": ["page"]}`, "spent"},
		{`{"columns": ["page as p", "spent"], "exColumns": ["page"]}`, "spent"},
		{`{"columns": ["page as p", "spent"], "exColumns": ["p"]}`, "spent"},
		{`{"columns": ["page"], "exColumns": ["day"]}`, "page"},
		{`{"columns": ["day$month as m", "count(*) as n"], "orderBy": ["m", "-n"]}`, "m n"},
		{`{"columns": ["page as a", "upper(a) as b", "concat(b, a) as c"]}`, "a b c"},

		{`{"columns": ["page as spent"]}`, "name_taken"},
		{`{"columns": ["page as day"]}`, "name_taken"},
		{`{"columns": ["sum(clicks) as spent"]}`, "name_taken"},
		{`{"columns": ["spent + 1 as spent"]}`, "name_taken"},
		{`{"columns": ["sum(spent) / sum(clicks) as spent"]}`, "name_taken"},
		{`{"columns": ["sum(spent) as s", "max(spent) as s"]}`, "name_taken"},
		{`{"columns": ["page as p", "day as p"]}`, "name_taken"},
		{`{"columns": ["page as x"], "calculatedFields": [{"name": "x", "expression": "day"}]}`, "name_taken"},
		{`{"columns": ["page"], "calculatedFields": [{"name": "page", "expression": "day"}]}`, "name_taken"},
		{`{"columns": ["x"], "calculatedFields": [{"name": "x", "expression": "1"}, {"name": "x", "expression": "1"}]}`, "name_taken"},
		{`{"columns": ["a"], "calculatedFields": [{"name": "a", "expression": "b"}, {"name": "b", "expression": "a"}]}`, "circular_definition"},
		{`{"columns": ["upper(p) as p"]}`, "circular_definition"},
		{`{"columns": ["page"], "exColumns": ["pgae"]}`, "unknown_field"},
		{`{"columns": ["page"], "exColumns": ["page"]}`, "no_columns"},
		{`{"columns": ["page"], "orderBy": ["p"]}`, "unknown_field"},
	} {
		q, err := resolved(t, m, c.payload)
		got := reason(err)
		if err == nil {
			var keys []string
			for _, col := range q.Columns {
				keys = append(keys, col.Key)
			}
			got = strings.Join(keys, " ")
		}
		if got != c.want {
			t.Errorf("%s\n got %s (%v)\nwant %s", c.payload, got, err, c.want)
		}
	}
}

// TestTotalsHaveTheRightColumns is decision 36.
func TestTotalsHaveTheRightColumns(t *testing.T) {
	m := visits(t, utc)
	for _, c := range []struct{ payload, want string }{
		{`{"columns": ["page", "spent", "clicks"], "returnTotal": true}`, "spent clicks"},
		{`{"columns": ["page", "spent * 2 as double"], "returnTotal": true}`, ""},
		{`{"columns": ["page", "sum(spent) as s", "visits"], "returnTotal": true}`, "s visits"},
		{`{"columns": ["page", "sum(spent) as total"], "returnTotal": true}`, "sum(spent)"},
		{`{"columns": ["page", "x"], "calculatedFields": [{"name": "x", "expression": "spent", "agg": "max"}], "returnTotal": true}`, "x"},
		{`{"columns": ["page", "rank() over (order by spent) as r", "spent"], "returnTotal": true}`, "spent"},
		{`{"columns": ["page", "concat(page, count(*)) as label", "visits"], "groupBy": ["page"], "returnTotal": true}`, "visits"},
		{`{"columns": ["page"], "returnTotal": true}`, ""},
		{`{"columns": ["page", "spent"]}`, ""},
		{`{"groupBy": ["page"], "returnTotal": true}`, "spent clicks visits people perClick top"},
	} {
		q, err := resolved(t, m, c.payload)
		if err != nil {
			t.Errorf("%s: %v", c.payload, err)
			continue
		}
		var keys []string
		for _, col := range q.Totals {
			keys = append(keys, col.Key)
		}
		if got := strings.Join(keys, " "); got != c.want {
			t.Errorf("%s\n got %q\nwant %q", c.payload, got, c.want)
		}
	}
}
