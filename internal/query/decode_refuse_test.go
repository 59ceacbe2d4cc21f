package query

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/fault"
)

func repeated(item string, n int) string {
	return "[" + strings.TrimSuffix(strings.Repeat(item+",", n), ",") + "]"
}

// Every refusal names its path and a stable reason.
func TestDecodeRefuses(t *testing.T) {
	nested := func(depth int) string {
		return `{"slice":[` + strings.Repeat(`{"$and":[`, depth-1) + `{"a":1}` + strings.Repeat(`]}`, depth-1) + `]}`
	}
	for _, c := range []struct{ text, path, reason string }{
		{`[]`, "", "wrong_type"},
		{`"x"`, "", "wrong_type"},
		{`{"colums":["a"]}`, "colums", "unknown_key"},
		{`{"Columns":["a"]}`, "Columns", "unknown_key"},
		{`{"format":"rows"}`, "format", "unknown_key"},
		{`{"queryModel":"x"}`, "queryModel", "unknown_key"},
		{`{"filters":[]}`, "filters", "unknown_key"},
		{`{"payload":{"slice":[]}}`, "payload", "unknown_key"},

		{`{"columns":"a"}`, "columns", "wrong_type"},
		{`{"columns":["a",1]}`, "columns[1]", "wrong_type"},
		{`{"columns":["a",null]}`, "columns[1]", "wrong_type"},
		{`{"columns":["a",""]}`, "columns[1]", "bad_expression"},
		{`{"columns":["a","sum(x"]}`, "columns[1]", "bad_expression"},
		{`{"columns":["a as b c"]}`, "columns[0]", "bad_alias"},
		{`{"columns":["a\u0000"]}`, "columns[0]", "bad_value"},
		{`{"columns":["'; drop table x --"]}`, "columns[0]", "bad_expression"},
		{`{"columns":` + repeated(`"a"`, 201) + `}`, "columns", "too_many"},
		{`{"columns":["` + strings.Repeat("a", 4097) + `"]}`, "columns[0]", "expression_too_long"},
		{`{"exColumns":{}}`, "exColumns", "wrong_type"},
		{`{"exColumns":["a\u0000"]}`, "exColumns[0]", "bad_value"},
		{`{"exColumns":[" "]}`, "exColumns[0]", "bad_expression"},

		{`{"slice":{"field":"a","op":"=","value":1}}`, "slice", "wrong_type"},
		{`{"slice":["a = 1"]}`, "slice[0]", "wrong_type"},
		{`{"slice":[null]}`, "slice[0]", "wrong_type"},
		{`{"slice":[{}]}`, "slice[0]", "bad_value"},
		{`{"slice":[{"field":"a","op":"="}]}`, "slice[0].value", "missing_key"},
		{`{"slice":[{"field":"a","value":1}]}`, "slice[0].op", "missing_key"},
		{`{"slice":[{"op":"=","value":1}]}`, "slice[0].field", "missing_key"},
		{`{"slice":[{"feild":"a","op":"=","value":1}]}`, "slice[0].feild", "unknown_key"},
		{`{"slice":[{"field":"a","operator":"=","value":1}]}`, "slice[0].operator", "unknown_key"},
		{`{"slice":[{"field":"a","op":"=","value":1,"$or":[]}]}`, "slice[0].$or", "unknown_key"},
		{`{"slice":[{"field":7,"op":"=","value":1}]}`, "slice[0].field", "wrong_type"},
		{`{"slice":[{"field":"","op":"=","value":1}]}`, "slice[0].field", "bad_expression"},
		{`{"slice":[{"field":"1","op":"=","value":1}]}`, "slice[0].field", "bad_field"},
		{`{"slice":[{"field":"a or 1=1) --","op":"=","value":1}]}`, "slice[0].field", "bad_expression"},
		{`{"slice":[{"field":"a","op":7,"value":1}]}`, "slice[0].op", "wrong_type"},
		{`{"slice":[{"field":"a","op":"~","value":1}]}`, "slice[0].op", "unknown_operator"},
		{`{"slice":[{"field":"a","op":"=","value":[1]}]}`, "slice[0].value", "bad_value"},
		{`{"slice":[{"field":"a","op":"like","value":["x"]}]}`, "slice[0].value", "bad_value"},
		{`{"slice":[{"field":"a","op":"=","value":{"b":1}}]}`, "slice[0].value.b", "unknown_key"},
		{`{"slice":[{"field":"a","op":"=","value":{}}]}`, "slice[0].value.$field", "missing_key"},
		{`{"slice":[{"field":"a","op":"=","value":{"$field":"b c"}}]}`, "slice[0].value.$field", "bad_expression"},
		{`{"slice":[{"field":"a","op":"=","value":"x\u0000"}]}`, "slice[0].value", "bad_value"},
		{`{"slice":[{"field":"a","op":"in","value":["x","y\u0000"]}]}`, "slice[0].value[1]", "bad_value"},
		{`{"slice":[{"field":"a","op":"in","value":[[1]]}]}`, "slice[0].value[0]", "wrong_type"},
		{`{"slice":[{"field":"a","op":"in","value":{"$field":"b"}}]}`, "slice[0].value", "wrong_type"},
		{`{"slice":[{"field":"a","op":"in","value":null}]}`, "slice[0].value", "missing_key"},
		{`{"slice":[{"field":"a","op":"in"}]}`, "slice[0].value", "missing_key"},
		{`{"slice":[{"field":"a","op":"in","value":` + repeated("1", 10_001) + `}]}`, "slice[0].value", "too_many"},
		{`{"slice":[{"field":"a","op":"[)","value":5}]}`, "slice[0].value", "bad_value"},
		{`{"slice":[{"field":"a","op":"[)","value":[5]}]}`, "slice[0].value", "bad_value"},
		{`{"slice":[{"field":"a","op":"between","value":[1,2,3]}]}`, "slice[0].value", "bad_value"},
		{`{"slice":[{"field":"a","op":"[]","value":[1,{"$field":"b"}]}]}`, "slice[0].value[1]", "wrong_type"},
		{`{"slice":[{"field":"a","op":"is null","value":"x"}]}`, "slice[0].value", "bad_value"},
		{`{"slice":[{"field":"a","op":"is null","value":false}]}`, "slice[0].value", "bad_value"},
		{`{"slice":[{"field":"a","op":"=","value":1,"maxDepth":1}]}`, "slice[0].maxDepth", "bad_value"},
		{`{"slice":[{"field":"a","op":"childrenOf","value":1,"maxDepth":-1}]}`, "slice[0].maxDepth", "out_of_range"},
		{`{"slice":[{"field":"a","op":"childrenOf","value":1,"maxDepth":1.5}]}`, "slice[0].maxDepth", "out_of_range"},
		{`{"slice":[{"field":"a","op":"childrenOf","value":1,"maxDepth":1,"max_depth":1}]}`, "slice[0].max_depth", "conflicting_keys"},
		{`{"slice":[{"status":{"op":">","value":1}}]}`, "slice[0].status", "bad_value"},
		{`{"slice":[{"status":{"$gt":1}}]}`, "slice[0].status", "bad_value"},
		{`{"slice":[{"a b":1}]}`, "slice[0].a b", "bad_expression"},
		{`{"slice":[{"a":["x\u0000"]}]}`, "slice[0].a[0]", "bad_value"},
		{`{"slice":[{"slice":[{"a":1}]}]}`, "slice[0].slice", "misplaced_key"},
		{`{"slice":[{"filter":{"a":1}}]}`, "slice[0].filter", "misplaced_key"},
		{`{"slice":[{"or":[{"a":1}]}]}`, "slice[0].or", "unknown_key"},
		{`{"slice":[{"$xor":[{"a":1}]}]}`, "slice[0].$xor", "unknown_key"},
		{`{"slice":[{"$or":[]}]}`, "slice[0].$or", "bad_value"},
		{`{"slice":[{"$or":{"a":1}}]}`, "slice[0].$or", "wrong_type"},
		{`{"slice":[{"$not":"a"}]}`, "slice[0].$not", "wrong_type"},
		{`{"slice":[{"$or":[{"a":1},{"$and":[{"field":"b","op":"zz","value":1}]}]}]}`, "slice[0].$or[1].$and[0].op", "unknown_operator"},
		{`{"slice":[{"$expr":1}]}`, "slice[0].$expr", "wrong_type"},
		{`{"slice":[{"$expr":"a >"}]}`, "slice[0].$expr", "bad_expression"},
		{nested(17), "slice[0]" + strings.Repeat(".$and[0]", 16), "too_deep"},
		{`{"slice":` + repeated(`{"a":1}`, 501) + `}`, "slice[500].a", "too_many"},
		{`{"slice":` + repeated(`{"a":1}`, 500) + `,"having":[{"$expr":"a"}]}`, "having[0].$expr", "too_many"},

		{`{"groupBy":"a"}`, "groupBy", "wrong_type"},
		{`{"groupBy":[1]}`, "groupBy[0]", "wrong_type"},
		{`{"groupBy":[{}]}`, "groupBy[0].field", "missing_key"},
		{`{"groupBy":[{"field":"a","slice":[]}]}`, "groupBy[0].slice", "unknown_key"},
		{`{"groupBy":[{"field":"a","agg":"AVERGE"}]}`, "groupBy[0].agg", "bad_value"},
		{`{"groupBy":[{"field":"a","agg":1}]}`, "groupBy[0].agg", "wrong_type"},

		{`{"orderBy":{"field":"a"}}`, "orderBy", "wrong_type"},
		{`{"orderBy":["a","b sideways"]}`, "orderBy[1]", "bad_expression"},
		{`{"orderBy":["a",{"field":"b","dir":"up"}]}`, "orderBy[1].dir", "bad_value"},
		{`{"orderBy":[{"field":"b","order":"desc; drop table x"}]}`, "orderBy[0].order", "bad_value"},
		{`{"orderBy":[{"field":"b","order":""}]}`, "orderBy[0].order", "bad_value"},
		{`{"orderBy":[{"field":"b","order":true}]}`, "orderBy[0].order", "wrong_type"},
		{`{"orderBy":[{"field":"b","order":"asc","dir":"desc"}]}`, "orderBy[0].dir", "conflicting_keys"},
		{`{"orderBy":[{"field":"b","nullFirst":true,"nullLast":true}]}`, "orderBy[0].nullLast", "conflicting_keys"},
		{`{"orderBy":[{"field":"b","nullFirst":true,"nulls":"last"}]}`, "orderBy[0].nulls", "conflicting_keys"},
		{`{"orderBy":[{"field":"b","nullFirst":"yes"}]}`, "orderBy[0].nullFirst", "wrong_type"},
		{`{"orderBy":[{"field":"b","nulls":"middle"}]}`, "orderBy[0].nulls", "bad_value"},
		{`{"orderBy":[{"order":"asc"}]}`, "orderBy[0].field", "missing_key"},
		{`{"orderBy":[{"field":"b","sort":"asc"}]}`, "orderBy[0].sort", "unknown_key"},
		{`{"orderBy":[3]}`, "orderBy[0]", "wrong_type"},

		{`{"calculatedFields":["a"]}`, "calculatedFields[0]", "wrong_type"},
		{`{"calculatedFields":[{"expression":"a"}]}`, "calculatedFields[0].name", "missing_key"},
		{`{"calculatedFields":[{"name":"a"}]}`, "calculatedFields[0].expression", "missing_key"},
		{`{"calculatedFields":[{"name":"1a","expression":"a"}]}`, "calculatedFields[0].name", "bad_alias"},
		{`{"calculatedFields":[{"name":"a","expression":"b +"}]}`, "calculatedFields[0].expression", "bad_expression"},
		{`{"calculatedFields":[{"name":"a","expression":"` + strings.Repeat("b", 4097) + `"}]}`, "calculatedFields[0].expression", "expression_too_long"},
		{`{"calculatedFields":[{"name":"a","expr":"b"}]}`, "calculatedFields[0].expr", "unknown_key"},
		{`{"calculatedFields":[{"name":"a","expression":"b","type":"blob"}]}`, "calculatedFields[0].type", "bad_value"},
		{`{"calculatedFields":[{"name":"a","expression":"b","agg":"stddev"}]}`, "calculatedFields[0].agg", "bad_value"},
		{`{"calculatedFields":[{"name":"a","expression":"b","caption":"x\u0000"}]}`, "calculatedFields[0].caption", "bad_value"},
		{`{"calculatedFields":[{"name":"a","expression":"b","partitionBy":"c"}]}`, "calculatedFields[0].partitionBy", "wrong_type"},
		{`{"calculatedFields":[{"name":"a","expression":"b","partitionBy":["c","d e"]}]}`, "calculatedFields[0].partitionBy[1]", "bad_expression"},
		{`{"calculatedFields":[{"name":"a","expression":"b","windowOrderBy":[{"field":"c","dir":"x"}]}]}`, "calculatedFields[0].windowOrderBy[0].dir", "bad_value"},
		{`{"calculatedFields":[{"name":"a","expression":"b","windowFrame":"rows 1"}]}`, "calculatedFields[0].windowFrame", "bad_expression"},

		{`{"returnTotal":"true"}`, "returnTotal", "wrong_type"},
		{`{"distinct":1}`, "distinct", "wrong_type"},
		{`{"limit":"10"}`, "limit", "wrong_type"},
		{`{"limit":1.5}`, "limit", "out_of_range"},
		{`{"page":1e3}`, "page", "out_of_range"},
		{`{"start":99999999999999999999}`, "start", "out_of_range"},
		{`{"pageSize":[1]}`, "pageSize", "wrong_type"},
	} {
		q, err := Decode(parsed(t, c.text), DecodeOptions{})
		if err == nil || q != nil {
			t.Errorf("%.120s: accepted", c.text)
			continue
		}
		f := fault.As(err)
		if f.Kind != fault.Invalid || f.Path != c.path || f.Reason != c.reason || f.Message == "" {
			t.Errorf("%.120s: %s at %q (%s), want %s at %q", c.text, f.Reason, f.Path, f.Message, c.reason, c.path)
		}
	}
	for _, text := range []string{
		nested(16), `{"slice":` + repeated(`{"a":1}`, 500) + `}`, `{"columns":` + repeated(`"a"`, 200) + `}`,
		`{"slice":[{"field":"a","op":"in","value":` + repeated("1", 10_000) + `}]}`,
	} {
		if _, err := Decode(parsed(t, text), DecodeOptions{}); err != nil {
			t.Errorf("%.60s: %v", text, err)
		}
	}
}

