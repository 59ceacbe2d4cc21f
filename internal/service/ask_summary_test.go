package service

import (
	"testing"

	"parlance/internal/dialect"
)

// TestSummaries tells of rows that a script gives: figures by hand.
func TestSummaries(t *testing.T) {
	for _, c := range []struct {
		name, question string
		groups         [][]any
		want           string
	}{
		{"a change over time", "amount by month", [][]any{{"2024-01", "200.00"}, {"2024-02", "50.00"}, {"2024-03", "250.00"}},
			"3 groups, the highest is 2024-03 with Amount 250.00 CNY, 2024-01 to 2024-03: +25.0%, overall 500.00 CNY."},
		{"a fall", "amount by month", [][]any{{"2024-01", "200.00"}, {"2024-02", "50.00"}},
			"2 groups, the highest is 2024-01 with Amount 200.00 CNY, 2024-01 to 2024-02: -75.0%, overall 500.00 CNY."},
		{"from nothing", "amount by month", [][]any{{"2024-01", "0.00"}, {"2024-02", "50.00"}},
			"2 groups, the highest is 2024-02 with Amount 50.00 CNY, overall 500.00 CNY."},
		{"without a number", "amount by status", [][]any{{"DONE", nil}, {"OPEN", nil}}, "2 groups, overall 500.00 CNY."},
		{"a group without a name", "amount by brand", [][]any{{nil, "7.00"}, {"Acme", "6.00"}},
			"2 groups, the highest is none with Amount 7.00 CNY, overall 500.00 CNY."},
		{"one group", "amount by brand", [][]any{{"Acme", "1234.50"}}, "Acme: Amount: 1,234.50 CNY."},
		{"nothing", "amount by brand", [][]any{}, "Nothing matches."},
		{"in Chinese", "各status的amount", [][]any{{"DONE", "3.00"}, {"OPEN", "2.00"}}, "共2组，最高的是Done，Amount 3.00 CNY，总体 500.00 CNY。"},
	} {
		source := &script{dialect: dialect.DuckDB(), mentions: map[string][][]any{"GROUP BY": c.groups, "SUM(": {{"500.00"}}}}
		reply := in(t, newService(shelfOf(salesModel(t)), source), Caller{}, "", c.question)
		if reply.Summary != c.want {
			t.Errorf("%s: %q (%s), want %q", c.name, reply.Summary, reply.Message, c.want)
		}
	}
}
