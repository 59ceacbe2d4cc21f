package resolve

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"parlance/internal/semantic"
	"parlance/internal/value"
)

// Range is a period that a filter was resolved to: From is in it, To is not; "" is open.
type Range struct{ Field, From, To string }

// today is what relative dates count from.
type today struct {
	day      time.Time // midnight, UTC, standing for the wall date in the model's zone
	calendar semantic.Calendar
}

func newToday(now time.Time, c semantic.Calendar) today {
	if d, err := time.Parse(time.DateOnly, c.Today.Fixed); err == nil {
		return today{d, c}
	}
	if c.Zone != nil {
		now = now.In(c.Zone)
	}
	y, m, d := now.Date()
	return today{time.Date(y, m, d, 0, 0, 0, 0, time.UTC), c}
}

// Day is the day from which a model's relative dates count at a moment: nothing else of the clock is looked at.
func Day(now time.Time, c semantic.Calendar) time.Time { return newToday(now, c).day }

// period is a stretch of wall time [from, to). A point is one instant or, on a date, one day.
type period struct {
	from, to time.Time
	point    bool
	instant  *time.Time // the point itself, where it was given with an offset
}

var (
	yearText    = regexp.MustCompile(`^\d{4}$`)
	monthText   = regexp.MustCompile(`^(\d{4})-(\d{2})$`)
	quarterText = regexp.MustCompile(`^(\d{4})-?[Qq]([1-4])$`)
	weekText    = regexp.MustCompile(`^(\d{4})-?[Ww](\d{2})$`)
	agoText     = regexp.MustCompile(`^([+-]\d{1,5})([dwmqy])$`)
	nearText    = regexp.MustCompile(`^(this|last|next) (day|week|month|quarter|year)$`)
	fiscalText  = regexp.MustCompile(`^(this|last|next) fiscal (quarter|year)$`)
	lastNText   = regexp.MustCompile(`^last (\d{1,5}) (day|week|month|quarter|year)s?$`)
)

var timeLayouts = []string{"2006-01-02T15:04:05.999999", "2006-01-02 15:04:05.999999", "2006-01-02T15:04", "2006-01-02 15:04"}

// parsePeriod reads a date, a timestamp, a named period or a relative one (decision 43).
func (t today) parsePeriod(s string) (period, bool) {
	s = strings.TrimSpace(s)
	if d, err := time.Parse(time.DateOnly, s); err == nil {
		return span(d, 0, 0, 1), true
	}
	for _, layout := range timeLayouts {
		if at, err := time.Parse(layout, s); err == nil {
			return period{from: at, to: at, point: true}, true
		}
	}
	if at, err := time.Parse(time.RFC3339Nano, s); err == nil {
		wall := t.wall(at)
		return period{from: wall, to: wall, point: true, instant: &at}, true
	}
	if p, ok := named(s); ok {
		return p, true
	}
	return t.relative(strings.ToLower(strings.Join(strings.Fields(s), " ")))
}

// wall returns an instant as the wall time of the model's zone, in UTC's clothes.
func (t today) wall(at time.Time) time.Time {
	at = at.In(t.zone())
	return time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), at.Nanosecond(), time.UTC)
}

func span(from time.Time, years, months, days int) period {
	return period{from: from, to: from.AddDate(years, months, days)}
}

func day(y, m, d int) time.Time { return time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC) }

func named(s string) (period, bool) {
	if yearText.MatchString(s) {
		return span(day(atoi(s), 1, 1), 1, 0, 0), true
	}
	if m := monthText.FindStringSubmatch(s); m != nil && atoi(m[2]) >= 1 && atoi(m[2]) <= 12 {
		return span(day(atoi(m[1]), atoi(m[2]), 1), 0, 1, 0), true
	}
	if m := quarterText.FindStringSubmatch(s); m != nil {
		return span(day(atoi(m[1]), 3*atoi(m[2])-2, 1), 0, 3, 0), true
	}
	if m := weekText.FindStringSubmatch(s); m != nil {
		return isoWeek(atoi(m[1]), atoi(m[2]))
	}
	return period{}, false
}

func isoWeek(year, week int) (period, bool) {
	monday := weekOf(day(year, 1, 4), time.Monday).AddDate(0, 0, 7*(week-1))
	if y, w := monday.ISOWeek(); y != year || w != week {
		return period{}, false
	}
	return span(monday, 0, 0, 7), true
}

