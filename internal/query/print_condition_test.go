package query

import "testing"

func TestConditionsInWords(t *testing.T) {
	for text, want := range map[string]string{
		`{"orderStatus":"PAID"}`:                                             "orderStatus = 'PAID'",
		`{"orderStatus":["PAID","it's"]}`:                                    "orderStatus in ('PAID', 'it''s')",
		`{"orderStatus":null}`:                                               "orderStatus is null",
		`{"field":"a","op":"not in","value":[]}`:                             "a not in ()",
		`{"field":"a + b","op":">","value":{"$field":"sum(c)"}}`:             "a + b > sum(c)",
		`{"field":"d","op":"[)","value":[20240101,null]}`:                    "d >= 20240101",
		`{"field":"d","op":"()","value":["a","b"]}`:                          "d > 'a' and d < 'b'",
		`{"$or":[{"field":"x","op":"[)","value":[1,5]},{"y":2}]}`:            "(x >= 1 and x < 5) or y = 2",
		`{"field":"d","op":"(]","value":[1,2]}`:                              "d > 1 and d <= 2",
		`{"field":"d","op":"[]","value":[null,null]}`:                        "d between null and null",
		`{"field":"a","op":"right_like","value":"x"}`:                        "a starts with 'x'",
		`{"field":"a","op":"not contains","value":"x"}`:                      "a does not contain 'x'",
		`{"field":"t$id","op":"childrenOf","value":"T1","maxDepth":2}`:       "t$id childrenOf ('T1') maxDepth 2",
		`{"field":"a or b","op":"=","value":true}`:                           "(a or b) = true",
		`{"$or":[{"a":1},{"b":2,"c":3},{"$not":[{"d":4}]}]}`:                 "a = 1 or (b = 2 and c = 3) or not (d = 4)",
		`{"$and":[{"$expr":"a > 1 or b"},{"$expr":"c"},{"$and":[{"d":1}]}]}`: "(a > 1 or b) and c and (d = 1)",
	} {
		conds, err := DecodeSlice(parsed(t, "["+text+"]"), "slice", DefaultLimits)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := conds[0].String(); got != want {
			t.Errorf("%s reads %s, want %s", text, got, want)
		}
	}
}

func TestQueryJSON(t *testing.T) {
	q, err := Decode(parsed(t, `{"columns":["SUM(a)  as  t","b"],"slice":[{"s":"<é>"},{"$not":{"x":[1,2.50]}}],"groupBy":["b"],
		"orderBy":["-t"],"calculatedFields":[{"name":"r","expression":"rank()","windowOrderBy":["t desc"]}],"limit":5,"returnTotal":true}`), DecodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"columns":["SUM(a) as t","b"],"slice":[{"field":"s","op":"=","value":"<é>"},{"$not":[{"field":"x","op":"in","value":[1,2.50]}]}],` +
		`"groupBy":[{"field":"b"}],"orderBy":[{"field":"t","order":"desc"}],` +
		`"calculatedFields":[{"name":"r","expression":"rank()","partitionBy":[],"windowOrderBy":[{"field":"t","order":"desc"}]}],"returnTotal":true,"limit":5}`
	if got := string(q.JSON()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := string((&Query{}).JSON()); got != "{}" {
		t.Errorf("the empty query is %s", got)
	}
}
