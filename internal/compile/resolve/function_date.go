package resolve

import (
	"strings"

	"parlance/internal/fault"
	"parlance/internal/value"
)

// Units are the units of date arithmetic, shortest first; hours are of timestamps only.
var Units = []string{"hour", "day", "week", "month", "quarter", "year"}

// unit reads a constant unit: day, days, 'month'.
func unit(e Expr, of value.Type, name, path string) (Literal, error) {
	l, ok := e.(Literal)
	word := strings.TrimSuffix(strings.ToLower(l.V.Text), "s")
	for _, u := range Units {
		if ok && l.T.Kind == value.String && u == word && (u != "hour" || of.Kind == value.Timestamp) {
			return Text(u), nil
		}
	}
	err := fault.Invalidf("bad_argument", path, "%s needs a constant unit", name)
	err.Got, err.Allowed = l.V.Text, Units
	return l, err
}

// shift is date_add(date, n, unit) and date_sub(date, n, unit).
func shift(name string, args []Expr, path string) (Expr, error) {
	if len(args) != 3 {
		return nil, wrongArguments(name, "a date, a number and a unit, as in date_add(d, 3, 'month')", len(args), path)
	}
	if err := checkKind(name, args[0], dateKind, path); err != nil {
		return nil, err
	}
	n := args[1]
	if n.Type().Kind != value.Integer {
		return nil, wrongOperand(name, n, "a whole number", path)
	}
	if name == "date_sub" {
		n = op(Neg, n.Type(), widened(n))
	}
	t := args[0].Type()
	u, err := unit(args[2], t, name, path)
	if err != nil {
		return nil, err
	}
	return op(Shift, t, args[0], n, u), nil
}

// truncate is date_trunc(unit, date).
func truncate(name string, args []Expr, path string) (Expr, error) {
	if len(args) != 2 {
		return nil, wrongArguments(name, "a unit and a date, as in date_trunc('month', d)", len(args), path)
	}
	if args[0].Type().Temporal() {
		args[0], args[1] = args[1], args[0]
	}
	if err := checkKind(name, args[1], dateKind, path); err != nil {
		return nil, err
	}
	u, err := unit(args[0], args[1].Type(), name, path)
	if err != nil {
		return nil, err
	}
	t := value.Type{Kind: value.Date}
	if u.V.Text == "hour" {
		t.Kind = value.Timestamp
	}
	return op(Truncate, t, args[1], u), nil
}

// distance is date_diff(unit, from, to), or datediff(to, from) in days.
func distance(name string, args []Expr, path string) (Expr, error) {
	var from, to, by Expr
	switch len(args) {
	case 2:
		to, from, by = args[0], args[1], Text("day")
	case 3:
		by, from, to = args[0], args[1], args[2]
	default:
		return nil, wrongArguments(name, "a unit and two dates, as in date_diff('day', from, to)", len(args), path)
	}
	for _, d := range []Expr{from, to} {
		if err := checkKind(name, d, dateKind, path); err != nil {
			return nil, err
		}
	}
	u, err := unit(by, to.Type(), name, path)
	if err != nil {
		return nil, err
	}
	return op(Distance, integer, from, to, u), nil
}

// modulo is mod(x, y), the remainder that x % y gives.
func modulo(name string, args []Expr, path string) (Expr, error) {
	if len(args) != 2 {
		return nil, wrongArguments(name, "two numbers", len(args), path)
	}
	for _, a := range args {
		if err := checkKind(name, a, numberKind, path); err != nil {
			return nil, err
		}
	}
	e := arithmetic(Mod, args[0], args[1])
	if e == nil {
		return nil, tooManyDigits(name, path)
	}
	return e, nil
}
