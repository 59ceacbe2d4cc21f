package dialect

import (
	"strconv"
	"strings"

	"parlance/internal/compute"
	"parlance/internal/value"
)

// number writes the functions of numbers; it reports false for any other, and leaves those of floats to the standard.
func (d clickHouse) number(w *Writer, f compute.Fn, args []Arg, t value.Type) bool {
	exact := t.Kind != value.Float
	switch f {
	case compute.Add, compute.Sub, compute.Mul:
		if !exact {
			return false
		}
		d.checked(w, f, args[0], args[1], t)
	case compute.Div:
		d.divide(w, args[0], args[1], t)
	case compute.Mod:
		d.modulo(w, args[0], args[1], t)
	case compute.Abs:
		d.abs(w, args[0], t)
	case compute.Sign:
		d.sign(w, args[0])
	case compute.Floor, compute.Ceil, compute.Trunc:
		d.whole(w, strings.ToLower(names[f]), args[0])
	case compute.Round:
		d.round(w, args[0], args[1].Const.Text, t)
	case compute.Power:
		call(w, "pow", args...)
	case compute.Exp:
		call(w, "exp", args...)
	case compute.Sqrt:
		d.within(w, args[0], " >= 0", "sqrt")
	case compute.Ln:
		d.within(w, args[0], " > 0", "log")
	case compute.Log10:
		d.within(w, args[0], " > 0", "log10")
	case compute.Widen:
		d.widen(w, args[0], t)
	case compute.Float:
		d.call(w, "toFloat64", args[0].Write)
	default:
		return false
	}
	return true
}

// decimal writes a number, or its text, as a decimal of 38 digits.
func (clickHouse) decimal(w *Writer, x Operand, scale uint8) {
	w.Text("toDecimal128(")
	x()
	w.Text(", ", strconv.Itoa(int(scale)), ")")
}

// most is the greatest number of 38 digits.
func most(scale uint8) string {
	digits := strings.Repeat("9", value.MaxPrecision)
	whole := digits[scale:]
	if scale > 0 {
		return whole + "." + digits[:scale]
	}
	return whole
}

// room is what an operand may measure so that its digits, moved by so many places, still fit in 127 bits.
func room(places int) string { return "1.5e" + strconv.Itoa(value.MaxPrecision-places) }

// checked writes a sum, difference or product that fails when it passes 38 digits. The server itself notices a sum that
// passes 127 bits, but not a product that does; of that, doubles tell.
func (d clickHouse) checked(w *Writer, f compute.Fn, x, y Arg, t value.Type) {
	var a, b string
	w.Text("if(throwIf(")
	r := d.let(w, func() {
		a = d.let(w, x.Write)
		w.Text(infix[f])
		b = d.let(w, y.Write)
	})
	bound := most(t.Scale)
	scale := strconv.Itoa(int(t.Scale))
	w.Text(" > toDecimal128('", bound, "', ", scale, ") OR ", r, " < toDecimal128('-", bound, "', ", scale, ")")
	if f == compute.Mul {
		w.Text(" OR abs(toFloat64(", a, ")) * abs(toFloat64(", b, ")) >= ", room(int(t.Scale)))
	}
	w.Text("), ", r, ", ", r, ")")
}

// divide writes x / y rounded half away from zero to the scale of t. The server's quotient has the scale of its
// dividend and is cut off; one digit more than asked for decides how it is rounded.
func (d clickHouse) divide(w *Writer, x, y Arg, t value.Type) {
	if t.Kind == value.Float {
		w.Text("(")
		x.Write()
		w.Text(" / nullIf(")
		y.Write()
		w.Text(", 0))")
		return
	}
	scale := max(t.Scale+1, x.Type.Scale, y.Type.Scale)
	digits := strconv.Itoa(int(t.Scale))
	num, den := d.quotient(w, x, y, int(scale)+int(y.Type.Scale), t)
	w.Text("toDecimal128(round(toDecimal128(", num, ", ", strconv.Itoa(int(scale)), ") / ", den, ", ", digits, "), ", digits, "))")
}

