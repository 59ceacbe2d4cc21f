package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// auditedConfig is the demo with a record.
func auditedConfig(t *testing.T) Config {
	t.Helper()
	return audited(t, demoConfig())
}

// auditedShop is the small shop with a record, which is there at once.
func auditedShop(t *testing.T) Config {
	t.Helper()
	c, _ := shop(t)
	return audited(t, c)
}

// audited adds a record to a configuration.
func audited(t *testing.T, c Config) Config {
	t.Helper()
	c.Audit = defaultAudit()
	c.Audit.File = filepath.Join(t.TempDir(), "audit.jsonl")
	return c
}

// shopRows is the path of the small shop's only model, which has two rows.
const shopRows = "/jdbc-model/query-model/v2/Sales"

// auditLine is a line of the record as far as tests look at it.
type auditLine struct {
	Time, Trace, User, Credential, Interface, Endpoint, Tool, Mode, Namespace, Model, Generation, Question string
	Roles, Fields                                                                                          []string
	Filters                                                                                                []struct{ Field, Op, Value string }
	SQL                                                                                                    bool
	Rows, Total, Bytes, Duration, Code                                                                     int64
	Outcome, Statement, Got                                                                                string
}

func readAudit(t *testing.T, files ...string) []auditLine {
	t.Helper()
	var lines []auditLine
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(text) {
			var l auditLine
			if err := json.Unmarshal(line, &l); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			lines = append(lines, l)
		}
	}
	return lines
}

// card is a line in short: who, which way, what, how much, how it ended.
func (l auditLine) card() string {
	filters := make([]string, len(l.Filters))
	for i, f := range l.Filters {
		filters[i] = strings.TrimSpace(f.Field + " " + f.Op + " " + f.Value)
	}
	return fmt.Sprintf("%s %s/%s %s %s %s %s [%s] [%s] %d of %d: %s %d", l.Trace, l.Interface, l.Endpoint, l.Tool, l.Mode, l.Namespace, l.Model,
		strings.Join(l.Fields, " "), strings.Join(filters, ", "), l.Rows, l.Total, l.Outcome, l.Code)
}

func toolCall(name, arguments string) string {
	return `{"jsonrpc":"2.0","id":"1","method":"tools/call","params":{"name":"` + name + `","arguments":` + arguments + `}}`
}

