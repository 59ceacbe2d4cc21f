package evaluate

import (
	"fmt"
	"time"

	"parlance/internal/semantic"
)

// cut returns a date or a timestamp cut to a grain (decision 54), by the clock of the zone.
func cut(v Value, g semantic.Grain, zone *time.Location) Value {
	if v.IsNull() {
		return v
	}
	t := v.Time
	if v.Zoned {
		t = wall(t.In(zone))
	}
	switch g {
	case semantic.Year:
		return Int(int64(t.Year()))
	case semantic.Quarter:
		return Str(fmt.Sprintf("%04d-Q%d", t.Year(), (int(t.Month())+2)/3))
	case semantic.Month:
		return Str(t.Format("2006-01"))
	case semantic.Week:
		year, week := t.ISOWeek()
		return Str(fmt.Sprintf("%04d-W%02d", year, week))
	case semantic.Day:
		return Day(t)
	case semantic.Hour:
		return Wall(time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), 0, 0, 0, time.UTC))
	case semantic.NoGrain:
	}
	return v
}

// period is a stretch of time: from is in it, to is not. A moment has from and to the same.
type period struct{ from, to Value }

func (p period) moment() bool { return compare(p.from, p.to) == 0 }

// holds reports whether a time is in the period.
func (p period) holds(v Value) bool {
	if p.moment() {
		return compare(v, p.from) == 0
	}
	return compare(v, p.from) >= 0 && compare(v, p.to) < 0
}

// before reports whether a time is before the period, and past whether it is after it.
func (p period) before(v Value) bool { return compare(v, p.from) < 0 }
func (p period) past(v Value) bool   { return compare(v, p.from) >= 0 && !p.holds(v) }
