package service

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"parlance/internal/access"
	"parlance/internal/question"
	"parlance/internal/semantic"
)

// in asks within a session and returns the reply.
func in(t *testing.T, s *Service, c Caller, session, text string) *AskReply {
	t.Helper()
	reply, err := s.Ask(t.Context(), c, AskRequest{Text: text, Session: session})
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return reply
}

func TestASessionGoesOn(t *testing.T) {
	s, _ := asking(t)
	first := in(t, s, Caller{}, "", "amount by status")
	if !strings.HasPrefix(first.Session, "q_") || len(first.Session) != 34 {
		t.Fatalf("the session is %q", first.Session)
	}
	next := in(t, s, Caller{}, first.Session, "only done")
	if next.Type != "result" || next.Session != first.Session || !strings.Contains(string(next.Payload), `"DONE"`) {
		t.Errorf("got %+v, payload %s", next, next.Payload)
	}
	if again := in(t, s, Caller{}, "", "amount by status"); again.Session == first.Session {
		t.Error("two conversations share an id")
	}
}

// TestASessionIsItsOwners holds that an id of somebody else, of another namespace, of an earlier generation or with another
// grant reads like one that never was.
func TestASessionIsItsOwners(t *testing.T) {
	s, _ := asking(t)
	models := s.Catalog.(shelf)
	other := *models["default"]
	other.Namespace = "other"
	models["other"] = &other
	ada := Caller{Identity: access.Identity{User: "ada", Roles: []string{"analyst"}, Attributes: map[string][]string{"city": {"Lyon"}}}}
	id := in(t, s, ada, "", "amount by status").Session
	refusalOf := func(c Caller, session string) string {
		_, err := s.Ask(t.Context(), c, AskRequest{Text: "only done", Session: session})
		f := refusal(t, err)
		f.Got = ""
		text, _ := json.Marshal(f)
		return f.Reason + string(text)
	}
	never := refusalOf(ada, "q_00000000000000000000000000000000")
	for name, c := range map[string]Caller{
		"nobody":            {},
		"another user":      {Identity: access.Identity{User: "bo", Roles: []string{"analyst"}, Attributes: map[string][]string{"city": {"Lyon"}}}},
		"another role":      {Identity: access.Identity{User: "ada", Roles: []string{"admin"}, Attributes: map[string][]string{"city": {"Lyon"}}}},
		"another attribute": {Identity: access.Identity{User: "ada", Roles: []string{"analyst"}, Attributes: map[string][]string{"city": {"Oslo"}}}},
		"another namespace": {Namespace: "other", Identity: ada.Identity},
	} {
		if got := refusalOf(c, id); got != never {
			t.Errorf("%s: %s, want %s", name, got, never)
		}
	}
	if got := in(t, s, ada, id, "only done"); got.Type != "result" {
		t.Errorf("the owner gets %+v", got)
	}
	next := *models["default"]
	next.ID = "2"
	models["default"] = &next
	if got := refusalOf(ada, id); got != never {
		t.Errorf("after a reload: %s", got)
	}
}

func TestSessionsAreBounded(t *testing.T) {
	now := time.Date(2024, 12, 31, 12, 0, 0, 0, time.UTC)
	s := newSessions(SessionLimits{Number: 16, Age: time.Minute}, func() time.Time { return now })
	anybody, ada := owner{}, owner{key: [32]byte{1}, known: true}
	alive := func(id string, by owner) bool { _, err := s.find(id, by); return err == nil }
	first := s.keep("", anybody, talk{})
	mine := s.keep("", ada, talk{})
	second := s.keep("", ada, talk{})
	if third := s.keep("", ada, talk{}); alive(mine, ada) || !alive(second, ada) || !alive(third, ada) {
		t.Error("a user has more than an eighth of the sessions, or lost another than the oldest")
	}
	for range 12 {
		s.keep("", anybody, talk{})
	}
	if !alive(first, anybody) { // and is the last used now
		t.Fatal("a session was lost while there was room")
	}
	for range 4 {
		s.keep("", anybody, talk{})
	}
	if !alive(first, anybody) || alive(second, ada) || s.order.Len() != 16 || len(s.byID) != 16 {
		t.Errorf("%d sessions are kept", s.order.Len())
	}
	now = now.Add(59 * time.Second)
	if !alive(first, anybody) {
		t.Error("a session ended too soon")
	}
	now = now.Add(61 * time.Second)
	if alive(first, anybody) || s.order.Len() != 0 || len(s.owned) != 0 {
		t.Errorf("%d sessions outlive their age", s.order.Len())
	}
	if id := s.keep(first, ada, talk{}); id == first {
		t.Error("an id that the caller made up is taken")
	}
}

func TestSessionsAtOnce(t *testing.T) {
	s := newSessions(SessionLimits{Number: 8}, time.Now)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			id := ""
			for range 200 {
				id = s.keep(id, owner{}, talk{})
				_, _ = s.find(id, owner{})
			}
		})
	}
	wg.Wait()
	if s.order.Len() > 8 || len(s.byID) != s.order.Len() {
		t.Errorf("%d in order, %d by id", s.order.Len(), len(s.byID))
	}
}

func TestPickingAChoice(t *testing.T) {
	offered := talk{offered: []question.Proposal{{Text: "Amount by brand."}, {Text: "Stock by brand."}}}
	for text, want := range map[string]string{
		"1": "Amount by brand.", " 2. ": "Stock by brand.", "the second one": "Stock by brand.", "第一个": "Amount by brand.", "stock BY brand": "Stock by brand.",
		"3": "", "": "", "amount": "", "0": "",
	} {
		got := ""
		if p := offered.pick(text); p != nil {
			got = p.Text
		}
		if got != want {
			t.Errorf("%q picks %q, want %q", text, got, want)
		}
	}
	if (talk{}).pick("1") != nil {
		t.Error("nothing was offered")
	}
}

