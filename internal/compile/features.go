package compile

import (
	"parlance/internal/compile/plan"
	"parlance/internal/compile/resolve"
	"parlance/internal/dialect"
	"parlance/internal/fault"
	"parlance/internal/value"
)

// checkFeatures refuses a plan that the database cannot run, with the reason.
func checkFeatures(p *plan.Plan, f dialect.Features) error {
	for _, s := range append([]*plan.Select{p.Page, p.Count, p.Totals}, p.Extra...) {
		if f.NoZones && s != nil && plan.Uses(s, showsZone) {
			return zonesMissing()
		}
		if f.NoFloatMod && s != nil && plan.Uses(s, floatRemainder) {
			return remainderMissing()
		}
	}
	return nil
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
