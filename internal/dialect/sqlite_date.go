package dialect

import (
	"parlance/internal/compute"
	"parlance/internal/value"
)

// sqliteParts are where the parts of 2024-03-05T14:03:07 stand.
var sqliteParts = map[compute.Fn]string{
	compute.YearOf: "1, 4", compute.ToYear: "1, 4", compute.MonthOf: "6, 2", compute.DayOf: "9, 2", compute.HourOf: "12, 2",
}

// date writes the functions of dates and times; it reports false for any other. A time of day is cut off before
// SQLite's own functions see it: they round to milliseconds, and the last microsecond of a day would be the next day.
func (d sqlite) date(w *Writer, f compute.Fn, args []Arg, _ value.Type) bool {
	x := args[0]
	if part, ok := sqliteParts[f]; ok {
		d.number(w, x, part)
		return true
	}
	switch f {
	case compute.QuarterOf:
		d.quarter(w, x)
	case compute.WeekOf:
		w.Text("CAST(")
		d.formatted(w, x, "%V")
		w.Text(" AS INTEGER)")
	case compute.DayOfWeekOf:
		w.Text("CAST(")
		d.formatted(w, x, "%u")
		w.Text(" AS INTEGER)")
	case compute.ToQuarter:
		w.Text("(")
		d.cut(w, x, "1, 4")
		w.Text(" || '-Q' || ")
		d.quarter(w, x)
		w.Text(")")
	case compute.ToMonth:
		d.cut(w, x, "1, 7")
	case compute.ToWeek:
		d.formatted(w, x, "%G-W%V")
	case compute.ToDate:
		d.cut(w, x, "1, 10")
	case compute.ToHour:
		d.start(w, x, "hour")
	case compute.Truncate:
		d.start(w, x, args[1].Const.Text)
	case compute.Shift:
		call(w, "time_shift", args...)
	case compute.Distance:
		call(w, "time_distance", args...)
	case compute.ToLocal:
		call(w, "time_local", args...)
	default:
		return false
	}
	return true
}

func (sqlite) cut(w *Writer, x Arg, part string) {
	w.Text("SUBSTR(")
	x.Write()
	w.Text(", ", part, ")")
}

func (d sqlite) number(w *Writer, x Arg, part string) {
	cast(w, func() { d.cut(w, x, part) }, "INTEGER")
}

func (d sqlite) quarter(w *Writer, x Arg) {
	w.Text("((")
	d.number(w, x, "6, 2")
	w.Text(" + 2) / 3)")
}

func (d sqlite) formatted(w *Writer, x Arg, format string) {
	w.Text("STRFTIME('", format, "', ")
	d.cut(w, x, "1, 10")
	w.Text(")")
}

// start writes the first day of a unit or, of an hour, its first instant.
func (d sqlite) start(w *Writer, x Arg, unit string) {
	switch unit {
	case "hour":
		w.Text("(")
		d.cut(w, x, "1, 13")
		w.Text(" || ':00:00')")
	case "week":
		w.Text("DATE(")
		d.cut(w, x, "1, 10")
		w.Text(", 'weekday 0', '-6 days')")
	case "month":
		w.Text("(")
		d.cut(w, x, "1, 7")
		w.Text(" || '-01')")
	case "quarter":
		w.Text("(")
		d.cut(w, x, "1, 5")
		w.Text(" || SUBSTR('01040710', (")
		d.number(w, x, "6, 2")
		w.Text(" + 2) / 3 * 2 - 1, 2) || '-01')")
	case "year":
		w.Text("(")
		d.cut(w, x, "1, 4")
		w.Text(" || '-01-01')")
	default:
		d.cut(w, x, "1, 10")
	}
}
