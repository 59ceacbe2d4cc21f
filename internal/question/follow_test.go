package question

import (
	"testing"
	"time"

	"parlance/internal/access"
)

func TestFollowUpsChangeTheQuestionBefore(t *testing.T) {
	models := desk(t)
	for _, turns := range [][][2]string{
		{
			{"tickets by status in 2025", "Ticket count by status, from 2025-01-01 to 2025-12-31 (Tickets)."},
			{"and by month?", "Ticket count by month, from 2025-01-01 to 2025-12-31 (Tickets)."},
			{"only urgent", "Ticket count by month, from 2025-01-01 to 2025-12-31, where priority is Urgent (Tickets)."},
			{"what about 2026", "Ticket count by month, from 2026-01-01 to 2026-12-31, where priority is Urgent (Tickets)."},
			{"by quarter instead", "Ticket count by quarter, from 2026-01-01 to 2026-12-31, where priority is Urgent (Tickets)."},
			{"also by shift", "Ticket count by quarter and shift, from 2026-01-01 to 2026-12-31, where priority is Urgent (Tickets)."},
			{"replies?", "Replies by quarter and shift, from 2026-01-01 to 2026-12-31, where priority is Urgent (Tickets)."},
			{"How many tickets are there?", "Ticket count (Tickets)."},
		},
		{
			{"top 10 agents by replies", "Replies by agent, only the 10 with the highest replies (Tickets)."},
			{"top 5 instead", "Replies by agent, only the 5 with the highest replies (Tickets)."},
			{"and the lowest?", "Replies by agent, only the 5 with the lowest replies (Tickets)."},
			{"just the night shift", "Replies by agent, where shift is Night, only the 5 with the lowest replies (Tickets)."},
			{"the day shift instead", "Replies by agent, where shift is Day, only the 5 with the lowest replies (Tickets)."},
		},
		{
			{"tickets by agent", "Ticket count by agent (Tickets)."},
			{"in percent", "Ticket count and its share of the total in percent by agent (Tickets)."},
		},
		{
			{"agents with more than 20 tickets", "Ticket count by agent, where ticket count is more than 20 (Tickets)."},
			{"which of them are on the night shift", "Ticket count by agent, where shift is Night and ticket count is more than 20 (Tickets)."},
			{"at least 30", "Ticket count by agent, where shift is Night and ticket count is at least 30 (Tickets)."},
		},
		{
			{"2025年各班次的工单数", "2025-01-01至2025-12-31，按班次统计工单数（工单）。"},
			{"已解决的呢？", "2025-01-01至2025-12-31，状态为已解决，按班次统计工单数（工单）。"},
			{"按月看", "2025-01-01至2025-12-31，状态为已解决，按月统计工单数（工单）。"},
			{"换成回复数", "2025-01-01至2025-12-31，状态为已解决，按月统计回复数（工单）。"},
			{"2024", "2024-01-01至2024-12-31，状态为已解决，按月统计回复数（工单）。"},
			{"only urgent", "Replies by month, from 2024-01-01 to 2024-12-31, where priority is Urgent and status is Solved (Tickets)."},
			{"TOP 3", "Replies by month, from 2024-01-01 to 2024-12-31, where priority is Urgent and status is Solved, only the 3 with the highest replies (Tickets)."},
		},
		{
			{"top 10 agents by replies", "Replies by agent, only the 10 with the highest replies (Tickets)."},
			{"已解决的呢？", "状态为已解决，按客服统计回复数，取回复数最高的10个（工单）。"},
			{"TOP 3", "状态为已解决，按客服统计回复数，取回复数最高的3个（工单）。"},
		},
		{
			{"agents with more than 20 tickets", "Ticket count by agent, where ticket count is more than 20 (Tickets)."},
			{"已解决的呢？", "状态为已解决，工单数大于20，按客服统计工单数（工单）。"},
		},
	} {
		var previous *Proposal
		for i, turn := range turns {
			r := Read(Ask{Text: turn[0], Models: models, Previous: previous})
			if r.Answer == nil {
				t.Errorf("%s after %s is asked back: %s", turn[0], turns[max(i-1, 0)][0], r.Message)
				break
			}
			if r.Answer.Text != turn[1] {
				t.Errorf("%s after %s\n got  %s\n want %s", turn[0], turns[max(i-1, 0)][0], r.Answer.Text, turn[1])
			}
			if whole := i == 0 || turn[0] == "How many tickets are there?"; whole == r.FollowUp {
				t.Errorf("%s: follow-up %v", turn[0], r.FollowUp)
			}
			previous = r.Answer
		}
	}
}

