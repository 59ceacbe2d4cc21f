package plan

import (
	"slices"

	"parlance/internal/compile/resolve"
	"parlance/internal/compute"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// TextKeys rewrites a statement for databases that cannot group by a number of 38 digits beside other keys: they
// group by its text, and the number is read back from that.
func TextKeys(s *Select) *Select {
	out := *s
	out.From = textKeys(s.From)
	out.Joins = slices.Clone(s.Joins)
	for i, j := range out.Joins {
		out.Joins[i].To = textKeys(j.To)
	}
	if len(s.GroupBy) < 2 {
		return &out
	}
	texts := map[string]resolve.Expr{}
	out.GroupBy = slices.Clone(s.GroupBy)
	for i, g := range s.GroupBy {
		if wide(s, g) {
			text := &resolve.Op{Fn: resolve.ToText, Args: []resolve.Expr{g}, T: value.Type{Kind: value.String}}
			out.GroupBy[i] = text
			texts[g.String()] = &resolve.Op{Fn: resolve.Widen, Args: []resolve.Expr{text}, T: g.Type()}
		}
	}
	out.Columns = slices.Clone(s.Columns)
	for i, c := range s.Columns {
		out.Columns[i].Expr = ofKeys(c.Expr, texts)
	}
	out.OrderBy = slices.Clone(s.OrderBy)
	for i, o := range s.OrderBy {
		out.OrderBy[i].Expr = ofKeys(o.Expr, texts)
	}
	return &out
}

func textKeys(s Source) Source {
	switch x := s.(type) {
	case Derived:
		return Derived{Select: TextKeys(x.Select), Alias: x.Alias}
	case Union:
		selects := make([]*Select, len(x.Selects))
		for i, sel := range x.Selects {
			selects[i] = TextKeys(sel)
		}
		return Union{Selects: selects, Alias: x.Alias}
	case Table, Tree, Values:
	}
	return s
}

// ofKeys replaces keys, but not within aggregates, which see rows.
func ofKeys(e resolve.Expr, texts map[string]resolve.Expr) resolve.Expr {
	return resolve.Rewrite(e, func(x resolve.Expr) (resolve.Expr, bool) {
		if _, ok := x.(*resolve.Agg); ok {
			return x, true
		}
		by, ok := texts[x.String()]
		return by, ok
	})
}

// wide reports whether a database may compute an expression of a stage in 38 digits. A table's integers have 64 bits,
// and so have its decimals unless their type says otherwise; what is computed has 38, unless it counts something.
func wide(s *Select, e resolve.Expr) bool {
	if !e.Type().Exact() {
		return false
	}
	switch x := e.(type) {
	case resolve.Column:
		if inner, from := behind(s, x); inner != nil {
			return wide(from, inner)
		}
		return !x.Stored || x.T.Kind == value.Decimal && x.T.Wide
	case *resolve.Agg:
		return x.Fn != semantic.Count && x.Fn != semantic.CountDistinct
	case *resolve.Op:
		return !slices.Contains(counting, x.Fn)
	}
	return true
}

// counting are the functions whose whole numbers are small.
var counting = []compute.Fn{
	compute.Length, compute.Position, compute.Sign, compute.Distance, compute.YearOf, compute.QuarterOf, compute.MonthOf,
	compute.WeekOf, compute.DayOf, compute.HourOf, compute.DayOfWeekOf, compute.ToYear,
}

// behind returns the expression that a column of an inner stage has, and that stage.
func behind(s *Select, c resolve.Column) (resolve.Expr, *Select) {
	sources := []Source{s.From}
	for _, j := range s.Joins {
		sources = append(sources, j.To)
	}
	for _, source := range sources {
		d, ok := source.(Derived)
		if !ok || d.Alias != c.Rel {
			continue
		}
		for _, o := range d.Select.Columns {
			if o.Name == c.Name {
				return o.Expr, d.Select
			}
		}
	}
	return nil, nil
}
