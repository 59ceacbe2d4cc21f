package catalog

import (
	"time"

	"parlance/internal/fault"
	"parlance/internal/semantic"
)

// DefaultCalendar is what a namespace has that says nothing: UTC, weeks from Monday, years from January, the clock.
func DefaultCalendar() semantic.Calendar {
	return semantic.Calendar{Zone: time.UTC, WeekStart: time.Monday, FiscalStart: time.January}
}

// CalendarText is the four calendar keys as people write them, in a model file or in the server's file.
// An empty one leaves what stands.
type CalendarText struct {
	Timezone    string // an IANA name: Asia/Shanghai
	WeekStart   string // monday
	FiscalStart string // april
	Today       string // now, latest, or a date
}

// Over returns base with what the text says. An error names the key in its path.
func (t CalendarText) Over(base semantic.Calendar) (semantic.Calendar, error) {
	for _, set := range []struct {
		key, word string
		apply     func(*semantic.Calendar, string) error
	}{
		{"timezone", t.Timezone, setZone},
		{"week_start", t.WeekStart, setWeekStart},
		{"fiscal_start", t.FiscalStart, setFiscalStart},
		{"today", t.Today, setToday},
	} {
		if set.word == "" {
			continue
		}
		if err := set.apply(&base, set.word); err != nil {
			return base, fault.Under(set.key, err)
		}
	}
	return base, nil
}

func setZone(c *semantic.Calendar, word string) error {
	zone, err := time.LoadLocation(word)
	if err != nil || word == "Local" {
		return fault.Invalidf("bad_value", "", "%q is not a time zone such as UTC or Asia/Shanghai", word)
	}
	c.Zone = zone
	return nil
}

var (
	weekdays = []string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}
	months   = []string{
		"january", "february", "march", "april", "may", "june",
		"july", "august", "september", "october", "november", "december",
	}
)

func setWeekStart(c *semantic.Calendar, word string) error {
	for i, name := range weekdays {
		if name == word {
			c.WeekStart = time.Weekday(i)
			return nil
		}
	}
	return fault.Invalidf("bad_value", "", "%q is not a day of the week%s", word, meant(word, weekdays))
}

func setFiscalStart(c *semantic.Calendar, word string) error {
	for i, name := range months {
		if name == word {
			c.FiscalStart = time.Month(i + 1)
			return nil
		}
	}
	return fault.Invalidf("bad_value", "", "%q is not a month%s", word, meant(word, months))
}

func setToday(c *semantic.Calendar, word string) error {
	switch word {
	case "now":
		c.Today = semantic.Today{}
		return nil
	case "latest":
		c.Today = semantic.Today{Latest: true}
		return nil
	}
	if _, err := time.Parse(time.DateOnly, word); err != nil {
		return fault.Invalidf("bad_value", "", "%q is not now, latest or a date such as 2024-12-31", word)
	}
	c.Today = semantic.Today{Fixed: word}
	return nil
}

// buildCalendar returns the namespace's calendar with the model's own settings.
func buildCalendar(r *report, base semantic.Calendar, raw *rawModel) semantic.Calendar {
	for _, set := range []struct {
		word  text
		apply func(*semantic.Calendar, string) error
	}{
		{raw.timezone, setZone}, {raw.weekStart, setWeekStart},
		{raw.fiscalStart, setFiscalStart}, {raw.today, setToday},
	} {
		if !set.word.set() {
			continue
		}
		if err := set.apply(&base, set.word.value); err != nil {
			r.add(set.word.at, "%s", fault.As(err).Message)
		}
	}
	return base
}
