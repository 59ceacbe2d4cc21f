package evaluate

import (
	"regexp"
	"strconv"
	"time"

	"parlance/internal/value"
)

var (
	quarterForm  = regexp.MustCompile(`^(\d{4})-Q([1-4])$`)
	weekForm     = regexp.MustCompile(`^(\d{4})-W(\d{2})$`)
	minuteForm   = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}$`)
	yearForm     = regexp.MustCompile(`^\d{4}$`)
	daysAgoForm  = regexp.MustCompile(`^-(\d+)d$`)
	lastDaysForm = regexp.MustCompile(`^last (\d+) days$`)
	momentForms  = []string{"2006-01-02T15:04:05.999999", "2006-01-02 15:04:05.999999"}
)

// periodOf reads a value that stands beside a date or a timestamp (decision 43).
func (b *binder) periodOf(t value.Type, text string) (period, error) {
	if from, to, ok := b.days(text); ok {
		return b.between(t, from, to), nil
	}
	if t.Kind == value.Timestamp {
		for _, form := range momentForms {
			if at, err := time.Parse(form, text); err == nil {
				p := b.between(t, at, at)
				return p, nil
			}
		}
	}
	if minuteForm.MatchString(text) {
		return period{}, unclear("a time without seconds")
	}
	return period{}, refuse("bad_value", "%q is no date", text)
}

// between turns wall times into values of the type.
func (b *binder) between(t value.Type, from, to time.Time) period {
	return period{b.atWall(t, from), b.atWall(t, to)}
}

func (b *binder) atWall(t value.Type, at time.Time) Value {
	switch {
	case t.Kind == value.Date:
		return Day(at)
	case t.Zoned:
		zone := b.model.Calendar.Zone
		return Instant(time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), at.Nanosecond(), zone))
	}
	return Wall(at)
}

// days reads a text that names whole days.
func (b *binder) days(text string) (from, to time.Time, ok bool) {
	if day, err := time.Parse("2006-01-02", text); err == nil {
		return day, day.AddDate(0, 0, 1), true
	}
	if month, err := time.Parse("2006-01", text); err == nil {
		return month, month.AddDate(0, 1, 0), true
	}
	if m := quarterForm.FindStringSubmatch(text); m != nil {
		year, _ := strconv.Atoi(m[1])
		q, _ := strconv.Atoi(m[2])
		start := date(year, time.Month(q*3-2), 1)
		return start, start.AddDate(0, 3, 0), true
	}
	if m := weekForm.FindStringSubmatch(text); m != nil { // the first has the year's fourth of January
		year, _ := strconv.Atoi(m[1])
		week, _ := strconv.Atoi(m[2])
		fourth := date(year, 1, 4)
		monday := fourth.AddDate(0, 0, -(int(fourth.Weekday())+6)%7+7*(week-1))
		return monday, monday.AddDate(0, 0, 7), true
	}
	if yearForm.MatchString(text) {
		year, _ := strconv.Atoi(text)
		return date(year, 1, 1), date(year+1, 1, 1), true
	}
	return b.relative(text)
}

// relative reads a text that counts from today.
func (b *binder) relative(text string) (from, to time.Time, ok bool) {
	today := date(b.today.Year(), b.today.Month(), b.today.Day())
	year, month := today.Year(), today.Month()
	quarter := date(year, (month-1)/3*3+1, 1)
	switch text {
	case "today":
		return today, today.AddDate(0, 0, 1), true
	case "yesterday":
		return today.AddDate(0, 0, -1), today, true
	case "this month":
		return date(year, month, 1), date(year, month+1, 1), true
	case "last month":
		return date(year, month-1, 1), date(year, month, 1), true
	case "this quarter":
		return quarter, quarter.AddDate(0, 3, 0), true
	case "last quarter":
		return quarter.AddDate(0, -3, 0), quarter, true
	case "this year":
		return date(year, 1, 1), date(year+1, 1, 1), true
	case "last year":
		return date(year-1, 1, 1), date(year, 1, 1), true
	}
	if m := daysAgoForm.FindStringSubmatch(text); m != nil {
		n, _ := strconv.Atoi(m[1])
		return today.AddDate(0, 0, -n), today.AddDate(0, 0, -n+1), true
	}
	if m := lastDaysForm.FindStringSubmatch(text); m != nil {
		n, _ := strconv.Atoi(m[1])
		return today.AddDate(0, 0, -n+1), today.AddDate(0, 0, 1), true
	}
	return from, to, false
}

func date(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}
