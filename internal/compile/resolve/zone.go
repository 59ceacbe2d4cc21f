package resolve

import "time"

// firstInstant returns the first instant at which a zone's clock shows a wall time or, where it skips it, has passed it.
// So a day begins at its first instant, be it 01:00, and an hour that comes twice begins with the first of the two.
func firstInstant(wall time.Time, zone *time.Location) time.Time {
	t := time.Date(wall.Year(), wall.Month(), wall.Day(), wall.Hour(), wall.Minute(), wall.Second(), wall.Nanosecond(), zone)
	start, end := t.ZoneBounds()
	switch shown := clock(t); {
	case shown.After(wall):
		return start
	case shown.Before(wall):
		return end
	}
	if start.IsZero() {
		return t
	}
	_, now := t.Zone()
	_, before := start.Add(-time.Nanosecond).Zone()
	if twin := t.Add(time.Duration(now-before) * time.Second); twin.Before(start) {
		return twin
	}
	return t
}

// clock returns what a zone's clock shows at an instant, in UTC's clothes.
func clock(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
}
