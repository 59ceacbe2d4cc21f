package service

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/dialect"
	"parlance/internal/fault"
	"parlance/internal/result"
)

// oracle is an asker that gives one reading and remembers what it was shown.
type oracle struct {
	reading Reading
	shown   []string
}

func (o *oracle) Read(_ string, models []Askable, _ time.Time) Reading {
	for _, m := range models {
		o.shown = append(o.shown, m.Model.Name)
	}
	return o.reading
}

func asking(t *testing.T, r Reading) (*Service, *oracle, *script) {
	t.Helper()
	source := &script{dialect: dialect.DuckDB(), mentions: map[string][][]any{
		"GROUP BY": {{"DONE", "10.00"}, {"OPEN", "5.50"}},
	}}
	s := newService(shelfOf(salesModel(t)), source)
	o := &oracle{reading: r}
	s.Asker = o
	return s, o, source
}

const byStatus = `{"columns":["status","amount"],"groupBy":[{"field":"status"}]}`

func TestAskRunsWhatTheQuestionBecame(t *testing.T) {
	s, o, _ := asking(t, Reading{
		Understood: "Amount by status.", Query: &Proposal{Model: "Sales", Query: decode(t, byStatus)},
	})
	got, err := s.Ask(t.Context(), Caller{}, "amount by status")
	if err != nil {
		t.Fatal(err)
	}
	total := int64(2)
	want := &AskReply{
		Type: "result", Question: "amount by status", Understood: "Amount by status.", Model: "Sales",
		Payload: Raw(byStatus), Items: Raw(`[{"status":"DONE","amount":10.00},{"status":"OPEN","amount":5.50}]`),
		Total: &total, Summary: "2 groups; the first is DONE: Amount 10.00.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Sales"}, o.shown); diff != "" {
		t.Errorf("shown (-want +got):\n%s", diff)
	}
}

func TestAskGoesThroughTheResolver(t *testing.T) {
	s, _, source := asking(t, Reading{Query: &Proposal{Model: "Sales", Query: decode(t, `{"columns":["secret"]}`)}})
	got, err := s.Ask(t.Context(), Caller{}, "secret")
	if err != nil {
		t.Fatal(err)
	}
	if got.Type != "error" || !strings.Contains(got.Message, "secret") || got.Items != nil || len(source.asked) != 0 {
		t.Errorf("got %+v", got)
	}
}

func TestAskAsksBack(t *testing.T) {
	s, _, source := asking(t, Reading{Message: "Which amount?", Choices: []Proposal{
		{Text: "Amount by status", Model: "Sales", Query: decode(t, byStatus)},
	}})
	got, err := s.Ask(t.Context(), Caller{}, "how much")
	if err != nil {
		t.Fatal(err)
	}
	want := &AskReply{
		Type: "clarify", Question: "how much", Message: "Which amount?",
		Choices: []Choice{{Text: "Amount by status", Model: "Sales", Payload: Raw(byStatus)}},
	}
	if diff := cmp.Diff(want, got); diff != "" || len(source.asked) != 0 {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAskWithoutAnAskerSaysSo(t *testing.T) {
	s, _, _ := asking(t, Reading{})
	s.Asker = nil
	got, err := s.Ask(t.Context(), Caller{}, "how much")
	if err != nil || got.Type != "error" || got.Message == "" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestAskAnswersAnEmptyQuestionWithOneAndPassesOnWhatIsOurs(t *testing.T) {
	s, o, source := asking(t, Reading{Query: &Proposal{Model: "Sales", Query: decode(t, byStatus)}})
	got, err := s.Ask(t.Context(), Caller{}, " \n")
	if err != nil || got.Type != "clarify" || got.Message == "" || o.shown != nil {
		t.Errorf("got %+v, %v", got, err)
	}
	source.fail = &fault.Error{Kind: fault.Unavailable, Reason: "overloaded", Message: "Later"}
	_, err = s.Ask(t.Context(), Caller{}, "amount by status")
	if f := refusal(t, err); f.Reason != "overloaded" {
		t.Errorf("got %v", err)
	}
}

func TestSummarySentences(t *testing.T) {
	group := result.Column{Key: "status", Caption: "Status"}
	amount := result.Column{Key: "amount", Caption: "Amount", Measure: true}
	for _, c := range []struct {
		items   string
		total   int64
		columns []result.Column
		want    string
	}{
		{`[]`, 0, []result.Column{group, amount}, "Nothing matches."},
		{`[]`, 7, []result.Column{group, amount}, "7 rows."},
		{`[{"amount":5.50}]`, 1, []result.Column{amount}, "Amount 5.50."},
		{`[{"amount":null}]`, 1, []result.Column{{Key: "amount", Measure: true}}, "amount none."},
		{`[{"status":"DONE","amount":5.50}]`, 1, []result.Column{group, amount}, "DONE: Amount 5.50."},
		{`[{"status":null,"amount":5.50}]`, 3, []result.Column{group, amount}, "3 groups; the first is none: Amount 5.50."},
		{`[{"status":"DONE"}]`, 1, []result.Column{group}, "1 row."},
		{`[{"status":"DONE"}]`, 3, []result.Column{group}, "3 rows."},
	} {
		if got := summary(&Answer{Items: []byte(c.items), Total: c.total, Columns: c.columns}); got != c.want {
			t.Errorf("%s of %d: got %q, want %q", c.items, c.total, got, c.want)
		}
	}
}
