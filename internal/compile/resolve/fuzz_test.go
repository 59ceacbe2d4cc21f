package resolve

import (
	"testing"
	"time"

	"parlance/internal/semantic"
)

// FuzzPeriod holds that whatever is read as a period begins before it ends, or is one point.
func FuzzPeriod(f *testing.F) {
	for _, s := range []string{
		"2024-03-05", "2024-03-05T14:03:07.5", "2024-03-05 14:03", "2024-03-05T14:03:07+08:00", "2024", "2024-01", "2024-Q1", "2024q4", "2024-W53", "2021W53",
		"today", "yesterday", "this month", "last fiscal quarter", "next year", "last 7 days", "last 99999 years", "-3m", "+12q", "-99999y", "9999-12-31", "0000-01-01", "2024-13", "２０２４",
	} {
		f.Add(s)
	}
	calendar := semantic.Calendar{Zone: time.UTC, WeekStart: time.Sunday, FiscalStart: time.April}
	t0 := newToday(time.Date(2024, 2, 29, 23, 59, 59, 0, time.UTC), calendar)
	f.Fuzz(func(t *testing.T, text string) {
		p, ok := t0.parsePeriod(text)
		if ok && p.point != p.from.Equal(p.to) || ok && p.to.Before(p.from) {
			t.Fatalf("%q is from %s to %s, a point: %v", text, p.from, p.to, p.point)
		}
	})
}
