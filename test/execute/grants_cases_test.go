package execute

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"parlance/internal/access"
	"parlance/internal/fault"
	"parlance/internal/query"
	"parlance/internal/service"
	"parlance/test/evaluate"
)

// shelf is a small world by hand: notes of people, each about a thing.
func shelf(t *testing.T, e *engine, policy string) *pipeline {
	t.Helper()
	str, num := evaluate.Str, evaluate.Int
	day := func(text string) evaluate.Value {
		d, err := time.Parse(time.DateOnly, text)
		if err != nil {
			t.Fatal(err)
		}
		return evaluate.Day(d)
	}
	const huge = 9_000_000_000_000_000_000
	tables := []table{
		{name: "note", columns: []column{
			{"id", typeWords["integer"]}, {"who", typeWords["string"]}, {"thing", typeWords["integer"]}, {"n", typeWords["bigint"]}, {"mail", typeWords["string"]},
			{"day", typeWords["date"]}, {"kind", typeWords["string"]},
		}, rows: [][]evaluate.Value{
			{num(4), str("me"), num(1), num(1), str("wang@example.com"), day("2024-02-01"), str("NEW")},
			{num(3), str("me"), num(1), num(2), str("张三丰@例子.中国"), day("2024-03-01"), str("OLD")},
			{num(2), str("me"), num(9), num(3), {}, {}, {}},
			{num(1), str("you"), num(2), num(huge), str("x"), day("2023-01-01"), str("NEW")},
			{num(0), {}, num(3), num(huge), str(""), day("2023-01-01"), str("OLD")},
		}},
		{name: "thing", columns: []column{{"id", typeWords["integer"]}, {"name", typeWords["string"]}, {"v", typeWords["bigint"]}}, rows: [][]evaluate.Value{
			{num(1), str("cup"), num(5)}, {num(2), str("pot"), num(huge)}, {num(3), str("cup"), num(huge)},
		}},
	}
	files := fstest.MapFS{"dictionaries.yaml": {Data: []byte("kind: {NEW: Brand new, OLD: Old}\n")}, "note.yaml": {Data: []byte(`model: Note
source: {table: note, key: [id]}
default_order: [id]
dimensions:
  - {name: thing, table: thing, join: {thing: id}, id: id, label: name, attributes: [{name: v, column: v}]}
attributes:
  - {name: id, column: id}
  - {name: who, column: who}
  - {name: n, column: n}
  - {name: mail, column: mail}
  - {name: day, column: day}
  - {name: kind, column: kind, dictionary: kind}
measures:
  - {name: sum, column: n, agg: sum}
  - {name: notes, agg: count}
  - {name: newNotes, agg: count, filter: "kind = 'NEW'"}
  - {name: share, expression: "sum(if(kind = 'NEW', id, 0)) / notes"}
`)}}
	p, err := e.world(t.Context(), tables, files, "2024-03-31")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.close() })
	text := map[string]string{}
	for name, f := range files {
		text[name] = string(f.Data)
	}
	text["note.yaml"] += "access:\n" + policy
	if err := p.serve(t.Context(), text, "2024-03-31"); err != nil {
		t.Fatal(err)
	}
	return p
}

var me = access.Identity{User: "me", Attributes: map[string][]string{"name": {"me"}}}

// notHere is what is told where a database has not what a query needs.
const notHere = "refused unsupported_by_datasource"

// itemsAs returns the items of an answer, or the reason of its refusal.
func (p *pipeline) itemsAs(t *testing.T, id access.Identity, payload string) string {
	t.Helper()
	q, err := decode(payload)
	if err != nil {
		t.Fatal(err)
	}
	a, err := p.service.Query(t.Context(), service.Caller{Identity: id}, "Note", q, service.QueryOptions{})
	if err != nil {
		return "refused " + fault.As(err).Reason
	}
	defer a.Release()
	return string(a.Items)
}

// TestFailuresTellNothing: a condition that overflows on rows of others, or on members that only they have, does not fail
// for somebody who does not see them.
func TestFailuresTellNothing(t *testing.T) {
	eachEngine(t, failuresTellNothing)
}

