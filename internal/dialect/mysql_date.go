package dialect

import (
	"strings"

	"parlance/internal/compute"
)

var mysqlParts = map[compute.Fn]string{
	compute.YearOf: "YEAR", compute.QuarterOf: "QUARTER", compute.MonthOf: "MONTH", compute.DayOf: "DAY", compute.HourOf: "HOUR",
	compute.ToYear: "YEAR", compute.ToDate: "DATE",
}

var mysqlFormats = map[compute.Fn]string{compute.ToMonth: "%Y-%m", compute.ToWeek: "%x-W%v"}

// date writes the functions of dates and times; it reports false for any other.
func (d mySQL) date(w *Writer, f compute.Fn, args []Arg) bool {
	x := args[0]
	if name, ok := mysqlParts[f]; ok {
		call(w, name, x)
		return true
	}
	if format, ok := mysqlFormats[f]; ok {
		formatted(w, x, format)
		return true
	}
	switch f {
	case compute.WeekOf:
		w.Text("WEEK(")
		x.Write()
		w.Text(", 3)")
	case compute.DayOfWeekOf:
		w.Text("(WEEKDAY(")
		x.Write()
		w.Text(") + 1)")
	case compute.ToQuarter:
		w.Text("CONCAT(")
		formatted(w, x, "%Y-Q")
		w.Text(", QUARTER(")
		x.Write()
		w.Text("))")
	case compute.ToHour:
		d.start(w, x, "hour")
	case compute.Truncate:
		d.start(w, x, args[1].Const.Text)
	case compute.Shift:
		d.shift(w, x, args[1], args[2].Const.Text)
	case compute.Distance:
		d.distance(w, x, args[1], args[2].Const.Text)
	case compute.ToLocal:
		d.local(w, x, args[1])
	default:
		return false
	}
	return true
}

func formatted(w *Writer, x Arg, format string) {
	w.Text("DATE_FORMAT(")
	x.Write()
	w.Text(", '", format, "')")
}

// start writes the first day of a unit or, of an hour, its first instant.
func (mySQL) start(w *Writer, x Arg, unit string) {
	cut := func(format, to string) { cast(w, func() { formatted(w, x, format) }, to) }
	switch unit {
	case "hour":
		cut("%Y-%m-%d %H:00:00", "DATETIME(6)")
	case "day":
		call(w, "DATE", x)
	case "week":
		w.Text("DATE_SUB(DATE(")
		x.Write()
		w.Text("), INTERVAL WEEKDAY(")
		x.Write()
		w.Text(") DAY)")
	case "month":
		cut("%Y-%m-01", "DATE")
	case "quarter":
		w.Text("DATE_SUB(")
		cut("%Y-%m-01", "DATE")
		w.Text(", INTERVAL (MONTH(")
		x.Write()
		w.Text(") - 1) % 3 MONTH)")
	case "year":
		cut("%Y-01-01", "DATE")
	}
}

// shift keeps the end of a month within its month. A date outside the calendar is a warning of the server.
func (mySQL) shift(w *Writer, x, n Arg, unit string) {
	w.Text("DATE_ADD(")
	x.Write()
	w.Text(", INTERVAL ")
	n.Write()
	w.Text(" ", strings.ToUpper(unit), ")")
}

// distance counts the borders between two dates, whatever stands behind them.
func (d mySQL) distance(w *Writer, from, to Arg, unit string) {
	started := func(x Arg) Arg { return Arg{Write: func() { d.start(w, x, unit) }, Type: x.Type} }
	count := func(x Arg, name, times string) {
		call(w, "YEAR", x)
		w.Text(" * ", times, " + ")
		call(w, name, x)
	}
	minus := func(name, times string) {
		w.Text("(")
		count(to, name, times)
		w.Text(" - (")
		count(from, name, times)
		w.Text("))")
	}
	switch unit {
	case "hour":
		w.Text("TIMESTAMPDIFF(HOUR, ")
		list(w, []Arg{started(from), started(to)})
		w.Text(")")
	case "day":
		call(w, "DATEDIFF", to, from)
	case "week":
		w.Text("(")
		call(w, "DATEDIFF", started(to), started(from))
		w.Text(" DIV 7)")
	case "month":
		minus("MONTH", "12")
	case "quarter":
		minus("QUARTER", "4")
	case "year":
		w.Text("(")
		call(w, "YEAR", to)
		w.Text(" - ")
		call(w, "YEAR", from)
		w.Text(")")
	}
}

// local shows an instant by the clock of a zone. Of a zone that the server does not know, its own function makes null,
// which would be no error; a shift out of the calendar is one.
func (mySQL) local(w *Writer, x, zone Arg) {
	if zone.Const != nil && zone.Const.Text == "UTC" {
		x.Write()
		return
	}
	w.Text("COALESCE(CONVERT_TZ(")
	x.Write()
	w.Text(", '+00:00', ")
	zone.Write()
	w.Text("), DATE_ADD(")
	x.Write()
	w.Text(", INTERVAL 9999 YEAR))")
}
