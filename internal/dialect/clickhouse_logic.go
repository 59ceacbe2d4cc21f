package dialect

import (
	"parlance/internal/compute"
	"parlance/internal/value"
)

// clickHouseList is how many values stand in the text one by one; more go as one array.
const clickHouseList = 64

// logic writes comparisons, choices and lists; it reports false for any other function.
func (d clickHouse) logic(w *Writer, f compute.Fn, args []Arg, t value.Type) bool {
	switch f {
	case compute.Not:
		w.Text("(NOT ifNull(")
		args[0].Write()
		w.Text(", 0))")
	case compute.Eq, compute.Ne, compute.Lt, compute.Le, compute.Gt, compute.Ge:
		x, y := d.comparable(w, args[0], args[1])
		between(w, infix[f], []Arg{x, y})
	case compute.IsNull:
		call(w, "isNull", args[0])
	case compute.In:
		d.among(w, args[0], args[1:])
	case compute.BitsSet:
		w.Text("(bitAnd(")
		d.call(w, "toInt64", args[0].Write)
		w.Text(", ")
		d.call(w, "toInt64", args[1].Write)
		w.Text(") = ")
		d.call(w, "toInt64", args[1].Write)
		w.Text(")")
	case compute.Case:
		d.choose(w, args, t)
	case compute.Coalesce:
		d.coalesce(w, args, t)
	case compute.NullIf:
		d.nullIf(w, args[0], args[1], t)
	case compute.Greatest:
		d.extreme(w, args, " >= ", t)
	case compute.Least:
		d.extreme(w, args, " <= ", t)
	default:
		return false
	}
	return true
}

// comparable returns two operands in types that the server compares: no double beside a decimal, no date beside a time.
func (d clickHouse) comparable(w *Writer, x, y Arg) (Arg, Arg) {
	switch {
	case x.Type.Kind == value.Float && y.Type.Exact():
		y = d.as(w, y, "toFloat64(", ")")
	case y.Type.Kind == value.Float && x.Type.Exact():
		x = d.as(w, x, "toFloat64(", ")")
	case x.Type.Kind == value.Timestamp && y.Type.Kind == value.Date:
		y = d.as(w, y, "toDateTime(", ", 'UTC')")
	case y.Type.Kind == value.Timestamp && x.Type.Kind == value.Date:
		x = d.as(w, x, "toDateTime(", ", 'UTC')")
	}
	return x, y
}

// as returns an operand within further text.
func (clickHouse) as(w *Writer, x Arg, before, after string) Arg {
	inner := x.Write
	x.Write = func() { w.Text(before); inner(); w.Text(after) }
	return x
}

// alike returns an operand whose type the server can hold beside others of t: 64-bit integers may have a sign or not,
// and nothing but a decimal holds both.
func (d clickHouse) alike(w *Writer, x Arg, t value.Type) Arg {
	if x.Const == nil && t.Kind == value.Integer && t.Wide {
		return d.as(w, x, "toDecimal128(", ", 0)")
	}
	return x
}

func (d clickHouse) choose(w *Writer, args []Arg, t value.Type) {
	w.Text("multiIf(")
	last := len(args) - 1
	for i := 0; i < last; i += 2 {
		args[i].Write()
		w.Text(", ")
		d.alike(w, args[i+1], t).Write()
		w.Text(", ")
	}
	d.alike(w, args[last], t).Write()
	w.Text(")")
}

func (d clickHouse) coalesce(w *Writer, args []Arg, t value.Type) {
	w.Text("coalesce(")
	for i, a := range args {
		if i > 0 {
			w.Text(", ")
		}
		d.alike(w, a, t).Write()
	}
	w.Text(")")
}

func (d clickHouse) nullIf(w *Writer, x, y Arg, t value.Type) {
	w.Text("multiIf(ifNull(")
	name := d.let(w, x.Write)
	w.Text(" = ")
	y.Write()
	w.Text(", 0), ")
	d.null(w, t)
	w.Text(", ", name, ")")
}

// extreme keeps the greater or smaller of two values, or the one that is not null, and goes on with the next.
func (d clickHouse) extreme(w *Writer, args []Arg, sign string, t value.Type) {
	best := d.alike(w, args[0], t).Write
	for _, next := range args[1:] {
		left, right := best, d.alike(w, next, t).Write
		best = func() {
			w.Text("multiIf(isNull(")
			x := d.let(w, left)
			w.Text("), ")
			y := d.let(w, right)
			w.Text(", isNull(", y, "), ", x, ", ", x, sign, y, ", ", x, ", ", y, ")")
		}
	}
	best()
}

// among writes whether a value is in a list, null of null. A list that is long, or of decimals, which the server takes
// from nothing but a SELECT, goes as one array of texts; one that is computed is compared one by one.
func (d clickHouse) among(w *Writer, x Arg, values []Arg) {
	t := x.Type
	for _, a := range values {
		if a.Type.Kind == value.Decimal {
			t.Kind, t.Scale = value.Decimal, max(t.Scale, a.Type.Scale)
		}
	}
	texts, constant := clickHouseTexts(values)
	if !constant {
		d.any(w, x, values)
		return
	}
	w.Text("(")
	if exact := t.Kind == value.Decimal || t.Kind == value.Integer && t.Wide; exact || len(values) > clickHouseList {
		d.convert(w, x.Write, t)
		w.Text(" IN (SELECT ")
		d.convert(w, func() { w.Text("arrayJoin("); w.Bind(texts); w.Text(")") }, t)
		w.Text(")")
	} else {
		x.Write()
		w.Text(" IN (")
		list(w, values)
		w.Text(")")
	}
	w.Text(" AND ")
	x.Write()
	w.Text(" = ")
	x.Write()
	w.Text(")")
}

func (d clickHouse) any(w *Writer, x Arg, list []Arg) {
	w.Text("(")
	for i, a := range list {
		if i > 0 {
			w.Text(" OR ")
		}
		d.logic(w, compute.Eq, []Arg{x, a}, value.Type{Kind: value.Boolean})
	}
	w.Text(")")
}

// clickHouseTexts returns the texts of operands that all are constants.
func clickHouseTexts(list []Arg) ([]string, bool) {
	texts := make([]string, len(list))
	for i, a := range list {
		if a.Const == nil || a.Const.IsNull() {
			return nil, false
		}
		texts[i] = a.Const.Text
		if a.Const.Kind == value.Timestamp {
			texts[i] = clickHouseTime(texts[i])
		}
	}
	return texts, true
}

// convert writes a value, or its text, in the one type that both sides of a list must have.
func (d clickHouse) convert(w *Writer, x Operand, t value.Type) {
	switch {
	case t.Kind == value.Decimal, t.Kind == value.Integer && t.Wide:
		d.decimal(w, x, t.Scale)
	case t.Kind == value.Integer:
		d.call(w, "toInt64", x)
	case t.Kind == value.Float:
		d.call(w, "toFloat64", x)
	case t.Kind == value.Boolean:
		x()
	case t.Kind == value.Date:
		d.call(w, "toDate", x)
	case t.Kind == value.Timestamp:
		w.Text("toDateTime(")
		x()
		w.Text(", 'UTC')")
	default:
		d.call(w, "toString", x)
	}
}
