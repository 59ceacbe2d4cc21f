package service

import (
	"math/big"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/compile"
	"parlance/internal/query"
)

func TestMisses(t *testing.T) {
	for condition, want := range map[string]bool{
		`{"field":"x","op":"=","value":9}`:              true,
		`{"field":"x","op":"=","value":10}`:             false,
		`{"field":"x","op":"=","value":"20.5"}`:         true,
		`{"field":"x","op":"=","value":null}`:           false,
		`{"field":"x","op":">","value":20}`:             false, // the database knows; nothing is claimed at the edge
		`{"field":"x","op":">","value":21}`:             true,
		`{"field":"x","op":">=","value":9}`:             false,
		`{"field":"x","op":"<","value":9}`:              true,
		`{"field":"x","op":"<=","value":21}`:            false,
		`{"field":"x","op":"!=","value":9}`:             false,
		`{"field":"x","op":"in","value":[9,21]}`:        true,
		`{"field":"x","op":"in","value":[9,12]}`:        false,
		`{"field":"x","op":"in","value":[]}`:            false,
		`{"field":"x","op":"not in","value":[9]}`:       false,
		`{"field":"x","op":"[]","value":[21,30]}`:       true,
		`{"field":"x","op":"[)","value":[null,9]}`:      true,
		`{"field":"x","op":"()","value":[9,21]}`:        false,
		`{"field":"x","op":"is null"}`:                  false,
		`{"field":"x","op":"=","value":{"$field":"y"}}`: false,
	} {
		c := decode(t, `{"slice":[`+condition+`]}`).Slice[0].(*query.Compare)
		if got := misses(c, big.NewRat(10, 1), big.NewRat(20, 1)); got != want {
			t.Errorf("%s misses 10…20: %v", condition, got)
		}
	}
}

// TestReasonsAreOnlyForWhoAsks: without Diagnose no further statement runs.
func TestReasonsAreOnlyForWhoAsks(t *testing.T) {
	const none = `{"columns":["saleId"],"slice":[{"product$brand":"Acmee"}]}`
	for ask, want := range map[bool][]string{false: nil, true: {`No rows: product$brand has no value "Acmee"; closest: Acme`}} {
		p := play(t, none, nil, 0, nil)
		p.source.mentions = map[string][][]any{`= t1."product_id") AS r GROUP BY`: {{"Acme"}}} // all brands
		var reasons []string
		for _, w := range p.run(t, QueryOptions{Diagnose: ask}).Warnings {
			if strings.HasPrefix(w, "No rows: ") {
				reasons = append(reasons, w)
			}
		}
		if diff := cmp.Diff(want, reasons); diff != "" {
			t.Errorf("diagnose %v: %s", ask, diff)
		}
	}
}

func TestOverNothing(t *testing.T) {
	filtered := compile.Applied{Before: []string{"x = 1"}}
	for items, want := range map[string]bool{`[{"a":null,"b":0,"c":0.00}]`: true, `[{"a":1}]`: false, `[["0"]]`: true, `[{"a":"x"}]`: false} {
		if got := overNothing(&keptAnswer{items: []byte(items), total: 1}, &compile.Compiled{Grouped: true, Applied: filtered}); got != want {
			t.Errorf("%s: %v", items, got)
		}
	}
	if overNothing(&keptAnswer{items: []byte(`[{"a":0}]`), total: 1}, &compile.Compiled{Grouped: true}) {
		t.Error("without filters there is no reason to look for")
	}
}
