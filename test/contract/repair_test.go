package contract

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

const (
	perKind      = 7   // broken calls of each kind of mistake
	fewestBroken = 200 // broken calls in all
	leastMended  = 95  // per cent of them
)

// TestRepairLoop breaks right calls in the ways that models break them, does what the refusal says without
// understanding it, and wants the right answer at the second try.
func TestRepairLoop(t *testing.T) {
	c := newToolClient(t, startServer(t, ""))
	corpus := rightCalls(t)
	random := rand.New(rand.NewPCG(6, 2026))
	w := newWords(c)
	var table strings.Builder
	broken, mended := 0, 0
	fmt.Fprintf(&table, "\n%-32s %6s %6s %6s\n", "mistake", "broken", "patch", "mended")
	for _, k := range mistakes {
		n, patched, right := 0, 0, 0
		for _, i := range random.Perm(len(corpus)) {
			if n == perKind {
				break
			}
			call, ok := k.breaks(corpus[i].clone(), w, random)
			if !ok || marshalled(call) == marshalled(corpus[i]) {
				continue
			}
			want, ok := c.rows(corpus[i])
			if !ok {
				t.Fatalf("a call of the corpus is refused: %s", shownCall(corpus[i]))
			}
			n++
			outcome := c.loop(call)
			if outcome.patched {
				patched++
			}
			if reflect.DeepEqual(want, outcome.rows) {
				right++
				continue
			}
			t.Logf("%s: %s\n\tright: %s\n\tfirst answer: %.400s\n\tthen: %s", k.name, shownCall(call), shownCall(corpus[i]), outcome.first, outcome.second)
		}
		fmt.Fprintf(&table, "%-32s %6d %6d %6d\n", k.name, n, patched, right)
		if n == 0 {
			t.Errorf("no call of the corpus can be broken by %s", k.name)
		}
		broken, mended = broken+n, mended+right
	}
	fmt.Fprintf(&table, "%-32s %6d %6s %6d\n", "all", broken, "", mended)
	t.Log(table.String())
	if broken < fewestBroken {
		t.Errorf("%d broken calls, want at least %d", broken, fewestBroken)
	}
	if mended*100 < leastMended*broken {
		t.Errorf("%d of %d broken calls are mended at the first try, want %d per cent", mended, broken, leastMended)
	}
}

// TestUnclearCallsHaveNoPatch holds back where two readings are as good: a patch would decide for the caller.
func TestUnclearCallsHaveNoPatch(t *testing.T) {
	c := newToolClient(t, startServer(t, ""))
	file, err := os.ReadFile("testdata/unclear.txt")
	if err != nil {
		t.Fatal(err)
	}
	cases := 0
	for line := range strings.Lines(string(file)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		cases++
		var args map[string]any
		decodeInto(t, line, &args)
		answer := c.ask(arguments(args))
		if answer.failed == nil {
			t.Errorf("%s is accepted", line)
			continue
		}
		if answer.patch != nil {
			t.Errorf("%s\n\tgets the patch %s", line, marshalled(answer.patch))
		}
		if message, _ := answer.failed["message"].(string); message == "" {
			t.Errorf("%s: no message", line)
		}
	}
	if cases < 30 {
		t.Errorf("%d unclear calls", cases)
	}
}

// TestPatchesRevealNothing sends slips of names that the caller may not see, and wants the answer that a name of
// nothing gets.
func TestPatchesRevealNothing(t *testing.T) {
	base := startServer(t, "")
	admin, viewer := newToolClient(t, base), newToolClient(t, base)
	admin.token, viewer.token = "plc_demo-admin", "plc_demo-viewer"
	admin.namespace, viewer.namespace = "demo-secure", "demo-secure"
	for _, name := range []string{"costAmont", "profitAmout", "cost_amount", "COGS", "gross profit", "profitRat", "unit cost"} {
		call := arguments{"model": "FactSalesQueryModel", "payload": map[string]any{"columns": []any{"store$province", "sum(" + name + ") as v"}}}
		if strings.Contains(name, " ") {
			call["payload"] = map[string]any{"columns": []any{name}}
		}
		answer := viewer.ask(call)
		if answer.failed == nil || answer.patch != nil {
			t.Errorf("%s: patch %s", name, marshalled(answer.patch))
		}
		text := strings.ToLower(strings.ReplaceAll(marshalled(answer.failed), name, ""))
		for _, hidden := range []string{"costamount", "profitamount", "profitrate", "unitcost"} {
			if strings.Contains(text, hidden) {
				t.Errorf("%s: the answer names %s: %s", name, hidden, text)
			}
		}
	}
	known := admin.ask(arguments{"model": "FactSalesQueryModel", "payload": map[string]any{"columns": []any{"sum(costAmont) as v"}}})
	if known.patch == nil {
		t.Errorf("who may see the field gets no patch: %s", marshalled(known.failed))
	}
}

// arguments are those of one call of dataset.query_model.
type arguments map[string]any