func TestHintsThatAreRefused(t *testing.T) {
	hiding := func(conceal bool) *Service {
		m := under(t, func(m *semantic.Model) *semantic.Policy {
			return &semantic.Policy{Conceal: conceal, Fields: []semantic.FieldRule{{Hide: []*semantic.Field{m.Field("stock")}}}}
		})
		_, source := asking(t)
		return newService(shelfOf(m), source)
	}
	for _, c := range []struct {
		name    string
		conceal bool
		hints   AskHints
		reason  string
		path    string
	}{
		{"no such model", false, AskHints{PreferModel: "Sale"}, "unknown_model", "hints.prefer_model"},
		{"no such field", false, AskHints{PreferFields: []string{"amount", "amuont"}}, "unknown_field", "hints.prefer_fields[1]"},
		{"a field of the model that is not there", false, AskHints{PreferModel: "Sales", PreferFields: []string{"x"}}, "unknown_field", "hints.prefer_fields[0]"},
		{"a hidden field", false, AskHints{PreferFields: []string{"stock"}}, "forbidden_field", "hints.prefer_fields[0]"},
		{"a concealed field", true, AskHints{PreferFields: []string{"stock"}}, "unknown_field", "hints.prefer_fields[0]"},
		{"no day", false, AskHints{TimeRange: &AskRange{From: "2024-02-30"}}, "bad_value", "hints.time_range"},
		{"backwards", false, AskHints{TimeRange: &AskRange{From: "2024-02-02", To: "2024-02-01"}}, "bad_value", "hints.time_range"},
	} {
		_, err := hiding(c.conceal).Ask(t.Context(), Caller{}, AskRequest{Text: "amount", Hints: c.hints})
		if f := refusal(t, err); f.Reason != c.reason || f.Path != c.path {
			t.Errorf("%s: %s at %s: %v", c.name, f.Reason, f.Path, f)
		}
	}
	concealed, unknown := "", ""
	for name, to := range map[string]*string{"stock": &concealed, "stork": &unknown} {
		_, err := hiding(true).Ask(t.Context(), Caller{}, AskRequest{Text: "amount", Hints: AskHints{PreferFields: []string{name}}})
		*to = strings.ReplaceAll(refusal(t, err).Text(), name, "X")
	}
	if concealed != unknown {
		t.Errorf("a concealed field reads %q, an unknown one %q", concealed, unknown)
	}
	s, _ := asking(t)
	reply, err := s.Ask(t.Context(), Caller{}, AskRequest{Text: "amount by status", Hints: AskHints{
		PreferModel: "Sales", PreferFields: []string{"amount"}, TimeRange: &AskRange{From: "2024-01-01", To: "2024-03-31"},
	}})
	if err != nil || reply.Type != "result" {
		t.Errorf("got %+v, %v", reply, err)
	}
}

func TestPeriods(t *testing.T) {
	for text, want := range map[string]AskRange{
		"2024": {"2024-01-01", "2024-12-31"}, "2024-Q1": {"2024-01-01", "2024-03-31"}, "2023-Q4": {"2023-10-01", "2023-12-31"},
		"2024-02": {"2024-02-01", "2024-02-29"}, "2024-03-05": {"2024-03-05", "2024-03-05"},
	} {
		if got, ok := PeriodOf(text); !ok || got != want {
			t.Errorf("%s is %v", text, got)
		}
	}
	for _, text := range []string{"", "24", "2024-Q5", "2024-13", "2024-02-30", "last month", "x-Q1"} {
		if got, ok := PeriodOf(text); ok {
			t.Errorf("%s is %v", text, got)
		}
	}
}

func TestFormatsOfAnAnswer(t *testing.T) {
	s, _ := asking(t)
	for format, want := range map[AskFormat][3]bool{AskJSON: {true, false, true}, AskTable: {false, true, true}, AskSummary: {false, false, false}, "": {true, false, true}} {
		r, err := s.Ask(t.Context(), Caller{}, AskRequest{Text: "amount by status", Format: format})
		if err != nil {
			t.Fatal(err)
		}
		if got := [3]bool{r.Items != nil, r.Table != "", r.Chart != nil}; got != want || r.Summary == "" || r.Payload == nil {
			t.Errorf("%q: items, table, chart %v, want %v", format, got, want)
		}
		if format == AskTable && r.Table != "| Status | Amount |\n| --- | ---: |\n| DONE | 10.00 |\n| OPEN | 5.50 |\n" {
			t.Errorf("the table is\n%s", r.Table)
		}
	}
}

func TestTheChartOfAnAnswer(t *testing.T) {
	s, _ := asking(t)
	r := in(t, s, Caller{}, "", "amount by status")
	if r.Chart == nil || r.Chart.Type != "bar" || r.Chart.X != "status" || len(r.Chart.Y) != 1 || r.Chart.Y[0] != "amount" {
		t.Fatalf("got %+v", r.Chart)
	}
	for _, want := range []string{">Done<", ">Open<", "in CNY"} { // labels, not codes
		if !strings.Contains(r.Chart.SVG, want) {
			t.Errorf("the chart lacks %s: %s", want, r.Chart.SVG)
		}
	}
	want := "2 groups, the highest is Done with Amount 10.00 CNY, overall 15.50 CNY."
	if r.Summary != want {
		t.Errorf("the summary is %q, want %q", r.Summary, want)
	}
	if *r.Confidence <= 0.5 || *r.Confidence > 1 {
		t.Errorf("the confidence is %v", *r.Confidence)
	}
}
