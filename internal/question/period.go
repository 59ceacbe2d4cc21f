package question

import (
	"time"

	"parlance/internal/semantic"
)

// period is a stretch of days [from, to); a zero end is open. Unit is the grain that it is one of, or NoGrain.
type period struct {
	from, to time.Time
	unit     semantic.Grain
	assumed  bool // the year was not said
	end      bool // only its last day is meant: at the end of 2023
}

// almanac reads the periods of a question as one model's calendar has them.
type almanac struct {
	*line
	today time.Time // midnight, UTC, standing for the wall date
	week  time.Weekday
}

// almanacOf returns the almanac of a model. The day is the calendar's fixed one, or that of now in its zone.
func almanacOf(l *line, c semantic.Calendar, now time.Time) *almanac {
	a := &almanac{line: l, week: c.WeekStart}
	fixed, err := time.Parse(time.DateOnly, c.Today.Fixed)
	if err == nil {
		a.today = fixed
		return a
	}
	if c.Zone != nil {
		now = now.In(c.Zone)
	}
	y, m, d := now.Date()
	a.today = day(y, m, d)
	return a
}

func day(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }

func yearOf(y int) period {
	return period{from: day(y, 1, 1), to: day(y+1, 1, 1), unit: semantic.Year}
}

func quarterOf(y, q int) period {
	from := day(y, time.Month(3*q-2), 1)
	return period{from: from, to: from.AddDate(0, 3, 0), unit: semantic.Quarter}
}

func monthOf(y, m int) period {
	from := day(y, time.Month(m), 1)
	return period{from: from, to: from.AddDate(0, 1, 0), unit: semantic.Month}
}

func halfOf(y, h int) period {
	from := day(y, time.Month(6*h-5), 1)
	return period{from: from, to: from.AddDate(0, 6, 0)}
}

// spans returns the range as a period; an unreadable day leaves its end open.
func (r *TimeRange) spans() []period {
	if r == nil {
		return nil
	}
	from, _ := time.Parse(time.DateOnly, r.From)
	to, err := time.Parse(time.DateOnly, r.To)
	if err == nil {
		to = to.AddDate(0, 0, 1)
	}
	if from.IsZero() && to.IsZero() || !to.IsZero() && !from.Before(to) {
		return nil
	}
	return []period{{from: from, to: to}}
}

// weekOf returns an ISO week of a year.
func weekOf(y, n int) period {
	first := day(y, 1, 4)
	monday := first.AddDate(0, 0, -int((first.Weekday()+6)%7))
	from := monday.AddDate(0, 0, 7*(n-1))
	return period{from: from, to: from.AddDate(0, 0, 7), unit: semantic.Week}
}

// weekIn reports whether a year has an ISO week: few have a 53rd.
func weekIn(y, n int) bool {
	if n < 1 || n > 53 {
		return false
	}
	of, _ := weekOf(y, n).from.ISOWeek()
	return of == y
}

// dayOf returns one day, or false when the month does not have it.
func dayOf(y, m, d int) (period, bool) {
	from := day(y, time.Month(m), d)
	if int(from.Month()) != m || from.Day() != d {
		return period{}, false
	}
	return period{from: from, to: from.AddDate(0, 0, 1), unit: semantic.Day}, true
}

// current returns the period of a grain that holds today.
func (a *almanac) current(g semantic.Grain) period {
	y, m, _ := a.today.Date()
	switch g {
	case semantic.Year:
		return yearOf(y)
	case semantic.Quarter:
		return quarterOf(y, (int(m)+2)/3)
	case semantic.Month:
		return monthOf(y, int(m))
	case semantic.Week:
		from := a.today.AddDate(0, 0, -int((a.today.Weekday()-a.week+7)%7))
		return period{from: from, to: from.AddDate(0, 0, 7), unit: semantic.Week}
	case semantic.NoGrain, semantic.Day, semantic.Hour:
	}
	return period{from: a.today, to: a.today.AddDate(0, 0, 1), unit: semantic.Day}
}