func (a arguments) clone() arguments {
	var copied arguments
	if err := json.Unmarshal([]byte(marshalled(a)), &copied); err != nil {
		panic(err)
	}
	return copied
}

func (a arguments) payload() map[string]any {
	p, _ := a["payload"].(map[string]any)
	return p
}

func (a arguments) list(clause string) []any {
	l, _ := a.payload()[clause].([]any)
	return l
}

// rightCalls are the calls of the question ring's corpus: a model and a payload each, compact so that rows compare
// without their keys.
func rightCalls(t *testing.T) []arguments {
	t.Helper()
	var calls []arguments
	for _, name := range []string{"own.json", "public.json"} {
		text, err := os.ReadFile(filepath.Join("..", "questions", name))
		if err != nil {
			t.Fatal(err)
		}
		var entries []struct {
			Model   string
			Payload map[string]any
		}
		decodeInto(t, string(text), &entries)
		for _, e := range entries {
			if e.Model != "" && len(e.Payload) > 0 {
				e.Payload["format"] = "compact"
				calls = append(calls, arguments{"model": e.Model, "payload": e.Payload})
			}
		}
	}
	for line := range strings.SplitSeq(strings.TrimSpace(furtherCalls), "\n") {
		model, payload, _ := strings.Cut(line, " ")
		call := arguments{"model": model}
		var p map[string]any
		decodeInto(t, payload, &p)
		p["format"] = "compact"
		call["payload"] = p
		calls = append(calls, call)
	}
	return calls
}

// furtherCalls use what the questions do not.
const furtherCalls = `
FactSalesQueryModel {"columns":["customer$caption","sum(salesAmount) as v","count(*) as n"],"groupBy":["customer$caption"],"slice":[{"field":"customer$caption","op":"like","value":"li"}],"orderBy":[{"field":"v","order":"desc"}],"limit":20}
FactSalesQueryModel {"columns":["product$caption","sum(quantity) as q"],"groupBy":["product$caption"],"slice":[{"field":"product$caption","op":"like","value":"lamp"},{"field":"quantity","op":">=","value":2}],"orderBy":[{"field":"q","dir":"DESC"}],"limit":20,"returnTotal":true}
FactSalesQueryModel {"columns":["store$caption","avg(unitPrice) as p"],"groupBy":["store$caption"],"slice":[{"field":"salesDate$caption","op":"[]","value":["2024-03-05","2024-04-20"]},{"field":"store$caption","op":"like","value":"a"}],"orderBy":["-p"],"limit":20}
FactSalesQueryModel {"columns":["orderId","orderLineNo","salesAmount"],"slice":[{"field":"salesDate$caption","op":"=","value":"2024-02-14"},{"field":"salesAmount","op":">","value":500}],"orderBy":[{"field":"salesAmount","order":"desc"}],"limit":30}
FactOrderQueryModel {"columns":["channel$caption","orderCount","count_distinct(customer$id) as buyers"],"groupBy":["channel$caption"],"slice":[{"field":"orderStatus","op":"in","value":["COMPLETED","SHIPPED"]}],"orderBy":[{"field":"orderCount","order":"desc"}],"returnTotal":true}
FactOrderQueryModel {"columns":["store$province","sum(totalAmount) as total","max(payAmount) as top"],"groupBy":["store$province"],"slice":[{"field":"orderStatus","op":"=","value":"PAID"},{"field":"customer$memberLevel","op":"=","value":"GOLD"}],"orderBy":[{"field":"total","order":"desc"}],"limit":10}
FactOrderQueryModel {"columns":["orderId","totalAmount"],"slice":[{"field":"totalAmount","op":"[]","value":[1000,1100]},{"field":"orderStatus","op":"!=","value":"CANCELLED"}],"orderBy":[{"field":"totalAmount","order":"asc"}],"limit":15}
FactPaymentQueryModel {"columns":["payMethod","sum(payAmount) as paid","count(*) as n"],"groupBy":["payMethod"],"slice":[{"field":"payStatus","op":"=","value":"SUCCESS"},{"field":"payDate$caption","op":"[)","value":["2023-06-01","2023-09-01"]}],"orderBy":[{"field":"paid","order":"desc"}]}
FactReturnQueryModel {"columns":["returnReason","sum(returnAmount) as amount","count_distinct(customer$id) as who"],"groupBy":["returnReason"],"slice":[{"field":"returnType","op":"=","value":"REFUND"}],"having":[{"field":"amount","op":">","value":1000}],"orderBy":[{"field":"amount","order":"desc"}]}
FactTeamSalesQueryModel {"columns":["team$caption","sum(salesAmount) as v"],"groupBy":["team$caption"],"orderBy":[{"field":"v","order":"desc"}],"limit":5}
`

func decodeInto(t *testing.T, text string, to any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), to); err != nil {
		t.Fatalf("%v in %.200s", err, text)
	}
}

func marshalled(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

func shownCall(a arguments) string { return marshalled(a) }
