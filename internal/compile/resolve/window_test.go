package resolve_test

import "testing"

// TestWindows binds window functions written as over (…) and as the keys of a calculated field, which mean the same.
func TestWindows(t *testing.T) {
	m := visits(t, utc)
	for _, c := range []struct{ over, keys, want string }{
		{"row_number() over (order by day)", `"expression": "row_number()", "windowOrderBy": ["day"]`, "row_number() over (order day total)"},
		{"rank() over (partition by page order by spent desc)", `"expression": "rank()", "partitionBy": ["page"], "windowOrderBy": ["-spent"]`,
			"rank() over (by page order spent desc)"},
		{"dense_rank() over (order by day desc)", `"expression": "dense_rank()", "windowOrderBy": [{"field": "day", "order": "DESC"}]`, "dense_rank() over (order day desc)"},
		{"ntile(4) over (order by day)", `"expression": "ntile(4)", "windowOrderBy": ["day"]`, "ntile(4) over (order day total)"},
		{"lag(spent) over (order by day)", `"expression": "lag(spent)", "windowOrderBy": ["day"]`, "lag(spent) over (order day total)"},
		{"lead(page, 2, 'x') over (order by day)", `"expression": "lead(page, 2, 'x')", "windowOrderBy": ["day"]`, "lead(page, 2, x) over (order day total)"},
		{"first_value(page) over (order by day)", `"expression": "first_value(page)", "windowOrderBy": ["day"]`, "first_value(page) over (order day total)"},
		{"sum(clicks) over (partition by page)", `"expression": "sum(clicks)", "partitionBy": ["page"]`, "sum(clicks) over (by page)"},
		{"count(*) over (partition by page)", `"expression": "count(*)", "partitionBy": ["page"]`, "count() over (by page)"},
		{"min(day) over (partition by page, mobile)", `"expression": "min(day)", "partitionBy": ["page", "mobile"]`, "min(day) over (by page, mobile)"},
		{"sum(clicks) over (order by day)", `"expression": "sum(clicks)", "windowOrderBy": ["day"]`, "sum(clicks) over (order day)"},
		{"sum(clicks) over (order by day rows between 6 preceding and current row)",
			`"expression": "sum(clicks)", "windowOrderBy": ["day"], "windowFrame": "ROWS 6 PRECEDING"`,
			"sum(clicks) over (order day rows between 6 preceding and current row total)"},
		{"avg(clicks) over (partition by page)", `"expression": "avg(clicks)", "partitionBy": ["page"]`,
			"(sum(clicks) over (by page) / count(clicks) over (by page))"},
		{"sum(clicks) over (order by count range between 1 preceding and 1 following)",
			`"expression": "sum(clicks)", "windowOrderBy": ["count"], "windowFrame": "range between 1 preceding and 1 following"`,
			"sum(clicks) over (order count range between 1 preceding and 1 following)"},
	} {
		for _, payload := range []string{
			`{"columns": ["` + c.over + ` as x"]}`,
			`{"columns": ["x"], "calculatedFields": [{"name": "x", ` + c.keys + `}]}`,
		} {
			q, err := resolved(t, m, payload)
			if err != nil {
				t.Errorf("%s: %v", payload, err)
				continue
			}
			if got := shown(q.Columns[0].Expr); got != c.want {
				t.Errorf("%s\n got %s\nwant %s", payload, got, c.want)
			}
		}
	}
}

// TestWindowsOverGroups: in a grouped query a measure inside a window is the group's value.
func TestWindowsOverGroups(t *testing.T) {
	m := visits(t, utc)
	for expression, want := range map[string]string{
		"rank() over (order by spent desc)":                 "rank() over (order sum(spent) desc)",
		"sum(spent) over ()":                                "sum(sum(spent)) over ()",
		"sum(sum(spent)) over ()":                           "sum(sum(spent)) over ()",
		"spent / sum(spent) over ()":                        "(sum(spent) / sum(sum(spent)) over ())",
		"lag(visits) over (order by page)":                  "lag(count(*)) over (order page total)",
		"max(perClick) over ()":                             "max((sum(spent) / sum(clicks))) over ()",
		"count(*) over ()":                                  "count() over ()",
		"sum(visits) over (order by page rows 1 preceding)": "sum(count(*)) over (order page rows between 1 preceding and current row total)",
	} {
		q, err := resolved(t, m, `{"columns": ["page", "`+expression+` as x"], "groupBy": ["page"]}`)
		if err != nil {
			t.Errorf("%s: %v", expression, err)
			continue
		}
		if got := shown(q.Columns[1].Expr); got != want {
			t.Errorf("%s\n got %s\nwant %s", expression, got, want)
		}
	}
}

// TestFiltersOnWindowsComeLast: of the three filters each condition goes to the one that its level names.
func TestFiltersOnWindowsComeLast(t *testing.T) {
	m := visits(t, utc)
	q, err := resolved(t, m, `{"columns": ["page", "spent", "r"], "groupBy": ["page"],
		"calculatedFields": [{"name": "r", "expression": "rank()", "windowOrderBy": ["-spent"]}],
		"slice": [{"field": "mobile", "op": "=", "value": true}, {"field": "r", "op": "<=", "value": 3}, {"field": "visits", "op": ">", "value": 1}],
		"having": [{"field": "spent", "op": ">", "value": 9}]}`)
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct{ got, want string }{
		"rows":    {shown(q.Rows), "(mobile = true)"},
		"groups":  {shown(q.Groups), "((count(*) > 1) and (sum(spent) > 9))"},
		"results": {shown(q.Results), "(rank() over (order sum(spent) desc) <= 3)"},
	} {
		if c.got != c.want {
			t.Errorf("%s are filtered by %s, want %s", what, c.got, c.want)
		}
	}
}
