package resolve

import (
	"sort"
	"strings"

	"parlance/internal/fault"
	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// at gives an error without a path the path of what was being bound.
func at(err error, path string) error {
	if f, ok := err.(*fault.Error); ok && f.Path == "" {
		f.Path = path
	}
	return err
}

func deniedField(name, path string) error {
	return &fault.Error{Kind: fault.Forbidden, Reason: "forbidden_field", Path: path, Got: name, Message: "no permission for field \"" + name + "\""}
}

func nestedAggregate(what, path string) error {
	return fault.Invalidf("nested_aggregate", path, "%s is an aggregate already and cannot be aggregated again, nor used for a single row", what).
		With(func(e *fault.Error) { e.Got = what })
}

func wrongAggregate(fn, name string, t value.Type) error {
	return fault.Invalidf("wrong_type", "", "%s cannot be taken of %s, which is of type %s", fn, name, t.Name())
}

func unsupportedAdditivity(m *semantic.Measure) error {
	return fault.Invalidf("unsupported", "", "the measure %s uses %q over %s, which this version cannot compute", m.Name, m.SemiAdd.Use, m.SemiAdd.Over)
}

func unsupportedExpression(what, path string) error {
	return fault.Invalidf("unsupported", path, "%s cannot stand here", what)
}

func definedByItself(name, path string) error {
	return fault.Invalidf("circular_definition", path, "%s is defined by itself", name).With(func(e *fault.Error) { e.Got = name })
}

func misplacedWindow(what, path string) error {
	return fault.Invalidf("misplaced_window", path, "the window function %s cannot stand inside another function of many rows", what).
		With(func(e *fault.Error) { e.Got = what })
}

func unknownWindowFunction(name, path string) error {
	e := fault.Invalidf("unknown_function", path, "there is no window function %q", name)
	e.Got, e.Allowed, e.Closest = name, windowNames[:10], fault.Closest(name, windowNames)
	return e
}

func treeNotHere(name, path string) error {
	e := fault.Invalidf("hierarchy_view", path, "%s stands for every ancestor of a row, so it can only be a group key", name)
	e.Got, e.Hint = name, "group by it, or filter with selfAndDescendantsOf on the dimension's id"
	return e
}

func notAHierarchy(what string, o query.Op, path string) error {
	e := fault.Invalidf("not_a_hierarchy", path, "%s needs the id of a dimension with a hierarchy, not %s", o, what)
	e.Got = what
	return e
}

func noDistance(d *semantic.Dimension, path string) error {
	return fault.Invalidf("no_distance", path, "the hierarchy of %s has no distances, so levels cannot be counted", d.Name)
}

func badDepth(n int64, path string) error {
	return fault.Invalidf("bad_value", path, "maxDepth must be 1 or more, not %d", n)
}

func tooManyDigits(what, path string) error {
	return fault.Invalidf("numeric_overflow", path, "%s needs more than the %d digits of exact arithmetic", what, value.MaxPrecision).
		With(func(e *fault.Error) { e.Got = what })
}

func wrongOperand(fn string, got Expr, want, path string) error {
	return fault.Invalidf("wrong_type", path, "%s needs %s, not a value of type %s", fn, want, got.Type().Name())
}

func incomparable(x, y Expr, path string) error {
	return fault.Invalidf("wrong_type", path, "a value of type %s cannot be compared with one of type %s", x.Type().Name(), y.Type().Name())
}

func differentTypes(what string, x, y Expr, path string) error {
	return fault.Invalidf("wrong_type", path, "%s must have one type, not %s and %s", what, x.Type().Name(), y.Type().Name())
}

func notConstant(what, path string) error {
	return fault.Invalidf("not_constant", path, "%s must be a constant here", what).With(func(e *fault.Error) { e.Got = what })
}

func wrongArguments(name, want string, got int, path string) error {
	return fault.Invalidf("wrong_arguments", path, "%s takes %s, not %d", name, want, got)
}

func argumentsOf(sig signature) string {
	n := itoa(len(sig.args))
	switch {
	case sig.more < 0:
		return "at least " + n
	case sig.more > 0:
		return n + " to " + itoa(len(sig.args)+sig.more)
	}
	return n
}

func unknownFunction(name, path string) error {
	known := functionNames()
	for _, a := range semantic.Aggs {
		known = append(known, string(a))
	}
	sort.Strings(known)
	e := fault.Invalidf("unknown_function", path, "there is no function %q", name)
	e.Got, e.Closest = name, fault.Closest(name, known)
	if len(e.Closest) == 0 {
		e.Hint = "functions: " + quoted(known)
	}
	return e
}

func wrongOperator(o query.Op, x Expr, path string) error {
	e := fault.Invalidf("wrong_operator", path, "the operator %s does not fit a value of type %s", o, x.Type().Name())
	e.Got, e.Allowed = o.String(), operatorsOf(x.Type())
	return e
}

func operatorsOf(t value.Type) []string {
	switch {
	case t.Kind == value.Boolean:
		return []string{"=", "!=", "in", "not in", "is null", "is not null"}
	case t.Kind == value.String:
		return []string{"=", "!=", "in", "not in", "like", "left_like", "right_like", "is null", "is not null", "[]"}
	}
	return []string{"=", "!=", ">", ">=", "<", "<=", "in", "[]", "[)", "is null"}
}

func badValue(s query.Scalar, t value.Type, path string) error {
	e := fault.Invalidf("bad_value", path, "%s is not %s", shown(s), example(t))
	e.Got = s.Text
	return e
}

func timeOnDate(s query.Scalar, path string) error {
	e := fault.Invalidf("bad_value", path, "%s has a time of day, and the field is a date", shown(s))
	e.Got, e.Hint = s.Text, "give the day alone, such as 2024-03-05"
	return e
}

func shown(s query.Scalar) string {
	switch s.Kind {
	case query.NullLiteral:
		return "null"
	case query.StringLiteral:
		text := s.Text
		if r := []rune(text); len(r) > 64 {
			text = string(r[:64]) + "…"
		}
		return "\"" + text + "\""
	case query.BoolLiteral, query.NumberLiteral:
	}
	return s.Text
}

// example returns a type in words, with what a value of it looks like.
func example(t value.Type) string {
	switch t.Kind {
	case value.Integer:
		return "an integer, such as 12"
	case value.Decimal, value.Float:
		return "a number, such as 12.5"
	case value.Boolean:
		return "a boolean, true or false"
	case value.Date:
		return "a date, such as 2024-03-05, 2024-03, 2024-Q1 or last month"
	case value.Timestamp:
		return "a date or time, such as 2024-03-05, 2024-03-05T14:30:00 or last month"
	case value.String, value.Null:
	}
	return "a text"
}

func notInMultiFact(what string, m *semantic.Model, path string) error {
	e := fault.Invalidf("not_shared", path, "%s has no single meaning in %s, which puts several facts side by side", what, m.Name)
	e.Got, e.Hint = what, "ask for its measures by the shared dimensions"
	return e
}

func orderlessWindow(fn, path string) error {
	return fault.Invalidf("window_order_required", path, "%s needs an order: give windowOrderBy", fn)
}

func badFrame(fn, path string) error {
	e := fault.Invalidf("bad_frame", path, "the range frame of %s counts along a number, so it needs exactly one numeric windowOrderBy and a function that equal rows share", fn)
	e.Hint = "count rows instead: rows between … and …"
	return e
}
func nameTaken(name, why, path string) error {
	return fault.Invalidf("name_taken", path, "the name %q cannot be given: %s", name, why).With(func(e *fault.Error) { e.Got = name })
}

func unknownAggregation(word, path string) error {
	e := fault.Invalidf("unknown_aggregation", path, "there is no aggregation %q", word)
	var names []string
	for _, a := range semantic.Aggs {
		names = append(names, string(a))
	}
	e.Got, e.Allowed, e.Closest = word, names[:10], fault.Closest(strings.ToLower(word), names)
	return e
}

func measureAsKey(name, path string) error {
	return fault.Invalidf("measure_as_key", path, "%s is a measure, and groups are made of attributes and dimensions", name).With(func(e *fault.Error) {
		e.Got, e.Hint = name, "leave it out of groupBy and name it in columns, or give it an agg here"
	})
}

func ambiguousLevel(what, path string) error {
	return fault.Invalidf("ambiguous_level", path, "%s has two meanings in a grouped query: of each row, or of each group", what).With(func(e *fault.Error) {
		e.Got, e.Hint = what, "put each measure into an aggregate, as in sum(a) / sum(b), or aggregate the whole, as in sum(a * b)"
	})
}

func notAKey(name, path string) error {
	return fault.Invalidf("not_a_group_key", path, "%s is neither a group key nor inside an aggregate", name).With(func(e *fault.Error) {
		e.Got, e.Hint = name, "add it to groupBy, or aggregate it, as in max("+name+")"
	})
}

func mixedCondition(err error) error {
	f := fault.As(err)
	f.Reason = "mixed_condition"
	f.Message = "one condition mixes rows and groups: " + f.Message
	f.Hint = "a filter on rows goes before grouping and one on groups after it; split the condition, or group by " + f.Got
	return f
}

func filterRequired(name, model string) error {
	return fault.Invalidf("filter_required", "slice", "%s must be filtered by %s", model, name).With(func(e *fault.Error) { e.Allowed = []string{name} })
}