func failuresTellNothing(t *testing.T, e *engine) {
	t.Helper()
	const rows = "  rows:\n    - {field: who, op: \"=\", attribute: name, unless: {role: all}}\n"
	p := shelf(t, e, rows)
	for _, c := range []struct{ payload, want string }{
		{`{"columns":["id"],"slice":[{"$expr":"n * n * n * n > 0"}]}`, `[{"id":2},{"id":3},{"id":4}]`},
		{`{"columns":["id"],"slice":[{"$expr":"thing$v * thing$v * thing$v > 0"}]}`, `[{"id":3},{"id":4}]`},
		{`{"columns":["id"],"slice":[{"$or":[{"$expr":"n * n * n * n > 10"},{"field":"thing$caption","op":"=","value":"cup"}]}]}`, `[{"id":2},{"id":3},{"id":4}]`},
		{`{"columns":["notes"],"slice":[{"$expr":"if(who = 'you', n * n * n, 0) >= 0"}]}`, `[{"notes":3}]`},
		{`{"columns":["n * n * n * n as x"]}`, `[{"x":81},{"x":16},{"x":1}]`},
		{`{"columns":["x","notes"],"groupBy":["x"],"calculatedFields":[{"name":"x","expression":"thing$v * thing$v * thing$v"}]}`, `[{"x":125,"notes":2},{"x":null,"notes":1}]`},
		{`{"columns":["sum(n * n * n) as x"]}`, `[{"x":36}]`},
	} {
		if got := p.itemsAs(t, me, c.payload); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.payload, got, c.want)
		}
		if got := p.itemsAs(t, access.Identity{Roles: []string{"all"}}, c.payload); got != "refused numeric_overflow" {
			t.Errorf("%s does not fail for who sees all: %s", c.payload, got)
		}
	}
}

// TestMasksExactly shows what each mask leaves of texts that are long, short, empty, foreign or null.
func TestMasksExactly(t *testing.T) {
	eachEngine(t, masksExactly)
}

func masksExactly(t *testing.T, e *engine) {
	t.Helper()
	const open = `[{"mail":"","id":0},{"mail":"wang@example.com","id":4},{"mail":"x","id":1},{"mail":"张三丰@例子.中国","id":3},{"mail":null,"id":2}]`
	for _, c := range []struct{ mask, want string }{
		{"full", `"***" "***" "***" "***" "***"`},
		{"first", `"***" "***" null "张***" "w***"`},
		{"last4", `"***" "***" null "***子.中国" "***.com"`},
		{"email", `"***" "***" null "张***@例子.中国" "w***@example.com"`},
		// sha256("of the test" + text), by sha256sum
		{"hash", `"` + digestOf("") + `" "` + digestOf("x") + `" null "` + digestOf("张三丰@例子.中国") + `" "` + digestOf("wang@example.com") + `"`},
		{`"null"`, `null null null null null`},
	} {
		p := shelf(t, e, "  fields:\n    - {mask: {mail: "+c.mask+"}, unless: {role: all}}\n")
		if got := p.itemsAs(t, access.Identity{Roles: []string{"all"}}, `{"columns":["mail","id"],"orderBy":["mail"]}`); got != open {
			t.Errorf("without the mask: %s", got)
		}
		rows, err := readRows([]byte(p.itemsAs(t, me, `{"columns":["id","mail as m"],"orderBy":["id"]}`)))
		if err != nil {
			t.Fatal(err)
		}
		var shown []string
		for _, r := range rows {
			shown = append(shown, r[1].text)
		}
		if got := strings.Join(shown, " "); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.mask, got, c.want)
		}
	}
}

func digestOf(s string) string {
	return masked("hash", typeWords["string"])(evaluate.Str(s)).Text
}

// TestMasksHoldInEveryClause: filters, groups, orders and expressions meet the mask, not the value.
func TestMasksHoldInEveryClause(t *testing.T) {
	eachEngine(t, masksHoldInEveryClause)
}