func TestAFollowUpThatIsNotUnderstoodIsAskedBack(t *testing.T) {
	models := desk(t)
	before := Read(Ask{Text: "tickets by status in 2025", Models: models}).Answer
	for _, text := range []string{"and by colour?", "only purple", "what about it", "and", "delete them", "why?", "by by"} {
		if r := Read(Ask{Text: text, Models: models, Previous: before}); r.Answer != nil {
			t.Errorf("%q becomes %s", text, r.Answer.Text)
		}
	}
}

// What a caller could see in an earlier turn and can no longer is not carried on.
func TestAFollowUpHasTheRightsOfItsOwnTurn(t *testing.T) {
	before := Read(Ask{Text: "replies of Ada Byron by shift", Models: desk(t)}).Answer
	if before == nil {
		t.Fatal("the first question is not understood")
	}
	m := tickets(t)
	m.Dimensions = nil
	if clash := m.Index(); clash != "" {
		t.Fatal(clash)
	}
	narrow := []Asked{{Index(m, access.For(access.Identity{}, m), nil), time.Now()}}
	if r := Read(Ask{Text: "only urgent", Models: narrow, Previous: before}); r.Answer != nil {
		t.Errorf("a field that is gone is carried on: %s", r.Answer.Text)
	}
}

func TestHints(t *testing.T) {
	models := desk(t)
	other := tickets(t)
	other.Name, other.Caption = "Archive", "Archive"
	models = append(models, Asked{Index(other, access.For(access.Identity{}, other), nil), models[0].Now})
	for _, c := range []struct {
		hints Hints
		want  string
	}{
		{Hints{}, ""},
		{Hints{PreferModel: "Archive"}, "Ticket count by status (Archive)."},
		{Hints{PreferModel: "Tickets"}, "Ticket count by status (Tickets)."},
		{Hints{PreferModel: "Nothing"}, ""},
		{Hints{PreferModel: "Tickets", TimeRange: &TimeRange{From: "2025-03-01", To: "2025-03-31"}}, "Ticket count by status, from 2025-03-01 to 2025-03-31 (Tickets)."},
		{Hints{PreferModel: "Tickets", TimeRange: &TimeRange{From: "soon", To: ""}}, "Ticket count by status (Tickets)."},
		{Hints{PreferModel: "Tickets", TimeRange: &TimeRange{From: "2025-03-01"}}, "Ticket count by status, from 2025-03-01 on (Tickets)."},
	} {
		r := Read(Ask{Text: "tickets by status", Models: models, Hints: c.hints})
		got := ""
		if r.Answer != nil {
			got = r.Answer.Text
		}
		if got != c.want {
			t.Errorf("%+v: got %q %s", c.hints, got, r.Message)
		}
	}
	said := Read(Ask{Text: "tickets in 2024", Models: models[:1], Hints: Hints{TimeRange: &TimeRange{From: "2025-03-01", To: "2025-03-31"}}})
	if said.Answer == nil || said.Answer.Text != "Ticket count, from 2024-01-01 to 2024-12-31 (Tickets)." {
		t.Errorf("a hint overrules the words: %+v", said.Answer)
	}
}

func TestConfidenceFallsWithWhatIsGuessed(t *testing.T) {
	models := desk(t)
	for _, c := range []struct {
		text     string
		from, to float64
	}{
		{"tickets by status in 2025", 1, 1},
		{"tickts by status in 2025", 0.8, 0.9},
		{"tickets by status in March", 0.75, 0.85},
	} {
		r := Read(Ask{Text: c.text, Models: models})
		if r.Answer == nil || r.Answer.Confidence < c.from || r.Answer.Confidence > c.to {
			t.Errorf("%s: got %+v %s", c.text, r.Answer, r.Message)
		}
	}
	r := Read(Ask{Text: "tickets by status in March", Models: models})
	if len(r.Alternatives) == 0 || r.Alternatives[0].Text != "Ticket count by status, from 2025-03-01 to 2025-03-31 (Tickets)." {
		t.Errorf("the year before is no alternative: %+v", r.Alternatives)
	}
}
