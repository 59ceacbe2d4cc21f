package dialect

import (
	"parlance/internal/compute"
	"parlance/internal/value"
)

var clickHouseParts = map[compute.Fn]string{
	compute.YearOf: "toYear", compute.QuarterOf: "toQuarter", compute.MonthOf: "toMonth", compute.WeekOf: "toISOWeek", compute.DayOf: "toDayOfMonth",
	compute.DayOfWeekOf: "toDayOfWeek", compute.ToYear: "toYear",
}

var clickHouseStarts = map[string]string{
	"year": "toStartOfYear", "quarter": "toStartOfQuarter", "month": "toStartOfMonth", "week": "toMonday", "day": "toDate", "hour": "toStartOfHour",
}

// date writes the functions of dates and times; it reports false for any other.
func (d clickHouse) date(w *Writer, f compute.Fn, args []Arg, _ value.Type) bool {
	x := args[0]
	if name, ok := clickHouseParts[f]; ok {
		d.call(w, "toInt64", func() { call(w, name, x) })
		return true
	}
	switch f {
	case compute.HourOf:
		d.call(w, "toInt64", func() { d.call(w, "toHour", func() { d.moment(w, x) }) })
	case compute.ToQuarter:
		w.Text("concat(toString(toYear(")
		name := d.let(w, x.Write)
		w.Text(")), '-Q', toString(toQuarter(", name, ")))")
	case compute.ToMonth:
		w.Text("formatDateTime(")
		x.Write()
		w.Text(", '%Y-%m', 'UTC')")
	case compute.ToWeek:
		w.Text("concat(toString(toISOYear(")
		name := d.let(w, x.Write)
		w.Text(")), '-W', substring(toString(100 + toISOWeek(", name, ")), 2))")
	case compute.ToDate:
		call(w, "toDate", x)
	case compute.ToHour:
		call(w, "toStartOfHour", x)
	case compute.Truncate:
		call(w, clickHouseStarts[args[1].Const.Text], x)
	case compute.Shift:
		d.shift(w, x, args[1], args[2].Const.Text)
	case compute.Distance:
		d.distance(w, x, args[1], args[2].Const.Text)
	case compute.ToLocal:
		w.Text("toDateTime(toString(toTimeZone(")
		x.Write()
		w.Text(", ")
		args[1].Write()
		w.Text(")), 'UTC')")
	default:
		return false
	}
	return true
}

// moment writes a date as its first instant, and a time as it is.
func (clickHouse) moment(w *Writer, x Arg) {
	if x.Type.Kind != value.Date {
		x.Write()
		return
	}
	w.Text("toDateTime(")
	x.Write()
	w.Text(", 'UTC')")
}

// clickHouseSteps are the units of a shift: the function that moves and by how many of its own units, the whole number
// that says where a value stands, by how much of it one step goes on, and between which the server has values.
var clickHouseSteps = map[string]struct {
	name, times, place, count, bounds string
}{
	"year":    {"addYears", "1", "toRelativeMonthNum", "12", "23641 AND 25272"},
	"quarter": {"addMonths", "3", "toRelativeMonthNum", "3", "23641 AND 25272"},
	"month":   {"addMonths", "1", "toRelativeMonthNum", "1", "23641 AND 25272"},
	"week":    {"addWeeks", "1", "toRelativeDayNum", "7", "0 AND 49672"},
	"day":     {"addDays", "1", "toRelativeDayNum", "1", "0 AND 49672"},
	"hour":    {"addHours", "1", "toUnixTimestamp", "3600", "0 AND 4291747199"},
}

// shift fails where the server would start again at 1970: by a division by zero, which nothing else here can meet.
func (d clickHouse) shift(w *Writer, x, n Arg, unit string) {
	step := clickHouseSteps[unit]
	w.Text(step.name, "(")
	at := d.let(w, x.Write)
	w.Text(", ")
	by := d.let(w, func() { d.call(w, "toInt64", n.Write) })
	w.Text(" * ", step.times, " * intDiv(toInt64(1), ifNull((", by, " BETWEEN -2000000 AND 2000000) AND (toInt64(", step.place, "(", at, ")) + ", by, " * ", step.count)
	w.Text(" BETWEEN ", step.bounds, "), 1)))")
}

// distance counts borders by the clock of UTC, by which all wall times are written.
func (clickHouse) distance(w *Writer, from, to Arg, unit string) {
	w.Text("dateDiff('", unit, "', ")
	from.Write()
	w.Text(", ")
	to.Write()
	w.Text(", 'UTC')")
}