func masksHoldInEveryClause(t *testing.T, e *engine) {
	t.Helper()
	p := shelf(t, e, "  fields:\n    - {mask: {mail: first, n: full, day: \"null\", kind: first}, keep: [day$year]}\n")
	for _, c := range []struct{ payload, want string }{
		{`{"columns":["id"],"slice":[{"mail":"wang@example.com"}]}`, `[]`},
		{`{"columns":["id"],"slice":[{"mail":"w***"}]}`, `[{"id":4}]`},
		{`{"columns":["id"],"slice":[{"field":"mail","op":"contains","value":"example"}]}`, `[]`},
		{`{"columns":["id"],"slice":[{"$expr":"length(mail) > 4"}]}`, `[]`},
		{`{"columns":["mail","notes"],"groupBy":["mail"]}`, `[{"mail":"***","notes":2},{"mail":"w***","notes":1},{"mail":"张***","notes":1},{"mail":null,"notes":1}]`},
		{`{"columns":["max(mail) as m","count_distinct(mail) as d","sum","notes"]}`, `[{"m":"张***","d":3,"sum":null,"notes":5}]`},
		{`{"columns":["id","sum"],"orderBy":["-n","id"],"limit":2}`, `[{"id":0,"sum":null},{"id":1,"sum":null}]`},
		{`{"columns":["id"],"slice":[{"field":"n","op":">","value":0}]}`, `[]`},
		{`{"columns":["avg(sum) as a","sum(n) as s","max(n) as m","count(n) as c"]}`, `[{"a":null,"s":0,"m":null,"c":0}]`},
		{`{"columns":["day$month","day$year"],"orderBy":["id"]}`, `[{"day$month":null,"day$year":2023},{"day$month":null,"day$year":2023},{"day$month":null,"day$year":null},{"day$month":null,"day$year":2024},{"day$month":null,"day$year":2024}]`},
		{`{"columns":["kind","kind$caption"],"distinct":true}`, `[{"kind":"N***","kind$caption":"N***"},{"kind":"O***","kind$caption":"O***"},{"kind":null,"kind$caption":null}]`},
		{`{"columns":["id"],"slice":[{"kind$caption":"Brand new"}]}`, `[]`},
		{`{"columns":["newNotes","notes"]}`, `[{"newNotes":null,"notes":5}]`},
		{`{"columns":["notes"],"timeWindow":{"field":"day","grain":"month","comparison":"yoy","range":"2024"}}`, `refused masked_field`},
		{`{"columns":["id","lag(mail) over (order by id) as l"],"limit":2}`, `[{"id":0,"l":null},{"id":1,"l":"***"}]`},
	} {
		if got := p.itemsAs(t, me, c.payload); got != c.want && got != notHere {
			t.Errorf("%s\n got %s\nwant %s", c.payload, got, c.want)
		}
	}
}

// TestTiesDoNotTellTheKey: rows of which the key is hidden stand in the order of what is shown of them.
func TestTiesDoNotTellTheKey(t *testing.T) {
	eachEngine(t, tiesDoNotTellTheKey)
}

func tiesDoNotTellTheKey(t *testing.T, e *engine) {
	t.Helper()
	p := shelf(t, e, "  fields:\n    - {hide: [id], unless: {role: all}}\n")
	for _, c := range []struct{ payload, all, want string }{
		{`{"columns":["kind"],"limit":3}`, `[{"kind":"OLD"},{"kind":"NEW"},{"kind":null}]`, `[{"kind":"NEW"},{"kind":"NEW"},{"kind":"OLD"}]`},
		{`{"columns":["n","thing$caption"],"orderBy":["thing$caption"],"limit":2}`, `[{"n":"9000000000000000000","thing$caption":"cup"},{"n":2,"thing$caption":"cup"}]`, `[{"n":1,"thing$caption":"cup"},{"n":2,"thing$caption":"cup"}]`},
		{`{"columns":["kind","row_number() over (order by thing$caption) as r"],"orderBy":["r"],"limit":3}`, `[{"kind":"OLD","r":1},{"kind":"OLD","r":2},{"kind":"NEW","r":3}]`, `[{"kind":"NEW","r":1},{"kind":"OLD","r":2},{"kind":"OLD","r":3}]`},
	} {
		if got := p.itemsAs(t, access.Identity{Roles: []string{"all"}}, c.payload); got != c.all && got != notHere {
			t.Errorf("%s for all\n got %s\nwant %s", c.payload, got, c.all)
		}
		if got := p.itemsAs(t, me, c.payload); got != c.want && got != notHere {
			t.Errorf("%s\n got %s\nwant %s", c.payload, got, c.want)
		}
	}
}

// TestSmallGroupsByHand: groups of one thing are withheld, and what remains is counted without them. Each note is of a
// thing; the things of kind NEW are 1 and 2, of OLD 1 and 3, of none 9.
func TestSmallGroupsByHand(t *testing.T) {
	eachEngine(t, smallGroupsByHand)
}

