package question

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parlance/internal/semantic"
)

func TestTokens(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Top 5 Categories, by revenue?", "top 5 category , by revenue"},
		{"customers' monthly status", "customer month status"},
		{"the store's sales", "the store sale"},
		{"daily taxes of branches", "day tax of branch"},
		{"company-owned A/B order_status", "company owned a , b order status"},
		{"销售额VIP客户top5", "销 售 额 vip 客 户 top5"},
		{"ＡＢＣ　１２３，和", "abc 123 , 和"},
		{"200,000 1,5 1.25m 2024-03", "200000 1 , 5 1.25 m 2024 - 03"},
		{"a >= 5 & <6", "a >= 5 & < 6"},
		{"\x00\x1b[31m\u202e\xff", "31 m"},
		{"'\"`();:", ","},
	} {
		var words []string
		for _, k := range tokenise(c.text) {
			words = append(words, k.word)
		}
		if got := strings.Join(words, " "); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"200,000", "200000"},
		{"1.2m", "1200000"},
		{"5k", "5000"},
		{"$ 3 million", "3000000"},
		{"twelve", "12"},
		{"0.125", "0.125"},
		{"20万", "200000"},
		{"三", "3"},
		{"十二", "12"},
		{"二十五", "25"},
		{"三千万", "30000000"},
		{"一百二十", "120"},
		{"两千三百", "2300"},
		{"一亿五千万", "150000000"},
		{"twenty five", "25"},
		{"two hundred and fifty thousand", "250000"},
		{"half a million", "500000"},
		{"a hundred", "100"},
		{"a dozen", "12"},
		{"1亿", "100000000"},
		{"many", ""},
		{"", ""},
		{"$", ""},
		{strings.Repeat("9", 40), ""},
	} {
		n, end, ok := numberAt(tokenise(c.text), 0)
		switch {
		case ok != (c.want != ""):
			t.Errorf("%q: got %v", c.text, n)
		case ok && (plain(n) != c.want || end != len(tokenise(c.text))):
			t.Errorf("%q: got %s up to %d", c.text, plain(n), end)
		}
	}
}

// march is the last evening of a quarter, a Tuesday; east of here it is the next day.
var march = time.Date(2026, 3, 31, 22, 0, 0, 0, time.UTC)

