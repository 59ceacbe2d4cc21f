package service

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/dialect"
	"parlance/internal/fault"
)

// asking is a service over Sales whose every grouped statement gives two groups.
func asking(t *testing.T) (*Service, *script) {
	t.Helper()
	source := &script{dialect: dialect.DuckDB(), mentions: map[string][][]any{
		"GROUP BY": {{"DONE", "10.00"}, {"OPEN", "5.50"}},
		"SUM(":     {{"15.50"}},
	}}
	return newService(shelfOf(salesModel(t)), source), source
}

func TestAskRunsWhatTheQuestionBecame(t *testing.T) {
	s, _ := asking(t)
	got, err := s.Ask(t.Context(), Caller{}, AskRequest{Text: "amount by status"})
	if err != nil {
		t.Fatal(err)
	}
	if got.Type != "result" || got.Model != "Sales" || got.Question != "amount by status" || got.Total == nil || *got.Total != 2 {
		t.Fatalf("got %+v", got)
	}
	want := `[{"status":"DONE","amount":10.00},{"status":"OPEN","amount":5.50}]`
	if diff := cmp.Diff(want, string(got.Items)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !strings.Contains(got.Summary, "10.00") || got.Understood == "" {
		t.Errorf("understood %q, summary %q", got.Understood, got.Summary)
	}
	if decode(t, string(got.Payload)).Columns == nil {
		t.Errorf("the payload is %s", got.Payload)
	}
}

func TestAskAsksBack(t *testing.T) {
	s, _ := asking(t)
	for _, text := range []string{"flurbish the gronk", " \n"} {
		got, err := s.Ask(t.Context(), Caller{}, AskRequest{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		if got.Type != "clarify" || got.Message == "" || got.Items != nil || got.Total != nil {
			t.Errorf("%q: got %+v", text, got)
		}
	}
}

func TestAskPassesOnWhatIsNotTheCallers(t *testing.T) {
	s, source := asking(t)
	if _, err := s.Ask(t.Context(), Caller{}, AskRequest{Text: "amount by status"}); err != nil {
		t.Fatal(err)
	}
	source.fail = &fault.Error{Kind: fault.Unavailable, Reason: "overloaded", Message: "Later"}
	_, err := s.Ask(t.Context(), Caller{}, AskRequest{Text: "amount by status"})
	if f := refusal(t, err); f.Reason != "overloaded" {
		t.Errorf("got %v", err)
	}
}

func TestAskDoesWithoutValuesThatCannotBeRead(t *testing.T) {
	s, source := asking(t)
	source.fail = errors.New("gone")
	got, err := s.Ask(t.Context(), Caller{}, AskRequest{Text: "flurbish the gronk"})
	if err != nil || got.Type != "clarify" {
		t.Errorf("got %+v, %v", got, err)
	}
}
