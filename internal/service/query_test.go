package service

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/compile"
	"parlance/internal/dialect"
	"parlance/internal/fault"
	"parlance/internal/jsontree"
	"parlance/internal/query"
	"parlance/internal/result"
)

func decode(t testing.TB, payload string) *query.Query {
	t.Helper()
	tree, err := jsontree.Parse([]byte(payload))
	if err != nil {
		t.Fatal(err)
	}
	q, err := query.Decode(tree, query.DecodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// played is a service whose source knows the answers to one query over Sales.
type played struct {
	*Service
	source   *script
	query    *query.Query
	compiled *compile.Compiled
}

// play compiles the payload once, apart from the service, and teaches the source what each statement gives.
func play(t *testing.T, payload string, page [][]any, total int64, totals []any) played {
	t.Helper()
	source := &script{dialect: dialect.DuckDB(), rows: map[string][][]any{}}
	s := newService(shelfOf(salesModel(t)), source)
	q := decode(t, payload)
	target, err := s.find(Caller{}, "Sales")
	if err != nil {
		t.Fatal(err)
	}
	c, err := compile.Query(s.request(target, q, 0, s.Now()))
	if err != nil {
		t.Fatal(err)
	}
	source.rows[c.Page.SQL] = page
	source.rows[c.Count.SQL] = [][]any{{total}}
	if c.Totals != nil {
		source.rows[c.Totals.SQL] = [][]any{totals}
	}
	return played{Service: s, source: source, query: q, compiled: c}
}

func (p played) run(t *testing.T, o QueryOptions) *Answer {
	t.Helper()
	a, err := p.Query(t.Context(), Caller{}, "Sales", p.query, o)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

const (
	detail  = `{"columns":["saleId","amount"],"limit":2}`
	grouped = `{"columns":["status","amount"],"groupBy":["status"],"limit":3,"returnTotal":true}`
)

func TestQueryAnswersAPageWithItsTotal(t *testing.T) {
	p := play(t, detail, [][]any{{int64(1), "10.10"}, {int64(2), "20.20"}}, 7, nil)
	a := p.run(t, QueryOptions{})
	if got, want := string(a.Items), `[{"saleId":1,"amount":10.10},{"saleId":2,"amount":20.20}]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if a.Total != 7 || a.Returned != 2 || a.Limit != 2 || a.LimitSource != compile.LimitGiven || !a.HasMore() || a.TotalData != nil {
		t.Errorf("got %+v", a)
	}
	a.Release()
	a.Release()
}

func TestQueryInTheCompactLayout(t *testing.T) {
	p := play(t, detail, [][]any{{int64(1), "10.10"}}, 1, nil)
	if got, want := string(p.run(t, QueryOptions{Layout: result.Compact}).Items), `[[1,10.10]]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestQueryCountsGroupsOnlyWhenThePageDoesNotTell(t *testing.T) {
	rows := [][]any{{"DONE", "10.00"}, {"OPEN", "5.50"}}
	notFull := play(t, grouped, rows, 99, []any{"15.50"})
	a := notFull.run(t, QueryOptions{})
	if a.Total != 2 || notFull.source.count(notFull.compiled.Count.SQL) != 0 {
		t.Errorf("total %d after %d counts", a.Total, notFull.source.count(notFull.compiled.Count.SQL))
	}
	if got, want := string(a.TotalData), `{"total":2,"amount":15.50}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}

	full := play(t, grouped, append(rows, []any{nil, "1.00"}), 99, []any{"15.50"})
	a = full.run(t, QueryOptions{})
	if a.Total != 99 || full.source.count(full.compiled.Count.SQL) != 1 {
		t.Errorf("total %d after %d counts", a.Total, full.source.count(full.compiled.Count.SQL))
	}

	later := play(t, strings.Replace(grouped, `"limit":3`, `"limit":3,"start":50`, 1), nil, 4, []any{"15.50"})
	if a = later.run(t, QueryOptions{}); a.Total != 4 || a.HasMore() || string(a.Items) != "[]" {
		t.Errorf("past the end: got %+v", a)
	}
}

func TestQueryWithLimitZeroReadsNoPage(t *testing.T) {
	p := play(t, strings.Replace(grouped, `"limit":3`, `"limit":0`, 1), [][]any{{"DONE", "10.00"}}, 4, []any{"15.50"})
	a := p.run(t, QueryOptions{})
	if string(a.Items) != "[]" || a.Total != 4 || string(a.TotalData) != `{"total":4,"amount":15.50}` {
		t.Errorf("got %s, %d, %s", a.Items, a.Total, a.TotalData)
	}
	if n := p.source.count(p.compiled.Page.SQL); n != 0 {
		t.Errorf("the page ran %d times", n)
	}
}

func TestQueryLeavesOutRowsThatDoNotFit(t *testing.T) {
	p := play(t, strings.Replace(grouped, `"limit":3`, `"limit":100`, 1),
		[][]any{{"DONE", "10.00"}, {"OPEN", "5.50"}, {nil, "1.00"}}, 99, []any{"16.50"})
	a := p.run(t, QueryOptions{MaxBytes: 50})
	if got, want := string(a.Items), `[{"status":"DONE","amount":10.00}]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if !a.Truncated || a.Returned != 1 || a.Total != 3 || !a.HasMore() {
		t.Errorf("got %+v", a)
	}
}

func TestValidateRunsNothing(t *testing.T) {
	p := play(t, grouped, nil, 0, nil)
	a := p.run(t, QueryOptions{Validate: true, ShowSQL: true})
	if len(p.source.asked) != 0 {
		t.Errorf("ran %q", p.source.asked)
	}
	want := []string{p.compiled.Page.SQL, p.compiled.Count.SQL, p.compiled.Totals.SQL}
	if diff := cmp.Diff(want, a.SQL); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(a.Columns) != 2 || string(a.Items) != "[]" || a.Applied.Mode != "grouped" {
		t.Errorf("got %+v", a)
	}
}

func TestQueryKeepsTheDecodersWarnings(t *testing.T) {
	p := play(t, detail, nil, 0, nil)
	p.query.Warnings = []string{"payload was a string"}
	if diff := cmp.Diff([]string{"payload was a string"}, p.run(t, QueryOptions{}).Warnings); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestQueryFailsAsAWhole(t *testing.T) {
	p := play(t, grouped, [][]any{{"DONE", "10.00"}}, 1, []any{"10.00"})
	p.source.fail = &fault.Error{Kind: fault.Unavailable, Reason: "overloaded", Message: "Later", Retryable: true}
	a, err := p.Query(t.Context(), Caller{}, "Sales", p.query, QueryOptions{})
	if f := refusal(t, err); a != nil || f.Reason != "overloaded" || !f.Retryable {
		t.Errorf("got %v, %v", a, err)
	}
}

func TestQuerySurvivesAPanicBesideIt(t *testing.T) {
	p := play(t, detail, nil, 0, nil)
	p.source.rows = nil
	p.source.panics = true
	_, err := p.Query(t.Context(), Caller{}, "Sales", p.query, QueryOptions{})
	if f := refusal(t, err); f.Kind != fault.Internal || strings.Contains(f.Message, "burst") || !strings.Contains(f.Cause.Error(), "burst") {
		t.Errorf("got %v", err)
	}
}

func TestStatementsOfOneRowGiveExactlyOne(t *testing.T) {
	for _, rows := range [][][]any{nil, {{int64(1)}, {int64(2)}}, {{"many"}}, {{int64(1), int64(2)}}, {{nil}}} {
		p := play(t, detail, nil, 0, nil)
		p.source.rows[p.compiled.Count.SQL] = rows
		_, err := p.Query(t.Context(), Caller{}, "Sales", p.query, QueryOptions{})
		if f := refusal(t, err); f.Kind != fault.Internal {
			t.Errorf("%v: got %v", rows, err)
		}
	}
}

func TestIntegerReadsWhatDriversGive(t *testing.T) {
	for _, cell := range []any{int64(7), int32(7), uint64(7), big.NewInt(7)} {
		if n, err := integer([]any{cell}); n != 7 || err != nil {
			t.Errorf("%T: got %d, %v", cell, n, err)
		}
	}
	huge := new(big.Int).Lsh(big.NewInt(1), 80)
	for _, cell := range []any{huge, (*big.Int)(nil), uint64(1) << 63, 7.0} {
		if n, err := integer([]any{cell}); err == nil {
			t.Errorf("%T: got %d", cell, n)
		}
	}
}

func TestQueryRefusesWhatTheModelDoesNotHave(t *testing.T) {
	p := play(t, detail, nil, 0, nil)
	_, err := p.Query(t.Context(), Caller{}, "Sales", decode(t, `{"columns":["amout"]}`), QueryOptions{})
	f := refusal(t, err)
	if f.Kind != fault.Invalid || f.Path != "columns[0]" || len(f.Closest) == 0 || f.Closest[0] != "amount" {
		t.Errorf("got %+v", f)
	}
	if len(p.source.asked) != 0 {
		t.Errorf("ran %q", p.source.asked)
	}
}

func TestSummarize(t *testing.T) {
	source := &script{dialect: dialect.DuckDB(), rows: map[string][][]any{}}
	s := newService(shelfOf(salesModel(t)), source)
	q := decode(t, `{"columns":["amount","buyers","avg(amount) as mean"],"slice":[{"field":"status","op":"=","value":"DONE"}]}`)
	target, err := s.find(Caller{}, "Sales")
	if err != nil {
		t.Fatal(err)
	}
	statement, _, err := compile.Summary(s.request(target, q, 0, s.Now()))
	if err != nil {
		t.Fatal(err)
	}
	source.rows[statement.SQL] = [][]any{{"30.30", int64(9007199254740993), "15.150000"}}
	got, err := s.Summarize(t.Context(), Caller{}, Summary{Model: "Sales", Columns: q.Columns, Slice: q.Slice})
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"amount":30.30,"buyers":9007199254740993,"mean":15.150000}`; string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
	source.fail = errors.New("dial tcp 10.0.0.1: refused")
	_, err = s.Summarize(t.Context(), Caller{}, Summary{Model: "Sales", Columns: q.Columns})
	if f := refusal(t, err); f.Kind != fault.Internal || fmt.Sprint(f.Message) != "Internal error" {
		t.Errorf("got %v", err)
	}
	_, err = s.Summarize(t.Context(), Caller{}, Summary{Model: "Sales", Columns: decode(t, `{"columns":["status"]}`).Columns})
	if f := refusal(t, err); f.Kind != fault.Invalid || f.Path != "columns[0]" {
		t.Errorf("got %v", err)
	}
}
