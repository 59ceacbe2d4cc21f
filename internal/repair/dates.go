package repair

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"parlance/internal/query"
)

var (
	yearFirst  = regexp.MustCompile(`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$`)
	together   = regexp.MustCompile(`^(\d{4})(\d{2})(\d{2})$`)
	yearLast   = regexp.MustCompile(`^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$`)
	chinese    = regexp.MustCompile(`^(\d{4})年(\d{1,2})月(?:(\d{1,2})日)?$`)
	yearMonth  = regexp.MustCompile(`^(\d{4})[-/.](\d{1,2})$`)
	monthYear  = regexp.MustCompile(`^(\d{1,2})[-/](\d{4})$`)
	quarterOf  = regexp.MustCompile(`^(?:q([1-4])[ /-]?(\d{4})|(\d{4})[ /]?q([1-4])|([1-4])q[ -]?(\d{4}))$`)
	stampStart = regexp.MustCompile(`^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2})?`)
	relative   = regexp.MustCompile(`^(last|past|previous|prior|recent|this|current|next)(?:(\d+))?(day|week|month|quarter|year)s?$`)
)

// months are the layouts of dates that name their month.
var months = []struct{ layout, as string }{
	{"January 2, 2006", "2006-01-02"}, {"January 2 2006", "2006-01-02"}, {"2 January 2006", "2006-01-02"},
	{"Jan 2, 2006", "2006-01-02"}, {"Jan 2 2006", "2006-01-02"}, {"2 Jan 2006", "2006-01-02"}, {"2-Jan-2006", "2006-01-02"},
	{"2006 January 2", "2006-01-02"}, {"2006-Jan-02", "2006-01-02"},
	{"January 2006", "2006-01"}, {"Jan 2006", "2006-01"}, {"Jan-2006", "2006-01"}, {"2006 January", "2006-01"}, {"2006 Jan", "2006-01"},
}

// periodOf writes a day or a period in the way that filters read it. A text that could be two days is none.
func periodOf(s string) (string, bool) {
	s = strings.TrimSpace(s)
	for _, ymd := range []*regexp.Regexp{yearFirst, together, chinese} {
		if p := ymd.FindStringSubmatch(s); p != nil && p[3] != "" {
			return dayText(p[1], p[2], p[3])
		}
	}
	if p := chinese.FindStringSubmatch(s); p != nil {
		return monthText(p[1], p[2])
	}
	if p := yearLast.FindStringSubmatch(s); p != nil {
		return oneReading(p[1], p[2], p[3])
	}
	if p := yearMonth.FindStringSubmatch(s); p != nil {
		return monthText(p[1], p[2])
	}
	if p := monthYear.FindStringSubmatch(s); p != nil {
		return monthText(p[2], p[1])
	}
	if p := quarterOf.FindStringSubmatch(strings.ToLower(s)); p != nil {
		return p[2] + p[3] + p[6] + "-Q" + p[1] + p[4] + p[5], true
	}
	for _, m := range months {
		if d, err := time.Parse(m.layout, titled(s)); err == nil {
			return d.Format(m.as), true
		}
	}
	return relativeOf(s)
}

// oneReading reads day and month, in whatever order, where only one order is a date, or both are the same.
func oneReading(a, b, year string) (string, bool) {
	first, ok := dayText(year, a, b)
	second, also := dayText(year, b, a)
	switch {
	case ok && also && first != second, !ok && !also:
		return "", false
	case ok:
		return first, true
	}
	return second, true
}

func dayText(year, month, day string) (string, bool) {
	d := time.Date(atoi(year), time.Month(atoi(month)), atoi(day), 0, 0, 0, 0, time.UTC)
	return d.Format(time.DateOnly), d.Day() == atoi(day) && int(d.Month()) == atoi(month) && d.Year() >= 1000
}

func monthText(year, month string) (string, bool) {
	return fmt.Sprintf("%s-%02d", year, atoi(month)), atoi(month) >= 1 && atoi(month) <= 12
}

// titled writes every word with a capital, as Go's layouts name months.
func titled(s string) string {
	parts := strings.Fields(strings.ToLower(strings.ReplaceAll(s, "sept ", "sep ")))
	for i, w := range parts {
		for _, piece := range strings.Split(w, "-") {
			if piece != "" && piece[0] >= 'a' && piece[0] <= 'z' {
				w = strings.Replace(w, piece, strings.ToUpper(piece[:1])+piece[1:], 1)
			}
		}
		parts[i] = w
	}
	return strings.Join(parts, " ")
}

// relativeOf reads last_30_days, PREVIOUS_MONTH and currentYear.
func relativeOf(s string) (string, bool) {
	p := relative.FindStringSubmatch(folded(s))
	if p == nil {
		return "", false
	}
	near := map[string]string{"past": "last", "previous": "last", "prior": "last", "recent": "last", "current": "this"}[p[1]]
	if near == "" {
		near = p[1]
	}
	switch {
	case p[2] == "" && p[1] == "past":
		return "", false // the last whole month, or the month up to today
	case p[2] == "":
		return near + " " + p[3], true
	case near == "last":
		return near + " " + p[2] + " " + p[3] + "s", true
	}
	return "", false
}

// dayOf takes the time of day from a value that is compared with a date: where it is the day that counts, and where
// the time only says that the whole last day is meant.
func (m *mistake) dayOf(s string) (string, bool) {
	p := stampStart.FindStringSubmatch(s)
	if p == nil {
		return "", false
	}
	_, condition := m.condition()
	op, given := condition.Get("op")
	known, _ := query.ParseOp(op.Text)
	upper := m.at.last() == "1" || m.at.last() == "value" && known == query.LessEqual
	switch {
	case !given || known == query.Equal || known == query.NotEqual || known == query.InList || known == query.NotInList:
		return p[1], true
	case p[2] == "23:59" && upper && (known == query.LessEqual || known == query.ClosedInterval || known == query.LeftOpenInterval):
		return p[1], true
	}
	return "", false
}
