package questions

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// payload is a query as JSON has it.
type payload map[string]any

// keys returns the fields that the payload groups by.
func (p payload) keys() []string {
	var keys []string
	list, _ := p["groupBy"].([]any)
	for _, g := range list {
		switch g := g.(type) {
		case string:
			keys = append(keys, g)
		case map[string]any:
			keys = append(keys, fmt.Sprint(g["field"]))
		}
	}
	return keys
}

// line is a row without names: its texts and its numbers, each in order.
type line struct {
	texts   []string
	numbers []float64
}

// linesOf leaves out what does not matter: names, ids, and rows whose group key is null.
func linesOf(rows []row, p payload) []line {
	keys := p.keys()
	var lines []line
	for _, r := range rows {
		if slices.ContainsFunc(keys, func(k string) bool { return r[k] == nil }) {
			continue
		}
		var l line
		for name, cell := range r {
			if strings.HasSuffix(name, "$id") {
				continue
			}
			switch c := cell.(type) {
			case json.Number:
				n, _ := c.Float64()
				l.numbers = append(l.numbers, n)
			default:
				l.texts = append(l.texts, fmt.Sprint(c))
			}
		}
		slices.Sort(l.texts)
		slices.Sort(l.numbers)
		lines = append(lines, l)
	}
	return lines
}

// same reports whether two answers hold the same values; the order counts where the expected payload has one.
func same(got, want []line, ordered bool) bool {
	if len(got) != len(want) {
		return false
	}
	if !ordered {
		order := func(a, b line) int {
			return cmpOr(slices.Compare(a.texts, b.texts), slices.Compare(a.numbers, b.numbers))
		}
		slices.SortFunc(got, order)
		slices.SortFunc(want, order)
	}
	return slices.EqualFunc(got, want, func(a, b line) bool {
		near := func(x, y float64) bool { return math.Abs(x-y) <= 0.01 }
		return slices.Equal(a.texts, b.texts) && slices.EqualFunc(a.numbers, b.numbers, near)
	})
}

func cmpOr(a, b int) int {
	if a != 0 {
		return a
	}
	return b
}

func TestTheJudgeTellsAnswersApart(t *testing.T) {
	n := func(text string) any { return json.Number(text) }
	grouped := payload{"groupBy": []any{"k"}}
	want := []row{{"k": "a", "v": n("1.00")}, {"k": "b", "v": n("2")}, {"k": nil, "v": n("9")}}
	for _, c := range []struct {
		name    string
		got     []row
		ordered bool
		right   bool
	}{
		{"other order", []row{{"k": "b", "v": n("2.001")}, {"k": "a", "v": n("1")}}, false, true},
		{"other order where it counts", []row{{"k": "b", "v": n("2")}, {"k": "a", "v": n("1")}}, true, false},
		{"an id beside", []row{{"k": "a", "x$id": n("7"), "v": n("1")}, {"k": "b", "x$id": n("8"), "v": n("2")}}, true, true},
		{"another value", []row{{"k": "a", "v": n("1.02")}, {"k": "b", "v": n("2")}}, false, false},
		{"another key", []row{{"k": "c", "v": n("1")}, {"k": "b", "v": n("2")}}, false, false},
		{"a column more", []row{{"k": "a", "v": n("1"), "w": n("1")}, {"k": "b", "v": n("2"), "w": n("1")}}, false, false},
		{"a row less", []row{{"k": "a", "v": n("1")}}, false, false},
	} {
		if got := same(linesOf(c.got, grouped), linesOf(want, grouped), c.ordered); got != c.right {
			t.Errorf("%s: got %v", c.name, got)
		}
	}
}
