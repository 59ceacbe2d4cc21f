package mcp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/compile"
	"parlance/internal/result"
	"parlance/internal/service"
	"parlance/internal/value"
)

// cutResult is what a caller reads of how complete a result is.
type cutResult struct {
	Items      []map[string]any
	Rows       [][]any
	Truncated  bool
	Next       *struct{ Start, Limit int64 }
	Hint       string
	Pagination struct {
		Returned int64
		HasMore  bool
	}
}

func rowsOf(n int) []byte {
	rows := make([]string, n)
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"name":"row %03d ]},[{\"","n":%d}`, i, i)
	}
	return []byte("[" + strings.Join(rows, ",") + "]")
}

func resultOf(t *testing.T, a service.Answer, maxBytes int) (cutResult, int) {
	t.Helper()
	a.Columns = []result.Column{{Key: "name", Type: value.Type{Kind: value.String}}, {Key: "n", Type: value.Type{Kind: value.Integer}}}
	text, err := (&answer{Answer: a, maxBytes: maxBytes}).text()
	if err != nil {
		t.Fatal(err)
	}
	var got cutResult
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	if int64(len(got.Items)) != got.Pagination.Returned {
		t.Errorf("%d items, returned %d", len(got.Items), got.Pagination.Returned)
	}
	return got, len(text)
}

func TestNothingIsCutInSilence(t *testing.T) {
	for name, c := range map[string]struct {
		answer    service.Answer
		truncated bool
		next      string // start+limit, "" if absent
		hint      string // a part of it
	}{
		"all rows": {answer: service.Answer{Items: rowsOf(3), Returned: 3, Total: 3, Limit: 100, LimitSource: compile.LimitDefault}},
		"default limit": {answer: service.Answer{Items: rowsOf(3), Returned: 3, Total: 9, Limit: 3, LimitSource: compile.LimitDefault},
			truncated: true, next: "3+3", hint: "3 of 9 rows are here. Group"},
		"given limit is no cut": {answer: service.Answer{Items: rowsOf(3), Returned: 3, Total: 9, Start: 3, Limit: 3, LimitSource: compile.LimitGiven},
			next: "6+3"},
		"last page":          {answer: service.Answer{Items: rowsOf(3), Returned: 3, Total: 9, Start: 6, Limit: 3, LimitSource: compile.LimitGiven}},
		"limit 0":            {answer: service.Answer{Items: rowsOf(0), Total: 9, LimitSource: compile.LimitGiven}},
		"start past the end": {answer: service.Answer{Items: rowsOf(0), Total: 9, Start: 20, Limit: 3, LimitSource: compile.LimitGiven}},
		"cut by the service": {answer: service.Answer{Items: rowsOf(3), Returned: 3, Total: 9, Limit: 5, LimitSource: compile.LimitGiven, Truncated: true},
			truncated: true, next: "3+2", hint: "cut for size. Name fewer columns, use format compact"},
		"default cut by the service": {answer: service.Answer{Items: rowsOf(3), Returned: 3, Total: 9, Limit: 5, LimitSource: compile.LimitDefault, Truncated: true},
			truncated: true, next: "3+5", hint: "cut for size"},
		"one row is too large": {answer: service.Answer{Items: rowsOf(0), Total: 9, Limit: 5, LimitSource: compile.LimitGiven, Truncated: true},
			truncated: true, hint: "fewer columns"},
	} {
		t.Run(name, func(t *testing.T) {
			got, _ := resultOf(t, c.answer, 60_000)
			next := ""
			if got.Next != nil {
				next = fmt.Sprintf("%d+%d", got.Next.Start, got.Next.Limit)
			}
			if got.Truncated != c.truncated || next != c.next || (c.hint == "") != (got.Hint == "") || !strings.Contains(got.Hint, c.hint) {
				t.Errorf("truncated %v, next %q, hint %q", got.Truncated, next, got.Hint)
			}
			if want := c.answer.Start+c.answer.Returned < c.answer.Total; got.Pagination.HasMore != want {
				t.Errorf("hasMore %v", got.Pagination.HasMore)
			}
		})
	}
}

// TestTheWholeTextFits cuts rows where rows and the rest together pass the cap, and the pages put together are all rows.
func TestTheWholeTextFits(t *testing.T) {
	all := rowsOf(200)
	for _, maxBytes := range []int{1500, 2000, 4000, 9000, 100_000} {
		a := service.Answer{Items: all, Returned: 200, Total: 200, Limit: 200, LimitSource: compile.LimitGiven}
		got, size := resultOf(t, a, maxBytes)
		if size > maxBytes {
			t.Errorf("%d bytes, at most %d are allowed", size, maxBytes)
		}
		cut := len(got.Items) < 200
		if cut != got.Truncated || cut != (got.Next != nil) || cut != (got.Hint != "") || len(got.Items) == 0 {
			t.Errorf("max %d: %d items, truncated %v, next %v", maxBytes, len(got.Items), got.Truncated, got.Next)
		}
		if cut && (got.Next.Start != int64(len(got.Items)) || got.Next.Limit != 200-got.Next.Start) {
			t.Errorf("max %d: next %+v after %d items", maxBytes, got.Next, len(got.Items))
		}
		for i, row := range got.Items {
			if row["n"] != float64(i) {
				t.Errorf("max %d: row %d is %v", maxBytes, i, row)
			}
		}
	}
	if string(all) != string(rowsOf(200)) {
		t.Error("the service's own rows were changed")
	}
}

func TestCutItems(t *testing.T) {
	for _, c := range []struct {
		items string
		room  int
		want  string
		kept  int64
	}{
		{`[]`, 10, `[]`, 0},
		{`[]`, -5, `[]`, 0},
		{`[1,2,3]`, 7, `[1,2,3]`, 3},
		{`[1,2,3]`, 6, `[1,2]`, 2},
		{`[1,2,3]`, 2, `[]`, 0},
		{`[[1,2],[3,4]]`, 12, `[[1,2]]`, 1},
		{`[{"a":"],\""},{"a":[1,{"b":2}]}]`, 20, `[{"a":"],\""}]`, 1},
		{`["\\","x"]`, 9, `["\\"]`, 1},
	} {
		got, kept := cutItems([]byte(c.items), c.room)
		if string(got) != c.want || kept != c.kept {
			t.Errorf("cutItems(%s, %d) = %s, %d", c.items, c.room, got, kept)
		}
	}
}

// FuzzCutItems holds the cutting against encoding/json: what is left is the beginning of what was there.
func FuzzCutItems(f *testing.F) {
	f.Add(`[{"a":"],\""},[1,2],"\\",null]`, 12)
	f.Fuzz(func(t *testing.T, items string, room int) {
		var whole, left []json.RawMessage
		if json.Unmarshal([]byte(items), &whole) != nil || whole == nil {
			return
		}
		compact, _ := marshal(whole)
		got, kept := cutItems(compact, room)
		if err := json.Unmarshal(got, &left); err != nil || int64(len(left)) != kept || countItems(compact) != int64(len(whole)) {
			t.Fatalf("cutItems(%s, %d) = %s, %d: %v", compact, room, got, kept, err)
		}
		if kept > 0 && len(got) > room {
			t.Fatalf("%d bytes in %d", len(got), room)
		}
		want, _ := marshal(whole[:kept])
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Fatal(diff)
		}
	})
}
