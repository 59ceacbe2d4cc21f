package sqlgen

import (
	"parlance/internal/compile/resolve"
	"parlance/internal/dialect"
	"parlance/internal/value"
)

// infix are the operators that stand between their operands.
var infix = map[resolve.Fn]string{
	resolve.And: " AND ", resolve.Or: " OR ", resolve.Eq: " = ", resolve.Ne: " <> ", resolve.Lt: " < ", resolve.Le: " <= ",
	resolve.Gt: " > ", resolve.Ge: " >= ", resolve.Add: " + ", resolve.Sub: " - ", resolve.Mul: " * ",
}

// calls are the functions that every database spells alike.
var calls = map[resolve.Fn]string{
	resolve.Coalesce: "COALESCE", resolve.NullIf: "NULLIF", resolve.Abs: "ABS", resolve.Floor: "FLOOR", resolve.Ceil: "CEIL",
	resolve.Exp: "EXP", resolve.Power: "POWER", resolve.Greatest: "GREATEST", resolve.Least: "LEAST",
	resolve.Lower: "LOWER", resolve.Upper: "UPPER", resolve.Trim: "TRIM", resolve.LTrim: "LTRIM", resolve.RTrim: "RTRIM",
	resolve.Length: "LENGTH", resolve.Concat: "CONCAT", resolve.Substring: "SUBSTRING", resolve.Left: "LEFT", resolve.Right: "RIGHT",
	resolve.Replace: "REPLACE", resolve.Reverse: "REVERSE", resolve.PadLeft: "LPAD", resolve.PadRight: "RPAD", resolve.Sign: "SIGN",
}

var matches = map[resolve.Fn]dialect.Match{
	resolve.Contains: dialect.Anywhere, resolve.StartsWith: dialect.AtStart, resolve.EndsWith: dialect.AtEnd,
}

var periods = map[resolve.Fn]dialect.Period{
	resolve.ToYear: dialect.Year, resolve.ToQuarter: dialect.Quarter, resolve.ToMonth: dialect.Month,
	resolve.ToWeek: dialect.Week, resolve.ToDate: dialect.Day, resolve.ToHour: dialect.Hour,
}

var parts = map[resolve.Fn]dialect.Part{
	resolve.YearOf: dialect.YearPart, resolve.QuarterOf: dialect.QuarterPart, resolve.MonthOf: dialect.MonthPart, resolve.WeekOf: dialect.WeekPart,
	resolve.DayOf: dialect.DayPart, resolve.HourOf: dialect.HourPart, resolve.DayOfWeekOf: dialect.WeekdayPart,
}

func (p *printer) op(o *resolve.Op) {
	if sign, ok := infix[o.Fn]; ok {
		p.infix(o, sign)
		return
	}
	if name, ok := calls[o.Fn]; ok {
		p.call(o, name)
		return
	}
	if how, ok := matches[o.Fn]; ok {
		p.d.Match(p.w, p.operand(o.Args[0]), how, o.Args[1].(resolve.Literal).V.Text)
		return
	}
	if period, ok := periods[o.Fn]; ok {
		p.d.Period(p.w, p.operand(o.Args[0]), period)
		return
	}
	if part, ok := parts[o.Fn]; ok {
		p.d.Part(p.w, p.operand(o.Args[0]), part)
		return
	}
	p.special(o)
}

