package resolve

import (
	"testing"
	"time"

	"parlance/internal/semantic"
)

// TestFiscalPeriods: the fiscal year of April 2024 to March 2025, seen from 2025-02-10, and from its first and last day.
func TestFiscalPeriods(t *testing.T) {
	for _, c := range []struct{ today, text, from, to string }{
		{"2025-02-10", "this fiscal year", "2024-04-01", "2025-04-01"},
		{"2025-02-10", "last fiscal year", "2023-04-01", "2024-04-01"},
		{"2025-02-10", "this fiscal quarter", "2025-01-01", "2025-04-01"},
		{"2025-02-10", "next fiscal quarter", "2025-04-01", "2025-07-01"},
		{"2024-04-01", "this fiscal year", "2024-04-01", "2025-04-01"},
		{"2025-03-31", "last fiscal quarter", "2024-10-01", "2025-01-01"},
		{"2025-02-10", "this year", "2025-01-01", "2026-01-01"},
	} {
		today := newToday(time.Time{}, semantic.Calendar{FiscalStart: time.April, Today: semantic.Today{Fixed: c.today}})
		p, ok := today.relative(c.text)
		if got := p.from.Format(time.DateOnly) + " " + p.to.Format(time.DateOnly); !ok || got != c.from+" "+c.to {
			t.Errorf("%s on %s: %s, want %s %s", c.text, c.today, got, c.from, c.to)
		}
	}
}
