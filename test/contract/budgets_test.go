package contract

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"parlance/internal/jsontree"
)

// bytesOfToken is how the budgets count: a token is four bytes of UTF-8.
const bytesOfToken = 4

// TestBudgets holds what agents read most often to the tokens that budgets.txt allows.
func TestBudgets(t *testing.T) {
	text, err := os.ReadFile("budgets.txt")
	if err != nil {
		t.Fatal(err)
	}
	base := startServer(t, "")
	held := 0
	for _, line := range strings.Split(string(text), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		parts := strings.SplitN(line, " ", 4)
		most, err := strconv.Atoi(parts[0])
		if err != nil || len(parts) < 3 {
			t.Fatalf("no budget: %s", line)
		}
		read := readBy(t, base, "/mcp/"+parts[1], parts[2], strings.Join(parts[3:], ""))
		if tokens := (len(read) + bytesOfToken - 1) / bytesOfToken; tokens > most || tokens == 0 {
			t.Errorf("%s: %d tokens", line, tokens)
		}
		held++
	}
	if held < 5 {
		t.Errorf("%d budgets", held)
	}
}

// readBy returns what a model reads of an answer.
func readBy(t *testing.T, base, endpoint, method, arguments string) string {
	t.Helper()
	path := "$.result"
	switch method {
	case "tools/list":
		return string(at(t, rpc(t, base, endpoint, method, "{}"), path).Raw)
	case "initialize":
		return at(t, rpc(t, base, endpoint, method, "{}"), path+".instructions").Text
	}
	return at(t, call(t, base, endpoint, method, arguments), path+".content[0].text").Text
}

// rpc sends one request to an endpoint.
func rpc(t *testing.T, base, endpoint, method, params string) *reply {
	t.Helper()
	return request{method: "POST", path: endpoint, body: `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + params + `}`}.send(t, base)
}

// call calls a tool, which must succeed.
func call(t *testing.T, base, endpoint, tool, arguments string) *reply {
	t.Helper()
	name, err := json.Marshal(tool)
	if err != nil {
		t.Fatal(err)
	}
	got := rpc(t, base, endpoint, "tools/call", `{"name":`+string(name)+`,"arguments":`+arguments+`}`)
	if failed, err := lookup(got.tree, "$.result.isError"); err == nil && failed != nil || strings.Contains(string(got.body), `"error":{`) {
		t.Errorf("%s %s %s: %s", endpoint, tool, arguments, got.body)
	}
	return got
}

func at(t *testing.T, got *reply, path string) jsontree.Node {
	t.Helper()
	n, err := lookup(got.tree, path)
	if err != nil || n == nil {
		t.Fatalf("no %s: %s", path, got.body)
	}
	return *n
}
