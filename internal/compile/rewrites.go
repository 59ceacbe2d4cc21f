package compile

import (
	"parlance/internal/compile/plan"
	"parlance/internal/dialect"
)

// rewritten returns a plan whose statements do without what a database has not, as far as that can be done. The order
// matters: what one rewrite leaves, such as joins, is the next one's to rewrite.
func rewritten(p *plan.Plan, f dialect.Features) *plan.Plan {
	var rewrites []func(*plan.Select) *plan.Select
	if !f.Windows {
		rewrites = append(rewrites, plan.WithoutWindows)
	}
	if f.NoWindowMix {
		rewrites = append(rewrites, plan.WindowStages)
	}
	if f.EarlyConditions {
		rewrites = append(rewrites, plan.MatchedGuards)
	}
	if f.NoDistinct {
		rewrites = append(rewrites, plan.GroupedDistinct)
	}
	if f.NoWideKeys {
		rewrites = append(rewrites, plan.TextKeys)
	}
	if !f.Joins {
		rewrites = append(rewrites, func(s *plan.Select) *plan.Select { return plan.SingleJoins(s, f.NoWideParts) })
	}
	all := func(s *plan.Select) *plan.Select {
		if s == nil {
			return nil
		}
		for _, rewrite := range rewrites {
			s = rewrite(s)
		}
		return s
	}
	out := &plan.Plan{Page: all(p.Page), Count: all(p.Count), Totals: all(p.Totals)}
	for _, x := range p.Extra {
		out.Extra = append(out.Extra, all(x))
	}
	return out
}