func weekOf(d time.Time, start time.Weekday) time.Time {
	return d.AddDate(0, 0, -int((d.Weekday()-start+7)%7))
}

func (t today) relative(s string) (period, bool) {
	switch s {
	case "today":
		return span(t.day, 0, 0, 1), true
	case "yesterday":
		return span(t.day.AddDate(0, 0, -1), 0, 0, 1), true
	case "tomorrow":
		return span(t.day.AddDate(0, 0, 1), 0, 0, 1), true
	}
	if m := agoText.FindStringSubmatch(s); m != nil {
		return span(moved(t.day, atoi(m[1]), m[2]), 0, 0, 1), true
	}
	if m := nearText.FindStringSubmatch(s); m != nil {
		step := map[string]int{"this": 0, "last": -1, "next": 1}[m[1]]
		from := t.start(m[2])
		return period{from: moved(from, step, m[2][:1]), to: moved(from, step+1, m[2][:1])}, true
	}
	if m := fiscalText.FindStringSubmatch(s); m != nil {
		step := map[string]int{"this": 0, "last": -1, "next": 1}[m[1]]
		from := t.fiscalStart(m[2])
		return period{from: moved(from, step, m[2][:1]), to: moved(from, step+1, m[2][:1])}, true
	}
	if m := lastNText.FindStringSubmatch(s); m != nil && atoi(m[1]) > 0 {
		to := t.day.AddDate(0, 0, 1)
		return period{from: moved(to, -atoi(m[1]), m[2][:1]), to: to}, true
	}
	return period{}, false
}

// fiscalStart returns the first day of the fiscal quarter or year that holds today.
func (t today) fiscalStart(unit string) time.Time {
	year := t.calendar.YearStart(t.day)
	if unit == "year" {
		return year
	}
	months := 12*(t.day.Year()-year.Year()) + int(t.day.Month()-year.Month())
	return addMonths(year, months/3*3)
}

// start returns the first day of the unit that holds today.
func (t today) start(unit string) time.Time {
	y, m, _ := t.day.Date()
	switch unit {
	case "week":
		return weekOf(t.day, t.calendar.WeekStart)
	case "month":
		return day(y, int(m), 1)
	case "quarter":
		return day(y, (int(m)-1)/3*3+1, 1)
	case "year":
		return day(y, 1, 1)
	}
	return t.day
}

// moved steps n units from a day; a month's end stays within the month that it reaches.
func moved(d time.Time, n int, unit string) time.Time {
	switch unit {
	case "d":
		return d.AddDate(0, 0, n)
	case "w":
		return d.AddDate(0, 0, 7*n)
	case "m":
		return addMonths(d, n)
	case "q":
		return addMonths(d, 3*n)
	}
	return addMonths(d, 12*n)
}

func addMonths(d time.Time, n int) time.Time {
	first := time.Date(d.Year(), d.Month()+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(d.Day(), last)-1)
}

// pointOf returns a point in time in the type of the field. One given with an offset stays that instant, also in the
// hour that the zone's clock shows twice.
func (t today) pointOf(p period, typ value.Type) Literal {
	if p.instant == nil || !typ.Zoned {
		return t.literal(p.from, typ)
	}
	return instantOf(p.instant.In(t.zone()))
}

func (t today) zone() *time.Location {
	if t.calendar.Zone == nil {
		return time.UTC
	}
	return t.calendar.Zone
}

func instantOf(at time.Time) Literal {
	return Literal{V: value.Of(value.Timestamp, at.Format(time.RFC3339Nano)), T: value.Type{Kind: value.Timestamp, Zoned: true}}
}

// literal returns a bound of a period in the type of the field.
func (t today) literal(at time.Time, typ value.Type) Literal {
	switch {
	case typ.Kind == value.Date:
		return Literal{V: value.Of(value.Date, at.Format(time.DateOnly)), T: value.Type{Kind: value.Date}}
	case typ.Zoned:
		return instantOf(firstInstant(at, t.zone()))
	}
	return Literal{V: value.Of(value.Timestamp, at.Format("2006-01-02T15:04:05.999999")), T: value.Type{Kind: value.Timestamp}}
}

func midnight(at time.Time) bool { return at.Equal(at.Truncate(24 * time.Hour)) }

func atoi(s string) int { n, _ := strconv.Atoi(s); return n }

func itoa(n int) string { return strconv.Itoa(n) }
