package compile

import (
	"parlance/internal/compile/plan"
	"parlance/internal/compile/resolve"
	"parlance/internal/dialect"
	"parlance/internal/fault"
)

// checkFeatures refuses a plan that the database cannot run, with the reason.
func checkFeatures(p *plan.Plan, f dialect.Features) error {
	for _, s := range append([]*plan.Select{p.Page, p.Count, p.Totals}, p.Extra...) {
		if f.NoZones && s != nil && plan.Uses(s, showsZone) {
			return zonesMissing()
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
