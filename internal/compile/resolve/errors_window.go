package resolve

import (
	"strings"

	"parlance/internal/fault"
	"parlance/internal/query"
	"parlance/internal/value"
)

// Windows.

func misplacedWindow(what, path string) error {
	e := refusal("misplaced_window", path, what, "the window function %s cannot stand inside an aggregate or another window", fault.Clip(what))
	e.Hint = "windows are computed last: name it in a column of its own"
	return e
}

func aggregatedWindow(name, path string) error {
	e := refusal("misplaced_window", path, name, "%s is a window function, computed after grouping, so it cannot be aggregated", name)
	e.Hint = "leave out agg"
	return e
}

func rankedByWindow(what, path string) error {
	e := refusal("misplaced_window", path, what, "topN ranks groups before windows are computed, so it cannot go by the window function %s", fault.Clip(what))
	e.Hint = "rank by the aggregate itself"
	return e
}

func notAWindowFunction(what, path string) error {
	e := refusal("not_a_window_function", path, what, "a window needs one function, such as sum(x) or rank(), not %s", fault.Clip(what))
	e.Hint = "leave out partitionBy, windowOrderBy and windowFrame, or write each function with its own over (…)"
	return e
}

func unknownWindowFunction(name, path string) error {
	e := refusal("unknown_function", path, name, "%s is not a window function", fault.Clip(name))
	e.Allowed, e.Closest = firstOf(windowNames), fault.Closest(name, windowNames)
	if len(e.Closest) == 0 {
		e.Hint = "further ones: " + strings.Join(windowNames[maxAllowed:], ", ")
	}
	return e
}

// windowOrderRequired refuses a window without an order; inline is whether it stands in an over (…).
func windowOrderRequired(fn string, inline bool, path string) error {
	e := refusal("window_order_required", path, fn, "%s depends on the order of the rows, and its window has none", fn)
	e.Hint = "give windowOrderBy"
	if inline {
		e.Hint = "write " + fn + "(…) over (order by …)"
	}
	return e
}

func badFrame(fn, frame, path string) error {
	e := refusal("bad_frame", path, frame, "the range frame of %s counts along a number, so it needs exactly one numeric order and a function that equal rows share", fn)
	e.Hint = "count rows instead: rows between … and …"
	return e
}

func badOffset(fn, of, got, path string) error {
	return refusal("bad_argument", path, got, "%s takes a constant number of %s from 1 to %d, not %s", fn, of, maxOffset, fault.Clip(got))
}

// Periods.

func (c *clauses) notATime(name string, t value.Type, path string) error {
	e := refusal("wrong_type", path, name, "timeWindow needs a date or timestamp, and %s is of type %s", name, t.Name())
	for _, f := range c.grant.Fields() {
		if cuttable(f) {
			e.Allowed = append(e.Allowed, f.Name)
		}
	}
	e.Allowed = firstOf(e.Allowed)
	return e
}

func badRange(list query.List, path string) error {
	e := refusal("bad_value", path, list.String(), "the range must be whole days, the first before the last, not %s", fault.Clip(list.String()))
	e.Hint = `give a period such as 2024, or two days: ["2024-01-01", "2024-06-30"]`
	return e
}

func tooManyPeriods(t *query.TimeWindow, path string) error {
	e := refusal("too_many_periods", path, t.Range.String(), "the range has more than %d periods of a %s", maxPeriods, t.Grain)
	e.Hint = "take a longer grain or a shorter range"
	return e
}

func noSuchComparison(t *query.TimeWindow, grains []string) error {
	e := refusal("bad_combination", "timeWindow.grain", string(t.Grain), "%s has no meaning for periods of a %s", t.Comparison, t.Grain)
	e.Allowed = grains
	return e
}

func (c *clauses) unknownMetric(name, path string) error {
	e := refusal("unknown_metric", path, name, "%s is not a selected measure", fault.Clip(name))
	for _, col := range c.columns {
		if col.Expr.Level() == GroupLevel && col.Expr.Type().Numeric() {
			e.Allowed = append(e.Allowed, col.Key)
		}
	}
	e.Closest, e.Allowed = fault.Closest(name, e.Allowed), firstOf(e.Allowed)
	return e
}

func timeFilteredTwice(name string) error {
	e := refusal("time_filtered_twice", "slice", name, "slice filters on %s, whose stretch timeWindow decides", name)
	e.Hint = "put the bounds into timeWindow.range"
	return e
}

func timeGroupedTwice(name string) error {
	e := refusal("time_grouped_twice", "groupBy", name, "%s is a group key, and timeWindow groups by period already", name)
	e.Hint = "leave it out: the column period names the period"
	return e
}
