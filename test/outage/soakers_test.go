package outage

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// actors are who comes to a soak, how many of them, and how long each waits between two things that it does.
var actors = []struct {
	many  int
	pause time.Duration
	act   func(*soak)
}{
	{3, 0, (*soak).sum},
	{2, 5 * time.Millisecond, (*soak).query},
	{1, 10 * time.Millisecond, (*soak).call},
	{1, 50 * time.Millisecond, (*soak).ask},
	{1, 500 * time.Millisecond, (*soak).edit},
	{1, 3 * time.Second, (*soak).hangup},
	{1, 5 * time.Millisecond, (*soak).babble},
	{2, 10 * time.Millisecond, (*soak).leave},
	{1, 200 * time.Millisecond, (*soak).dawdle},
	{1, 4 * time.Second, (*soak).fault},
}

// send posts to a namespace. The server itself never breaks a line.
func (s *soak) send(namespace, path, body string) (reply, bool) {
	return s.sendUntil(context.Background(), namespace, path, body)
}

func (s *soak) sendUntil(ctx context.Context, namespace, path, body string) (reply, bool) {
	r, err := s.program.post(ctx, path+"?ns="+namespace, body)
	if err != nil && ctx.Err() == nil {
		s.t.Errorf("%s: %v", path, err)
	}
	return r, err == nil
}

// sum asks PostgreSQL, which may be away.
func (s *soak) sum() {
	n := 1 + rand.IntN(sales)
	model := []string{"Sales", "Sales", "Sales", "Slow"}[rand.IntN(4)]
	r, ok := s.send("shop", "/jdbc-model/query-model/queryKpi", fmt.Sprintf(`{"queryModel":%q,"columns":["amount"],"slice":[{"field":"saleId","op":"<=","value":%d}]}`, model, n))
	switch {
	case !ok:
	case r.right(n):
		s.count("sums answered")
	case r.shed():
		s.count("sums that may be tried again")
	default:
		s.t.Errorf("the sum of %d: %+v", n, r)
	}
}

// query asks the demo, which is always there.
func (s *soak) query() {
	i := rand.IntN(len(questions))
	r, ok := s.send("demo", "/jdbc-model/query-model/v2/"+questions[i][0], fmt.Sprintf(`{"limit":%d,"param":%s}`, 500+500*(1-i%2), questions[i][1]))
	want := `{"code":0,"data":` + strings.Replace(s.demo[i], `,"totalData":}`, `}`, 1) + `,"msg":"success"}`
	switch {
	case !ok:
	case r.body == want:
		s.count("queries answered")
	case r.shed():
		s.count("queries that may be tried again")
	default:
		s.t.Errorf("%s:\n got %.2000s\nwant %.2000s", questions[i][1], r.body, want)
	}
}

// tool calls a tool and returns the text of its result.
func (s *soak) tool(role, namespace, name, arguments string) (text string, failed, ok bool) {
	r, ok := s.send(namespace, "/mcp/"+role+"/rpc", fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, name, arguments))
	if !ok {
		return "", true, false
	}
	var got struct {
		ID     int
		Result struct {
			Content []struct{ Text string }
			IsError bool
		}
	}
	if err := json.Unmarshal([]byte(r.body), &got); err != nil || got.ID != 7 || len(got.Result.Content) != 1 || !json.Valid([]byte(got.Result.Content[0].Text)) {
		s.t.Errorf("%s answers %.500s", name, r.body)
		return "", true, false
	}
	return got.Result.Content[0].Text, got.Result.IsError, true
}

// call calls the tools of analysts.
func (s *soak) call() {
	calls := [][3]string{
		{"demo", "dataset.list_models", "{}"},
		{"demo", "dataset.describe_model_internal", `{"model":"FactOrderQueryModel"}`},
		{"demo", "dataset.query_model", `{"model":"FactOrderQueryModel","payload":{"columns":["orderDate$year","orderCount"],"groupBy":["orderDate$year"]}}`},
		{"shop", "dataset.get_metadata", "{}"},
		{"shop", "dataset.query_model", `{"model":"Sales","payload":{"columns":["region","amount"],"groupBy":["region"],"returnTotal":true}}`},
	}
	c := calls[rand.IntN(len(calls))]
	text, failed, ok := s.tool("analyst", c[0], c[1], c[2])
	switch {
	case !ok:
	case failed && strings.Contains(text, `"retryable":true`) && c[0] == "shop":
		s.count("tools that may be tried again")
	case failed:
		s.t.Errorf("%s refuses: %s", c[1], text)
	default:
		s.count("tools answered")
	}
}

// inWords are questions of people to the demo.
var inWords = []string{"total sales amount by category in 2024", "how many orders per year", "top 5 products by profit"}

// words returns what a question in words is answered: its query and its rows; "" where it may be asked again.
func (s *soak) words(question string) string {
	text, failed, ok := s.tool("business", "demo", "dataset_nl.query", fmt.Sprintf(`{"query":%q}`, question))
	var got struct {
		Type           string
		Model          string
		Payload, Items json.RawMessage
	}
	if ok && failed && strings.Contains(text, `"retryable":true`) {
		return ""
	}
	if err := json.Unmarshal([]byte(text), &got); !ok || failed || err != nil {
		s.t.Errorf("%s: %.500s", question, text)
	}
	return fmt.Sprint(got.Type, got.Model, string(got.Payload), string(got.Items))
}

// ask asks in words.
func (s *soak) ask() {
	i := rand.IntN(len(inWords))
	switch got := s.words(inWords[i]); got {
	case "":
		s.count("questions that may be asked again")
	case s.asked[i]:
		s.count("questions answered")
	default:
		s.t.Errorf("%s:\n got %.1000s\nwant %.1000s", inWords[i], got, s.asked[i])
	}
}

