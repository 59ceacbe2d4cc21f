package dialect

import (
	"parlance/internal/compute"
	"parlance/internal/value"
)

var duckParts = map[compute.Fn]string{
	compute.YearOf: "YEAR", compute.QuarterOf: "QUARTER", compute.MonthOf: "MONTH", compute.WeekOf: "WEEK", compute.DayOf: "DAY",
	compute.HourOf: "HOUR", compute.DayOfWeekOf: "ISODOW", compute.ToYear: "YEAR",
}

var duckFormats = map[compute.Fn]string{compute.ToMonth: "%Y-%m", compute.ToWeek: "%G-W%V"}

// date writes the functions of dates and times; it reports false for any other.
func (d duckDB) date(w *Writer, f compute.Fn, args []Arg, t value.Type) bool {
	x := args[0]
	if name, ok := duckParts[f]; ok {
		call(w, name, x)
		return true
	}
	if format, ok := duckFormats[f]; ok {
		w.Text("STRFTIME(")
		x.Write()
		w.Text(", '", format, "')")
		return true
	}
	switch f {
	case compute.ToQuarter:
		w.Text("(STRFTIME(")
		x.Write()
		w.Text(", '%Y-Q') || QUARTER(")
		x.Write()
		w.Text("))")
	case compute.ToDate:
		cast(w, x.Write, "DATE")
	case compute.ToHour:
		d.start(w, x, "hour")
	case compute.Truncate:
		d.start(w, x, args[1].Const.Text)
	case compute.Shift:
		d.shift(w, x, args[1], args[2].Const.Text, t)
	case compute.Distance:
		d.distance(w, x, args[1], args[2].Const.Text)
	case compute.ToLocal:
		w.Text("(")
		x.Write()
		w.Text(" AT TIME ZONE ")
		args[1].Write()
		w.Text(")")
	default:
		return false
	}
	return true
}

// start writes the first day of a unit or, of an hour, its first instant.
func (duckDB) start(w *Writer, x Arg, unit string) {
	first := func() {
		w.Text("DATE_TRUNC('", unit, "', ")
		x.Write()
		w.Text(")")
	}
	if unit == "hour" {
		first()
		return
	}
	cast(w, first, "DATE")
}

var duckSteps = map[string]struct{ name, times, number string }{
	"year": {"TO_YEARS", "", "INTEGER"}, "quarter": {"TO_MONTHS", " * 3", "INTEGER"}, "month": {"TO_MONTHS", "", "INTEGER"},
	"week": {"TO_DAYS", " * 7", "INTEGER"}, "day": {"TO_DAYS", "", "INTEGER"}, "hour": {"TO_HOURS", "", "BIGINT"},
}

func (d duckDB) shift(w *Writer, x, n Arg, unit string, t value.Type) {
	step := duckSteps[unit]
	w.Text("CAST(")
	x.Write()
	w.Text(" + ", step.name, "(CAST(")
	n.Write()
	w.Text(step.times, " AS ", step.number, ")) AS ", d.TypeName(t), ")")
}

// distance counts weeks by their Mondays, which DuckDB's own difference in weeks does not.
func (d duckDB) distance(w *Writer, from, to Arg, unit string) {
	if unit == "week" {
		monday := func(x Arg) Arg { return Arg{Write: func() { d.start(w, x, unit) }, Type: x.Type} }
		w.Text("(")
		d.distance(w, monday(from), monday(to), "day")
		w.Text(" // 7)")
		return
	}
	w.Text("DATE_DIFF('", unit, "', ")
	from.Write()
	w.Text(", ")
	to.Write()
	w.Text(")")
}
