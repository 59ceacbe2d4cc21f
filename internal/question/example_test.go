package question

import (
	"testing"
	"time"

	"parlance/internal/access"
	"parlance/internal/semantic"
)

// An example answers its own question where the words alone do not, and never past the grant.
func TestExamplesAnswerTheirOwnQuestion(t *testing.T) {
	m := tickets(t)
	m.Examples = []semantic.Example{
		{Question: "The busiest people", Payload: `{"columns":["agent$caption","replies"],"groupBy":["agent$caption"],"orderBy":["-replies"],"limit":3}`},
		{Question: "tickets by status", Payload: `{"columns":["status","ticketCount","replies"],"groupBy":["status"]}`},
		{Question: "the secret list", Payload: `{"columns":["nothing like this(("]}`},
	}
	models := []Asked{{Index(m, access.For(access.Identity{}, m), nil), time.Now()}}
	for _, c := range []struct{ question, want string }{
		{"the busiest people?", "Agent, replies, highest replies first, the first 3 (Tickets)."},
		{"tickets by status", "Ticket count by status (Tickets)."},
		{"the secret list", ""},
		{"the busiest person of all", ""},
	} {
		got := ""
		if r := Read(Ask{Text: c.question, Models: models}); r.Answer != nil {
			got = r.Answer.Text
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.question, got, c.want)
		}
	}
}
