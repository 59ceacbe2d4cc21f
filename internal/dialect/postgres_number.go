package dialect

import (
	"strconv"

	"parlance/internal/compute"
	"parlance/internal/value"
)

// number writes arithmetic; it reports false for any other function.
func (d postgres) number(w *Writer, f compute.Fn, args []Arg, t value.Type) bool {
	if t.Kind == value.Float {
		return d.double(w, f, args)
	}
	switch f {
	case compute.Add, compute.Sub, compute.Mul:
		cast(w, func() { between(w, infix[f], args) }, d.TypeName(t))
	case compute.Div:
		d.divide(w, args[0], args[1], t)
	case compute.Mod:
		cast(w, func() {
			args[0].Write()
			w.Text(" % ")
			nonZero(w, args[1])
		}, d.TypeName(t))
	case compute.Abs:
		call(w, names[f], exactly(w, args[0]))
	case compute.Floor, compute.Ceil, compute.Trunc: // of an integer the database would compute a double
		if args[0].Type.Kind == value.Integer {
			args[0].Write()
			return true
		}
		call(w, names[f], args[0])
	case compute.Sign:
		cast(w, func() { call(w, names[f], exactly(w, args[0])) }, "integer")
	default:
		return false
	}
	return true
}

// exactly writes an integer as a numeric, whose functions neither overflow nor compute doubles.
func exactly(w *Writer, x Arg) Arg {
	if x.Type.Kind != value.Integer {
		return x
	}
	return Arg{Write: func() { cast(w, x.Write, "numeric") }, Type: x.Type}
}

func nonZero(w *Writer, x Arg) {
	w.Text("NULLIF(")
	x.Write()
	w.Text(", 0)")
}

// divide writes x / y rounded half away from zero to the scale of t.
//
// The database rounds a quotient to the scale of the dividend, and the cast rounds once more. That is one rounding if
// the first is fine enough never to reach a half: the quotient of x with p digits after the point and y with 38 digits
// is at least 1 / (2 · 10^(t.Scale+p+38)) away from any half that it does not equal.
func (d postgres) divide(w *Writer, x, y Arg, t value.Type) {
	const spare = 2
	scale := int(t.Scale) + int(x.Type.Scale) + value.MaxPrecision + spare
	fine := "numeric(" + strconv.Itoa(value.MaxPrecision+scale) + "," + strconv.Itoa(scale) + ")"
	cast(w, func() {
		cast(w, x.Write, fine)
		w.Text(" / ")
		nonZero(w, y)
	}, d.TypeName(t))
}

// double writes arithmetic of floats. What overflows is null as in every other database, where this one fails.
func (d postgres) double(w *Writer, f compute.Fn, args []Arg) bool {
	x := args[0].Write
	switch f {
	case compute.Round:
		d.roundDouble(w, args[0], args[1].Const.Text)
	case compute.Exp:
		w.Text("CASE WHEN ")
		x()
		w.Text(" < -745.1332 THEN 0 WHEN ")
		x()
		w.Text(" <= 709.782712893384 THEN EXP(")
		x()
		w.Text(") END")
	case compute.Power:
		d.power(w, x, args[1].Write)
	default:
		return false
	}
	return true
}

// power keeps to the domain of POWER; y · ln |x| is the logarithm of the result.
func (postgres) power(w *Writer, x, y Operand) {
	size := func() {
		y()
		w.Text(" * LN(ABS(")
		x()
		w.Text("))")
	}
	w.Text("CASE WHEN ")
	x()
	w.Text(" = 0 THEN CASE WHEN ")
	y()
	w.Text(" >= 0 THEN POWER(")
	x()
	w.Text(", ")
	y()
	w.Text(") END WHEN ")
	x()
	w.Text(" < 0 AND ")
	y()
	w.Text(" <> TRUNC(")
	y()
	w.Text(") THEN NULL WHEN ")
	size()
	w.Text(" < -745.13 THEN 0 WHEN ")
	size()
	w.Text(" <= 709.78 THEN POWER(")
	x()
	w.Text(", ")
	y()
	w.Text(") END")
}

// roundDouble rounds halves away from zero, where the database's ROUND of a double goes to the even one: v plus its own
// fraction passes the next whole number exactly when the fraction is at least a half. Larger doubles are whole.
func (postgres) roundDouble(w *Writer, x Arg, digits string) {
	v := func() {
		x.Write()
		w.Text(" * 1e", digits, "::double precision")
	}
	w.Text("CASE WHEN ABS(")
	x.Write()
	w.Text(") < 4503599627370496 THEN TRUNC(")
	v()
	w.Text(" + (")
	v()
	w.Text(" - TRUNC(")
	v()
	w.Text("))) / 1e", digits, "::double precision ELSE ")
	x.Write()
	w.Text(" END")
}
