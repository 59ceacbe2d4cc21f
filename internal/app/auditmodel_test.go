package app

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parlance/internal/identity"
)

// queryable lets two identities try to query the record of a configuration.
func queryable(t *testing.T, c Config) Config {
	t.Helper()
	tokens := filepath.Join(t.TempDir(), "tokens.yaml")
	text := fmt.Sprintf("tokens:\n  - {sha256: \"%x\", user: root, roles: [admin]}\n  - {sha256: \"%x\", user: wang, roles: [analyst]}\n",
		sha256.Sum256([]byte("token-of-root")), sha256.Sum256([]byte("token-of-wang")))
	if err := os.WriteFile(tokens, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c.Audit.Auth = identity.Guard{Mode: identity.Tokens, Table: tokens}
	return c
}

// TestAdminsQueryTheRecord asks for a few things and then for what was asked.
func TestAdminsQueryTheRecord(t *testing.T) {
	c := queryable(t, auditedConfig(t))
	c.Audit.MaxSize, c.Audit.Keep = 3000, 0 // several files
	other := filepath.Join(filepath.Dir(c.Audit.File), "audit-other.jsonl")
	if err := os.WriteFile(other, []byte(`{"run":"x","n":1,"user":"nobody"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := run(t, c)
	const (
		orders = "/jdbc-model/query-model/v2/FactOrderQueryModel"
		record = "/jdbc-model/query-model/v2/AuditQueryModel"
	)
	ask := func(path, param, token string) string {
		t.Helper()
		headers := []string{}
		if token != "" {
			headers = []string{"Authorization", "Bearer " + token, "X-NS", "audit"}
		}
		status, body := r.post(t, path, `{"limit":100,"param":`+param+`}`, headers...)
		if err := r.audit.Flush(); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(status, " ", strings.TrimSpace(body))
	}
	for range 20 {
		ask(orders, `{"columns":["orderId"]}`, "")
	}
	ask(orders, `{"columns":["nothing"]}`, "")
	if aside, _ := filepath.Glob(filepath.Join(filepath.Dir(c.Audit.File), "audit.0*")); len(aside) == 0 {
		t.Error("the record has one file only")
	}
	if got := ask(record, `{"columns":["queries"]}`, "token-of-wang"); got != `200 {"code":404,"data":null,"msg":"Model \"AuditQueryModel\" does not exist"}` {
		t.Errorf("somebody who is no admin gets %s", got)
	}
	if got := ask(record, `{}`, "no-token"); !strings.HasPrefix(got, "401 ") {
		t.Errorf("a token that is unknown gets %s", got)
	}
	byUser := `{"columns":["user","queries","refusals","rows","users"],"groupBy":[{"field":"user"}],"orderBy":[{"field":"user"}],"returnTotal":true}`
	want := `200 {"code":0,"data":{"items":[{"user":"anonymous","queries":22,"refusals":2,"rows":2000,"users":1},` +
		`{"user":"wang","queries":1,"refusals":1,"rows":0,"users":1}],"total":2,` +
		`"totalData":{"total":2,"queries":23,"refusals":3,"rows":2000,"users":2}},"msg":"success"}`
	if got := ask(record, byUser, "token-of-root"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	// The question about the record is in the record.
	want = `200 {"code":0,"data":{"items":[{"user":"root","roles":"[\"admin\"]","namespace":"audit","model":"AuditQueryModel","outcome":"ok","code":0,` +
		`"fields":"[\"queries\",\"refusals\",\"rows\",\"user\",\"users\"]","filters":"[]","mode":"execute","shownSql":false}],"total":1},"msg":"success"}`
	if got := ask(record, `{"columns":["user","roles","namespace","model","outcome","code","fields","filters","mode","shownSql"],
		"slice":[{"field":"user","op":"=","value":"root"}]}`, "token-of-root"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	want = `200 {"code":0,"data":{"items":[{"outcome":"token_unknown","code":401,"namespace":"audit","q":1},{"outcome":"unknown_field","code":400,"namespace":"default","q":1},` +
		`{"outcome":"unknown_model","code":404,"namespace":"audit","q":1}],"total":3},"msg":"success"}`
	if got := ask(record, `{"columns":["outcome","code","namespace","queries as q"],"groupBy":["outcome","code","namespace"],"orderBy":["outcome"],
		"slice":[{"field":"code","op":"!=","value":0},{"field":"time","op":"=","value":"today"}]}`, "token-of-root"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	got := ask(record, `{"columns":["time$year","durationAvg","durationMedian","durationMax"],"groupBy":["time$year"]}`, "token-of-root")
	if !strings.Contains(got, `"total":1}`) || strings.Contains(got, "null") {
		t.Errorf("got %s", got)
	}
	_, listed := r.post(t, "/mcp/admin/rpc", toolCall("dataset.list_models", "{}"), "Authorization", "Bearer token-of-root", "X-NS", "audit")
	if !strings.Contains(listed, `\"measures\":8`) || !strings.Contains(listed, "AuditQueryModel") {
		t.Errorf("the list is %s", listed)
	}
	_, listed = r.post(t, "/mcp/analyst/rpc", toolCall("dataset.list_models", "{}"), "Authorization", "Bearer token-of-wang", "X-NS", "audit")
	if !strings.Contains(listed, `\"models\":[]`) {
		t.Errorf("the list is %s", listed)
	}
	if status, body := r.read(t, "/readyz"); status != 200 {
		t.Errorf("not ready: %s", body)
	}
}

func TestARefusedRoleIsRecordedWithItsUser(t *testing.T) {
	r := run(t, queryable(t, auditedShop(t)))
	status, _ := r.post(t, "/mcp/admin/rpc", toolCall("dataset.list_models", "{}"), "Authorization", "Bearer token-of-wang", "X-NS", "audit")
	r.end(t)
	lines := readAudit(t, r.config.Audit.File)
	if status != 403 || len(lines) != 1 || lines[0].User != "wang" || lines[0].Code != 403 || lines[0].Credential != "" {
		t.Errorf("%d %+v", status, lines)
	}
	text, err := os.ReadFile(r.config.Audit.File)
	if err != nil || strings.Contains(string(text), "token-of") {
		t.Errorf("%s, %v", text, err)
	}
}

// TestTheRecordIsNotServedToUnknownCallers asks for the namespace where nobody is identified.
func TestTheRecordIsNotServedToUnknownCallers(t *testing.T) {
	r := run(t, auditedShop(t))
	_, body := r.post(t, "/jdbc-model/query-model/v2/AuditQueryModel", `{}`, "X-NS", "audit")
	if !strings.Contains(body, `Namespace \"audit\" does not exist`) {
		t.Error(body)
	}
	r.log.await(t, 0, "the audit record cannot be queried")
}