// TestEveryWayInLeavesOneLine asks in every way and then reads the record. Rows and totals are those of the demo: 20,000
// orders in three years, 11 models.
func TestEveryWayInLeavesOneLine(t *testing.T) {
	c := auditedConfig(t)
	c.RuntimeCode = RuntimeCode{Code: "sesame", Endpoints: []string{"admin"}}
	c.Limits.MaxBody = 4096
	r := run(t, c)
	const (
		mcp     = "/mcp/analyst/rpc"
		page    = "/jdbc-model/query-model/v2/FactOrderQueryModel"
		kpi     = "/jdbc-model/query-model/queryKpi"
		byYear  = `{"columns":["orderDate$year","totalAmount"],"slice":[{"field":"orderDate$year","op":"in","value":[2023,2024]}],"groupBy":[{"field":"orderDate$year"}]}`
		orders  = "default FactOrderQueryModel"
		execute = " execute "
	)
	query := func(model, payload string) string {
		return toolCall("dataset.query_model", `{"model":"`+model+`","payload":`+payload+`}`)
	}
	cases := []struct {
		path, body string
		headers    []string
		want       string // after the trace id; "" leaves no line
	}{
		{mcp, toolCall("dataset.list_models", "{}"), nil, "mcp/analyst dataset.list_models execute default  [] [] 11 of 0: ok 0"},
		{"/mcp/analyst", toolCall("dataset_get_metadata", "{}"), nil, "mcp/analyst dataset.get_metadata execute default  [] [] 11 of 0: ok 0"},
		{mcp, toolCall("dataset.describe_model_internal", `{"model":"DimTeamQueryModel"}`), nil,
			"mcp/analyst dataset.describe_model_internal execute default DimTeamQueryModel [] [] 0 of 0: ok 0"},
		{mcp, query("FactOrderQueryModel", byYear), nil,
			"mcp/analyst dataset.query_model" + execute + orders + " [orderDate$year totalAmount] [orderDate$year in] 2 of 2: ok 0"},
		{mcp, toolCall("dataset.query_model", `{"model":"FactOrderQueryModel","mode":"validate","payload":`+byYear+`}`), nil,
			"mcp/analyst dataset.query_model validate " + orders + " [orderDate$year totalAmount] [orderDate$year in] 0 of 0: ok 0"},
		{page, `{"param":` + byYear + `}`, nil, "http/ query" + execute + orders + " [orderDate$year totalAmount] [orderDate$year in] 2 of 2: ok 0"},
		{page, `{"limit":1,"param":{"columns":["orderId","sum(totalAmount) as s"],"groupBy":["orderId"],"having":[{"field":"s","op":">","value":0}],
			"slice":[{"$or":[{"field":"orderStatus","op":"=","value":"PAID"},{"field":"orderStatus","op":"=","value":"SHIPPED"}]},{"$expr":"payAmount <= totalAmount"}],
			"orderBy":[{"field":"customer$id"}]}}`, nil,
			"http/ query" + execute + orders + " [customer$id orderId orderStatus payAmount totalAmount] " +
				"[orderStatus =, orderStatus =, payAmount $expr, totalAmount $expr, totalAmount >] 0 of 0: not_a_group_key 400"},
		{kpi, `{"queryModel":"FactOrderQueryModel","columns":["orderCount"],"slice":[{"field":"orderStatus","op":"!=","value":"X"}]}`, nil,
			"http/ queryKpi" + execute + orders + " [orderCount orderStatus] [orderStatus !=] 1 of 1: ok 0"},
		{"/mcp/business/rpc", toolCall("dataset_nl.query", `{"query":"total amount of orders in 2023"}`), nil,
			"mcp/business dataset_nl.query" + execute + orders + " [orderDate$caption totalAmount] [orderDate$caption [)] 1 of 1: ok 0"},
		{mcp, toolCall("initialize", `{}`), nil, "mcp/analyst   default  [] [] 0 of 0: invalid_params -32602"},
		{mcp, query("Nothing", `{}`), nil, "mcp/analyst dataset.query_model" + execute + "default Nothing [] [] 0 of 0: unknown_model 404"},
		{mcp, query("FactOrderQueryModel", `{"columns":["orderDate$year","nothing"]}`), nil,
			"mcp/analyst dataset.query_model" + execute + orders + " [orderDate$year] [] 0 of 0: unknown_field 400"},
		{mcp, query("FactOrderQueryModel", `{"colums":[]}`), nil, "mcp/analyst dataset.query_model" + execute + orders + " [] [] 0 of 0: unknown_key 400"},
		{mcp, `{`, nil, "mcp/analyst   default  [] [] 0 of 0: parse_error -32700"},
		{page, `{`, nil, "http/ query" + execute + orders + " [] [] 0 of 0: malformed_json 400"},
		{page, `{}`, []string{"X-NS", "elsewhere"}, "http/ query" + execute + "elsewhere FactOrderQueryModel [] [] 0 of 0: unknown_namespace 404"},
		{"/jdbc-model/nothing", `{}`, nil, "http/   default  [] [] 0 of 0: refused 404"},
		{page, `{}`, []string{"Content-Type", "text/plain"}, "http/   default  [] [] 0 of 0: refused 415"},
		{mcp, `{}`, []string{"Origin", "https://evil.example"}, "mcp/analyst   default  [] [] 0 of 0: foreign_origin 403"},
		{mcp, strings.Repeat(" ", 5000), nil, "mcp/analyst   default  [] [] 0 of 0: body_too_large 413"},
		{"/mcp/admin/rpc", toolCall("dataset.list_models", "{}"), nil, "mcp/admin   default  [] [] 0 of 0: wrong_runtime_code 401"},
		{"/mcp/admin/rpc", toolCall("dataset.list_models", "{}"), []string{"X-Service-Runtime-Code", "sesame"},
			"mcp/admin dataset.list_models execute default  [] [] 11 of 0: ok 0"},
		{mcp, `{"jsonrpc":"2.0","id":"1","method":"ping"}`, nil, ""},
		{mcp, `{"jsonrpc":"2.0","id":"1","method":"tools/list"}`, nil, ""},
		{mcp, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, nil, ""},
		{"/nowhere", `{}`, nil, ""},
	}
	var want []string
	for i, c := range cases {
		trace := fmt.Sprintf("t%d", i)
		r.post(t, c.path, c.body, append([]string{"X-Trace-Id", trace}, c.headers...)...)
		if c.want != "" {
			want = append(want, trace+" "+c.want)
		}
	}
	r.post(t, mcp, "["+toolCall("dataset.list_models", "{}")+","+query("Nothing", "{}")+"]", "X-Trace-Id", "batch")
	want = append(want, "batch mcp/analyst dataset.list_models execute default  [] [] 11 of 0: ok 0",
		"batch mcp/analyst dataset.query_model execute default Nothing [] [] 0 of 0: unknown_model 404")
	r.end(t)
	lines := readAudit(t, r.config.Audit.File)
	got := make([]string, len(lines))
	for i, l := range lines {
		got[i] = l.card()
		if l.User != "anonymous" || l.Duration <= 0 && l.Outcome == "ok" || l.Bytes <= 0 && l.Code != -32602 || len(l.Roles) > 0 || !strings.HasSuffix(l.Time, "Z") {
			t.Errorf("%+v", l)
		}
		answered := l.Generation != "" && l.Outcome == "ok" && len(l.Fields) > 0
		if (l.Statement != "") != answered {
			t.Errorf("%s has the statement %q", got[i], l.Statement)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestTheRecordHoldsNoSecret greps the record for what callers sent.
func TestTheRecordHoldsNoSecret(t *testing.T) {
	ask := func(values bool) (string, []auditLine) {
		c := auditedConfig(t)
		c.Audit.Values = values
		c.RuntimeCode = RuntimeCode{Code: "code-hush", Endpoints: []string{"admin"}}
		r := run(t, c)
		const page = "/jdbc-model/query-model/v2/FactOrderQueryModel"
		r.post(t, page, `{"param":{"columns":["orderId"],"slice":[{"field":"orderId","op":"=","value":"value-hush"}]}}`, "Authorization", "Bearer token-hush")
		r.post(t, page, `{"param":{"columns":["sum(if(orderStatus = 'literal-hush', totalAmount, 0)) as s","name-hush"]}}`)
		r.post(t, page, `{"param":{"columns":["orderId"],"slice":[{"$expr":"orderStatus = 'expr-hush'"}]}}`)
		r.post(t, "/mcp/business/rpc", toolCall("dataset_nl.query", `{"query":"question-hush"}`))
		r.post(t, "/mcp/admin/rpc", `{}`, "X-Service-Runtime-Code", "code-hush-wrong")
		r.end(t)
		text, err := os.ReadFile(c.Audit.File)
		if err != nil {
			t.Fatal(err)
		}
		return string(text), readAudit(t, c.Audit.File)
	}
	without, lines := ask(false)
	if strings.Contains(without, "hush") || len(lines) != 5 {
		t.Errorf("got %d lines:\n%s", len(lines), without)
	}
	// printf 'Bearer token-hush' | sha256sum
	if got := lines[0].Credential; got != "10986f5a5bde9f8c" {
		t.Errorf("the credential is told apart as %q", got)
	}
	with, lines := ask(true)
	if strings.Contains(with, "token-hush") || strings.Contains(with, "code-hush") || strings.Contains(with, "literal-hush") {
		t.Error(with)
	}
	if lines[0].Filters[0].Value != "'value-hush'" || lines[2].Filters[0].Value != "orderStatus = 'expr-hush'" || lines[3].Question != "question-hush" {
		t.Error(with)
	}
}

func TestAThousandRequestsLeaveAThousandLines(t *testing.T) {
	const requests, callers = 1000, 16
	c := auditedShop(t)
	c.Audit.MaxSize = minAuditSize // several files
	c.Audit.Keep = 0
	r := run(t, c)
	next := make(chan int)
	var wg sync.WaitGroup
	for range callers {
		wg.Go(func() {
			for i := range next {
				r.post(t, shopRows, `{"param":{"columns":["saleId"]}}`, "X-Trace-Id", fmt.Sprint(i))
			}
		})
	}
	for i := range requests {
		next <- i
	}
	close(next)
	wg.Wait()
	r.end(t)
	files, err := filepath.Glob(filepath.Join(filepath.Dir(c.Audit.File), "*"))
	if err != nil || len(files) < 4 {
		t.Errorf("the files are %v, %v", files, err)
	}
	seen := map[string]bool{}
	lines := readAudit(t, files...)
	for _, l := range lines {
		seen[l.Trace] = true
		if l.Outcome != "ok" || l.Rows != 2 {
			t.Errorf("%+v", l)
		}
	}
	if len(lines) != requests || len(seen) != requests {
		t.Errorf("%d lines of %d requests", len(lines), len(seen))
	}
}

func TestARecordThatCannotBeWritten(t *testing.T) {
	for _, serve := range []bool{false, true} {
		c := auditedShop(t)
		c.Audit.Serve = serve
		r := run(t, c)
		if err := os.Rename(c.Audit.File, c.Audit.File+".moved"); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(c.Audit.File, 0o700); err != nil {
			t.Fatal(err)
		}
		r.hangup <- os.Interrupt
		r.log.await(t, 0, "the audit record cannot be written", "level=ERROR")
		status, body := r.post(t, shopRows, `{}`)
		ready, _ := r.read(t, "/readyz")
		_, rpc := r.post(t, "/mcp/analyst/rpc", toolCall("dataset.list_models", "{}"))
		ping, _ := r.post(t, "/mcp/analyst/rpc", `{"jsonrpc":"2.0","id":"1","method":"ping"}`)
		if serve && (status != 200 || ready != 200 || !strings.Contains(body, `"total":2`)) || ping != 200 {
			t.Errorf("got %d %s, ready %d", status, body, ready)
		}
		if !serve && (status != 503 || ready != 503 || !strings.Contains(body, `"code":500`) || !strings.Contains(rpc, "audit_unavailable") || !strings.Contains(rpc, `retryable\":true`)) {
			t.Errorf("got %d %s, ready %d, %s", status, body, ready, rpc)
		}
		mark := r.log.mark()
		if err := os.Remove(c.Audit.File); err != nil {
			t.Fatal(err)
		}
		r.log.await(t, mark, "the audit record is written again")
		if status, body = r.post(t, shopRows, `{}`); status != 200 {
			t.Errorf("got %d %s", status, body)
		}
		r.end(t)
		if got := len(readAudit(t, c.Audit.File)); got != 3 {
			t.Errorf("%d lines", got)
		}
	}
	c := auditedShop(t)
	c.Audit.File = t.TempDir()
	if _, err := start(t.Context(), c, discard()); err == nil || !strings.Contains(err.Error(), "audit record") {
		t.Errorf("a folder for a file: %v", err)
	}
}

func TestAFileMovedAsideIsFollowed(t *testing.T) {
	c := auditedShop(t)
	r := run(t, c)
	r.post(t, shopRows, `{}`)
	if err := r.audit.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(c.Audit.File, c.Audit.File+".1"); err != nil {
		t.Fatal(err)
	}
	r.hangup <- os.Interrupt
	r.post(t, shopRows, `{}`)
	r.end(t)
	if got := len(readAudit(t, c.Audit.File, c.Audit.File+".1")); got != 2 {
		t.Errorf("%d lines", got)
	}
}

// TestStoppingLosesNoRecord stops the server under load: whoever got an answer is in the record, and nobody twice.
func TestStoppingLosesNoRecord(t *testing.T) {
	c := auditedShop(t)
	r := run(t, c)
	var mu sync.Mutex
	answered := map[string]bool{}
	var enough, callers sync.WaitGroup
	enough.Add(100)
	for caller := range 8 {
		callers.Go(func() {
			for i := 0; ; i++ {
				trace := fmt.Sprintf("%d-%d", caller, i)
				request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.base+shopRows, strings.NewReader("{}"))
				if err != nil {
					t.Error(err)
					return
				}
				request.Header.Set("X-Trace-Id", trace)
				answer, err := http.DefaultClient.Do(request)
				if err != nil {
					return // stopped
				}
				body, err := io.ReadAll(answer.Body)
				answer.Body.Close()
				if err != nil || !strings.Contains(string(body), `"code":0`) {
					t.Errorf("%s gets %s, %v", trace, body, err)
					return
				}
				mu.Lock()
				answered[trace] = true
				if len(answered) <= 100 {
					enough.Done()
				}
				mu.Unlock()
			}
		})
	}
	enough.Wait()
	r.end(t)
	callers.Wait()
	seen := map[string]int{}
	for _, l := range readAudit(t, c.Audit.File) {
		seen[l.Trace]++
	}
	for trace := range answered {
		if seen[trace] != 1 {
			t.Errorf("%s is recorded %d times", trace, seen[trace])
		}
	}
}