func TestPeriods(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"2024", "2024-01-01 2025-01-01"},
		{"2024年", "2024-01-01 2025-01-01"},
		{"2024-02", "2024-02-01 2024-03-01"},
		{"2024-02-29", "2024-02-29 2024-03-01"},
		{"2024/2/9", "2024-02-09 2024-02-10"},
		{"Q2 2023", "2023-04-01 2023-07-01"},
		{"2023Q2", "2023-04-01 2023-07-01"},
		{"the first quarter of 2024", "2024-01-01 2024-04-01"},
		{"4th quarter last year", "2025-10-01 2026-01-01"},
		{"H2 2024", "2024-07-01 2025-01-01"},
		{"March 2024", "2024-03-01 2024-04-01"},
		{"Sept 2024", "2024-09-01 2024-10-01"},
		{"March 5, 2024", "2024-03-05 2024-03-06"},
		{"5th of March 2024", "2024-03-05 2024-03-06"},
		{"today", "2026-03-31 2026-04-01"},
		{"yesterday", "2026-03-30 2026-03-31"},
		{"this week", "2026-03-30 2026-04-06"},
		{"last week", "2026-03-23 2026-03-30"},
		{"last month", "2026-02-01 2026-03-01"},
		{"previous quarter", "2025-10-01 2026-01-01"},
		{"current year", "2026-01-01 2027-01-01"},
		{"last 7 days", "2026-03-25 2026-04-01"},
		{"the past three months", "2026-01-01 2026-04-01"},
		{"year to date", "2026-01-01 2026-04-01"},
		{"between 2024-03-01 and 2024-03-15", "2024-03-01 2024-03-16"},
		{"from January to March 2024", "2024-01-01 2024-04-01"},
		{"from 2022 to 2023", "2022-01-01 2024-01-01"},
		{"2022-2023", "2022-01-01 2024-01-01"},
		{"since March 2025", "2025-03-01 open"},
		{"after 2024", "2025-01-01 open"},
		{"before 2024-06-01", "open 2024-06-01"},
		{"until 2024", "open 2025-01-01"},
		{"2024年3月", "2024-03-01 2024-04-01"},
		{"2024年3月5日", "2024-03-05 2024-03-06"},
		{"2024年第一季度", "2024-01-01 2024-04-01"},
		{"今年二季度", "2026-04-01 2026-07-01"},
		{"去年下半年", "2025-07-01 2026-01-01"},
		{"2024年全年", "2024-01-01 2025-01-01"},
		{"前年", "2024-01-01 2025-01-01"},
		{"昨天", "2026-03-30 2026-03-31"},
		{"上个月", "2026-02-01 2026-03-01"},
		{"上季度", "2025-10-01 2026-01-01"},
		{"最近30天", "2026-03-02 2026-04-01"},
		{"近三个月", "2026-01-01 2026-04-01"},
		{"从2022年到2023年", "2022-01-01 2024-01-01"},
		{"2024年3月以来", "2024-03-01 open"},
		{"2024年之前", "open 2024-01-01"},

		{"2024-02-30", ""},
		{"2024-13", ""},
		{"March", "2026-03-01 2026-04-01"},
		{"Q4", "2025-10-01 2026-01-01"},
		{"in May", ""},
		{"may", ""},
		{"Q1 and Q2 2023", ""},
		{"first half", "2026-01-01 2026-07-01"},
		{"the last quarter of 2023", "2023-10-01 2024-01-01"},
		{"first three months of 2024", "2024-01-01 2024-04-01"},
		{"week 5 of 2024", "2024-01-29 2024-02-05"},
		{"2024-W05", "2024-01-29 2024-02-05"},
		{"two years ago", "2024-01-01 2025-01-01"},
		{"3 months ago", "2025-12-01 2026-01-01"},
		{"the past week", "2026-03-25 2026-04-01"},
		{"the year 2022", "2022-01-01 2023-01-01"},
		{"month to date", "2026-03-01 2026-04-01"},
		{"so far this year", "2026-01-01 2026-04-01"},
		{"from 2023 onwards", "2023-01-01 open"},
		{"since the beginning of 2024", "2024-01-01 open"},
		{"as of 2024-06-30", "open 2024-07-01"},
		{"March 2024 to May", "2024-03-01 2024-06-01"},
		{"2024年1-3月", "2024-01-01 2024-04-01"},
		{"今年1月到3月", "2026-01-01 2026-04-01"},
		{"24年", "2024-01-01 2025-01-01"},
		{"2024年第5周", "2024-01-29 2024-02-05"},
		{"2024年前三个月", "2024-01-01 2024-04-01"},
		{"近半年", "2025-10-01 2026-04-01"},
		{"最近两周", "2026-03-18 2026-04-01"},
		{"上上个月", "2026-01-01 2026-02-01"},
		{"年初至今", "2026-01-01 2026-04-01"},
		{"去年三季度", "2025-07-01 2025-10-01"},
		{"三季度", "2025-07-01 2025-10-01"},
		{"Q5 2024", ""},
		{"5 March", "2026-03-05 2026-03-06"},
		{"November 11", "2025-11-11 2025-11-12"},
		{"11月11日", "2025-11-11 2025-11-12"},
		{"last days", ""},
		{"last 0 days", ""},
		{"3月", "2026-03-01 2026-04-01"},
		{"1850", ""},
		{"from 2024 to 2022", ""},
	} {
		tokens := tokenise(c.text)
		a := almanacOf(lineOf(tokens, english), semantic.Calendar{Zone: time.UTC, WeekStart: time.Monday}, march)
		got := ""
		for _, s := range a.periodsAt(0) {
			if s.to == len(tokens) {
				got = bound(s.span.from) + " " + bound(s.span.to)
			}
		}
		if got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

func bound(at time.Time) string {
	if at.IsZero() {
		return "open"
	}
	return at.Format(time.DateOnly)
}

func TestTheDayIsTheCalendars(t *testing.T) {
	shanghai := time.FixedZone("UTC+8", 8*3600)
	for _, c := range []struct {
		calendar semantic.Calendar
		want     string
	}{
		{semantic.Calendar{Zone: time.UTC}, "2026-03-31"},
		{semantic.Calendar{Zone: shanghai}, "2026-04-01"},
		{semantic.Calendar{Zone: shanghai, Today: semantic.Today{Fixed: "2020-02-29"}}, "2020-02-29"},
	} {
		if got := almanacOf(nil, c.calendar, march).today.Format(time.DateOnly); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

func TestComparisonsAndRanks(t *testing.T) {
	v := &Vocabulary{units: map[string]bool{"hour": true}}
	for _, c := range []struct{ text, want string }{
		{"more than 5", "> 5"},
		{"at least 1.5k", ">= 1500"},
		{"no more than 3 hours", "<= 3"},
		{"5 or more", ">= 5"},
		{"between 5 and 10", "[] 5 10"},
		{"超过20万元", "> 200000"},
		{"100以上", ">= 100"},
		{"5到10之间", "[] 5 10"},
		{"top 5", "top 5"},
		{"bottom three", "bottom 3"},
		{"5 highest", "top 5"},
		{"前十名", "top 10"},
		{"最低的3个", "bottom 3"},
		{"more than enough", ""},
		{"5到10", ""},
	} {
		tokens := tokenise(c.text)
		got := ""
		for _, s := range append(v.comparisonsAt(tokens, 0), v.ranksAt(tokens, 0)...) {
			switch {
			case s.to != len(tokens) || s.mark == number:
			case s.kind == test:
				got = strings.TrimSpace(fmt.Sprintf("%s %s %s", s.test.op, s.test.a, s.test.b))
			case s.mark == rankTop:
				got = fmt.Sprintf("top %d", s.n)
			case s.mark == rankBottom:
				got = fmt.Sprintf("bottom %d", s.n)
			}
		}
		if got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

func TestSentences(t *testing.T) {
	models := desk(t)
	for question, sentence := range map[string]string{
		"tickets not on hold by shift in 2025": "Ticket count by shift, from 2025-01-01 to 2025-12-31, where status is not On hold (Tickets).",
		"tickets between 5 and 10 by shift":    "Ticket count by shift, where ticket value is between 5 and 10 (Tickets).",
		"bottom 2 shifts by tickets":           "Ticket count by shift, only the 2 with the lowest ticket count (Tickets).",
		"tickets since 2025":                   "Ticket count, from 2025-01-01 on (Tickets).",
		"handling time":                        "Handling time (Tickets).",
		"tickets by shift":                     "Ticket count by shift (Tickets).",
		"2025年各班次的工单数":                         "2025-01-01至2025-12-31，按班次统计工单数（工单）。",
		"回复数是多少":                               "回复数（工单）。",
	} {
		r := Read(Ask{Text: question, Models: models})
		if r.Answer == nil {
			t.Errorf("%s is asked back: %s", question, r.Message)
			continue
		}
		if r.Answer.Text != sentence {
			t.Errorf("%s: %s, want %s", question, r.Answer.Text, sentence)
		}
	}
}
