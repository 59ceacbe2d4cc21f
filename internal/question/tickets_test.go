package question

import (
	"strings"
	"testing"
	"time"

	"parlance/internal/access"
	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

var (
	textType   = value.Type{Kind: value.String}
	wholeType  = value.Type{Kind: value.Integer}
	floatType  = value.Type{Kind: value.Float}
	momentType = value.Type{Kind: value.Timestamp}
)

// tickets is a help desk: a domain without anything to sell.
func tickets(t testing.TB) *semantic.Model {
	t.Helper()
	status := &semantic.Dictionary{Name: "ticket_status", Entries: []semantic.Entry{
		{Code: "OPEN", Label: "Open", Synonyms: []string{"未解决"}},
		{Code: "SOLVED", Label: "Solved", Synonyms: []string{"resolved", "已解决"}},
		{Code: "ON_HOLD", Label: "On hold", Synonyms: []string{"waiting", "挂起"}},
	}}
	priority := &semantic.Dictionary{Name: "priority", Entries: []semantic.Entry{
		{Code: "1", Label: "Urgent", Synonyms: []string{"critical", "紧急"}}, {Code: "2", Label: "Low"},
	}}
	m := &semantic.Model{
		Name: "Tickets", Caption: "Tickets", Synonyms: []string{"ticket", "support requests", "工单"}, Time: "openedAt",
		Source: semantic.Source{Table: "ticket"}, Datasource: "desk", Key: []string{"ticket_id"},
		Calendar: semantic.Calendar{Zone: time.UTC, WeekStart: time.Monday, FiscalStart: time.January},
		Attributes: []*semantic.Attribute{
			{Name: "ticketId", Column: "ticket_id", Type: textType, Caption: "Ticket number"},
			{Name: "status", Column: "status", Type: textType, Caption: "Status", Dictionary: status, Synonyms: []string{"状态"}},
			{Name: "priority", Column: "priority", Type: wholeType, Caption: "Priority", Dictionary: priority, Synonyms: []string{"优先级"}},
			{Name: "openedAt", Column: "opened_at", Type: momentType, Caption: "Opened", Synonyms: []string{"打开时间"}},
			{Name: "escalated", Column: "escalated", Type: value.Type{Kind: value.Boolean}, Caption: "Escalated"},
		},
		Dimensions: []*semantic.Dimension{{
			Name: "agent", Path: "agent", Caption: "Agent", Synonyms: []string{"agents", "客服"}, Source: semantic.Source{Table: "agent"},
			Join: []semantic.JoinColumn{{From: "agent_id", To: "agent_id"}}, ID: "agent_id", Label: "name", IDType: wholeType, LabelType: textType,
			Attributes: []*semantic.Attribute{{Name: "shift", Column: "shift", Type: textType, Caption: "Shift", Synonyms: []string{"班次"}}},
		}},
		Measures: []*semantic.Measure{
			{Name: "ticketCount", Agg: semantic.Count, Type: wholeType, Caption: "Ticket count", Synonyms: []string{"tickets", "number of tickets", "工单数"}},
			{Name: "replies", Column: "replies", Agg: semantic.Sum, Type: wholeType, Caption: "Replies", Synonyms: []string{"messages sent", "回复数"}},
			{Name: "handlingHours", Column: "hours", Agg: semantic.Avg, Type: floatType, Caption: "Handling time", Unit: "hours", Synonyms: []string{"time to solve", "处理时长"}},
			{Name: "ticketValue", Column: "value", Agg: semantic.Sum, Type: floatType, Caption: "Ticket value", Synonyms: []string{"工单金额"}},
		},
	}
	if clash := m.Index(); clash != "" {
		t.Fatalf("two fields are called %q", clash)
	}
	return m
}

// desk is what may be asked about: tickets, as of a Wednesday.
func desk(t testing.TB) []Asked {
	t.Helper()
	m := tickets(t)
	values := map[string][]string{"agent$shift": {"Night", "Day"}, "agent$caption": {"Ada Byron", "Grace Hopper"}}
	return []Asked{{Index(m, access.For(access.Identity{}, m), values), time.Date(2026, 5, 13, 15, 0, 0, 0, time.UTC)}}
}

func TestAnotherDomainIsReadByItsOwnWords(t *testing.T) {
	models := desk(t)
	for _, c := range []struct{ question, want string }{
		{"How many tickets are there?", `{"columns":["ticketCount"]}`},
		{"tickets by status", `{"columns":["status","ticketCount"],"groupBy":[{"field":"status"}],"orderBy":[{"field":"ticketCount","order":"desc"}],"returnTotal":true}`},
		{"urgent tickets last month", `{"columns":["ticketCount"],"slice":[{"field":"priority","op":"=","value":1},{"field":"openedAt","op":"[)","value":["2026-04-01","2026-05-01"]}]}`},
		{"top 3 agents by replies", `{"columns":["agent$caption","agent$id","replies"],"groupBy":[{"field":"agent$caption"},{"field":"agent$id"}],"orderBy":[{"field":"replies","order":"desc"}],"returnTotal":true,"limit":3}`},
		{"Monthly handling time in 2025", `{"columns":["openedAt$month","handlingHours"],"slice":[{"field":"openedAt","op":"[)","value":["2025-01-01","2026-01-01"]}],"groupBy":[{"field":"openedAt$month"}],"orderBy":[{"field":"openedAt$month","order":"asc"}],"returnTotal":true}`},
		{"replies of Ada Byron yesterday", `{"columns":["sum(replies) as replies"],"slice":[{"field":"agent$caption","op":"=","value":"Ada Byron"},{"field":"openedAt","op":"[)","value":["2026-05-12","2026-05-13"]}]}`},
		{"Which agents have more than 20 tickets?", `{"columns":["agent$caption","agent$id","ticketCount"],"having":[{"field":"ticketCount","op":">","value":20}],"groupBy":[{"field":"agent$caption"},{"field":"agent$id"}],"orderBy":[{"field":"ticketCount","order":"desc"}],"returnTotal":true}`},
		{"tickets that are not solved per shift", `{"columns":["agent$shift","ticketCount"],"slice":[{"field":"status","op":"!=","value":"SOLVED"}],"groupBy":[{"field":"agent$shift"}],"orderBy":[{"field":"ticketCount","order":"desc"}],"returnTotal":true}`},
		{"escalated tickets this week", `{"columns":["ticketCount"],"slice":[{"field":"escalated","op":"=","value":true},{"field":"openedAt","op":"[)","value":["2026-05-11","2026-05-18"]}]}`},
		{"tickets by agent who likes tea", ""},
		{"tickets over 500", `{"columns":["ticketCount"],"slice":[{"field":"ticketValue","op":">","value":500}]}`},
		{"What is the largest ticket?", `{"columns":["max(ticketValue) as highestTicketValue"]}`},
		{"average replies by priority", `{"columns":["priority","avg(replies) as averageReplies"],"groupBy":[{"field":"priority"}],"orderBy":[{"field":"averageReplies","order":"desc"}],"returnTotal":true}`},
		{"night shift tickets", `{"columns":["ticketCount"],"slice":[{"field":"agent$shift","op":"=","value":"Night"}]}`},
		{"how many agents solved tickets", `{"columns":["count_distinct(agent$id) as distinctAgent_id"],"slice":[{"field":"status","op":"=","value":"SOLVED"}]}`},
		{"已解决的工单有多少", `{"columns":["ticketCount"],"slice":[{"field":"status","op":"=","value":"SOLVED"}]}`},
		{"本月各班次的工单数", `{"columns":["agent$shift","ticketCount"],"slice":[{"field":"openedAt","op":"[)","value":["2026-05-01","2026-06-01"]}],"groupBy":[{"field":"agent$shift"}],"orderBy":[{"field":"ticketCount","order":"desc"}],"returnTotal":true}`},
		{"回复数最多的2个客服", `{"columns":["agent$caption","agent$id","replies"],"groupBy":[{"field":"agent$caption"},{"field":"agent$id"}],"orderBy":[{"field":"replies","order":"desc"}],"returnTotal":true,"limit":2}`},
		{"2026年每月的处理时长", `{"columns":["openedAt$month","handlingHours"],"slice":[{"field":"openedAt","op":"[)","value":["2026-01-01","2027-01-01"]}],"groupBy":[{"field":"openedAt$month"}],"orderBy":[{"field":"openedAt$month","order":"asc"}],"returnTotal":true}`},
		{"工单金额大于5000的工单有多少", `{"columns":["ticketCount"],"slice":[{"field":"ticketValue","op":">","value":5000}]}`},
	} {
		r := Read(Ask{Text: c.question, Models: models})
		switch {
		case c.want == "" && r.Answer != nil:
			t.Errorf("%s\n got %s", c.question, r.Answer.Query.JSON())
		case c.want != "" && r.Answer == nil:
			t.Errorf("%s\n is asked back: %s", c.question, r.Message)
		case c.want != "" && string(r.Answer.Query.JSON()) != c.want:
			t.Errorf("%s\n got  %s\n want %s", c.question, r.Answer.Query.JSON(), c.want)
		}
	}
}

func TestWhatIsNotUnderstoodIsNamed(t *testing.T) {
	models := desk(t)
	for _, c := range []struct {
		question string
		words    []string
		declined bool
	}{
		{"tickets by colour of the moon", []string{`"colour"`, `"moon"`, "ticket count", "status"}, false},
		{"weather", []string{`"weather"`, "tickets"}, false},
		{"按颜色统计工单数", []string{"颜色"}, false},
		{"tickets by", []string{`"by"`}, false},
		{"open questions", []string{`"questions"`}, false},
		{"delete the solved tickets", []string{"change nothing"}, true},
		{"how many tickets will we have next month", []string{"future"}, true},
		{"why are there so many tickets", []string{"reasons"}, true},
		{"预测下个月的工单数", []string{"预测"}, true},
		{strings.Repeat("tickets ", 20_000), []string{"too long"}, true},
		{"", []string{"tickets"}, false},
		{" \x00\x01\t\n", []string{"tickets"}, false},
	} {
		r := Read(Ask{Text: c.question, Models: models})
		if r.Answer != nil || r.Declined != c.declined {
			t.Errorf("%.60q: got %+v", c.question, r)
			continue
		}
		for _, w := range c.words {
			if !strings.Contains(r.Message, w) {
				t.Errorf("%.60q: %q does not say %s", c.question, r.Message, w)
			}
		}
	}
}

func TestSeveralReadingsAreChoicesThatRun(t *testing.T) {
	models := desk(t)
	for _, c := range []struct {
		question string
		choices  []string
	}{
		{"agent replies", []string{"Replies by agent (Tickets).", "Replies (Tickets)."}},
		{"top agents by replies", []string{
			"Replies by agent, only the one with the highest replies (Tickets).",
			"Replies by agent, only the 5 with the highest replies (Tickets).",
			"Replies by agent, only the 10 with the highest replies (Tickets).",
		}},
		{"top 5 agents", []string{
			"Ticket count by agent, only the 5 with the highest ticket count (Tickets).",
			"Replies by agent, only the 5 with the highest replies (Tickets).",
			"Handling time by agent, only the 5 with the highest handling time (Tickets).",
		}},
		{"show me the solved tickets", []string{
			"Ticket count, where status is Solved (Tickets).", "Replies, where status is Solved (Tickets).",
			"Handling time, where status is Solved (Tickets).",
		}},
	} {
		r := Read(Ask{Text: c.question, Models: models})
		var got []string
		for _, p := range r.Choices {
			got = append(got, p.Text)
			if p.Model != "Tickets" || p.Query == nil {
				t.Errorf("%s: the choice %q has no query", c.question, p.Text)
			}
		}
		if strings.Join(got, "|") != strings.Join(c.choices, "|") || r.Answer != nil || r.Message == "" {
			t.Errorf("%s\n got  %q %s\n want %q", c.question, got, r.Message, c.choices)
		}
	}
}

func TestWhatTheGrantHidesIsNoWord(t *testing.T) {
	m := tickets(t)
	if v := Index(m, access.Grant{}, nil); v != nil {
		t.Errorf("a closed grant gives %d phrases", len(v.phrases))
	}
	bare := []Asked{{Index(m, access.For(access.Identity{}, m), nil), time.Now()}}
	if r := Read(Ask{Text: "replies of Ada Byron", Models: bare}); r.Answer != nil || !strings.Contains(r.Message, "Ada Byron") {
		t.Errorf("a value that nobody gave is understood: %+v", r)
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"top 3 agents by replies in 2025", "已解决的工单有多少", "tickets between 5 and 10 by month", "not not by by top top 5",
		"sales'; drop table x; --", "最近三个月每周的回复数，从高到低", "2024-02-30 to 99年", "1e9 \x00 tickets", "５月 tickets ≥ 5k", "the", "last 999 years tickets",
	} {
		f.Add(seed)
	}
	models := desk(f)
	f.Fuzz(func(t *testing.T, text string) {
		r := Read(Ask{Text: text, Models: models})
		if (r.Answer == nil) == (r.Message == "") || len(r.Choices) > maxChoices || r.Answer != nil && len(r.Choices) > 0 {
			t.Fatalf("got %+v", r)
		}
		proposals := r.Choices
		if r.Answer != nil {
			proposals = append(proposals, *r.Answer)
		}
		for _, p := range proposals {
			if p.Text == "" || p.Model == "" || len(p.Query.Columns) == 0 {
				t.Fatalf("got %+v", p)
			}
			for _, c := range p.Query.Columns {
				if _, err := query.ParseColumn(c.String()); err != nil {
					t.Fatalf("the column %q does not parse: %v", c.String(), err)
				}
			}
		}
	})
}
