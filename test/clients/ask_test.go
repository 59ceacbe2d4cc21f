package clients

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// ask calls a tool that must not fail and decodes its answer. It asks again while the answer says that it may: right after
// the start of a program, words and data are still being read.
func ask(t *testing.T, s *stage, tool string, arguments, answer any) {
	t.Helper()
	var text string
	until(t, "an answer of "+tool, func() bool {
		got, failed, err := s.Call(t.Context(), tool, arguments)
		if err != nil || failed && !strings.Contains(got, `"retryable":true`) {
			t.Fatalf("%s: %s %v", tool, got, err)
		}
		text = got
		return !failed
	})
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	if err := d.Decode(answer); err != nil {
		t.Fatalf("%s: %v: %s", tool, err, text)
	}
}

// query returns the rows of a query, whichever form the mount gives them, and the totals.
func query(t *testing.T, s *stage, arguments any) (rows [][]any, total map[string]any) {
	t.Helper()
	var answer struct {
		Schema    []struct{ Name string }
		Items     []map[string]any
		Rows      [][]any
		TotalData map[string]any
	}
	ask(t, s, s.tool("dataset.query_model"), arguments, &answer)
	if compact := answer.Items == nil; compact != s.underscore {
		t.Errorf("compact rows on %s: %v", s.mount, compact)
	}
	rows = answer.Rows
	for _, item := range answer.Items {
		var row []any
		for _, column := range answer.Schema {
			row = append(row, item[column.Name])
		}
		rows = append(rows, row)
	}
	return rows, answer.TotalData
}
