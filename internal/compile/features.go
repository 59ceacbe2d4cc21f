package compile

import (
	"slices"
	"strings"

	"parlance/internal/compile/plan"
	"parlance/internal/compile/resolve"
	"parlance/internal/dialect"
	"parlance/internal/fault"
	"parlance/internal/value"
)

// checkFeatures refuses a plan that the database cannot run, with the reason.
func checkFeatures(p *plan.Plan, f dialect.Features) error {
	missing := checks(f)
	for _, s := range append([]*plan.Select{p.Page, p.Count, p.Totals}, p.Extra...) {
		if s == nil {
			continue
		}
		for _, c := range missing {
			if plan.Uses(s, c.is) {
				return c.refuse()
			}
		}
		if !f.Recursion && plan.BuildsTree(s) {
			return unsupported("no WITH RECURSIVE, which a hierarchy built from a parent column needs", "give the model a closure table")
		}
	}
	return nil
}

// check is a kind of expression that a database cannot compute.
type check struct {
	missing bool
	is      func(resolve.Expr) bool
	refuse  func() error
}

// checks are those that apply to a database.
func checks(f dialect.Features) []check {
	if f.Windows && !f.NoZones && !f.NoFloatMod && !f.NoSubseconds && !f.NoComputedReplace && f.FirstDate == "" {
		return nil
	}
	all := []check{
		{f.NoZones, showsZone, zonesMissing},
		{f.NoFloatMod, floatRemainder, remainderMissing},
		{!f.Windows, isWindow, windowsMissing},
		{f.NoSubseconds, hasFraction, fractionsMissing},
		{f.NoComputedReplace, replacesComputed, replaceMissing},
		{f.FirstDate != "", func(e resolve.Expr) bool { return outside(e, f.FirstDate, f.LastDate) }, func() error { return datesMissing(f.FirstDate, f.LastDate) }},
	}
	return slices.DeleteFunc(all, func(c check) bool { return !c.missing })
}

// showsZone reports whether an expression shows an instant by the clock of a zone other than UTC.
func showsZone(e resolve.Expr) bool {
	o, ok := e.(*resolve.Op)
	if !ok || o.Fn != resolve.ToLocal {
		return false
	}
	zone, ok := o.Args[1].(resolve.Literal)
	return !ok || zone.V.Text != "UTC"
}

func zonesMissing() error {
	e := fault.Invalidf("no_time_zones", "", "This database does not know time zones, which days and hours of the model's zone need")
	e.Hint = "its administrator can fill the time-zone tables, as with mysql_tzinfo_to_sql; until then, query instants without their days"
	return e
}

// floatRemainder reports whether an expression is a remainder of floats.
func floatRemainder(e resolve.Expr) bool {
	o, ok := e.(*resolve.Op)
	return ok && o.Fn == resolve.Mod && o.T.Kind == value.Float
}

func remainderMissing() error {
	e := fault.Invalidf("no_float_remainder", "", "This database has no remainder of numbers that are not exact")
	e.Hint = "take the remainder of integers or decimals"
	return e
}

// unsupported refuses what this database cannot do. It says what it has not.
func unsupported(missing, hint string) error {
	e := fault.Invalidf("unsupported_by_datasource", "", "This database has %s", missing)
	e.Hint = hint
	return e
}

func isWindow(e resolve.Expr) bool {
	_, ok := e.(*resolve.Window)
	return ok
}

func windowsMissing() error {
	return unsupported("no window functions, which ranks, running totals and values of other rows need", "an aggregate over a partition without an order, and aggregates of groups, work")
}

// hasFraction reports whether an expression is a time with digits after the seconds.
func hasFraction(e resolve.Expr) bool {
	l, ok := e.(resolve.Literal)
	return ok && l.V.Kind == value.Timestamp && strings.Contains(l.V.Text, ".")
}

func fractionsMissing() error {
	return unsupported("times of whole seconds only", "leave out the digits after the seconds")
}

// replacesComputed reports whether a text is searched for one that is not a constant, or gets one that is not.
func replacesComputed(e resolve.Expr) bool {
	o, ok := e.(*resolve.Op)
	if !ok || o.Fn != resolve.Replace {
		return false
	}
	return slices.ContainsFunc(o.Args[1:], func(a resolve.Expr) bool {
		_, constant := a.(resolve.Literal)
		return !constant
	})
}

func replaceMissing() error {
	return unsupported("no replacement of texts that are not constants", "write the text to find and the one to put there into the expression")
}

// outside reports whether an expression is a date or time before the first or after the last that a database has.
func outside(e resolve.Expr, first, last string) bool {
	l, ok := e.(resolve.Literal)
	if !ok || l.V.Kind != value.Date && l.V.Kind != value.Timestamp {
		return false
	}
	day, _, _ := strings.Cut(l.V.Text, "T")
	return len(day) != len(first) || day < first || day > last
}

func datesMissing(first, last string) error {
	return unsupported("dates from "+first+" to "+last+" only", "leave the bound out where the range is meant to be open")
}