func smallGroupsByHand(t *testing.T, e *engine) {
	t.Helper()
	p := shelf(t, e, "  min_group: {of: thing$id, n: 2}\n")
	for _, c := range []struct{ payload, want string }{
		{`{"columns":["kind","notes"],"groupBy":["kind"],"returnTotal":true}`, `[{"kind":"NEW","notes":2},{"kind":"OLD","notes":2}] total 2 totals {"total":2,"notes":4}`},
		{`{"columns":["who","notes"],"groupBy":["who"],"returnTotal":true}`, `[{"who":"me","notes":3}] total 1 totals {"total":1,"notes":3}`},
		{`{"columns":["notes"],"returnTotal":true}`, `[{"notes":5}] total 1 totals {"total":1,"notes":5}`},
		{`{"columns":["notes"],"slice":[{"who":"you"}],"returnTotal":true}`, `[] total 0 totals {"total":0,"notes":null}`},
		{`{"columns":["who","notes"],"groupBy":["who"],"withSubtotals":true}`, `[{"who":"me","notes":3,"_rowType":"data"},{"who":null,"notes":3,"_rowType":"total"}] total 1 totals `},
		{`{"columns":["thing$id","notes"],"groupBy":["thing$id"]}`, `[] total 0 totals `},
		{`{"columns":["who","newNotes"],"groupBy":["who"]}`, `[{"who":"me","newNotes":null}] total 1 totals `},
		{`{"columns":["newNotes"]}`, `[{"newNotes":2}] total 1 totals `},
		{`{"columns":["kind","notes"],"topN":{"by":"notes","n":1,"others":true}}`, `[{"kind":"NEW","notes":2,"_rowType":"data"},{"kind":null,"notes":2,"_rowType":"others"}] total 1 totals `},
		{`{"columns":["id"]}`, `small_groups`},
		{`{}`, `small_groups`},
		{`{"columns":["who"],"distinct":true}`, `small_groups`},
		{`{"columns":["sum(if(id = 4, n, 0)) as s"]}`, `small_groups`},
		{`{"columns":["x"],"calculatedFields":[{"name":"x","expression":"n * 1","agg":"sum"}]}`, `small_groups`},
		{`{"columns":["share"]}`, `small_groups`},
		{`{"columns":["notes"],"timeWindow":{"field":"day","grain":"month","comparison":"yoy","range":"2024"}}`, `small_groups`},
	} {
		q, err := decode(c.payload)
		if err != nil {
			t.Fatal(err)
		}
		a, err := p.service.Query(t.Context(), service.Caller{Identity: me}, "Note", q, service.QueryOptions{})
		got := ""
		if err != nil {
			got = fault.As(err).Reason
		} else {
			got = written(a)
			a.Release()
		}
		if got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.payload, got, c.want)
		}
	}
	for _, c := range []struct{ slice, want string }{
		{`[]`, `{"notes":5,"newNotes":2}`}, {`[{"who":"me"}]`, `{"notes":3,"newNotes":null}`}, {`[{"who":"you"}]`, `{"notes":null,"newNotes":null}`},
	} {
		q, err := decode(`{"columns":["notes","newNotes"],"slice":` + c.slice + `}`)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.service.Summarize(t.Context(), service.Caller{Identity: me}, service.Summary{Model: "Note", Columns: q.Columns, Slice: q.Slice})
		if err != nil || string(got) != c.want {
			t.Errorf("queryKpi of %s: %s %v, not %s", c.slice, got, err, c.want)
		}
	}
}

// TestSmallGroupsOfWhatIsMade: members may be counted by a label or a grain.
func TestSmallGroupsOfWhatIsMade(t *testing.T) {
	eachEngine(t, smallGroupsOfWhatIsMade)
}

func smallGroupsOfWhatIsMade(t *testing.T, e *engine) {
	t.Helper()
	for of, want := range map[string]string{
		"kind$caption": `[{"who":"me","notes":3}]`, "day$year": `[]`, "day$month": `[{"who":"me","notes":3}]`,
	} {
		p := shelf(t, e, fmt.Sprintf("  min_group: {of: %s, n: 2}\n", of))
		if got := p.itemsAs(t, me, `{"columns":["who","notes"],"groupBy":["who"]}`); got != want {
			t.Errorf("%s: got %s, want %s", of, got, want)
		}
	}
}

// TestEverythingWithSmallGroups: a group with all its measures leaves out those that cannot be asked for.
func TestEverythingWithSmallGroups(t *testing.T) {
	eachEngine(t, everythingWithSmallGroups)
}

