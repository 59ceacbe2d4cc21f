package sqlitefn

import (
	"database/sql/driver"
	"math"
	"strings"
	"sync"
	"time"
)

const (
	dateForm = "2006-01-02"
	timeForm = "2006-01-02T15:04:05.999999"
)

func times() []entry {
	return []entry{
		{"date_stored", 1, strict(storedDate)},
		{"time_stored", 1, strict(storedTime)},
		{"instant", 1, strict(storedInstant)},
		{"time_shift", 3, strict(shifted)},
		{"time_distance", 3, strict(distance)},
		{"time_local", 2, strict(local)},
	}
}

// shaped reports whether a text begins with 2024-03-05.
func shaped(s string) bool {
	return len(s) >= len(dateForm) && s[4] == '-' && s[7] == '-' && digits(s[:4]) && digits(s[5:7]) && digits(s[8:10])
}

func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

func storedDate(a []driver.Value) (driver.Value, error) {
	if s, ok := a[0].(string); ok && shaped(s) {
		return s[:len(dateForm)], nil
	}
	t, err := readTime(a[0])
	if err != nil {
		return nil, err
	}
	return written(t, dateForm)
}

func storedTime(a []driver.Value) (driver.Value, error) {
	const whole = len("2006-01-02T15:04:05")
	if s, ok := a[0].(string); ok && len(s) == whole && s[10] == 'T' && shaped(s) && s[13] == ':' && s[16] == ':' {
		return s, nil
	}
	t, err := readTime(a[0])
	if err != nil {
		return nil, err
	}
	return written(t, timeForm)
}

func storedInstant(a []driver.Value) (driver.Value, error) {
	t, err := readTime(a[0])
	if err != nil {
		return nil, err
	}
	return appendInstant(nil, t), nil
}

var layouts = []string{
	"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04:05Z07:00", "2006-01-02 15:04:05Z07:00", "2006-01-02",
	"2006-01-02 15:04", "2006-01-02T15:04", "2006-01-02 15:04:05 Z07:00", "2006-01-02 15:04Z07:00", "2006-01-02T15:04Z07:00",
}

// readTime reads a time as SQLite's own functions do: text of ISO 8601, seconds since 1970 (or milliseconds, where
// seconds would be beyond the year 5000), or a Julian day. A time without an offset is taken for UTC.
func readTime(v driver.Value) (time.Time, error) {
	const milliseconds, epoch, day = 100_000_000_000, 2440587.5, 86_400_000
	switch x := v.(type) {
	case string:
		for _, layout := range layouts {
			if t, err := time.Parse(layout, x); err == nil {
				return t.UTC(), nil
			}
		}
	case int64:
		if x >= milliseconds || x <= -milliseconds {
			return time.UnixMilli(x).UTC(), nil
		}
		return time.Unix(x, 0).UTC(), nil
	case float64:
		if x > 0 && x < 5_373_484.5 {
			return time.UnixMilli(int64(math.Round((x - epoch) * day))).UTC(), nil
		}
	}
	return time.Time{}, ErrRange
}

// written is a time in a form; years beyond four digits have none that sorts.
func written(t time.Time, form string) (driver.Value, error) {
	if y := t.Year(); y < 0 || y > 9999 {
		return nil, ErrRange
	}
	return t.Format(form), nil
}

// parsed reads a date or a timestamp of a statement, and returns its form.
func parsed(v driver.Value) (t time.Time, form string, err error) {
	s, ok := v.(string)
	if !ok {
		return t, "", ErrRange
	}
	form = timeForm
	if len(s) == len(dateForm) {
		form = dateForm
	}
	t, err = time.Parse(form, s)
	if err != nil {
		return t, form, ErrRange
	}
	return t, form, nil
}

// shifted moves a date or a time by so many units; a month's end stays within its month.
func shifted(a []driver.Value) (driver.Value, error) {
	t, form, err := parsed(a[0])
	if err != nil {
		return nil, err
	}
	n, err := whole(a[1])
	if err != nil {
		return nil, err
	}
	const most = 10_000 * 366 * 24
	if n > most || n < -most {
		return nil, ErrRange
	}
	switch a[2] {
	case "hour":
		t = t.Add(time.Duration(n) * time.Hour)
	case "day":
		t = t.AddDate(0, 0, n)
	case "week":
		t = t.AddDate(0, 0, 7*n)
	case "month":
		t = monthsLater(t, n)
	case "quarter":
		t = monthsLater(t, 3*n)
	case "year":
		t = monthsLater(t, 12*n)
	default:
		return nil, ErrRange
	}
	return written(t, form)
}

func monthsLater(t time.Time, n int) time.Time {
	first := time.Date(t.Year(), t.Month()+time.Month(n), 1, t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(t.Day(), last)-1)
}

// distance counts the borders of a unit between two dates or times.
func distance(a []driver.Value) (driver.Value, error) {
	from, _, err := parsed(a[0])
	if err != nil {
		return nil, err
	}
	to, _, err := parsed(a[1])
	if err != nil {
		return nil, err
	}
	months := func(t time.Time) int64 { return int64(t.Year())*12 + int64(t.Month()) - 1 }
	days := func(t time.Time) int64 { return floorDiv(t.Unix(), 86400) }
	switch a[2] {
	case "hour":
		return floorDiv(to.Unix(), 3600) - floorDiv(from.Unix(), 3600), nil
	case "day":
		return days(to) - days(from), nil
	case "week":
		return floorDiv(days(to)+3, 7) - floorDiv(days(from)+3, 7), nil // 1970 began on a Thursday
	case "month":
		return months(to) - months(from), nil
	case "quarter":
		return floorDiv(months(to), 3) - floorDiv(months(from), 3), nil
	case "year":
		return int64(to.Year() - from.Year()), nil
	}
	return nil, ErrRange
}

func floorDiv(n, by int64) int64 {
	q := n / by
	if n%by < 0 {
		q--
	}
	return q
}

var zones sync.Map // by name

func zone(name string) (*time.Location, error) {
	if z, ok := zones.Load(name); ok {
		return z.(*time.Location), nil
	}
	z, err := time.LoadLocation(strings.Clone(name)) // an argument may not be kept
	if err != nil {
		return nil, ErrRange
	}
	zones.Store(z.String(), z)
	return z, nil
}

// local is the wall time of an instant in a zone.
func local(a []driver.Value) (driver.Value, error) {
	b, _ := a[0].([]byte)
	t, ok := instant(b)
	if !ok {
		return nil, ErrRange
	}
	name, _ := a[1].(string)
	z, err := zone(name)
	if err != nil {
		return nil, err
	}
	return written(t.In(z), timeForm)
}
