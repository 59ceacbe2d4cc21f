package dialect

import (
	"parlance/internal/compute"
	"parlance/internal/value"
)

var postgresParts = map[compute.Fn]string{
	compute.YearOf: "YEAR", compute.QuarterOf: "QUARTER", compute.MonthOf: "MONTH", compute.WeekOf: "WEEK", compute.DayOf: "DAY",
	compute.HourOf: "HOUR", compute.DayOfWeekOf: "ISODOW", compute.ToYear: "YEAR",
}

var postgresFormats = map[compute.Fn]string{
	compute.ToQuarter: `YYYY"-Q"Q`, compute.ToMonth: "YYYY-MM", compute.ToWeek: `IYYY"-W"IW`,
}

// date writes the functions of dates and times; it reports false for any other.
func (d postgres) date(w *Writer, f compute.Fn, args []Arg, t value.Type) bool {
	x := args[0]
	if part, ok := postgresParts[f]; ok {
		cast(w, func() { d.part(w, part, x) }, "integer")
		return true
	}
	if format, ok := postgresFormats[f]; ok {
		w.Text("TO_CHAR(")
		d.moment(w, x)
		w.Text(", '", format, "')")
		return true
	}
	switch f {
	case compute.ToDate:
		cast(w, x.Write, "date")
	case compute.ToHour:
		d.start(w, x, "hour")
	case compute.Truncate:
		d.start(w, x, args[1].Const.Text)
	case compute.Shift:
		d.shift(w, x, args[1], args[2].Const.Text, t)
	case compute.Distance:
		cast(w, func() { d.distance(w, x, args[1], args[2].Const.Text) }, "bigint")
	case compute.ToLocal:
		between(w, " AT TIME ZONE ", args)
	default:
		return false
	}
	return true
}

// moment writes a date or a time as a timestamp without a zone.
func (postgres) moment(w *Writer, x Arg) { cast(w, x.Write, "timestamp") }

func (d postgres) part(w *Writer, part string, x Arg) {
	w.Text("EXTRACT(", part, " FROM ")
	d.moment(w, x)
	w.Text(")")
}

// first writes the first instant of a unit.
func (d postgres) first(w *Writer, x Arg, unit string) {
	w.Text("DATE_TRUNC('", unit, "', ")
	d.moment(w, x)
	w.Text(")")
}

// start writes the first day of a unit or, of an hour, its first instant.
func (d postgres) start(w *Writer, x Arg, unit string) {
	if unit == "hour" {
		d.first(w, x, unit)
		return
	}
	cast(w, func() { d.first(w, x, unit) }, "date")
}

var postgresSteps = map[string]struct{ name, times string }{
	"year": {"years", ""}, "quarter": {"months", " * 3"}, "month": {"months", ""}, "week": {"days", " * 7"}, "day": {"days", ""}, "hour": {"hours", ""},
}

func (d postgres) shift(w *Writer, x, n Arg, unit string, t value.Type) {
	step := postgresSteps[unit]
	cast(w, func() {
		x.Write()
		w.Text(" + MAKE_INTERVAL(", step.name, " => CAST(")
		n.Write()
		w.Text(step.times, " AS integer))")
	}, d.TypeName(t))
}

// distance counts the borders of a unit between two times.
func (d postgres) distance(w *Writer, from, to Arg, unit string) {
	minus := func(write func(Arg)) {
		w.Text("(")
		write(to)
		w.Text(" - ")
		write(from)
		w.Text(")")
	}
	switch unit {
	case "hour":
		w.Text("EXTRACT(EPOCH FROM ")
		minus(func(x Arg) { d.first(w, x, unit) })
		w.Text(") / 3600")
	case "day":
		minus(func(x Arg) { cast(w, x.Write, "date") })
	case "week":
		minus(func(x Arg) { d.start(w, x, unit) })
		w.Text(" / 7")
	case "year":
		minus(func(x Arg) { d.part(w, "YEAR", x) })
	default:
		part, times := "MONTH", " * 12 + "
		if unit == "quarter" {
			part, times = "QUARTER", " * 4 + "
		}
		minus(func(x Arg) {
			w.Text("(")
			d.part(w, "YEAR", x)
			w.Text(times)
			d.part(w, part, x)
			w.Text(")")
		})
	}
}