// shifted returns the period of a grain that lies n before or after the one that holds today.
func (a *almanac) shifted(g semantic.Grain, n int) period {
	p := a.current(g)
	return period{from: moved(p.from, g, n), to: moved(p.to, g, n), unit: g}
}

// recent returns the n units that end today, today included.
func (a *almanac) recent(g semantic.Grain, n int) period {
	to := a.today.AddDate(0, 0, 1)
	return period{from: moved(to, g, -n), to: to}
}

// moved steps n units from a day; a month's end stays within the month that it reaches.
func moved(d time.Time, g semantic.Grain, n int) time.Time {
	switch g {
	case semantic.Year:
		return months(d, 12*n)
	case semantic.Quarter:
		return months(d, 3*n)
	case semantic.Month:
		return months(d, n)
	case semantic.Week:
		return d.AddDate(0, 0, 7*n)
	case semantic.NoGrain, semantic.Day, semantic.Hour:
	}
	return d.AddDate(0, 0, n)
}

func months(d time.Time, n int) time.Time {
	first := day(d.Year(), d.Month()+time.Month(n), 1)
	last := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(d.Day(), last)-1)
}

// periodsAt returns the periods that start at token i, ranges and single ones.
func (a *almanac) periodsAt(i int) []sense {
	var found []sense
	emit := func(p period, end int, ok bool) {
		if ok {
			found = append(found, sense{kind: span, from: i, to: end, cost: costWord, span: &p})
		}
	}
	emit(a.rangeAt(i))
	emit(a.pointAt(i))
	emit(a.endAt(i))
	if d, end, ok := a.weekdayAt(i); ok {
		found = append(found, sense{kind: dayName, from: i, to: end, cost: costWord, n: int(d)})
	}
	return found
}

// endAt reads at the end of 2023, 2023年底.
func (a *almanac) endAt(i int) (period, int, bool) {
	at := a.past(i, "at")
	at = a.past(at, "the")
	if a.phrase(at, 2) == "end of" {
		if p, end, ok := a.pointAt(at + 2); ok && !p.assumed {
			p.end = true
			return p, end, true
		}
		return period{}, i, false
	}
	p, end, ok := a.pointAt(i)
	if ok && p.unit != semantic.NoGrain && (isOneOf(a.fold(end), "底", "末") || a.phrase(end, 2) == "年 底") {
		p.end = true
		return p, a.past(a.past(end, "年"), "底"), true
	}
	return period{}, i, false
}

// openings stand before a period that is only one end of what is meant.
var openings = map[string]func(p period) period{
	"since":                  func(p period) period { return period{from: p.from} },
	"after":                  func(p period) period { return period{from: p.to} },
	"before":                 func(p period) period { return period{to: p.from} },
	"until":                  func(p period) period { return period{to: p.to} },
	"till":                   func(p period) period { return period{to: p.to} },
	"through":                func(p period) period { return period{to: p.to} },
	"up to":                  func(p period) period { return period{to: p.to} },
	"as of":                  func(p period) period { return period{to: p.to} },
	"starting":               func(p period) period { return period{from: p.from} },
	"截 至":                    func(p period) period { return period{to: p.to} },
	"截 止":                    func(p period) period { return period{to: p.to} },
	"截 止 到":                  func(p period) period { return period{to: p.to} },
	"自 从":                    func(p period) period { return period{from: p.from} },
	"since the beginning of": func(p period) period { return period{from: p.from} },
	"since the start of":     func(p period) period { return period{from: p.from} },
	"from the start of":      func(p period) period { return period{from: p.from} },
	"until the end of":       func(p period) period { return period{to: p.to} },
	"up to the end of":       func(p period) period { return period{to: p.to} },
	"by the end of":          func(p period) period { return period{to: p.to} },
	"prior to":               func(p period) period { return period{to: p.from} },
	"the year to":            func(p period) period { return period{from: months(p.to, -12), to: p.to} },
	"year to":                func(p period) period { return period{from: months(p.to, -12), to: p.to} },
}

