package resolve_test

import (
	"strings"
	"testing"
)

// TestDetailOrGrouped is decision 45: which payloads make groups, and by which keys.
func TestDetailOrGrouped(t *testing.T) {
	m := visits(t, utc)
	for _, c := range []struct {
		payload string
		want    string // detail, grouped and its keys, or the reason of a refusal
	}{
		{`{}`, "detail"},
		{`{"columns": ["page"]}`, "detail"},
		{`{"columns": ["page", "spent", "top"]}`, "detail"},
		{`{"columns": ["spent * 2 as double"]}`, "detail"},
		{`{"columns": ["page"], "distinct": true}`, "detail"},
		{`{"columns": ["page"], "slice": [{"field": "spent", "op": ">", "value": 1}]}`, "detail"},
		{`{"columns": ["page"], "orderBy": ["spent"]}`, "detail"},
		{`{"columns": ["page", "rank() over (order by spent) as r"]}`, "detail"},
		{`{"columns": ["page", "sum(spent) over () as r"]}`, "detail"},
		{`{"columns": ["page"], "returnTotal": true}`, "detail"},

		{`{"columns": ["page", "spent"], "groupBy": ["page"]}`, "grouped by page"},
		{`{"columns": ["spent"], "groupBy": ["page", "day$month"]}`, "grouped by page, day$month"},
		{`{"columns": ["page", "day", "spent"], "groupBy": ["page"]}`, "grouped by page, day"},
		{`{"groupBy": ["page"]}`, "grouped by page"},
		{`{"columns": ["sum(spent)"]}`, "grouped by nothing"},
		{`{"columns": ["visits"]}`, "grouped by nothing"},
		{`{"columns": ["page", "SUM(spent) as s"]}`, "grouped by page"},
		{`{"columns": ["page", "visits"]}`, "grouped by page"},
		{`{"columns": ["page", "people"]}`, "grouped by page"},
		{`{"columns": ["page", "perClick"]}`, "grouped by page"},
		{`{"columns": ["page", "1 + count(*) as x"]}`, "grouped by page"},
		{`{"columns": ["page"], "slice": [{"field": "sum(spent)", "op": ">", "value": 1}]}`, "grouped by page"},
		{`{"columns": ["page"], "slice": [{"field": "visits", "op": ">", "value": 1}]}`, "grouped by page"},
		{`{"columns": ["page"], "slice": [{"$or": [{"$not": {"field": "perClick", "op": ">", "value": 1}}]}]}`, "grouped by page"},
		{`{"columns": ["page"], "slice": [{"$expr": "max(spent) > 1"}]}`, "grouped by page"},
		{`{"columns": ["page"], "slice": [{"field": "max(clicks)", "op": ">", "value": {"$field": "min(clicks)"}}]}`, "grouped by page"},
		{`{"columns": ["page"], "orderBy": ["count(*)"]}`, "grouped by page"},
		{`{"columns": ["page"], "orderBy": ["-visits"]}`, "grouped by page"},
		{`{"columns": ["page", "x"], "calculatedFields": [{"name": "x", "expression": "sum(spent)"}]}`, "grouped by page"},
		{`{"columns": ["page", "x"], "calculatedFields": [{"name": "x", "expression": "spent", "agg": "max"}]}`, "grouped by page"},
		{`{"columns": ["page", "x"], "calculatedFields": [{"name": "x", "expression": "y"}, {"name": "y", "expression": "people + 1"}]}`, "grouped by page"},
		{`{"columns": ["page", "x"], "calculatedFields": [{"name": "x", "expression": "rank()", "windowOrderBy": ["-spent"]}], "groupBy": ["page"]}`, "grouped by page"},
		{`{"columns": ["page", "x"], "calculatedFields": [{"name": "x", "expression": "sum(sum(spent))", "partitionBy": ["page"]}]}`, "grouped by page"},
		{`{"columns": ["upper(page) as p", "spent"], "groupBy": ["p"]}`, "grouped by p"},
		{`{"columns": ["upper(page)", "visits"]}`, "grouped by upper(page)"},

		{`{"orderBy": ["sum(spent)"]}`, "columns_required"},
		{`{"slice": [{"field": "visits", "op": ">", "value": 1}]}`, "columns_required"},
		{`{"orderBy": ["visits"]}`, "detail"},
		{`{"columns": ["page"], "having": [{"field": "spent", "op": ">", "value": 1}]}`, "having_without_groups"},
		{`{"columns": ["spent * 2 as double"], "groupBy": ["page"]}`, "ambiguous_level"},
		{`{"columns": ["page"], "groupBy": ["spent"]}`, "measure_as_key"},
	} {
		q, err := resolved(t, m, c.payload)
		got := reason(err)
		switch {
		case err != nil:
		case !q.Grouped:
			got = "detail"
		case len(q.Keys) == 0:
			got = "grouped by nothing"
		default:
			got = "grouped by " + strings.Join(q.KeyNames, ", ")
		}
		if got != c.want {
			t.Errorf("%s\n got %s (%v)\nwant %s", c.payload, got, err, c.want)
		}
	}
}

