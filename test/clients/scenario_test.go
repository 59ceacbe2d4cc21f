package clients

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// scenarios are what every client does, in this order, on every mount.
var scenarios = []struct {
	name string
	play func(t *testing.T, s *stage)
}{
	{"connect", connected}, {"list", listed}, {"answer", answered}, {"mend", mended}, {"cancel", cancelled},
}

// stage is a client that is connected to a mount of the demo.
type stage struct {
	world  *world
	client *client
	open   opener
	session
	mount
}

// exercise plays every scenario with a client and notes how it went.
func exercise(t *testing.T, w *world, c *client, row *row) {
	t.Helper()
	open, sessions := c.start(t), map[mount]session{}
	for _, scenario := range scenarios {
		if why := c.cannot[scenario.name]; why != "" {
			row.note(scenario.name, "not offered by the client")
			continue
		}
		passed := t.Run(scenario.name, func(t *testing.T) {
			for _, m := range c.mounts() {
				t.Run(m.String(), func(t *testing.T) {
					if sessions[m] == nil {
						sessions[m] = open(t, place{mount: m, url: w.demo + m.path()})
						row.settled(sessions[m].Protocol())
					}
					scenario.play(t, &stage{w, c, open, sessions[m], m})
				})
			}
		})
		row.note(scenario.name, map[bool]string{true: "yes", false: "no"}[passed])
	}
	for m, s := range sessions {
		if err := s.Close(); err != nil {
			t.Errorf("%s: close: %v", m, err)
		}
	}
}

func connected(t *testing.T, s *stage) {
	t.Helper()
	if p := s.Protocol(); p != "" && !slices.Contains([]string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}, p) {
		t.Errorf("they settled on %s", p)
	}
}

// contractTools are the tools of the contract, by role.
var contractTools = map[string][]string{
	"admin":    {"dataset.get_metadata", "dataset.list_models", "dataset.describe_model_internal", "dataset.query_model", "dataset_nl.query"},
	"analyst":  {"dataset.get_metadata", "dataset.list_models", "dataset.describe_model_internal", "dataset.query_model"},
	"business": {"dataset_nl.query"},
}