func TestDecodeFormat(t *testing.T) {
	for text, want := range map[string]Format{`{"format":"rows"}`: RowsFormat, `{"format":"compact"}`: CompactFormat} {
		if q, err := Decode(parsed(t, text), DecodeOptions{Format: true}); err != nil || q.Format != want {
			t.Errorf("%s: %v, %v", text, q, err)
		}
	}
	_, err := Decode(parsed(t, `{"format":"csv"}`), DecodeOptions{Format: true})
	if f := fault.As(err); f.Path != "format" || f.Reason != "bad_value" {
		t.Errorf("err = %v", err)
	}
}

func TestLimitsAreSettable(t *testing.T) {
	l := Limits{Columns: 1, Conditions: 1, Depth: 1, ListValues: 1}
	for _, text := range []string{
		`{"columns":["a","b"]}`, `{"slice":[{"a":1},{"b":1}]}`, `{"slice":[{"$not":{"a":1}}]}`, `{"slice":[{"a":[1,2]}]}`, `{"slice":[{"a":1,"b":2}]}`,
	} {
		if _, err := Decode(parsed(t, text), DecodeOptions{Limits: l}); err == nil {
			t.Errorf("%s: accepted", text)
		}
	}
	if _, err := Decode(parsed(t, `{"columns":["a"],"slice":[{"a":[1]}]}`), DecodeOptions{Limits: l}); err != nil {
		t.Error(err)
	}
}

