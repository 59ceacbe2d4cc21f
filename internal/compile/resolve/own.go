package resolve

import (
	"time"

	"parlance/internal/semantic"
	"parlance/internal/value"
)

// OwnField returns the value of a field in one row as the model itself reads it, under no grant.
func OwnField(m *semantic.Model, f *semantic.Field) Expr {
	return owner(m, time.Time{}).read(f, true)
}

// OwnPeriod returns the period that holds a date or time, as the model itself cuts it, and the wall time that it is cut
// from.
func OwnPeriod(m *semantic.Model, f *semantic.Field, g semantic.Grain) (period, wall Expr) {
	r := owner(m, time.Time{})
	wall = r.local(r.read(f, true))
	return op(grainFns[g], g.Type(), wall), wall
}

// OwnMeasure returns a measure of groups as the model itself aggregates it, under no grant. Relative dates of its
// definition count from now.
func OwnMeasure(m *semantic.Model, ms *semantic.Measure, now time.Time) (Expr, error) {
	return owner(m, now).ownMeasure(ms, "")
}

func owner(m *semantic.Model, now time.Time) *resolver {
	return &resolver{model: m, today: newToday(now, m.Calendar)}
}

// DayBegun returns the day, at midnight in UTC's clothes, whose first moment a constant date or time is: x is not before
// the constant exactly where the day of x is not before that day. A moment within a day, and one at which the zone's
// clock steps back over midnight, begins none.
func DayBegun(l Literal, zone *time.Location) (time.Time, bool) {
	if zone == nil {
		zone = time.UTC
	}
	switch {
	case l.T.Kind == value.Date:
		day, err := time.Parse(time.DateOnly, l.V.Text)
		return day, err == nil
	case l.T.Kind != value.Timestamp:
		return time.Time{}, false
	case !l.T.Zoned:
		wall, err := time.Parse("2006-01-02T15:04:05.999999", l.V.Text)
		return wall, err == nil && midnight(wall)
	}
	at, err := time.Parse(time.RFC3339Nano, l.V.Text)
	if err != nil {
		return time.Time{}, false
	}
	day := clock(at.In(zone)).Truncate(24 * time.Hour)
	return day, firstInstant(day, zone).Equal(at) && divides(at, day, zone)
}

// divides reports whether the zone's clock shows earlier days before an instant, and the day or later ones from it on. It
// looks as far as clocks have ever been turned.
func divides(at, day time.Time, zone *time.Location) bool {
	const far = 26 * time.Hour
	for t := at.Add(-far).In(zone); t.Before(at.Add(far)); {
		_, end := t.ZoneBounds()
		if end.IsZero() || !end.Before(at.Add(far)) {
			return true
		}
		if before, after := clock(end.Add(-time.Microsecond)), clock(end); end.After(at) && after.Before(day) || !end.After(at) && end.Before(at) && !before.Before(day) {
			return false
		}
		t = end
	}
	return true
}