func listed(t *testing.T, s *stage) {
	t.Helper()
	tools, err := s.Tools(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range contractTools[s.role] {
		if !slices.Contains(tools, s.tool(name)) {
			t.Errorf("there is no %s in %v", s.tool(name), tools)
		}
	}
	if dots := strings.Contains(strings.Join(tools, ""), "."); dots == s.underscore {
		t.Errorf("the tools are spelt %v", tools)
	}
}

// What the demo's tables say, by SQL of another engine on `parlance demo load`:
//
//	SELECT p.category_name, SUM(s.sales_amount) FROM fact_sales s JOIN dim_date d ON d.date_key = s.date_key
//	JOIN dim_store o ON o.store_key = s.store_key LEFT JOIN dim_product p ON p.product_key = s.product_key
//	WHERE d.year = 2023 AND o.store_type = 'DIRECT' GROUP BY 1 ORDER BY 2 DESC
//	SELECT COUNT(*) FROM fact_order; and WHERE order_status = 'COMPLETED'
var sold = [][2]string{
	{"Electronics", "4214560.90"}, {"Clothing", "2576439.82"}, {"Home", "2275466.71"}, {"Food", "2196148.93"}, {"Beauty", "1326686.47"}, {"", "544498.13"},
}

const (
	soldInAll = "13133800.96"
	orders    = "20000"
	completed = "16450"
)

// answered goes from the models to a right answer, knowing no name before it was told.
func answered(t *testing.T, s *stage) {
	t.Helper()
	if s.role == "business" {
		var reply struct {
			Type  string
			Items []map[string]json.Number
		}
		ask(t, s, s.tool("dataset_nl.query"), map[string]any{"query": "how many orders do we have?"}, &reply)
		if reply.Type != "result" || len(reply.Items) != 1 || reply.Items[0]["orderCount"] != orders {
			t.Errorf("the answer is %+v", reply)
		}
		return
	}
	var list struct {
		Models []struct{ Name, Caption string }
	}
	ask(t, s, s.tool("dataset.list_models"), map[string]any{}, &list)
	at := slices.IndexFunc(list.Models, func(card struct{ Name, Caption string }) bool { return card.Caption == "Sales" })
	if at < 0 {
		t.Fatalf("no model is called Sales: %+v", list)
	}
	model := list.Models[at].Name
	var card struct {
		Fields []struct{ Name, Kind, Caption string }
	}
	ask(t, s, s.tool("dataset.describe_model_internal"), map[string]any{"model": model}, &card)
	named := func(name, kind string) string {
		for _, f := range card.Fields {
			if f.Kind == kind && strings.HasSuffix(f.Name, name) {
				return f.Name
			}
		}
		t.Fatalf("%s has no %s %s", model, kind, name)
		return ""
	}
	category, amount := named("$categoryName", "DIMENSION"), named("salesAmount", "MEASURE")
	rows, total := query(t, s, map[string]any{"model": model, "payload": map[string]any{
		"columns": []string{category, amount}, "groupBy": []any{map[string]any{"field": category}},
		"slice": []any{
			map[string]any{"field": named("salesDate$year", "DIMENSION"), "op": "=", "value": 2023},
			map[string]any{"field": named("store$storeType", "DIMENSION"), "op": "in", "value": []string{"DIRECT"}},
		},
		"orderBy": []any{map[string]any{"field": amount, "dir": "DESC"}}, "returnTotal": true,
	}})
	var got [][2]string
	for _, row := range rows {
		name, _ := row[0].(string)
		number, _ := row[1].(json.Number)
		got = append(got, [2]string{name, number.String()})
	}
	if diff := cmp.Diff(sold, got); diff != "" {
		t.Error(diff)
	}
	if total[amount] != json.Number(soldInAll) {
		t.Errorf("the total is %v", total)
	}
}

// mended makes a mistake, applies what the answer offers and asks again.
func mended(t *testing.T, s *stage) {
	t.Helper()
	if s.role == "business" {
		mendedQuestion(t, s)
		return
	}
	arguments := map[string]any{"model": "FactOrder", "payload": map[string]any{"colums": []any{"orderCount"}, "slice": []any{
		map[string]any{"field": "orderStatus", "op": "equals", "value": "Completed"},
	}}}
	text, failed, err := s.Call(t.Context(), s.tool("dataset.query_model"), arguments)
	if err != nil {
		t.Fatal(err)
	}
	var reply struct {
		Error struct{ Patch json.RawMessage }
	}
	if err := json.Unmarshal([]byte(text), &reply); err != nil || !failed || reply.Error.Patch == nil {
		t.Fatalf("the mistake is answered %s", text)
	}
	rows, _ := query(t, s, patched(t, arguments, reply.Error.Patch))
	if len(rows) != 1 || rows[0][0] != json.Number(completed) {
		t.Errorf("after the mend the answer is %v", rows)
	}
}

var missing = regexp.MustCompile(`Missing required parameter: (\w+)`)

// mendedQuestion asks under a wrong name. The patch is in the error's data; a client that does not hand it on has the
// message, which tells the right name.
func mendedQuestion(t *testing.T, s *stage) {
	t.Helper()
	arguments := map[string]any{"question": "how many orders do we have?"}
	text, _, err := s.Call(t.Context(), s.tool("dataset_nl.query"), arguments)
	var refused *refusal
	if !errors.As(err, &refused) {
		t.Fatalf("the mistake is answered %s, %v", text, err)
	}
	patch := []byte(`[{"op":"move","from":"/question","path":"/` + firstOf(missing.FindStringSubmatch(refused.Message)) + `"}]`)
	if refused.Data != nil {
		var data struct{ Patch json.RawMessage }
		if err := json.Unmarshal(refused.Data, &data); err != nil || data.Patch == nil {
			t.Fatalf("the error's data is %s", refused.Data)
		}
		patch = data.Patch
	}
	var reply struct{ Items []map[string]json.Number }
	ask(t, s, s.tool("dataset_nl.query"), patched(t, arguments, patch), &reply)
	if len(reply.Items) != 1 || reply.Items[0]["orderCount"] != orders {
		t.Errorf("after the mend the answer is %+v", reply)
	}
}

func firstOf(match []string) string {
	if len(match) < 2 {
		return ""
	}
	return match[1]
}

var noWord = regexp.MustCompile(`[^A-Za-z0-9]+`)

// cancelled gives up a query that does not end by itself and looks at the database until its statements are gone. The
// session must be of use afterwards.
func cancelled(t *testing.T, on *stage) {
	t.Helper()
	w, c, m := on.world, on.client, on.mount
	mark := noWord.ReplaceAllString(t.Name(), "-")
	at := place{mount: m, url: w.slow + m.path(), mark: mark}
	if c.stdio {
		at.config = w.slowConfig(t, mark)
	}
	s := on.open(t, at)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		tool, arguments := m.tool("dataset.query_model"), map[string]any{"model": "Parcels", "payload": map[string]any{"columns": []string{"weight"}}}
		if m.role == "business" {
			tool, arguments = m.tool("dataset_nl.query"), map[string]any{"query": "weight"}
		}
		text, _, err := s.Call(ctx, tool, arguments)
		if err == nil {
			err = errors.New("answered " + text)
		}
		ended <- err
	}()
	until(t, "the query begins", func() bool {
		select {
		case err := <-ended:
			t.Fatalf("the query is over: %v", err)
		default:
		}
		return w.running(t, mark) > 0
	})
	cancel()
	until(t, "the database stops", func() bool { return w.running(t, mark) == 0 })
	if err := <-ended; strings.HasPrefix(err.Error(), "answered ") {
		t.Errorf("the client was %v", err)
	}
	if _, err := s.Tools(t.Context()); err != nil {
		t.Errorf("afterwards: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}
