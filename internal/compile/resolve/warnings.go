package resolve

import (
	"slices"
	"strings"

	"parlance/internal/semantic"
)

// cyclic are the calendar attributes that come again every year.
var cyclic = []string{"month", "monthname", "monthofyear", "quarter", "quarterofyear", "week", "weekofyear", "day", "dayofmonth"}

// warnCyclic says where groups by a calendar's own months or quarters put several years together.
func (c *clauses) warnCyclic() error {
	for _, k := range c.out.Keys {
		f, ok := k.(Field)
		if !ok || f.Dimension == nil || !f.Dimension.Date || !slices.Contains(cyclic, lastName(f.Field)) || c.yearKnown(f.Dimension) {
			continue
		}
		w := f.Name + " puts the same periods of all years together"
		if better := yearly(f.Field, c); better != "" {
			w += "; " + better + " keeps the years apart"
		}
		c.warnings = append(c.warnings, w)
	}
	return nil
}

// noteCaptions lists the dimensions of which groups are made by caption alone: members that share a caption merge
// (decision 46), and whether any do only the data can tell.
func (c *clauses) noteCaptions() error {
	ids := map[*semantic.Dimension]bool{}
	for _, k := range c.out.Keys {
		if f, ok := k.(Field); ok && f.Role == semantic.ID {
			ids[f.Dimension] = true
		}
	}
	for _, k := range c.out.Keys {
		f, ok := k.(Field)
		if ok && f.Role == semantic.Label && f.Column != f.Dimension.ID && !ids[f.Dimension] && !f.Dimension.Date {
			c.out.Captions = append(c.out.Captions, f.Dimension)
		}
	}
	return nil
}

func lastName(f *semantic.Field) string {
	return strings.ToLower(f.Name[strings.LastIndexByte(f.Name, '$')+1:])
}

// yearKnown reports whether another key, or a filter on one year, tells the years of a calendar apart.
func (c *clauses) yearKnown(d *semantic.Dimension) (known bool) {
	for _, k := range c.out.Keys {
		if f, ok := k.(Field); ok && f.Dimension == d && !slices.Contains(cyclic, lastName(f.Field)) {
			name := lastName(f.Field)
			known = known || f.Role != semantic.Plain || strings.Contains(name, "year")
		}
	}
	return known
}

// yearly finds the attribute of the same calendar that names the period with its year.
func yearly(f *semantic.Field, c *clauses) string {
	want := "year" + strings.TrimSuffix(strings.TrimSuffix(lastName(f), "name"), "ofyear")
	for _, other := range c.grant.Fields() {
		if other.Dimension == f.Dimension && lastName(other) == want {
			return other.Name
		}
	}
	return ""
}
