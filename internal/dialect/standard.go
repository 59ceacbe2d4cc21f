package dialect

import (
	"math"
	"slices"
	"strings"

	"parlance/internal/compute"
	"parlance/internal/value"
)

// infix are the operators that stand between their operands in every database.
var infix = map[compute.Fn]string{
	compute.And: " AND ", compute.Or: " OR ", compute.Eq: " = ", compute.Ne: " <> ", compute.Lt: " < ", compute.Le: " <= ",
	compute.Gt: " > ", compute.Ge: " >= ", compute.Add: " + ", compute.Sub: " - ", compute.Mul: " * ",
}

// names are the functions as most databases spell them.
var names = map[compute.Fn]string{
	compute.Coalesce: "COALESCE", compute.NullIf: "NULLIF", compute.Abs: "ABS", compute.Floor: "FLOOR", compute.Ceil: "CEIL",
	compute.Exp: "EXP", compute.Power: "POWER", compute.Greatest: "GREATEST", compute.Least: "LEAST", compute.Sign: "SIGN", compute.Trunc: "TRUNC",
	compute.Lower: "LOWER", compute.Upper: "UPPER", compute.Trim: "TRIM", compute.LTrim: "LTRIM", compute.RTrim: "RTRIM",
	compute.Length: "LENGTH", compute.Concat: "CONCAT", compute.Substring: "SUBSTRING", compute.Left: "LEFT", compute.Right: "RIGHT",
	compute.Replace: "REPLACE", compute.Reverse: "REVERSE", compute.PadLeft: "LPAD", compute.PadRight: "RPAD",
}

// standard writes a function in the form that most databases share. A dialect handles its own forms first and leaves
// the rest to it.
func standard(w *Writer, d Dialect, f compute.Fn, args []Arg, t value.Type) {
	if sign, ok := infix[f]; ok {
		between(w, sign, args)
		return
	}
	if name, ok := names[f]; ok {
		call(w, name, args...)
		return
	}
	x := args[0].Write
	switch f {
	case compute.Not:
		w.Text("((")
		x()
		w.Text(") IS NOT TRUE)")
	case compute.IsNull:
		w.Text("(")
		x()
		w.Text(" IS NULL)")
	case compute.In:
		among(w, args)
	case compute.BitsSet:
		w.Text("((")
		x()
		w.Text(" & ")
		args[1].Write()
		w.Text(") = ")
		args[1].Write()
		w.Text(")")
	case compute.Neg:
		w.Text("(-")
		x()
		w.Text(")")
	case compute.Div, compute.Mod:
		floatDivide(w, f, args)
	case compute.Case:
		cases(w, args)
	case compute.Guard:
		no, boolean := value.Of(value.Boolean, "false"), value.Type{Kind: value.Boolean}
		d.Call(w, compute.Case, append(slices.Clone(args), Arg{Write: func() { d.Value(w, no, boolean) }, Type: boolean, Const: &no}), t)
	case compute.Sqrt:
		within(w, args[0], " >= 0", "SQRT")
	case compute.Ln:
		within(w, args[0], " > 0", "LN")
	case compute.Log10:
		within(w, args[0], " > 0", "LOG10")
	case compute.Round:
		w.Text("ROUND(")
		x()
		w.Text(", ", args[1].Const.Text, ")")
	case compute.Widen:
		t.Kind = value.Decimal
		cast(w, x, d.TypeName(t))
	case compute.Float:
		cast(w, x, d.TypeName(t))
	default:
		panic("dialect: no text for " + f.String())
	}
}

func between(w *Writer, sign string, args []Arg) {
	w.Text("(")
	for i, a := range args {
		if i > 0 {
			w.Text(sign)
		}
		a.Write()
	}
	w.Text(")")
}

func call(w *Writer, name string, args ...Arg) {
	w.Text(name, "(")
	list(w, args)
	w.Text(")")
}

func list(w *Writer, args []Arg) {
	for i, a := range args {
		if i > 0 {
			w.Text(", ")
		}
		a.Write()
	}
}

func cast(w *Writer, x Operand, to string) {
	w.Text("CAST(")
	x()
	w.Text(" AS ", to, ")")
}

