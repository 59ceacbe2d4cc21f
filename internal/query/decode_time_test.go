package query

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/fault"
)

func TestDecodeTopN(t *testing.T) {
	ref := &Ref{"salesAmount"}
	for text, want := range map[string]Top{
		`{"by": "salesAmount", "n": 5}`:                          {By: Order{Expr: ref, Desc: true}, N: 5},
		`{"by": "-salesAmount", "n": 5, "others": true}`:         {By: Order{Expr: ref, Desc: true}, N: 5, Others: true},
		`{"by": "salesAmount asc", "n": 1}`:                      {By: Order{Expr: ref}, N: 1},
		`{"by": {"field": "salesAmount", "dir": "ASC"}, "n": 1}`: {By: Order{Expr: ref}, N: 1},
		`{"by": {"field": "salesAmount"}, "n": 1}`:               {By: Order{Expr: ref, Desc: true}, N: 1},
		`{"by": "sum(salesAmount)", "n": 2, "others": false}`:    {By: Order{Expr: &Call{Func: "sum", Args: []Expr{ref}}, Desc: true}, N: 2},
	} {
		q, err := Decode(parsed(t, `{"topN": `+text+`}`), DecodeOptions{})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if diff := cmp.Diff(&want, q.Top); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
		again, err := Decode(parsed(t, string(q.JSON())), DecodeOptions{})
		if err != nil || !cmp.Equal(q, again) {
			t.Errorf("%s printed as %s: %v", text, q.JSON(), err)
		}
	}
}

func TestDecodeTimeWindow(t *testing.T) {
	q, err := Decode(parsed(t, `{"timeWindow": {"field": "salesDate$caption", "grain": "month", "comparison": "yoy", "range": ["2024-01-01", "2024-12-31"], "targetMetrics": ["salesAmount"]}}`), DecodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := &TimeWindow{
		Field: "salesDate$caption", Grain: MonthGrain, Comparison: YearOnYear, Metrics: []string{"salesAmount"},
		Range: List{{Kind: StringLiteral, Text: "2024-01-01"}, {Kind: StringLiteral, Text: "2024-12-31"}},
	}
	if diff := cmp.Diff(want, q.Time); diff != "" {
		t.Error(diff)
	}
	again, err := Decode(parsed(t, string(q.JSON())), DecodeOptions{})
	if err != nil || !cmp.Equal(q, again) {
		t.Errorf("printed as %s: %v", q.JSON(), err)
	}
}

func TestDecodeRefusesTopNAndTimeWindow(t *testing.T) {
	for text, path := range map[string]string{
		`{"topN": 5}`:                                  "topN",
		`{"topN": {"n": 5}}`:                           "topN.by",
		`{"topN": {"by": "x"}}`:                        "topN.n",
		`{"topN": {"by": "x", "n": 0}}`:                "topN.n",
		`{"topN": {"by": "x", "n": 1.5}}`:              "topN.n",
		`{"topN": {"by": "x", "n": 1, "other": true}}`: "topN.other",
		`{"topN": {"by": "x +", "n": 1}}`:              "topN.by",
		`{"withSubtotals": "yes"}`:                     "withSubtotals",
		`{"timeWindow": []}`:                           "timeWindow",
		`{"timeWindow": {"field": "d", "grain": "months", "comparison": "yoy", "range": "2024"}}`:             "timeWindow.grain",
		`{"timeWindow": {"field": "d", "grain": "month", "comparison": "rolling_8d", "range": "2024"}}`:       "timeWindow.comparison",
		`{"timeWindow": {"field": "d", "grain": "month", "comparison": "yoy"}}`:                               "timeWindow.range",
		`{"timeWindow": {"field": "d", "grain": "month", "comparison": "yoy", "range": []}}`:                  "timeWindow.range",
		`{"timeWindow": {"field": "d", "grain": "month", "comparison": "yoy", "range": "2024", "window": 1}}`: "timeWindow.window",
	} {
		_, err := Decode(parsed(t, text), DecodeOptions{})
		if err == nil {
			t.Errorf("%s is accepted", text)
			continue
		}
		if f := fault.As(err); f.Kind != fault.Invalid || f.Path != path {
			t.Errorf("%s: path %q, want %q (%s)", text, f.Path, path, f.Message)
		}
	}
}