// edit changes the models of PostgreSQL, well or badly.
func (s *soak) edit() {
	bad := filepath.Join(s.stand.folder, "models", "bad.yaml")
	switch rand.IntN(3) {
	case 0:
		s.stand.swap(s.t, fmt.Sprintf("edit %d", rand.IntN(1000)))
	case 1:
		put(s.t, bad, []string{"model: [", salesModel("Bad", "{table: nowhere}", "x")}[rand.IntN(2)])
	case 2:
		_ = os.Remove(bad)
	}
	if text, failed, ok := s.tool("analyst", "shop", "dataset.list_models", "{}"); ok && !failed {
		var listed struct {
			Models []struct{ Name, Caption string }
		}
		if err := json.Unmarshal([]byte(text), &listed); err != nil || len(listed.Models) != 3 || listed.Models[0].Caption != listed.Models[1].Caption {
			s.t.Errorf("half of a generation: %s", text)
		}
	}
	s.count("edits of models")
}

func (s *soak) hangup() {
	if err := s.program.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		s.t.Error(err)
	}
	s.count("hang-ups")
}

// babble says what makes no sense: it is told so, and nothing is the server's own fault.
func (s *soak) babble() {
	said := []string{
		"", "{", "[]", "null", `{"param":7}`, `{"param":{"columns":["nothing"]}}`, `{"param":{"slice":[{"field":"saleId","op":"like","value":{}}]}}`,
		`{"jsonrpc":"2.0","id":{},"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nobody","arguments":[]}}`,
		`{"jsonrpc":"1.0"}`, strings.Repeat("[", 10_000), "\x00\xff\xfe", `{"queryModel":"Sales","columns":["amount","amount'; drop table sales; --"]}`,
		strings.Repeat("x", 2<<20),
	}
	paths := []string{"/mcp/analyst/rpc", "/mcp/admin", "/jdbc-model/query-model/v2/Sales", "/jdbc-model/query-model/queryKpi", "/jdbc-model/nothing", "/nowhere"}
	path, body := paths[rand.IntN(len(paths))], said[rand.IntN(len(said))]
	request, err := http.NewRequest(http.MethodPost, s.program.base+path+"?ns=shop", strings.NewReader(body))
	if err != nil {
		s.t.Error(err)
		return
	}
	answer, err := s.program.client.Do(request)
	if err != nil {
		if len(body) > 1<<20 { // the server need not listen to the end of what is too long
			return
		}
		s.t.Errorf("%.100q to %s: %v", body, path, err)
		return
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	if strings.Contains(string(text), "Internal error") || answer.StatusCode == http.StatusInternalServerError {
		s.t.Errorf("%.100q to %s: %d %s", body, path, answer.StatusCode, text)
	}
	s.count("nonsense told so")
}

// leave asks and goes away.
func (s *soak) leave() {
	ctx, cancel := context.WithTimeout(context.Background(), rand.N(60*time.Millisecond))
	defer cancel()
	if rand.IntN(2) == 0 {
		s.sendUntil(ctx, "shop", "/jdbc-model/query-model/v2/Slow", fmt.Sprintf(`{"limit":%d}`, 1+rand.IntN(1000)))
	} else {
		s.sendUntil(ctx, "demo", "/jdbc-model/query-model/v2/"+questions[0][0], fmt.Sprintf(`{"limit":%d,"param":%s}`, 100+rand.IntN(1000), questions[0][1]))
	}
	s.count("callers that left")
}

// dawdle asks for much, reads a little of it slowly, and goes.
func (s *soak) dawdle() {
	c, err := net.Dial("tcp", strings.TrimPrefix(s.program.base, "http://"))
	if err != nil {
		s.t.Error(err)
		return
	}
	defer c.Close()
	const body = `{"limit":10000,"param":{"columns":["id","pad"]}}`
	if _, err := fmt.Fprintf(c, "POST /jdbc-model/query-model/v2/Wide HTTP/1.1\r\nHost: 127.0.0.1\r\nX-NS: shop\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body); err != nil {
		s.t.Error(err)
		return
	}
	for range rand.IntN(20) {
		if _, err := io.ReadFull(c, make([]byte, 100)); err != nil || !s.goes(20*time.Millisecond) {
			break
		}
	}
	s.count("readers that dawdle")
}

// gone takes PostgreSQL away for a while.
func (s *soak) gone(how string, away, back func(testing.TB), lasts time.Duration) {
	s.down.Lock()
	defer s.down.Unlock()
	away(s.t)
	time.Sleep(lasts)
	back(s.t)
	s.count("faults: " + how)
}

// fault does something to PostgreSQL or to the way there, for about a second.
func (s *soak) fault() {
	pg, way := s.stand.pg, s.stand.proxy
	lasts := rand.N(2 * time.Second)
	switch rand.IntN(6) {
	case 0:
		s.gone("restarted", pg.Stop, pg.Start, lasts)
	case 1:
		s.gone("killed", pg.Kill, pg.Start, lasts)
	case 2:
		s.gone("frozen", pg.Freeze, pg.Thaw, lasts)
	case 3:
		way.stall()
		time.Sleep(lasts)
		s.count("faults: network stalled")
	case 4:
		way.cutAfter(rand.Int64N(1 << 16))
		time.Sleep(lasts)
		s.count("faults: network cut")
	case 5:
		way.slow(2*time.Millisecond, 0.02)
		time.Sleep(lasts)
		s.count("faults: network slow")
	}
	way.heal()
}