func among(w *Writer, args []Arg) {
	w.Text("(")
	args[0].Write()
	w.Text(" IN (")
	list(w, args[1:])
	w.Text("))")
}

// floatDivide writes a quotient or a remainder of floats, null for a zero divisor.
func floatDivide(w *Writer, f compute.Fn, args []Arg) {
	w.Text("(")
	args[0].Write()
	if f == compute.Div {
		w.Text(" / NULLIF(")
	} else {
		w.Text(" % NULLIF(")
	}
	args[1].Write()
	w.Text(", 0))")
}

func cases(w *Writer, args []Arg) {
	w.Text("CASE")
	last := len(args) - 1
	for i := 0; i < last; i += 2 {
		w.Text(" WHEN ")
		args[i].Write()
		w.Text(" THEN ")
		args[i+1].Write()
	}
	w.Text(" ELSE ")
	args[last].Write()
	w.Text(" END")
}

// within writes a function only where its argument is in its domain; elsewhere it is null.
func within(w *Writer, x Arg, domain, name string) {
	w.Text("CASE WHEN ")
	x.Write()
	w.Text(domain, " THEN ", name, "(")
	x.Write()
	w.Text(") END")
}

// aggregates are the aggregates as most databases spell them, with the parenthesis that opens their argument.
var aggregates = map[compute.Agg]string{
	compute.Avg: "AVG(", compute.Count: "COUNT(", compute.CountDistinct: "COUNT(DISTINCT ", compute.Min: "MIN(", compute.Max: "MAX(",
	compute.Sum: "SUM(", compute.Median: "MEDIAN(", compute.StddevPop: "STDDEV_POP(", compute.StddevSamp: "STDDEV_SAMP(",
	compute.VarPop: "VAR_POP(", compute.VarSamp: "VAR_SAMP(",
}

// standardAggregate writes an aggregate in the form that most databases share.
func standardAggregate(w *Writer, a compute.Agg, x *Arg, over Operand) {
	if x == nil {
		w.Text("COUNT(*)")
	} else {
		w.Text(aggregates[a])
		x.Write()
		w.Text(")")
	}
	over()
}

// standardKey writes that two columns are equal by their own comparison.
func standardKey(w *Writer, x, y Operand) {
	x()
	w.Text(" = ")
	y()
}

// keyBeside writes the columns' own comparison, for the sake of an index, and beside it that of what is stored.
func keyBeside(w *Writer, x, y Operand, stored func(Operand)) {
	standardKey(w, x, y)
	w.Text(" AND ")
	standardKey(w, func() { stored(x) }, func() { stored(y) })
}

// standardOrder writes a term of an order for databases that can say where nulls stand.
func standardOrder(w *Writer, x Arg, desc, nullsFirst bool) {
	x.Write()
	if desc {
		w.Text(" DESC")
	}
	if nullsFirst {
		w.Text(" NULLS FIRST")
		return
	}
	w.Text(" NULLS LAST")
}

// standardRows writes constant rows for databases whose VALUES can be named.
func standardRows(w *Writer, alias string, columns []string, rows int, cell func(row, column int)) {
	w.Text("(VALUES ")
	for r := range rows {
		if r > 0 {
			w.Text(", ")
		}
		w.Text("(")
		for c := range columns {
			if c > 0 {
				w.Text(", ")
			}
			cell(r, c)
		}
		w.Text(")")
	}
	w.Text(") AS ", alias, "(", strings.Join(columns, ", "), ")")
}

// standardPage writes LIMIT and OFFSET, either of which a database may do without.
func standardPage(w *Writer, start, rows int64) {
	if rows != math.MaxInt64 {
		w.Text(" LIMIT ")
		w.Bind(rows)
	}
	if start > 0 {
		w.Text(" OFFSET ")
		w.Bind(start)
	}
}

// quoteWith appends an identifier between marks; a mark within it is doubled.
func quoteWith(buf []byte, ident string, mark byte) []byte {
	buf = append(buf, mark)
	for i := range len(ident) {
		if ident[i] == mark {
			buf = append(buf, mark)
		}
		buf = append(buf, ident[i])
	}
	return append(buf, mark)
}