// What an error suggests is what a person can act on.
func TestDecodeErrorTexts(t *testing.T) {
	for text, want := range map[string]string{
		`{"slices":[]}`:     `slices: Unknown key "slices"; did you mean "slice"?`,
		`{"filters":[]}`:    `filters: Unknown key "filters"; did you mean "slice"?; filter conditions stand in "slice"`,
		`{"where":{"a":1}}`: `where: Unknown key "where"; did you mean "slice"?; filter conditions stand in "slice"`,
		`{"slice":[{"slice":[{"a":1}]}]}`: `slice[0].slice: "slice" stands at the top of the payload, not in slice[0]; ` +
			`to nest conditions, use "$and", "$or" or "$not"`,
		`{"groupBy":[{"field":"a","slice":[]}]}`:                `groupBy[0].slice: "slice" stands at the top of the payload, not in groupBy[0]; allowed: field, agg`,
		`{"slice":[{"field":"a","operator":"=","value":1}]}`:    `slice[0].operator: Unknown key "operator"; did you mean "op"?`,
		`{"slice":[{"or":[{"a":1}]}]}`:                          `slice[0].or: Unknown key "or"; did you mean "$or"?`,
		`{"slice":[{"field":"a","op":"=","value":[1]}]}`:        `slice[0].value: Operator "=" takes one value, not an array; use "in" for a list of values`,
		`{"columns":"a,b"}`:                                     `columns: Expected an array of strings, got the string "a,b"`,
		`{"columns":["sum(x) y"]}`:                              `columns[0]: Unexpected "y" at position 8 of "sum(x) y"; an alias follows the word as: "sum(x) as y"`,
		`{"orderBy":[{"field":"a","dir":"des"}]}`:               `orderBy[0].dir: "des" is not a known direction; did you mean "desc"?; allowed: asc, desc`,
		`{"limit":1.5}`:                                         `limit: limit is 1.5; it must be a whole number of at most 64 bits, without point or exponent`,
		`{"calculatedFields":[{"name":"a b","expression":""}]}`: `calculatedFields[0].name: "a b" cannot be a name: it must begin with a letter and have only letters, digits and _, at most 64 of them`,
	} {
		_, err := Decode(parsed(t, text), DecodeOptions{})
		if err == nil {
			t.Errorf("%s: accepted", text)
			continue
		}
		if diff := cmp.Diff(want, fault.As(err).Text()); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
	_, err := Decode(parsed(t, `{"slice":[{"field":"a","op":"equals","value":1}]}`), DecodeOptions{})
	for _, word := range OpWords {
		if !strings.Contains(fault.As(err).Text(), word) {
			t.Errorf("the error of an unknown operator does not list %q", word)
		}
	}
}

// An error repeats only the beginning of a long text.
func TestErrorsAreShort(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	for _, text := range []string{
		`{"` + long + `":1}`, `{"slice":[{"` + long + `":1}]}`, `{"slice":[{"field":"a","op":"` + long + `","value":1}]}`,
		`{"columns":["` + long + `"]}`, `{"columns":["a as ` + long[:4000] + `"]}`, `{"limit":"` + long + `"}`, `{"limit":` + strings.Repeat("9", 9999) + `}`,
		`{"slice":[{"field":"a","op":"is null","value":"` + long + `"}]}`, `{"groupBy":[{"field":"a","agg":"` + long + `"}]}`,
	} {
		_, err := Decode(parsed(t, text), DecodeOptions{})
		if err == nil {
			t.Errorf("%.60s: accepted", text)
		} else if n := len(fault.As(err).Text()); n > 700 {
			t.Errorf("%.60s: an error of %d bytes", text, n)
		}
	}
}
