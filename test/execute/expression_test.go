package execute

import (
	"fmt"

	"parlance/internal/semantic"
	"parlance/internal/value"
)

func isNumber(t value.Type) bool { return t.Exact() }
func isText(t value.Type) bool   { return t.Kind == value.String }

// aggregate returns an aggregate function over a field or an expression.
func (a *asker) aggregate() string {
	if a.model.Multi != nil {
		return fmt.Sprintf("%s(%s)", pick(a.dice, []string{"sum", "avg", "min", "max"}), pick(a.dice, a.rawMeasures(nil)).Name)
	}
	numeric := []string{
		"sum", "avg", "count", "countd", "min", "max", "median", "stddev_pop", "stddev_samp", "var_pop", "var_samp", "count_distinct",
	}
	switch n := a.IntN(100); {
	case n < 35:
		m := pick(a.dice, a.rawMeasures(isNumber))
		return fmt.Sprintf("%s(%s)", pick(a.dice, numeric), m.Name)
	case n < 50:
		return fmt.Sprintf("%s(%s)", pick(a.dice, []string{"sum", "avg", "count", "countd", "min", "max", "median"}), a.rowNumber(2))
	case n < 58:
		return "count(*)"
	case n < 66:
		return fmt.Sprintf("group_concat(%s)", a.spelt(a.field(isText)))
	case n < 75:
		return fmt.Sprintf("sum(if(%s, %s, %s))", a.rowCondition(1), a.rowNumber(1), pick(a.dice, []string{"0", "null", "1.5"}))
	case n < 85:
		f := a.field(func(t value.Type) bool { return t.Kind != value.Boolean })
		return fmt.Sprintf("%s(%s)", pick(a.dice, []string{"min", "max"}), a.spelt(f))
	}
	return fmt.Sprintf("%s(%s)", pick(a.dice, []string{"count", "countd"}), a.spelt(a.field(nil)))
}

// exactAggregate returns an aggregate that is an exact number.
func (a *asker) exactAggregate() string {
	if a.model.Multi != nil || a.chance(40) {
		for range 50 {
			if m := pick(a.dice, a.measures); m.Type.Exact() {
				return m.Name
			}
		}
	}
	m := pick(a.dice, a.rawMeasures(isNumber))
	return fmt.Sprintf("%s(%s)", pick(a.dice, []string{"sum", "avg", "count", "min", "max", "median"}), m.Name)
}

// groupExpr returns a number made of aggregates. A bare measure stands only where it has one meaning.
func (a *asker) groupExpr(depth int) string {
	one := func() string {
		e := a.exactAggregate()
		f := a.model.Field(e)
		beside := depth < 2 && a.model.Multi == nil
		if f == nil || f.Measure.AggregateOnly() || beside {
			return e
		}
		return "sum(" + a.sumOf() + ")"
	}
	switch n := a.IntN(100); {
	case depth == 2:
		return fmt.Sprintf("%s %s (%s)", one(), pick(a.dice, []string{"+", "-", "*", "/"}), a.groupExpr(1))
	case depth == 0 || n < 15:
		return one()
	case n < 35:
		return fmt.Sprintf("%s / %s * 100", one(), one())
	case n < 45:
		return fmt.Sprintf("coalesce(%s, 0)", a.groupExpr(depth-1))
	case n < 55:
		return fmt.Sprintf("if(%s > %d, %s, %s)", one(), a.between(-2, 9), a.groupExpr(depth-1), pick(a.dice, []string{"0", "null", "-1.25"}))
	case n < 65:
		return fmt.Sprintf("%s %% %s", one(), pick(a.dice, []string{"7", "0", "2.5", "-3"}))
	}
	return fmt.Sprintf("(%s) %s (%s)", a.groupExpr(depth-1), pick(a.dice, []string{"+", "-", "*", "/"}), a.groupExpr(depth-1))
}

func (a *asker) sumOf() string {
	if a.model.Multi != nil {
		return pick(a.dice, a.rawMeasures(nil)).Name
	}
	return pick(a.dice, []string{"amount", "qty"})
}

// rowExpr returns an expression over one row, of any type.
func (a *asker) rowExpr(depth int) string {
	switch n := a.IntN(100); {
	case n < 25:
		return a.rowText(depth)
	case n < 32:
		return a.rowCondition(depth)
	}
	return a.rowNumber(depth)
}

// keyExpr returns an expression over attributes only, fit for a group key.
func (a *asker) keyExpr() string {
	if a.chance(50) {
		return fmt.Sprintf("if(%s, 'yes', 'no')", a.attributeCondition())
	}
	return a.rowText(1)
}

func (a *asker) attributeCondition() string {
	f := a.field(func(t value.Type) bool { return t.Exact() || t.Kind == value.String || t.Kind == value.Boolean })
	return a.exprCondition(a.spelt(f), f.Type)
}

