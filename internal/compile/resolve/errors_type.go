package resolve

import (
	"math"
	"regexp"
	"slices"
	"strconv"

	"parlance/internal/access"
	"parlance/internal/fault"
	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// Operands.

// wrongOperand refuses an operand of fn by its type; want is what fn takes, in words.
func wrongOperand(fn string, got operand, want, path string) error {
	e := refusal("wrong_type", path, got.text, "%s needs %s, and %s is of type %s", fn, want, fault.Clip(got.text), got.Type().Name())
	if _, field := got.x.(Field); field && (fn == "sum" || fn == "avg") && !got.Type().Numeric() {
		e.Hint = "count_distinct(" + e.Got + ") counts its values; what is added up are measures"
	}
	return e
}

// wantedBy is what an aggregate can be taken of, in words.
func wantedBy(fn semantic.Agg) string {
	if fn == semantic.Min || fn == semantic.Max {
		return "a number, a text or a date"
	}
	return "a number"
}

func wrongAggregate(fn, name string, t value.Type) error {
	return refusal("wrong_type", "", name, "%s cannot be taken of %s, which is of type %s", fn, name, t.Name())
}

func (r *resolver) unsupportedAdditivity(m *semantic.Measure) error {
	return refusal("unsupported", "", m.Name, "the measure %s uses %q over %s, which this version cannot compute", m.Name, m.SemiAdd.Use, r.timeOf(m))
}

// timeOf names the time along which a measure is not added up, if the caller may know it.
func (r *resolver) timeOf(m *semantic.Measure) string {
	for _, name := range []string{m.SemiAdd.Over, m.SemiAdd.Over + "$id"} {
		if f := r.model.Field(name); f != nil && r.grant.Field(f) != access.Hidden {
			return m.SemiAdd.Over
		}
	}
	return "time"
}

func incomparable(x, y operand, path string) error {
	return refusal("wrong_type", path, y.text, "%s (%s) cannot be compared with %s (%s)",
		fault.Clip(x.text), x.Type().Name(), fault.Clip(y.text), y.Type().Name())
}

func differentTypes(what string, x, y operand, path string) error {
	return refusal("wrong_type", path, y.text, "%s must have one type: %s is of type %s, %s of type %s", what,
		fault.Clip(x.text), x.Type().Name(), fault.Clip(y.text), y.Type().Name())
}

func wrongDeclaredType(f query.Calculated, t value.Type, path string) error {
	e := refusal("wrong_type", path, f.Type, "%s is of type %s, not %s", f.Name, t.Name(), f.Type)
	e.Hint = "leave out type, or compute a value of that type"
	return e
}

// notConstant refuses a value that is computed where fn, an operator or a function, takes a constant.
func notConstant(fn, want, got, path string) error {
	return refusal("not_constant", path, got, "%s takes %s, not %s", fn, want, fault.Clip(got))
}

func tooManyDigits(what, path string) error {
	return refusal("numeric_overflow", path, what, "%s needs more than the %d digits of exact arithmetic", fault.Clip(what), value.MaxPrecision)
}

// Arguments of functions.

// wrongArguments refuses a number of arguments; want is how many, and perhaps which, in words.
func wrongArguments(call, fn, want string, got int, path string) error {
	return refusal("wrong_arguments", path, call, "%s takes %s, not %d", fn, want, got)
}

// counted is a number of arguments from low to high in words; a negative high is no bound.
func counted(low, high int) string {
	noun := " arguments"
	if high == 1 || high < 0 && low == 1 {
		noun = " argument"
	}
	switch {
	case high < 0:
		return "at least " + itoa(low) + noun
	case high == 0:
		return "no argument"
	case high == low+1:
		return itoa(low) + " or " + itoa(high) + noun
	case high > low:
		return itoa(low) + " to " + itoa(high) + noun
	}
	return itoa(low) + noun
}

func badDigits(got, path string) error {
	return refusal("bad_argument", path, got, "round keeps a constant number of digits from 0 to %d, not %s", maxScale, fault.Clip(got))
}

func badUnit(fn string, got operand, units []string, path string) error {
	e := refusal("bad_argument", path, got.text, "%s needs a constant unit, not %s", fn, fault.Clip(got.text))
	e.Allowed = units
	if l, ok := got.x.(Literal); ok {
		e.Closest = fault.Closest(l.V.Text, units)
	}
	return e
}

// Operators and values of filters.

func wrongOperator(o string, x operand, path string) error {
	e := refusal("wrong_operator", path, o, "%s does not fit %s, which is of type %s", o, fault.Clip(x.text), x.Type().Name())
	e.Allowed = operatorsOf(x.Type())
	return e
}

// onlyConstants refuses to match a text against another field's.
func onlyConstants(o query.Op, path string) error {
	e := refusal("wrong_operator", path, o.String(), "%s compares with a constant text, not with another field", o)
	e.Allowed = []string{"=", "!=", ">", ">=", "<", "<="}
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

// ambiguousDate tells the two days that a date such as 03/05/2024 may be.
func ambiguousDate(s query.Scalar, m []string, path string) error {
	first, second := m[3]+"-"+m[1]+"-"+m[2], m[3]+"-"+m[2]+"-"+m[1]
	e := refusal("bad_value", path, s.Text, "%s may be %s or %s", shown(s), first, second)
	e.Hint = "write the year first, then the month"
	return e
}

// slashed is a date whose day and month cannot be told apart.
var slashed = regexp.MustCompile(`^(0[1-9]|1[0-2])[/.-](0[1-9]|1[0-2])[/.-](\d{4})$`)

func badValue(s query.Scalar, t value.Type, path string) error {
	if m := slashed.FindStringSubmatch(s.Text); m != nil && m[1] != m[2] && t.Temporal() {
		return ambiguousDate(s, m, path)
	}
	e := refusal("bad_value", path, s.Text, "%s is not %s", shown(s), example(t))
	if t.Kind == value.String && s.Kind != query.NullLiteral {
		e.Hint = "put it in quotes: " + strconv.Quote(e.Got)
	}
	return e
}

func badBits(s query.Scalar, path string) error {
	return refusal("bad_value", path, s.Text, "bit_in takes whole numbers from 0 to %d, not %s", math.MaxInt64, shown(s))
}

func beyondFloat(s query.Scalar, path string) error {
	return refusal("bad_value", path, s.Text, "%s is beyond the range of a floating-point number", shown(s))
}

func timeOnDate(s query.Scalar, path string) error {
	e := refusal("bad_value", path, s.Text, "%s has a time of day, and the field is a date", shown(s))
	e.Hint = "give the day alone, such as 2024-03-05"
	return e
}

func tooFine(s query.Scalar, path string) error {
	e := refusal("bad_value", path, s.Text, "%s is finer than a microsecond", shown(s))
	e.Hint = "give at most six digits of a second"
	return e
}

func shown(s query.Scalar) string {
	switch s.Kind {
	case query.NullLiteral:
		return "null"
	case query.StringLiteral:
		return "\"" + fault.Clip(s.Text) + "\""
	case query.BoolLiteral, query.NumberLiteral:
	}
	return fault.Clip(s.Text)
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

// unitsOf are the units that a date or time is counted in.
func unitsOf(t value.Type) []string {
	if t.Kind == value.Timestamp {
		return Units
	}
	return slices.DeleteFunc(slices.Clone(Units), func(u string) bool { return u == "hour" })
}

func shiftedInstant(fn string, x operand, path string) error {
	e := refusal("wrong_type", path, x.text, "%s moves an instant by hours only: a day may have 23 or 25 of them", fn)
	e.Hint = "cut it to its day first, as in " + fn + "(date(x), 1, 'day')"
	return e
}

func (r *resolver) notAddedUp(m *semantic.Measure, path string) error {
	e := refusal("not_additive", path, m.Name, "%s is not added up over %s, so a sum over an expression of it has no meaning", m.Name, r.timeOf(m))
	e.Hint = "name the measure alone, or compute with its value: " + m.Name + " * 2"
	return e
}

func measureOfFacts(m *semantic.Measure, model, path string) error {
	e := refusal("not_shared", path, m.Name, "%s has no rows of its own in %s, so %s cannot filter rows", m.Name, model, m.Name)
	e.Hint = "filter groups with having, or ask " + m.Of.Fact.Name
	return e
}

func badLength(fn string, x operand, path string) error {
	return refusal("bad_argument", path, x.text, "%s takes a constant length from 0 to %d", fn, maxPadding)
}

func tooLong(call, path string) error {
	e := refusal("too_complex", path, call, "%s can make texts of more than %d characters", fault.Clip(call), maxWidth)
	e.Hint = "replace fewer times, or by shorter texts"
	return e
}