// TestMeasureByPlace is what a bare measure means, clause by clause (decisions 46 and 47).
func TestMeasureByPlace(t *testing.T) {
	m := visits(t, utc)
	for _, c := range []struct{ payload, rows, groups, order string }{
		{`{"columns": ["page"], "slice": [{"field": "spent", "op": ">", "value": 5}], "orderBy": ["spent"]}`, "(spent > 5)", "", "spent"},
		{`{"columns": ["page", "spent"], "groupBy": ["page"], "slice": [{"field": "spent", "op": ">", "value": 5}], "orderBy": ["spent"]}`, "(spent > 5)", "", "sum(spent)"},
		{`{"columns": ["page", "spent"], "groupBy": ["page"], "having": [{"field": "spent", "op": ">", "value": 5}]}`, "", "(sum(spent) > 5)", "page"},
		{`{"columns": ["page", "sum(spent) as spent"], "slice": [{"field": "spent", "op": ">", "value": 5}], "orderBy": ["spent"]}`, "(spent > 5)", "", "sum(spent)"},
		{`{"columns": ["page", "sum(spent) as s"], "slice": [{"field": "s", "op": ">", "value": 5}]}`, "", "(sum(spent) > 5)", "page"},
		{`{"columns": ["page", "spent as s"], "groupBy": ["page"], "slice": [{"field": "s", "op": ">", "value": 5}], "orderBy": ["s"]}`, "", "(sum(spent) > 5)", "sum(spent)"},
		{`{"columns": ["page", "avg(clicks) as s"], "slice": [{"field": "visits", "op": ">", "value": 5}, {"field": "page", "op": "=", "value": "a"}]}`, "(page = a)", "(count(*) > 5)", "page"},
		{`{"columns": ["page", "top"], "groupBy": ["page"], "having": [{"field": "top", "op": ">", "value": 5}]}`, "", "(max(top) > 5)", "page"},
		{`{"columns": ["page", "spent"], "groupBy": ["page", {"field": "spent", "agg": "max"}], "having": [{"field": "spent", "op": ">", "value": 5}]}`, "", "(max(spent) > 5)", "page"},
		{`{"columns": ["page", "spent"], "groupBy": ["page"], "slice": [{"$and": [{"field": "page", "op": "=", "value": "a"}, {"field": "visits", "op": ">", "value": 1}]}]}`, "(page = a)", "(count(*) > 1)", "page"},
		{`{"columns": ["page", "spent"], "groupBy": ["page"], "slice": [{"$or": [{"field": "page", "op": "=", "value": "a"}, {"field": "visits", "op": ">", "value": 1}]}]}`, "", "((page = a) or (count(*) > 1))", "page"},
	} {
		q, err := resolved(t, m, c.payload)
		if err != nil {
			t.Errorf("%s: %v", c.payload, err)
			continue
		}
		if got := shown(q.Rows); got != c.rows {
			t.Errorf("%s\nrows %s, want %s", c.payload, got, c.rows)
		}
		if got := shown(q.Groups); got != c.groups {
			t.Errorf("%s\ngroups %s, want %s", c.payload, got, c.groups)
		}
		if got := shown(q.Order[0].Expr); got != c.order {
			t.Errorf("%s\nordered by %s, want %s", c.payload, got, c.order)
		}
	}
}

// TestOrderIsTotal: the last terms tell any two rows apart (decision 50).
func TestOrderIsTotal(t *testing.T) {
	m := visits(t, utc)
	keyless := visits(t, utc)
	keyless.Key = nil
	for _, c := range []struct{ payload, keyed, keyless string }{
		{`{"columns": ["page"]}`, "stored:id", "page"},
		{`{"columns": ["page", "day"], "orderBy": ["-day"]}`, "day desc, stored:id", "day desc, page"},
		{`{"columns": ["page", "spent"], "groupBy": ["page", "day"]}`, "page, day", "page, day"},
		{`{"columns": ["page", "spent"], "groupBy": ["page"], "orderBy": ["-spent", "page desc"]}`, "sum(spent) desc, page desc", "sum(spent) desc, page desc"},
		{`{"columns": ["sum(spent)"]}`, "", ""},
		{`{"columns": ["page", "day"], "distinct": true, "orderBy": ["-day"]}`, "day desc, page", "day desc, page"},
	} {
		for model, want := range map[string]string{"keyed": c.keyed, "keyless": c.keyless} {
			of := m
			if model == "keyless" {
				of = keyless
			}
			q, err := resolved(t, of, c.payload)
			if err != nil {
				t.Errorf("%s: %v", c.payload, err)
				continue
			}
			var terms []string
			for _, o := range q.Order {
				term := shown(o.Expr)
				if o.Desc {
					term += " desc"
				}
				terms = append(terms, term)
			}
			if got := strings.Join(terms, ", "); got != want {
				t.Errorf("%s (%s): ordered by %q, want %q", c.payload, model, got, want)
			}
		}
	}
}