// quotient opens a condition whose last branch, to be written and closed by the caller, may divide: it fails when the
// dividend, moved by so many places, does not fit, and is null when the divisor is null or zero. It returns the names
// of the dividend and of a divisor that never is zero.
func (d clickHouse) quotient(w *Writer, x, y Arg, places int, t value.Type) (num, den string) {
	w.Text("if(throwIf(abs(toFloat64(")
	num = d.let(w, x.Write)
	w.Text(")) >= ", room(places), ") OR isNull(")
	divisor := d.let(w, func() {
		w.Text("nullIf(")
		y.Write()
		w.Text(", toDecimal128('0', ", strconv.Itoa(int(y.Type.Scale)), "))")
	})
	w.Text("), ")
	d.null(w, t)
	w.Text(", ")
	return num, "ifNull(" + divisor + ", toDecimal128('1', " + strconv.Itoa(int(y.Type.Scale)) + "))"
}

// modulo writes what the whole quotient leaves; the sign is that of x.
func (d clickHouse) modulo(w *Writer, x, y Arg, t value.Type) {
	s := strconv.Itoa(int(t.Scale))
	num, den := d.quotient(w, x, y, int(t.Scale)+int(y.Type.Scale), t)
	w.Text("toDecimal128(", num, ", ", s, ") - toDecimal128(toDecimal128(", num, ", ", s, ") / ", den, ", 0) * ", den, ")")
}

func (d clickHouse) abs(w *Writer, x Arg, t value.Type) {
	switch {
	case t.Kind != value.Integer:
		call(w, "abs", x)
	case t.Wide:
		d.call(w, "abs", func() { d.decimal(w, x.Write, 0) })
	default:
		d.call(w, "toInt64", func() { call(w, "abs", x) })
	}
}

func (d clickHouse) sign(w *Writer, x Arg) {
	w.Text("toInt64(multiIf(isNull(")
	name := d.let(w, x.Write)
	w.Text("), NULL, ", name, " > 0, 1, ", name, " < 0, -1, 0))")
}

func (d clickHouse) whole(w *Writer, name string, x Arg) {
	switch x.Type.Kind {
	case value.Decimal:
		d.decimal(w, func() { call(w, name, x) }, 0)
	case value.Integer:
		x.Write()
	default:
		call(w, name, x)
	}
}

func (d clickHouse) round(w *Writer, x Arg, digits string, t value.Type) {
	rounded := func() {
		w.Text("round(")
		x.Write()
		w.Text(", ", digits, ")")
	}
	if t.Kind == value.Float {
		rounded()
		return
	}
	d.decimal(w, rounded, t.Scale)
}

func (d clickHouse) within(w *Writer, x Arg, domain, name string) {
	w.Text("if(")
	a := d.let(w, x.Write)
	w.Text(domain, ", ", name, "(", a, "), NULL)")
}

// widen writes an exact number in 38 digits. The server takes a number that gets too many for one of the other sign.
func (d clickHouse) widen(w *Writer, x Arg, t value.Type) {
	switch {
	case x.Type.Kind == value.String:
		d.read(w, x, t.Scale)
	case x.Type.Wide && t.Scale > x.Type.Scale && x.Const == nil:
		w.Text("if(throwIf(abs(toFloat64(")
		name := d.let(w, x.Write)
		scaled := "toDecimal128(" + name + ", " + strconv.Itoa(int(t.Scale)) + ")"
		w.Text(")) >= 1e", strconv.Itoa(value.MaxPrecision-int(t.Scale)), "), ", scaled, ", ", scaled, ")")
	default:
		d.decimal(w, x.Write, t.Scale)
	}
}

// read writes the number of a text that is one.
func (d clickHouse) read(w *Writer, x Arg, scale uint8) {
	w.Text("if(isNull(")
	name := d.let(w, x.Write)
	w.Text("), NULL, toDecimal128(ifNull(", name, ", '0'), ", strconv.Itoa(int(scale)), "))")
}
