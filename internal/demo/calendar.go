package demo

import (
	"fmt"
	"time"
)

var (
	firstDay = time.Date(2022, time.January, 1, 0, 0, 0, 0, time.UTC)
	lastDay  = time.Date(2024, time.December, 31, 0, 0, 0, 0, time.UTC)
)

// day is one day of the calendar. Facts know days by their position in it.
type day struct {
	date   time.Time
	key    int64 // yyyymmdd
	weight int   // how busy the shop is
}

// lunarNewYears begin the quietest days of the year, after some of its busiest weeks.
var lunarNewYears = []time.Time{
	time.Date(2022, time.February, 1, 0, 0, 0, 0, time.UTC),
	time.Date(2023, time.January, 22, 0, 0, 0, 0, time.UTC),
	time.Date(2024, time.February, 10, 0, 0, 0, 0, time.UTC),
}

// Percentages of a plain day.
var (
	monthPercent   = [12]int{105, 82, 90, 92, 98, 114, 92, 94, 100, 104, 132, 124}
	weekdayPercent = [7]int{122, 90, 88, 90, 93, 106, 132} // Sunday first, as time.Weekday counts
)

func newCalendar() []day {
	var days []day
	for d := firstDay; !d.After(lastDay); d = d.AddDate(0, 0, 1) {
		days = append(days, day{
			date:   d,
			key:    int64(d.Year()*10000 + int(d.Month())*100 + d.Day()),
			weight: busyness(d, len(days)),
		})
	}
	return days
}

// busyness grows by about two thirds over the three years, and follows the seasons, the week and the sales days.
func busyness(d time.Time, position int) int {
	growth := 1000 + 650*position/1095
	return growth * monthPercent[d.Month()-1] * weekdayPercent[d.Weekday()] * eventPercent(d) / 10000
}

func eventPercent(d time.Time) int {
	switch month, n := d.Month(), d.Day(); {
	case month == time.June && n >= 16 && n <= 18:
		return 210
	case month == time.November && n == 11:
		return 340
	case month == time.November && n == 10:
		return 170
	case month == time.December && n == 12:
		return 200
	}
	for _, holiday := range lunarNewYears {
		switch distance := int(d.Sub(holiday).Hours()) / 24; {
		case distance >= 0 && distance < 6:
			return 55
		case distance < 0 && distance >= -12:
			return 128
		}
	}
	return 100
}

// quarter returns 1 to 4.
func quarter(d time.Time) int { return (int(d.Month()) + 2) / 3 }

func (s *shop) dateTable() Table {
	columns := []Column{
		integer("date_key"), date("full_date"), integer("year"), integer("quarter"), integer("month"),
		text("month_name"), text("year_month"), text("year_quarter"), text("year_week"),
		integer("day_of_week"), boolean("is_weekend"),
	}
	return table("dim_date", []string{"date_key"}, columns, s.days, func(row []any, _ int, d *day) {
		year, month := d.date.Year(), d.date.Month()
		isoYear, week := d.date.ISOWeek()
		weekday := (int(d.date.Weekday())+6)%7 + 1
		row[0], row[1] = d.key, d.date
		row[2], row[3], row[4] = int64(year), int64(quarter(d.date)), int64(month)
		row[5] = month.String()
		row[6] = fmt.Sprintf("%04d-%02d", year, month)
		row[7] = fmt.Sprintf("%04d-Q%d", year, quarter(d.date))
		row[8] = fmt.Sprintf("%04d-W%02d", isoYear, week)
		row[9], row[10] = int64(weekday), weekday > 5
	})
}
