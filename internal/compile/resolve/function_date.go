package resolve

import (
	"slices"
	"strings"

	"parlance/internal/value"
)

// Units are the units of date arithmetic, shortest first; hours are of timestamps only.
var Units = []string{"hour", "day", "week", "month", "quarter", "year"}

// unit reads a constant unit: day, days, 'month'.
func (c *call) unit(arg operand, of value.Type) (Literal, error) {
	l, ok := arg.x.(Literal)
	word := strings.TrimSuffix(strings.ToLower(l.V.Text), "s")
	if ok && l.T.Kind == value.String && slices.Contains(unitsOf(of), word) {
		return Text(word), nil
	}
	return l, badUnit(c.name, arg, unitsOf(of), c.path)
}

// shift is date_add(date, n, unit) and date_sub(date, n, unit).
func shift(c *call) (Expr, error) {
	if err := c.takes(3, 3, "a date, a number and a unit, as in "+c.name+"(d, 3, 'month')"); err != nil {
		return nil, err
	}
	date, n := c.args[0].x, c.args[1].x
	if err := c.is(c.args[0], dateKind); err != nil {
		return nil, err
	}
	if n.Type().Kind != value.Integer {
		return nil, wrongOperand(c.name, c.args[1], "a whole number", c.path)
	}
	if c.name == "date_sub" {
		n = op(Neg, n.Type(), widened(n))
	}
	u, err := c.unit(c.args[2], date.Type())
	if err != nil {
		return nil, err
	}
	if date.Type().Zoned && u.V.Text != "hour" {
		return nil, shiftedInstant(c.name, c.args[0], c.path)
	}
	return op(Shift, date.Type(), date, n, u), nil
}

// truncate is date_trunc(unit, date).
func truncate(c *call) (Expr, error) {
	if err := c.takes(2, 2, "a unit and a date, as in date_trunc('month', d)"); err != nil {
		return nil, err
	}
	by, date := c.args[0], c.args[1]
	if by.Type().Temporal() {
		by, date = date, by
	}
	if err := c.is(date, dateKind); err != nil {
		return nil, err
	}
	u, err := c.unit(by, date.Type())
	if err != nil {
		return nil, err
	}
	t := value.Type{Kind: value.Date}
	if u.V.Text == "hour" {
		t.Kind = value.Timestamp
	}
	return op(Truncate, t, c.wall(date.x), u), nil
}

// distance is date_diff(unit, from, to), or datediff(to, from) in days.
func distance(c *call) (Expr, error) {
	if err := c.takes(2, 3, "a unit and two dates, as in date_diff('day', from, to)"); err != nil {
		return nil, err
	}
	by := operand{Text("day"), "'day'"}
	to, from := c.args[0], c.args[1]
	if len(c.args) == 3 {
		by, from, to = c.args[0], c.args[1], c.args[2]
	}
	for _, d := range []operand{from, to} {
		if err := c.is(d, dateKind); err != nil {
			return nil, err
		}
	}
	u, err := c.unit(by, to.Type())
	if err != nil {
		return nil, err
	}
	if u.V.Text == "hour" && from.x.Type().Zoned && to.x.Type().Zoned {
		return op(Distance, integer, from.x, to.x, u), nil
	}
	return op(Distance, integer, c.wall(from.x), c.wall(to.x), u), nil
}

// modulo is mod(x, y), the remainder that x % y gives.
func modulo(c *call) (Expr, error) {
	if err := c.takes(2, 2, ""); err != nil {
		return nil, err
	}
	for _, a := range c.args {
		if err := c.is(a, numberKind); err != nil {
			return nil, err
		}
	}
	e := arithmetic(Mod, c.args[0].x, c.args[1].x)
	if e == nil {
		return nil, tooManyDigits(c.text, c.path)
	}
	return e, nil
}
