package reuse

import (
	"strings"
	"time"

	"parlance/internal/compile/resolve"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// rewriter replaces what a query reads of the model's rows by what a rollup keeps of them.
type rewriter struct {
	d      *Definition
	failed bool // something that was asked for is not kept
}

// row returns a value of one row as the rollup tells it; false when it does not.
func (w *rewriter) row(e resolve.Expr) (resolve.Expr, bool) {
	inner := &rewriter{d: w.d}
	out := resolve.Rewrite(e, inner.swapRow)
	return out, !inner.failed
}

func (w *rewriter) swapRow(x resolve.Expr) (resolve.Expr, bool) {
	switch x := x.(type) {
	case resolve.Literal, resolve.PeriodName:
		return x, true
	case resolve.Field:
		if kept, ok := w.field(x); ok {
			return kept, true
		}
	case *resolve.Op:
		if kept, ok := w.d.kept[x.String()]; ok {
			return kept, true
		}
		if by := w.period(x); by != nil {
			return by, true
		}
		return nil, false
	case resolve.Stored, resolve.Column, *resolve.Agg, *resolve.Window, *resolve.Within:
	}
	w.failed = true
	return x, true
}

// field finds a field by its name, or by where it is stored.
func (w *rewriter) field(f resolve.Field) (resolve.Field, bool) {
	if kept, ok := w.d.kept[f.String()]; ok {
		return kept, true
	}
	dim, column, ok := f.Place()
	if !ok {
		return f, false
	}
	kept, ok := w.d.places[place{dim, column}]
	return kept, ok && kept.Type().Kind == f.Type().Kind && kept.Type().Scale == f.Type().Scale
}

// period returns a function of a time that its period tells: a coarser period, whether there is a time at all, or whether
// it stands before or after the beginning of a period.
func (w *rewriter) period(o *resolve.Op) resolve.Expr {
	if len(o.Args) == 0 {
		return nil
	}
	of := o.Args[0].String()
	for _, t := range w.d.times {
		var by resolve.Expr
		switch of {
		case t.raw:
			by = t.asked(o)
			if by == nil && t.raw == t.wall {
				by = t.cut(o)
			}
		case t.wall:
			by = t.cut(o)
		}
		if by != nil {
			return by
		}
	}
	return nil
}

// cuts are the functions that look at a time no closer than a grain.
var cuts = map[resolve.Fn]semantic.Grain{
	resolve.ToYear: semantic.Year, resolve.ToQuarter: semantic.Quarter, resolve.ToMonth: semantic.Month, resolve.ToWeek: semantic.Week,
	resolve.ToDate: semantic.Day, resolve.ToHour: semantic.Hour,
	resolve.YearOf: semantic.Year, resolve.QuarterOf: semantic.Quarter, resolve.MonthOf: semantic.Month, resolve.WeekOf: semantic.Week,
	resolve.DayOf: semantic.Day, resolve.DayOfWeekOf: semantic.Day, resolve.HourOf: semantic.Hour,
}

func (t period) cut(o *resolve.Op) resolve.Expr {
	grain, ok := cuts[o.Fn]
	if !ok || !t.grain.Holds(grain) {
		return nil
	}
	args := append([]resolve.Expr{t.first}, o.Args[1:]...)
	return &resolve.Op{Fn: o.Fn, Args: args, T: o.T}
}

// asked returns a condition on a time as one on its period.
func (t period) asked(o *resolve.Op) resolve.Expr {
	if o.Fn == resolve.IsNull {
		return &resolve.Op{Fn: o.Fn, Args: []resolve.Expr{t.first}, T: o.T}
	}
	if len(o.Args) != 2 {
		return nil
	}
	bound, ok := o.Args[1].(resolve.Literal)
	if !ok || bound.V.IsNull() {
		return nil
	}
	fn, next := o.Fn, 0
	switch o.Fn {
	case resolve.Ge, resolve.Lt:
	case resolve.Gt: // of days: from the next one on
		fn, next = resolve.Ge, 1
	case resolve.Le:
		fn, next = resolve.Lt, 1
	default:
		return nil
	}
	first, ok := t.begins(bound, next)
	if !ok {
		return nil
	}
	return &resolve.Op{Fn: fn, Args: []resolve.Expr{t.first, first}, T: o.T}
}

// begins returns a constant as the first day or hour of the period that it begins, days later; false where it begins none.
func (t period) begins(l resolve.Literal, days int) (resolve.Literal, bool) {
	if days != 0 && t.kind != value.Date {
		return l, false
	}
	day, ok := resolve.DayBegun(l, t.zone)
	if !ok {
		return l, false
	}
	day = day.AddDate(0, 0, days)
	if day.Year() < 1 || day.Year() > 9999 || !starts(day, t.grain) {
		return l, false
	}
	if t.grain == semantic.Hour {
		return resolve.Literal{V: value.Of(value.Timestamp, day.Format("2006-01-02T15:04:05")), T: value.Type{Kind: value.Timestamp}}, true
	}
	return resolve.Literal{V: value.Of(value.Date, day.Format(time.DateOnly)), T: value.Type{Kind: value.Date}}, true
}

// starts reports whether a period of the grain begins with a day.
func starts(day time.Time, g semantic.Grain) bool {
	switch g {
	case semantic.Year:
		return day.YearDay() == 1
	case semantic.Quarter:
		return day.Day() == 1 && day.Month()%3 == 1
	case semantic.Month:
		return day.Day() == 1
	case semantic.Week:
		return day.Weekday() == time.Monday
	case semantic.Day, semantic.Hour:
		return true
	case semantic.NoGrain:
	}
	return false
}

// isZero reports whether a constant is the number 0.
func isZero(l resolve.Literal) bool {
	return l.T.Numeric() && !l.V.IsNull() && strings.Trim(l.V.Text, "-0.") == ""
}