// endings stand behind it.
var endings = map[string]func(p period) period{
	"以 来": func(p period) period { return period{from: p.from} },
	"起":   func(p period) period { return period{from: p.from} },
	"开 始": func(p period) period { return period{from: p.from} },
	"之 后": func(p period) period { return period{from: p.to} },
	"以 后": func(p period) period { return period{from: p.to} },
	"之 前": func(p period) period { return period{to: p.from} },
	"以 前": func(p period) period { return period{to: p.from} },
	"至 今": func(p period) period { return period{from: p.from} },

	"onward":    func(p period) period { return period{from: p.from} },
	"and later": func(p period) period { return period{from: p.from} },
	"or later":  func(p period) period { return period{from: p.from} },
	"and after": func(p period) period { return period{from: p.from} },
}

// rangeAt reads a range: between A and B, from A to B, A到B, since A, A之前.
func (a *almanac) rangeAt(i int) (period, int, bool) {
	for n := 5; n > 0; n-- {
		if open := openings[a.phrase(i, n)]; open != nil {
			if p, end, ok := a.pointAt(i + n); ok {
				q := open(p)
				q.assumed = p.assumed
				return q, end, true
			}
		}
	}
	start, joins := i, []string{"to", "until", "till", "through", "-", "~", "到", "至"}
	switch a.fold(i) {
	case "between":
		start, joins = i+1, []string{"and"}
	case "from", "从", "自":
		start++
	}
	p, at, ok := a.pointAt(start)
	if !ok {
		return a.partsAt(i, start, joins)
	}
	if isOneOf(a.fold(at), joins...) {
		q, end, ok := a.otherEnd(at+1, p)
		if ok && q.from.After(p.from) {
			return period{from: p.from, to: q.to, assumed: p.assumed && q.assumed}, end, true
		}
		return period{}, i, false
	}
	for n := 2; n > 0; n-- {
		if ending := endings[a.phrase(at, n)]; ending != nil {
			return ending(p), at + n, true
		}
	}
	return period{}, i, false
}

// otherEnd reads the second end of a range; a part without a year has that of the first end.
func (a *almanac) otherEnd(i int, first period) (period, int, bool) {
	if d, m, end, ok := a.dayMonth(i); ok {
		if _, _, own := a.dayMonthYear(i); own {
			return a.pointAt(i)
		}
		p, ok := dayOf(first.from.Year(), m, d)
		return p, end, ok
	}
	if part, end, ok := a.part(i); ok {
		if _, _, own := a.partOfYear(i); !own {
			return part(first.from.Year()), end, true
		}
	}
	if part, end, ok := a.hanBarePart(i); ok {
		return part(first.from.Year()), end, true
	}
	return a.pointAt(i)
}

// partsAt reads a range whose first end has the year of the second: January to March 2024.
func (a *almanac) partsAt(i, start int, joins []string) (period, int, bool) {
	part, at, ok := a.part(start)
	if !ok || !isOneOf(a.fold(at), joins...) {
		return period{}, i, false
	}
	q, end, ok := a.pointAt(at + 1)
	if !ok || q.unit != semantic.Month && q.unit != semantic.Quarter {
		return period{}, i, false
	}
	if p := part(q.from.Year()); p.unit == q.unit && q.from.After(p.from) {
		return period{from: p.from, to: q.to}, end, true
	}
	return period{}, i, false
}

// fold returns the folded text of a token, "" past the end.
func (a *almanac) fold(i int) string {
	if i < 0 || i >= len(a.tokens) {
		return ""
	}
	return a.tokens[i].fold
}

func (a *almanac) phrase(i, n int) string {
	if i < 0 || i >= len(a.tokens) || n > len(a.runs[i]) {
		return ""
	}
	return a.runs[i][n-1].key
}
