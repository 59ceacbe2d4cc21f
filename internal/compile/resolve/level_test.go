package resolve_test

import (
	"testing"

	"parlance/internal/compile/resolve"
)

var levelNames = map[resolve.Level]string{
	resolve.Constant: "constant", resolve.RowLevel: "row", resolve.GroupLevel: "group", resolve.WindowLevel: "window",
}

// TestLevels infers what an expression is computed from, or why it mixes what cannot be mixed. Each stands alone in the
// columns of a query that is grouped by page where it says so.
func TestLevels(t *testing.T) {
	m := visits(t, utc)
	for _, c := range []struct{ expression, detail, grouped string }{
		{"1 + 1", "constant", "constant"},
		{"null", "constant", "constant"},
		{"page", "row", "row"},
		{"upper(page)", "row", "row"},
		{"concat(page, 'x')", "row", "row"},
		{"spent + 1", "row", "ambiguous_level"},
		{"spent * clicks", "row", "ambiguous_level"},
		{"if(mobile, spent, 0)", "row", "ambiguous_level"},
		{"sum(spent)", "group", "group"},
		{"sum(spent) + 1", "group", "group"},
		{"sum(spent) / sum(clicks)", "group", "group"},
		{"sum(spent * clicks)", "group", "group"},
		{"sum(if(mobile, spent, 0))", "group", "group"},
		{"perClick * 100", "group", "group"},
		{"count(*)", "group", "group"},
		{"concat(page, count(*))", "not_a_group_key", "group"},
		{"concat(day, count(*))", "not_a_group_key", "not_a_group_key"},
		{"sum(spent) + spent", "group", "group"}, // beside an aggregate a measure is the group's
		{"spent + visits", "group", "group"},
		{"sum(sum(spent))", "nested_aggregate", "nested_aggregate"},
		{"sum(perClick)", "nested_aggregate", "nested_aggregate"},
		{"max(visits + 1)", "nested_aggregate", "nested_aggregate"},
		{"sum(spent + visits)", "nested_aggregate", "nested_aggregate"},
		{"rank() over (order by spent)", "window", "window"},
		{"sum(spent) over ()", "window", "window"},
		{"sum(sum(spent)) over ()", "window", "window"},
		{"spent / sum(spent) over ()", "window", "window"},
		{"sum(spent) / sum(sum(spent)) over ()", "window", "window"},
		{"1 + count(*) over ()", "window", "window"},
		{"sum(count(*) over ())", "misplaced_window", "misplaced_window"},
		{"sum(rank() over (order by page)) over ()", "misplaced_window", "misplaced_window"},
		{"rank() over (order by day)", "window", "not_a_group_key"},
		{"rank() over (partition by day order by page)", "window", "not_a_group_key"},
	} {
		for groupBy, want := range map[string]string{"": c.detail, `, "groupBy": ["page"]`: c.grouped} {
			payload := `{"columns": ["` + c.expression + ` as x"]` + groupBy + `}`
			q, err := resolved(t, m, payload)
			got := reason(err)
			if err == nil {
				got = levelNames[q.Columns[0].Expr.Level()]
			}
			if got != want {
				t.Errorf("%s is of level %s (%v), want %s", payload, got, err, want)
			}
		}
	}
}
