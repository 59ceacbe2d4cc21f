package resolve

import (
	"strconv"
	"time"

	"parlance/internal/query"
)

// stretch is some wall days [from, to).
type stretch struct{ from, to time.Time }

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

func grainAround(g query.Grain, at time.Time) (from, to time.Time) {
	y, m, _ := at.Date()
	switch g {
	case query.WeekGrain:
		from = weekOf(at, time.Monday)
		return from, from.AddDate(0, 0, 7)
	case query.MonthGrain:
		return day(y, int(m), 1), day(y, int(m)+1, 1)
	case query.QuarterGrain:
		first := (int(m)-1)/3*3 + 1
		return day(y, first, 1), day(y, first+3, 1)
	case query.YearGrain:
		return day(y, 1, 1), day(y+1, 1, 1)
	case query.DayGrain:
	}
	return at, at.AddDate(0, 0, 1)
}

func grainLabel(g query.Grain, from time.Time) string {
	switch g {
	case query.WeekGrain:
		y, w := from.ISOWeek()
		return strconv.Itoa(y) + "-W" + twoDigits(w)
	case query.MonthGrain:
		return from.Format("2006-01")
	case query.QuarterGrain:
		return from.Format("2006") + "-Q" + strconv.Itoa((int(from.Month())+2)/3)
	case query.YearGrain:
		return from.Format("2006")
	case query.DayGrain:
	}
	return from.Format(time.DateOnly)
}

func twoDigits(n int) string {
	if n < 10 {
		return "0" + strconv.Itoa(n)
	}
	return strconv.Itoa(n)
}

// beside returns the stretch of time that a period [from, to) is set beside.
func (c *clauses) beside(t *query.TimeWindow, from, to time.Time) stretch {
	switch t.Comparison {
	case query.YearOnYear:
		return yearBefore(t.Grain, from, to)
	case query.MonthOnMonth:
		return monthsBefore(t.Grain, from, to, 1)
	case query.WeekOnWeek:
		return stretch{from.AddDate(0, 0, -7), to.AddDate(0, 0, -7)}
	case query.YearToDate:
		return stretch{c.today.calendar.YearStart(to.AddDate(0, 0, -1)), to}
	case query.MonthToDate:
		last := to.AddDate(0, 0, -1)
		return stretch{day(last.Year(), int(last.Month()), 1), to}
	case query.Rolling7:
		return stretch{to.AddDate(0, 0, -7), to}
	case query.Rolling30:
		return stretch{to.AddDate(0, 0, -30), to}
	case query.Rolling90:
	}
	return stretch{to.AddDate(0, 0, -90), to}
}

// yearBefore is the same stretch one year earlier; of a week, the days of the week of the same ISO number.
func yearBefore(g query.Grain, from, to time.Time) stretch {
	if g != query.WeekGrain {
		return monthsBefore(g, from, to, 12)
	}
	monday := weekOf(from, time.Monday)
	y, w := monday.ISOWeek()
	p, ok := isoWeek(y-1, w)
	if !ok {
		return stretch{}
	}
	return stretch{p.from.Add(from.Sub(monday)), p.from.Add(to.Sub(monday))}
}

// monthsBefore moves a stretch back by months. A day moves as a day, so the last of February is one day in any year.
func monthsBefore(g query.Grain, from, to time.Time, n int) stretch {
	if g == query.DayGrain {
		d := addMonths(from, -n)
		return stretch{d, d.AddDate(0, 0, 1)}
	}
	last := addMonths(to.AddDate(0, 0, -1), -n)
	if end := to.AddDate(0, 0, -1); end.AddDate(0, 0, 1).Day() == 1 {
		last = day(last.Year(), int(last.Month())+1, 0)
	}
	return stretch{addMonths(from, -n), last.AddDate(0, 0, 1)}
}
