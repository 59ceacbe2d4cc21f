package app

import (
	"encoding/json"
	"strings"
	"testing"

	"parlance/internal/access"
	"parlance/internal/fault"
	"parlance/internal/service"
)

var (
	theAdmin   = service.Caller{Namespace: secureName, Identity: access.Identity{User: "chen", Roles: []string{"admin"}}}
	theViewer  = service.Caller{Namespace: secureName, Identity: access.Identity{User: "li", Roles: []string{"viewer", "analyst"}}}
	theManager = service.Caller{Namespace: secureName, Identity: access.Identity{
		User: "wang", Roles: []string{"manager", "analyst"}, Attributes: map[string][]string{"provinces": {"Guangdong", "Zhejiang"}},
	}}
)

// warmed returns the service of the demo once it has read the words of callers: a question waits for them, but not for
// as long as a busy machine may take.
func warmed(t *testing.T, callers ...service.Caller) *service.Service {
	t.Helper()
	s := servedDemo(t).service
	for _, c := range callers {
		if err := s.Warm(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// TestQuestionsMatchNothingThatIsNotTheCallers asks for a store and a measure beyond a caller's rights, at once and in the
// course of a conversation: what comes back is what a made-up name of the same shape gets.
func TestQuestionsMatchNothingThatIsNotTheCallers(t *testing.T) {
	s := warmed(t, theAdmin, theManager, theViewer)
	ask := func(c service.Caller, session, text string) *service.AskReply {
		t.Helper()
		reply, err := s.Ask(t.Context(), c, service.AskRequest{Text: text, Session: session})
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		return reply
	}
	const theirs, nobodys = "Mianyang Riverside Store", "Mianyang Qwertyside Store"
	whole := ask(theAdmin, "", "sales amount of "+theirs)
	if whole.Type != "result" || !strings.Contains(string(whole.Payload), theirs) {
		t.Fatalf("the admin gets %+v", whole)
	}
	same := func(c service.Caller, session, before, after string) {
		t.Helper()
		got, made := ask(c, session, before+theirs+after), ask(c, session, before+nobodys+after)
		a, b := plainly(t, got, theirs), plainly(t, made, nobodys)
		if a != b {
			t.Errorf("%s%s%s: %s\nmade up: %s", before, theirs, after, a, b)
		}
		if strings.Contains(string(got.Payload), theirs) {
			t.Errorf("%s: became %s", theirs, got.Payload)
		}
	}
	same(theManager, "", "sales amount of ", "")
	same(theManager, "", "", "的销售额")
	same(theManager, ask(theManager, "", "sales amount by month").Session, "only ", "")

	if got := ask(theViewer, "", "profit by category"); got.Type == "result" || strings.Contains(string(got.Payload), "profit") {
		t.Errorf("the viewer gets %+v", got)
	}
	if got := ask(theViewer, ask(theViewer, "", "sales by category").Session, "and the profit?"); strings.Contains(string(got.Payload), "profit") {
		t.Errorf("the viewer gets, in the course of a conversation, %s", got.Payload)
	}
	_, err := s.Ask(t.Context(), theManager, service.AskRequest{Text: "by month", Session: whole.Session})
	if f := fault.As(err); f == nil || f.Reason != "unknown_session" {
		t.Errorf("a session of the admin is the manager's: %v", err)
	}
	hinted, err := s.Ask(t.Context(), theViewer, service.AskRequest{Text: "sales by category", Hints: service.AskHints{PreferFields: []string{"profitAmount"}}})
	if f := fault.As(err); f == nil || f.Kind != fault.Forbidden {
		t.Errorf("a hint names a hidden field: %v, %+v", err, hinted)
	}
}

// plainly returns a reply without what differs by nature: the name that was asked for and the session.
func plainly(t *testing.T, r *service.AskReply, name string) string {
	t.Helper()
	sent := *r
	sent.Session = ""
	text, err := json.Marshal(sent)
	if err != nil {
		t.Fatal(err)
	}
	short := strings.Fields(name)[1] // the city is one of customers, too
	return strings.NewReplacer(name, "X", strings.ToLower(name), "X", short, "X", strings.ToLower(short), "X").Replace(string(text))
}

// TestAnswersFollowTheGrant compares a manager's answer with the statement's own figure of README's walk-through.
func TestAnswersFollowTheGrant(t *testing.T) {
	s := warmed(t, theManager)
	reply, err := s.Ask(t.Context(), theManager, service.AskRequest{Text: "total sales amount"})
	if err != nil || !strings.Contains(reply.Summary, "18,777,700.46") {
		t.Errorf("got %+v, %v", reply, err)
	}
}
