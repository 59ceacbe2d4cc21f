package contract

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// hostile are strings that other systems have run, passed to a database or fallen over.
var hostile = []string{
	`'; drop table fact_order --`,
	`") or 1=1 --`,
	`" or ""="`,
	`ʼ or ‘1’=‘1`,
	`orderId" from fact_order; select "orderId`,
	`sum(totalAmount)) from fact_order --`,
	`(select phone from dim_customer limit 1)`,
	`read_csv('/etc/hostname')`,
	`orderId as "x"; --`,
	`{{7*7}}${7*7}#{7*7}`,
	`%27%20or%201=1`,
	`a` + "\u202e" + `b` + "\u0007",
	`$1 ? :name @p`,
	`\`,
	`/* */`,
	`9999999999999999999999999999999999999999999999`,
	`-9223372036854775809`,
	`NaN`,
	`1e400`,
	`0x1F`,
	`null`,
	strings.Repeat("(", 300),
	strings.Repeat("not ", 300) + "1",
	strings.Repeat("z", 5000),
	``,
	` `,
}

// slots are the places of a request where a string of the caller can stand, marked <>.
var slots = []string{
	`{"param":{"columns":["<>"]}}`,
	`{"param":{"columns":["sum(<>) as x"]}}`,
	`{"param":{"columns":["<>(totalAmount) as x"]}}`,
	`{"param":{"columns":["sum(totalAmount) as <>"]}}`,
	`{"param":{"columns":["orderId as <>"]}}`,
	`{"param":{"exColumns":["<>"]}}`,
	`{"param":{"columns":["orderId"],"slice":[{"field":"<>","op":"=","value":1}]}}`,
	`{"param":{"columns":["orderId"],"slice":[{"field":"orderStatus","op":"<>","value":"x"}]}}`,
	`{"param":{"columns":["orderId"],"slice":[{"field":"orderStatus","op":"=","value":"<>"}]}}`,
	`{"param":{"columns":["orderId"],"slice":[{"field":"orderStatus","op":"like","value":"<>"}]}}`,
	`{"param":{"columns":["orderId"],"slice":[{"field":"orderStatus","op":"not in","value":["<>",null]}]}}`,
	`{"param":{"columns":["orderId"],"slice":[{"field":"totalAmount","op":">","value":"<>"}]}}`,
	`{"param":{"columns":["orderId"],"slice":[{"field":"totalQuantity","op":"in","value":["<>"]}]}}`,
	`{"param":{"columns":["orderId"],"slice":[{"field":"customer$id","op":"[)","value":["<>",null]}]}}`,
	`{"param":{"columns":["orderId"],"slice":[{"field":"orderTime","op":"[)","value":["<>",null]}]}}`,
	`{"param":{"columns":["orderId"],"slice":[{"field":"orderDate$caption","op":"=","value":"<>"}]}}`,
	`{"param":{"columns":["orderId"],"slice":[{"field":"orderDate$isWeekend","op":"=","value":"<>"}]}}`,
	`{"param":{"columns":["orderId"],"slice":[{"field":"promotion$discountRate","op":"<","value":"<>"}]}}`,
	`{"param":{"columns":["orderId"],"slice":[{"field":"totalAmount","op":"=","value":{"$field":"<>"}}]}}`,
	`{"param":{"columns":["orderId"],"slice":[{"$expr":"<>"}]}}`,
	`{"param":{"columns":["orderId"],"slice":[{"<>":"x"}]}}`,
	`{"param":{"columns":["orderStatus","orderCount"],"having":[{"field":"<>","op":">","value":1}]}}`,
	`{"param":{"columns":["orderStatus","orderCount"],"having":[{"field":"orderCount","op":">","value":"<>"}]}}`,
	`{"param":{"columns":["orderCount"],"groupBy":["<>"]}}`,
	`{"param":{"columns":["orderCount"],"groupBy":[{"field":"totalAmount","agg":"<>"}]}}`,
	`{"param":{"columns":["orderId"],"orderBy":["<>"]}}`,
	`{"param":{"columns":["orderId"],"orderBy":[{"field":"<>","order":"desc"}]}}`,
	`{"param":{"columns":["orderId"],"orderBy":[{"field":"orderId","order":"<>"}]}}`,
	`{"param":{"columns":["orderId"],"calculatedFields":[{"name":"<>","expression":"1"}]}}`,
	`{"param":{"columns":["x"],"calculatedFields":[{"name":"x","expression":"<>"}]}}`,
	`{"param":{"columns":["x"],"calculatedFields":[{"name":"x","expression":"totalAmount + <>"}]}}`,
	`{"param":{"columns":["x"],"calculatedFields":[{"name":"x","expression":"coalesce(orderStatus, '<>')"}]}}`,
	`{"param":{"columns":["x"],"calculatedFields":[{"name":"x","expression":"totalAmount","agg":"<>"}]}}`,
	`{"param":{"columns":["x"],"calculatedFields":[{"name":"x","expression":"totalAmount","type":"<>"}]}}`,
	`{"param":{"columns":["x"],"calculatedFields":[{"name":"x","expression":"totalAmount","caption":"<>"}]}}`,
	`{"param":{"columns":["x"],"calculatedFields":[{"name":"x","expression":"sum(totalAmount)","partitionBy":["<>"]}]}}`,
	`{"param":{"columns":["x"],"calculatedFields":[{"name":"x","expression":"sum(totalAmount)","windowOrderBy":["<>"]}]}}`,
	`{"param":{"columns":["x"],"calculatedFields":[{"name":"x","expression":"sum(totalAmount)","windowOrderBy":["orderId"],"windowFrame":"<>"}]}}`,
	`{"param":{"<>":1}}`,
	`{"limit":"<>"}`,
	`{"param":{"start":"<>"}}`,
}

// leaked is text that only a database, a driver or a stack could have written.
var leaked = regexp.MustCompile(`(?i)(binder|parser|catalog|conversion|constraint|invalid input|out of range) error|select |duckdb|goroutine |\.go:\d`)

// TestHostileStringsAreDataOrARefusal puts every hostile string into every slot: the answer is data or a 400, never
// an internal error, never a database's words.
func TestHostileStringsAreDataOrARefusal(t *testing.T) {
	base := startServer(t, "")
	for _, slot := range slots {
		for _, text := range hostile {
			got := request{method: "POST", path: "/jdbc-model/query-model/v2/FactOrderQueryModel", body: placed(t, slot, text)}.send(t, base)
			mustBeCalm(t, slot, text, got, "0", "400")
		}
	}
	for _, text := range hostile {
		got := request{method: "POST", path: "/jdbc-model/query-model/v2/" + url.PathEscape(text), body: "{}"}.send(t, base)
		if got.status != http.StatusNotFound {
			mustBeCalm(t, "the model in the path", text, got, "400", "404")
		}
		got = request{method: "POST", path: "/jdbc-model/query-model/v2/FactOrderQueryModel?ns=" + url.QueryEscape(text), body: `{"limit":0}`}.send(t, base)
		mustBeCalm(t, "the namespace", text, got, "0", "400", "404")
		got = request{method: "POST", path: "/jdbc-model/query-model/queryKpi", body: placed(t, `{"queryModel":"FactOrderQueryModel","columns":["<>"]}`, text)}.send(t, base)
		mustBeCalm(t, "a measure", text, got, "400")
	}
	after := request{method: "POST", path: "/jdbc-model/query-model/v2/FactOrderQueryModel", body: `{"limit":0}`}.send(t, base)
	if !strings.Contains(string(after.body), `"total":20000`) {
		t.Errorf("after all that: %s", after.body)
	}
}

// placed puts a text into the slot of a JSON document.
func placed(t *testing.T, slot, text string) string {
	t.Helper()
	quoted, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Replace(slot, "<>", string(quoted[1:len(quoted)-1]), 1)
}

func mustBeCalm(t *testing.T, slot, text string, got *reply, codes ...string) {
	t.Helper()
	code, _ := got.tree.Get("code")
	allowed := got.status == http.StatusOK && got.isJSON
	if allowed {
		allowed = false
		for _, c := range codes {
			allowed = allowed || code.Text == c
		}
	}
	if !allowed {
		t.Errorf("%.60q in %s: status %d, %.300s", text, slot, got.status, got.body)
	}
	msg, _ := got.tree.Get("msg")
	if said := strings.ReplaceAll(msg.Text, text, ""); code.Text != "0" && leaked.MatchString(said) && !leaked.MatchString(text) {
		t.Errorf("%.60q in %s: the message speaks of the inside: %.300s", text, slot, msg.Text)
	}
}
