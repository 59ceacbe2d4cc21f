package contract

import (
	"net/http"
	"strings"
	"testing"

	"parlance/internal/jsontree"
)

// The runner must fail where an answer is wrong: a ring that accepts everything proves nothing.
func TestAssertions(t *testing.T) {
	const query = `{"code":0,"data":{"items":[{"a":1.50,"b":null},{"a":2}],"total":2},"msg":"success"}`
	const refusal = `{"code":400,"data":null,"msg":"param.page: page is 0"}`
	const tool = `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"error\":{\"code\":404,\"reason\":\"unknown_model\",\"message\":\"no \\\"X\\\"\"}}"}],"isError":true}}`
	tests := []struct {
		body, assert string
		holds        bool
	}{
		{query, `$.data.total = 2`, true},
		{query, `$.data.total = 3`, false},
		{query, `$.data.total = 2.0`, true},
		{query, `$.data.total == 2.0`, false},
		{query, `$.data.items[0] = {"b":null,"a":1.5}`, true},
		{query, `$.data.items[0] == {"b":null,"a":1.50}`, false},
		{query, `$.data.items[0] == {"a":1.50,"b":null}`, true},
		{query, `$.data.items[*].a = [1.5,2]`, true},
		{query, `$.data.items[*].b = [null]`, true},
		{query, `$.data.items[1].b absent`, true},
		{query, `$.data.items[0].b absent`, false},
		{query, `$.data.items[7].a = 1`, false},
		{query, `$.data.items length 2`, true},
		{query, `$.data.items length 3`, false},
		{query, `$ keys code, data, msg`, true},
		{query, `$ keys code, msg, data`, false},
		{query, `$.msg has "succ"`, true},
		{query, `$.msg lacks "succ"`, false},
		{query, `$.msg ~ ^success$`, true},
		{query, `$.msg ~ ^failure$`, false},
		{query, `$.data size <= 10`, false},
		{query, `$.msg = "<string>"`, true},
		{query, `$.msg = "<number>"`, false},
		{query, `$.data.total = sql: select 2`, true},
		{query, `$.data.total = sql: select 3`, false},
		{query, `$.data.total is 2`, false},
		{query, `refused 400`, false},
		{refusal, `refused 400 "page" "0"`, true},
		{refusal, `refused 404`, false},
		{refusal, `refused 400 "limit"`, false},
		{refusal, `rpc-error -32600`, false},
		{tool, `tool-error 404 "\"X\""`, true},
		{tool, `tool-error 400`, false},
		{tool, `@.error.reason = "unknown_model"`, true},
	}
	statement := oracle(func(statement string, _ jsontree.Kind) (string, error) {
		return strings.TrimPrefix(statement, "select "), nil
	})
	for _, test := range tests {
		got := &reply{status: 200, header: http.Header{}, body: []byte(test.body), isJSON: true}
		var err error
		if got.tree, err = jsontree.Parse(got.body); err != nil {
			t.Fatal(err)
		}
		wrong := assert{text: test.assert}.check(got, statement)
		if (wrong == "") != test.holds {
			t.Errorf("%s on %.60s: want holds = %v, got %q", test.assert, test.body, test.holds, wrong)
		}
	}
}

func TestParseFile(t *testing.T) {
	f, err := parseFile("x.txt", strings.Join([]string{
		"server: other", "", "=== decision-01-a", "POST /p", "X-NS: n", "", `{"a":[<<3 * 1>>]}`, "--- 202", "X: y", "",
		"=== decision-01-b", "CALL analyst t", "--- 200", "", "# why", "exact", "{}",
	}, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	if f.server != "other" || len(f.cases) != 2 {
		t.Fatalf("server %q, %d cases", f.server, len(f.cases))
	}
	a, b := f.cases[0], f.cases[1]
	if a.request.body != `{"a":[1,1,1]}` || a.request.headers[0] != [2]string{"X-NS", "n"} || a.want.status != 202 || a.want.headers[0] != [2]string{"X", "y"} {
		t.Errorf("first case: %+v", a)
	}
	if b.request.path != "/mcp/analyst/rpc" || !b.want.exact || b.want.json != "{}" {
		t.Errorf("second case: %+v", b)
	}
	for _, bad := range []string{"=== a\nPOST /p", "=== a\nPOST\n--- 200", "=== a\nPOST /p\n--- ok", "=== a\nPOST /p\nno header\n--- 200"} {
		if _, err := parseFile("x.txt", bad); err == nil {
			t.Errorf("accepted: %q", bad)
		}
	}
}
