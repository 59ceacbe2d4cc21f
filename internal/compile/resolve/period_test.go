package resolve_test

import (
	"encoding/json"
	"testing"
	"time"

	"parlance/internal/compile/resolve"
	"parlance/internal/semantic"
)

// filter resolves one condition and returns what it keeps.
func filter(t *testing.T, m *semantic.Model, field, op string, value any) (*resolve.Query, error) {
	t.Helper()
	data, err := json.Marshal(map[string]any{
		"columns": []string{"page"}, "slice": []any{map[string]any{"field": field, "op": op, "value": value}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return resolved(t, m, string(data))
}

// TestPeriods reads every spelling of a period (decision 43) and compares what it is resolved to: [from, to). Today is
// Thursday 2024-08-15.
func TestPeriods(t *testing.T) {
	m := visits(t, utc)
	for _, c := range []struct{ text, from, to string }{
		{"2024-03-05", "2024-03-05", "2024-03-06"},
		{" 2024-03-05 ", "2024-03-05", "2024-03-06"},
		{"2024-02-29", "2024-02-29", "2024-03-01"},
		{"2024-12-31", "2024-12-31", "2025-01-01"},
		{"2024", "2024-01-01", "2025-01-01"},
		{"2024-02", "2024-02-01", "2024-03-01"},
		{"2024-12", "2024-12-01", "2025-01-01"},
		{"2024-Q1", "2024-01-01", "2024-04-01"},
		{"2024q4", "2024-10-01", "2025-01-01"},
		{"2024-W01", "2024-01-01", "2024-01-08"},
		{"2024-w05", "2024-01-29", "2024-02-05"},
		{"2020W53", "2020-12-28", "2021-01-04"},
		{"2021-W01", "2021-01-04", "2021-01-11"},
		{"today", "2024-08-15", "2024-08-16"},
		{"Today", "2024-08-15", "2024-08-16"},
		{"yesterday", "2024-08-14", "2024-08-15"},
		{"tomorrow", "2024-08-16", "2024-08-17"},
		{"-1d", "2024-08-14", "2024-08-15"},
		{"-7d", "2024-08-08", "2024-08-09"},
		{"+1d", "2024-08-16", "2024-08-17"},
		{"-1w", "2024-08-08", "2024-08-09"},
		{"-1m", "2024-07-15", "2024-07-16"},
		{"-6m", "2024-02-15", "2024-02-16"},
		{"-1q", "2024-05-15", "2024-05-16"},
		{"-1y", "2023-08-15", "2023-08-16"},
		{"this day", "2024-08-15", "2024-08-16"},
		{"this week", "2024-08-12", "2024-08-19"},
		{"this month", "2024-08-01", "2024-09-01"},
		{"this quarter", "2024-07-01", "2024-10-01"},
		{"this year", "2024-01-01", "2025-01-01"},
		{"last week", "2024-08-05", "2024-08-12"},
		{"last  MONTH", "2024-07-01", "2024-08-01"},
		{"last quarter", "2024-04-01", "2024-07-01"},
		{"last year", "2023-01-01", "2024-01-01"},
		{"next week", "2024-08-19", "2024-08-26"},
		{"next month", "2024-09-01", "2024-10-01"},
		{"next year", "2025-01-01", "2026-01-01"},
		{"last 1 day", "2024-08-15", "2024-08-16"},
		{"last 7 days", "2024-08-09", "2024-08-16"},
		{"last 30 days", "2024-07-17", "2024-08-16"},
		{"last 2 weeks", "2024-08-02", "2024-08-16"},
		{"last 3 months", "2024-05-16", "2024-08-16"},
		{"last 1 year", "2023-08-16", "2024-08-16"},
	} {
		q, err := filter(t, m, "day", "=", c.text)
		if err != nil {
			t.Errorf("%q is refused: %v", c.text, err)
			continue
		}
		if got := q.Ranges[0]; got.From != c.from || got.To != c.to || len(q.Ranges) != 1 {
			t.Errorf("%q is %v, want %s to %s", c.text, q.Ranges, c.from, c.to)
		}
	}
}

func TestWhatIsNoPeriod(t *testing.T) {
	m := visits(t, utc)
	for _, text := range []string{
		"", " ", "now-ish", "2024-02-30", "2023-02-29", "2024-13", "2024-00", "2024-Q5", "2024-Q0", "2024-W00", "2024-W54", "2023-W53",
		"24-01-01", "2024-1-5", "2024/03/05", "05.03.2024", "20240305", "last 0 days", "last -1 days", "last days", "7d", "-d", "-7x", "-7 days",
		"last fortnight", "this", "last", "month", "2024-01-01..2024-02-01", "2024-03-05T14", "14:30", "today'--", "２０２４",
	} {
		if _, err := filter(t, m, "day", "=", text); reason(err) != "bad_value" {
			t.Errorf("%q: %v, want bad_value", text, err)
		}
	}
}

// TestOperatorsOnPeriods is the table of decision 43: what each operator makes of a value that names [s, e).
func TestOperatorsOnPeriods(t *testing.T) {
	m := visits(t, utc)
	for _, c := range []struct {
		field, op string
		value     any
		want      string
	}{
		{"day", "=", "2024-02", "((day >= 2024-02-01) and (day < 2024-03-01))"},
		{"day", "=", "2024-02-03", "(day = 2024-02-03)"},
		{"day", "===", "2024-02-03", "(day = 2024-02-03)"},
		{"day", "!=", "2024-02", "not(((day >= 2024-02-01) and (day < 2024-03-01)))"},
		{"day", ">", "2024-02", "(day >= 2024-03-01)"},
		{"day", ">=", "2024-02", "(day >= 2024-02-01)"},
		{"day", "<", "2024-02", "(day < 2024-02-01)"},
		{"day", "<=", "2024-02", "(day < 2024-03-01)"},
		{"day", "[]", []any{"2024-01", "2024-02"}, "((day >= 2024-01-01) and (day < 2024-03-01))"},
		{"day", "[)", []any{"2024-01", "2024-02"}, "((day >= 2024-01-01) and (day < 2024-02-01))"},
		{"day", "(]", []any{"2024-01", "2024-02"}, "((day >= 2024-02-01) and (day < 2024-03-01))"},
		{"day", "()", []any{"2024-01", "2024-02"}, "((day >= 2024-02-01) and (day < 2024-02-01))"},
		{"day", "[]", []any{nil, "2024-02"}, "(day < 2024-03-01)"},
		{"day", "(]", []any{"2024-02", nil}, "(day >= 2024-03-01)"},
		{"day", "in", []any{"2024-02", "2024-03-05"}, "(((day >= 2024-02-01) and (day < 2024-03-01)) or (day = 2024-03-05))"},
		{"day", "=", "2024-02-03T00:00:00", "(day = 2024-02-03)"},
		{"day", "=", nil, "is_null(day)"},

		{"wall", "=", "2024-02-03", "((wall >= 2024-02-03T00:00:00) and (wall < 2024-02-04T00:00:00))"},
		{"wall", ">", "2024-02-03", "(wall >= 2024-02-04T00:00:00)"},
		{"wall", "<=", "2024-02-03", "(wall < 2024-02-04T00:00:00)"},
		{"wall", "[]", []any{"2024-01-01", "2024-01-31"}, "((wall >= 2024-01-01T00:00:00) and (wall < 2024-02-01T00:00:00))"},
		{"wall", "()", []any{"2024-01-01", "2024-01-31"}, "((wall >= 2024-01-02T00:00:00) and (wall < 2024-01-31T00:00:00))"},
		{"wall", "=", "2024-02-03T10:30", "(wall = 2024-02-03T10:30:00)"},
		{"wall", ">", "2024-02-03 10:30:15.25", "(wall > 2024-02-03T10:30:15.25)"},
		{"wall", "[)", []any{"2024-02-03T10:30", "2024-02-04"}, "((wall >= 2024-02-03T10:30:00) and (wall < 2024-02-04T00:00:00))"},
		{"wall", ">", "2024-02-03T10:30:00+02:00", "(wall > 2024-02-03T08:30:00)"},
	} {
		q, err := filter(t, m, c.field, c.op, c.value)
		if err != nil {
			t.Errorf("%s %s %v: %v", c.field, c.op, c.value, err)
			continue
		}
		if got := shown(q.Rows); got != c.want {
			t.Errorf("%s %s %v\n got %s\nwant %s", c.field, c.op, c.value, got, c.want)
		}
	}
}

// TestDaysOfZones compares the bounds of days that a zone's clock cuts short or makes longer.
func TestDaysOfZones(t *testing.T) {
	for _, c := range []struct{ zone, text, from, to string }{
		{"UTC", "2024-03-31", "2024-03-31T00:00:00Z", "2024-04-01T00:00:00Z"},
		{"Europe/Berlin", "2024-03-31", "2024-03-31T00:00:00+01:00", "2024-04-01T00:00:00+02:00"}, // 23 hours
		{"Europe/Berlin", "2024-10-27", "2024-10-27T00:00:00+02:00", "2024-10-28T00:00:00+01:00"}, // 25 hours
		{"Europe/Berlin", "2024-03", "2024-03-01T00:00:00+01:00", "2024-04-01T00:00:00+02:00"},
		{"America/New_York", "2024-11-03", "2024-11-03T00:00:00-04:00", "2024-11-04T00:00:00-05:00"},
		{"Asia/Shanghai", "2024-08-15", "2024-08-15T00:00:00+08:00", "2024-08-16T00:00:00+08:00"},
		{"Asia/Beirut", "2024-03-31", "2024-03-31T01:00:00+03:00", "2024-04-01T00:00:00+03:00"}, // begins at one o'clock
		{"Asia/Beirut", "2024-03-30", "2024-03-30T00:00:00+02:00", "2024-03-31T01:00:00+03:00"},
	} {
		q, err := filter(t, visits(t, in(t, c.zone)), "instant", "=", c.text)
		if err != nil {
			t.Fatalf("%s in %s: %v", c.text, c.zone, err)
		}
		if got := q.Ranges[0]; !same(t, got.From, c.from) || !same(t, got.To, c.to) {
			t.Errorf("%s in %s is %s to %s, want %s to %s", c.text, c.zone, got.From, got.To, c.from, c.to)
		}
	}
}

// TestInstantsKeepTheirOffset compares points in time that a wall clock shows twice.
func TestInstantsKeepTheirOffset(t *testing.T) {
	berlin := visits(t, in(t, "Europe/Berlin"))
	for _, text := range []string{
		"2024-10-27T00:30:00Z", "2024-10-27T01:30:00Z", "2024-10-27T02:30:00+02:00", "2024-10-27T02:30:00+01:00", "2024-06-01T12:00:00-05:00",
	} {
		q, err := filter(t, berlin, "instant", ">", text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		bound := q.Rows.(*resolve.Op).Args[1].(resolve.Literal).V.Text
		if !same(t, bound, text) {
			t.Errorf("%s became %s", text, bound)
		}
	}
}

// TestTodayIsOfTheZone: the tests' clock is 23:30 UTC, when it is tomorrow in Shanghai already.
func TestTodayIsOfTheZone(t *testing.T) {
	for zone, want := range map[string]string{"UTC": "2024-08-15", "Asia/Shanghai": "2024-08-16", "America/New_York": "2024-08-15"} {
		c := in(t, zone)
		c.Today = semantic.Today{}
		q, err := filter(t, visits(t, c), "day", "=", "today")
		if err != nil {
			t.Fatal(err)
		}
		if got := q.Ranges[0].From; got != want {
			t.Errorf("today in %s is %s, want %s", zone, got, want)
		}
	}
}

func TestWeeksBeginWhereTheModelSays(t *testing.T) {
	for start, want := range map[time.Weekday]string{time.Monday: "2024-08-12", time.Sunday: "2024-08-11", time.Saturday: "2024-08-10", time.Thursday: "2024-08-15"} {
		c := utc
		c.WeekStart = start
		q, err := filter(t, visits(t, c), "day", "=", "this week")
		if err != nil {
			t.Fatal(err)
		}
		if got := q.Ranges[0].From; got != want {
			t.Errorf("a week that begins on %s begins on %s, want %s", start, got, want)
		}
	}
}

// TestMonthsEndWithinTheMonth: a month before the 31st is the last day of the shorter month.
func TestMonthsEndWithinTheMonth(t *testing.T) {
	for _, c := range []struct{ today, text, want string }{
		{"2024-03-31", "-1m", "2024-02-29"}, {"2023-03-31", "-1m", "2023-02-28"}, {"2024-02-29", "-1y", "2023-02-28"},
		{"2024-05-31", "-1q", "2024-02-29"}, {"2024-01-31", "+1m", "2024-02-29"}, {"2024-12-31", "last 1 month", "2024-12-01"},
	} {
		calendar := utc
		calendar.Today = semantic.Today{Fixed: c.today}
		q, err := filter(t, visits(t, calendar), "day", "=", c.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := q.Ranges[0].From; got != c.want {
			t.Errorf("%s on %s is %s, want %s", c.text, c.today, got, c.want)
		}
	}
}

func in(t *testing.T, zone string) semantic.Calendar {
	t.Helper()
	location, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	c := utc
	c.Zone = location
	return c
}

func same(t *testing.T, a, b string) bool {
	t.Helper()
	x, err := time.Parse(time.RFC3339Nano, a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := time.Parse(time.RFC3339Nano, b)
	if err != nil {
		t.Fatal(err)
	}
	return x.Equal(y)
}