func (a *asker) rowText(depth int) string {
	f := a.spelt(a.field(isText))
	switch n := a.IntN(100); {
	case depth == 0 || n < 20:
		return f
	case n < 40:
		return fmt.Sprintf("concat(%s, '-', %s)", f, a.rowText(depth-1))
	case n < 48:
		return fmt.Sprintf("coalesce(%s, 'none')", f)
	case n < 55:
		return fmt.Sprintf("%s(%s)", pick(a.dice, []string{"upper", "lower", "trim"}), "kind")
	case n < 65:
		return fmt.Sprintf("nullif(%s, 'a')", f)
	case n < 75:
		return fmt.Sprintf("case when %s then %s when %s then 'two' end", a.attributeCondition(), a.rowText(depth-1), a.attributeCondition())
	}
	return fmt.Sprintf("if(%s, %s, 'else')", a.attributeCondition(), a.rowText(depth-1))
}

// rowNumber returns an exact number of one row.
func (a *asker) rowNumber(depth int) string {
	leaf := func() string {
		switch n := a.IntN(10); {
		case n < 6:
			return pick(a.dice, a.rawMeasures(isNumber)).Name
		case n < 8:
			return a.spelt(a.field(func(t value.Type) bool { return t.Exact() && !t.Wide }))
		}
		return pick(a.dice, []string{"2", "0.5", "10", "1.25", "3"})
	}
	switch n := a.IntN(100); {
	case depth == 0 || n < 15:
		return pick(a.dice, a.rawMeasures(isNumber)).Name
	case n < 60:
		return fmt.Sprintf("%s %s %s", leaf(), pick(a.dice, []string{"+", "-", "*", "/", "%"}), leaf())
	case n < 68:
		return fmt.Sprintf("(%s) %s %s", a.rowNumber(depth-1), pick(a.dice, []string{"*", "/", "-"}), leaf())
	case n < 74:
		return fmt.Sprintf("abs(%s)", a.rowNumber(depth-1))
	case n < 80:
		return fmt.Sprintf("coalesce(%s, %s)", a.rowNumber(depth-1), leaf())
	case n < 85:
		return fmt.Sprintf("-%s", leaf())
	case n < 88:
		return fmt.Sprintf("length(%s)", a.spelt(a.field(isText)))
	case n < 93:
		return fmt.Sprintf("%s(%s)", pick(a.dice, []string{"round", "floor", "ceil", "trunc", "sign"}), a.rowNumber(depth-1))
	case n < 95:
		return fmt.Sprintf("round(%s, %d)", a.rowNumber(depth-1), a.IntN(4))
	case n < 96:
		return fmt.Sprintf("mod(%s, %s)", leaf(), leaf())
	}
	return fmt.Sprintf("if(%s, %s, %s)", a.rowCondition(1), a.rowNumber(depth-1), leaf())
}

// rowCondition returns a condition on one row as expression text.
func (a *asker) rowCondition(depth int) string {
	if depth > 0 && a.chance(30) {
		switch a.IntN(3) {
		case 0:
			return fmt.Sprintf("not (%s)", a.rowCondition(depth-1))
		case 1:
			return fmt.Sprintf("(%s) and (%s)", a.rowCondition(depth-1), a.rowCondition(depth-1))
		default:
			return fmt.Sprintf("(%s) or (%s)", a.rowCondition(depth-1), a.rowCondition(depth-1))
		}
	}
	if a.chance(40) {
		m := pick(a.dice, a.rawMeasures(isNumber))
		return a.exprCondition(m.Name, m.Measure.Type)
	}
	var f *semantic.Field
	for f == nil || f.Type.Temporal() && f.Type.Kind == value.Timestamp && f.Role == semantic.TimeGrain {
		f = a.field(nil)
	}
	return a.exprCondition(a.spelt(f), f.Type)
}

// exprCondition compares a name with constants, in the expression language.
func (a *asker) exprCondition(name string, t value.Type) string {
	op := pick(a.dice, []string{"=", "!=", "<", "<=", ">", ">="})
	not := pick(a.dice, []string{"", "not "})
	if a.chance(10) {
		return fmt.Sprintf("%s is %snull", name, not)
	}
	switch {
	case t.Kind == value.Boolean:
		return pick(a.dice, []string{name, "not " + name, name + " = true", name + " != true"})
	case t.Temporal():
		return fmt.Sprintf("%s %s '%s'", name, op, a.day(t))
	case t.Numeric():
		switch a.IntN(4) {
		case 0:
			return fmt.Sprintf("%s %sbetween %s and %s", name, not, a.constant(), a.constant())
		case 1:
			return fmt.Sprintf("%s %sin (%s, %s)", name, not, a.constant(), a.constant())
		}
		return fmt.Sprintf("%s %s %s", name, op, a.constant())
	}
	word := quoted(pick(a.dice, texts))
	switch a.IntN(4) {
	case 0:
		return fmt.Sprintf("%s %slike %s", name, not, word)
	case 1:
		return fmt.Sprintf("%s %sin (%s, 'NEW')", name, not, word)
	}
	return fmt.Sprintf("%s %s %s", name, op, word)
}