// special writes the functions that have a form of their own.
func (p *printer) special(o *resolve.Op) {
	x := o.Args[0]
	switch o.Fn {
	case resolve.Not:
		p.d.NotTrue(p.w, p.operand(x))
	case resolve.IsNull:
		p.w.Text("(")
		p.expr(x)
		p.w.Text(" IS NULL)")
	case resolve.In:
		p.in(o)
	case resolve.BitsSet:
		p.w.Text("((")
		p.expr(x)
		p.w.Text(" & ")
		p.expr(o.Args[1])
		p.w.Text(") = ")
		p.expr(o.Args[1])
		p.w.Text(")")
	case resolve.Neg:
		p.w.Text("(-")
		p.expr(x)
		p.w.Text(")")
	case resolve.Div, resolve.Mod:
		p.divide(o)
	case resolve.Case:
		p.cases(o)
	case resolve.Round:
		p.w.Text("ROUND(")
		p.expr(x)
		p.w.Text(", ", o.Args[1].(resolve.Literal).V.Text, ")")
	case resolve.Sqrt:
		p.where(x, " >= 0", "SQRT(")
	case resolve.Trunc:
		p.d.Truncated(p.w, p.operand(x), x.Type())
	case resolve.Position:
		p.d.Position(p.w, p.operand(x), p.operand(o.Args[1]))
	case resolve.Shift:
		p.d.Shift(p.w, p.operand(x), p.operand(o.Args[1]), unitOf(o.Args[2]), o.T)
	case resolve.Distance:
		p.d.Distance(p.w, p.operand(x), p.operand(o.Args[1]), unitOf(o.Args[2]))
	case resolve.Truncate:
		p.d.Start(p.w, p.operand(x), unitOf(o.Args[1]))
	case resolve.Log10:
		p.where(x, " > 0", "LOG10(")
	case resolve.Ln:
		p.where(x, " > 0", "LN(")
	case resolve.ToText:
		p.d.Text(p.w, p.operand(x), x.Type())
	case resolve.ToLocal:
		p.d.Local(p.w, p.operand(x), o.Args[1].(resolve.Literal).V.Text)
	case resolve.Widen:
		t := o.T
		t.Kind = value.Decimal
		p.cast(x, t)
	case resolve.Float:
		p.cast(x, o.T)
	default:
		panic("sqlgen: no text for " + o.Fn.String())
	}
}

var units = map[string]dialect.Period{
	"hour": dialect.Hour, "day": dialect.Day, "week": dialect.Week, "month": dialect.Month, "quarter": dialect.Quarter, "year": dialect.Year,
}

func unitOf(e resolve.Expr) dialect.Period { return units[e.(resolve.Literal).V.Text] }

func (p *printer) infix(o *resolve.Op, sign string) {
	p.w.Text("(")
	for i, a := range o.Args {
		if i > 0 {
			p.w.Text(sign)
		}
		p.expr(a)
	}
	p.w.Text(")")
}

func (p *printer) call(o *resolve.Op, name string) {
	p.w.Text(name, "(")
	for i, a := range o.Args {
		p.comma(i)
		p.expr(a)
	}
	p.w.Text(")")
}

func (p *printer) in(o *resolve.Op) {
	p.w.Text("(")
	p.expr(o.Args[0])
	p.w.Text(" IN (")
	for i, a := range o.Args[1:] {
		p.comma(i)
		p.expr(a)
	}
	p.w.Text("))")
}

// divide writes a quotient or a remainder; of floats, null for a zero divisor too.
func (p *printer) divide(o *resolve.Op) {
	x, y := o.Args[0], o.Args[1]
	switch {
	case o.T.Kind != value.Float && o.Fn == resolve.Div:
		p.d.Divide(p.w, p.operand(x), p.operand(y), x.Type(), y.Type(), o.T)
	case o.T.Kind != value.Float:
		p.d.Modulo(p.w, p.operand(x), p.operand(y), x.Type(), y.Type(), o.T)
	default:
		p.w.Text("(")
		p.expr(x)
		if o.Fn == resolve.Div {
			p.w.Text(" / NULLIF(")
		} else {
			p.w.Text(" % NULLIF(")
		}
		p.expr(y)
		p.w.Text(", 0))")
	}
}

func (p *printer) cases(o *resolve.Op) {
	p.w.Text("CASE")
	last := len(o.Args) - 1
	for i := 0; i < last; i += 2 {
		p.w.Text(" WHEN ")
		p.expr(o.Args[i])
		p.w.Text(" THEN ")
		p.expr(o.Args[i+1])
	}
	p.w.Text(" ELSE ")
	p.expr(o.Args[last])
	p.w.Text(" END")
}

// where writes a function only where its argument is in its domain; elsewhere it is null.
func (p *printer) where(x resolve.Expr, domain, name string) {
	p.w.Text("CASE WHEN ")
	p.expr(x)
	p.w.Text(domain, " THEN ", name)
	p.expr(x)
	p.w.Text(") END")
}