func everythingWithSmallGroups(t *testing.T, e *engine) {
	t.Helper()
	p := shelf(t, e, "  min_group: {of: thing$id, n: 2}\n")
	if got, want := p.itemsAs(t, me, `{"groupBy":["kind"],"limit":1}`), `[{"kind":"NEW","sum":9000000000000000001,"notes":2,"newNotes":2}]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestNamesOfOthersStayUnsaid: what is computed over all members is not told to who misses some of them.
func TestNamesOfOthersStayUnsaid(t *testing.T) {
	eachEngine(t, namesOfOthersStayUnsaid)
}

func namesOfOthersStayUnsaid(t *testing.T, e *engine) {
	t.Helper()
	warned := func(policy string, q *query.Query) string {
		p := shelf(t, e, policy)
		a, err := p.service.Query(t.Context(), service.Caller{Identity: me}, "Note", q, service.QueryOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer a.Release()
		return strings.Join(a.Warnings, "; ")
	}
	q, err := decode(`{"columns":["thing$caption","notes"]}`)
	if err != nil {
		t.Fatal(err)
	}
	const rows = "  rows:\n    - {field: who, op: \"=\", attribute: name}\n"
	for _, c := range []struct{ policy, want string }{
		{"  conceal: false\n", "some members of thing share a caption and are counted together; group by thing$id too to keep them apart"},
		{"  fields:\n    - {hide: [thing$id]}\n", "some members of thing share a caption and are counted together"},
		{rows, "members of thing that share a caption are counted together; group by thing$id too to keep them apart"},
		{"  conceal: true\n", "members of thing that share a caption are counted together; group by thing$id too to keep them apart"},
		{rows + "  fields:\n    - {hide: [thing$id]}\n", "members of thing that share a caption are counted together"},
	} {
		if got := warned(c.policy, q); got != c.want {
			t.Errorf("%s\n got %q\nwant %q", c.policy, got, c.want)
		}
	}
}

// TestCallersDoNotShareAnswers: two people who see other rows and fields are told other things, back to back and at once,
// by every way in; two who see the same are told the same.
func TestCallersDoNotShareAnswers(t *testing.T) {
	eachEngine(t, callersDoNotShareAnswers)
}

func callersDoNotShareAnswers(t *testing.T, e *engine) {
	t.Helper()
	p := shelf(t, e, "  rows:\n    - {field: who, op: \"=\", attribute: name}\n  fields:\n    - {hide: [mail], unless: {user: me}}\n")
	as := func(name string) access.Identity {
		return access.Identity{User: name, Attributes: map[string][]string{"name": {name}}}
	}
	told := func(id access.Identity) string {
		c := service.Caller{Identity: id}
		if err := p.service.Warm(t.Context(), c); err != nil { // what is told of the data is then there, however busy the machine
			return err.Error()
		}
		d, err := p.service.DescribeModel(t.Context(), c, "Note")
		if err != nil {
			return err.Error()
		}
		n, err := p.service.Ask(t.Context(), c, service.AskRequest{Text: "how many notes by who"})
		if err != nil {
			return err.Error()
		}
		q, err := decode(`{"columns":["notes"]}`)
		if err != nil {
			return err.Error()
		}
		kpi, err := p.service.Summarize(t.Context(), c, service.Summary{Model: "Note", Columns: q.Columns})
		if err != nil {
			return err.Error()
		}
		return fmt.Sprint(d.SampleValues, " ", len(d.Fields), " ", p.itemsAs(t, id, `{"columns":["who","notes"]}`), " ", string(kpi), " ", string(n.Items))
	}
	want := map[string]string{
		"me":  `map[mail:[wang@example.com 张三丰@例子.中国] thing$caption:[cup] who:[me]] 19 [{"who":"me","notes":3}] {"notes":3} `,
		"you": `map[thing$caption:[pot] who:[you]] 18 [{"who":"you","notes":1}] {"notes":1} `,
		"he":  `map[] 18 [] {"notes":0} `,
	}
	first := map[string]string{}
	for _, name := range []string{"me", "you", "he", "me"} {
		got := told(as(name))
		if !strings.HasPrefix(got, want[name]) {
			t.Errorf("%s is told %s, not %s", name, got, want[name])
		}
		if strings.Contains(got, "pot") != (name == "you") || strings.Contains(got, "wang") != (name == "me") {
			t.Errorf("%s is told of others: %s", name, got)
		}
		first[name] = got
	}
	var wg sync.WaitGroup
	for i := range 24 {
		name := []string{"me", "you", "he"}[i%3]
		wg.Go(func() {
			if got := told(as(name)); got != first[name] {
				t.Errorf("%s is told %s among others, not %s", name, got, first[name])
			}
		})
	}
	wg.Wait()
}
