package question

import (
	"math"
	"slices"

	"parlance/internal/semantic"
)

// confidence tells how far a draft stands out from the others, the cheapest first, and how much of it was guessed.
func (d *draft) confidence(others []*draft) float64 {
	c := 1.0
	if len(others) > 0 {
		margin := min(float64(others[0].cost-d.cost)/otherModel, 1)
		c = 0.7 + 0.3*max(margin, 0)
	}
	for _, t := range d.tokens {
		if t.guessed {
			c *= 0.85
		}
	}
	if slices.ContainsFunc(d.spans, func(p period) bool { return p.assumed }) {
		c *= 0.8
	}
	return math.Round(c*100) / 100
}

// yearBefore returns the same draft a year earlier, where the year was not said.
func (d *draft) yearBefore() *draft {
	if len(d.spans) != 1 || !d.spans[0].assumed || d.spans[0].from.IsZero() || d.spans[0].to.IsZero() {
		return nil
	}
	p := d.spans[0]
	p.from, p.to = moved(p.from, semantic.Year, -1), moved(p.to, semantic.Year, -1)
	before := *d
	before.spans = []period{p}
	return &before
}

// preferred returns those of equally good drafts that the hints lean to, or all.
func (l *line) preferred(good []*draft) []*draft {
	good = filtered(good, func(d *draft) bool { return d.model.Name == l.hints.PreferModel })
	return filtered(good, func(d *draft) bool {
		return slices.ContainsFunc(l.hints.PreferFields, d.uses)
	})
}

// filtered returns the drafts that fit, or all of them when none or only one is there to choose from.
func filtered(drafts []*draft, fits func(*draft) bool) []*draft {
	var list []*draft
	for _, d := range drafts {
		if len(drafts) > 1 && fits(d) {
			list = append(list, d)
		}
	}
	if len(list) == 0 {
		return drafts
	}
	return list
}

// uses reports whether a draft shows, splits by or filters by a field of the name.
func (d *draft) uses(name string) bool {
	for _, a := range d.asks {
		if a.field != nil && a.field.Name == name {
			return true
		}
	}
	return slices.ContainsFunc(d.groups, func(g group) bool { return g.field.Name == name }) ||
		slices.ContainsFunc(d.filters, func(f filter) bool { return f.field.Name == name })
}
