package dialect

import (
	"regexp"
	"strings"
	"unicode"

	"parlance/internal/compute"
	"parlance/internal/value"
)

// Call writes exact numbers cast to 38 digits after each step, so that none goes on which has more.
func (d mySQL) Call(w *Writer, f compute.Fn, args []Arg, t value.Type) {
	if t.Exact() && d.exact(w, f, args, t) {
		return
	}
	if d.text(w, f, args) || d.date(w, f, args) {
		return
	}
	switch f {
	case compute.Round: // of a double, whose halves the server would round to the even digit
		d.roundFloat(w, args[0], args[1].Const.Text)
	case compute.Trunc:
		truncated(w, args[0])
	case compute.Power:
		d.power(w, args[0], args[1])
	case compute.Exp:
		within(w, args[0], " <= "+maxExponent, "EXP")
	case compute.Greatest, compute.Least:
		d.extreme(w, names[f], args)
	case compute.Guard:
		standard(w, d, f, []Arg{d.late(w, args[0]), args[1]}, t)
	default:
		standard(w, d, f, args, t)
	}
}

// late makes a condition one that the server takes apart no further: it would put constants for fields that another
// condition makes equal to them, find that the rest is about one table, and compute it of all rows of that table.
func (d mySQL) late(w *Writer, x Arg) Arg {
	return Arg{Type: x.Type, Write: func() {
		w.Text("(RAND() >= 0 AND ")
		x.Write()
		w.Text(")")
	}}
}

// exact writes the functions of exact numbers; it reports false for any other.
func (d mySQL) exact(w *Writer, f compute.Fn, args []Arg, t value.Type) bool {
	kept := func(x Operand) { cast(w, x, d.TypeName(t)) }
	switch f {
	case compute.Add, compute.Sub:
		kept(func() { between(w, infix[f], args) })
	case compute.Mul:
		kept(func() { d.product(w, args[0], args[1], t) })
	case compute.Div:
		kept(func() { d.quotient(w, args[0], args[1], t) })
	case compute.Mod: // null for a zero divisor
		kept(func() { between(w, " % ", args) })
	case compute.Floor, compute.Ceil:
		kept(func() { call(w, names[f], args...) })
	case compute.Trunc:
		kept(func() { truncated(w, args[0]) })
	case compute.Round:
		kept(func() { standard(w, d, f, args, t) })
	default:
		return false
	}
	return true
}

func truncated(w *Writer, x Arg) {
	w.Text("TRUNCATE(")
	x.Write()
	w.Text(", 0)")
}

// quotient writes x / y to four more digits than are kept. The server cuts what follows, which rounding half away from
// zero never needs; a zero divisor gives null.
func (mySQL) quotient(w *Writer, x, y Arg, t value.Type) {
	cast(w, x.Write, "DECIMAL(65,"+digits(max(x.Type.Scale, t.Scale))+")")
	w.Text(" / ")
	y.Write()
}

// The server multiplies in words of nine digits and, where both numbers need more than nine words, silently drops
// digits after the point.
const (
	wordDigits = 9
	maxWords   = 9
)

func words(digits int) int { return (digits + wordDigits - 1) / wordDigits }

// product writes x * y. Where digits could be lost, numbers too large to be sure are refused as an overflow.
func (d mySQL) product(w *Writer, x, y Arg, t value.Type) {
	fraction := words(int(x.Type.Scale)) + words(int(y.Type.Scale))
	whole := words(value.MaxPrecision-int(min(x.Type.Scale, y.Type.Scale))) + 1
	if fraction+whole <= maxWords {
		between(w, " * ", []Arg{x, y})
		return
	}
	const safe = "1e18" // two words
	w.Text("CASE WHEN ABS(")
	x.Write()
	w.Text(") >= ", safe, " OR ABS(")
	y.Write()
	w.Text(") >= ", safe, " THEN CAST(CAST(")
	x.Write()
	w.Text(" AS DOUBLE) * 1e60 AS ", d.TypeName(t), ") ELSE ")
	between(w, " * ", []Arg{x, y})
	w.Text(" END")
}

// roundFloat tells halves from what is just below them by the part behind the point, which is exact.
func (mySQL) roundFloat(w *Writer, x Arg, places string) {
	size := func() {
		w.Text("ABS(")
		x.Write()
		w.Text(") * 1e", places)
	}
	w.Text("(SIGN(")
	x.Write()
	w.Text(") * (FLOOR(")
	size()
	w.Text(") + (")
	size()
	w.Text(" - FLOOR(")
	size()
	w.Text(") >= 0.5)) / 1e", places, ")")
}

// maxExponent is the largest exponent of e that a double holds; past it the server has no infinity but an error.
const maxExponent = "709.782712893384"

// power is null where there is no real number, as for a root of a negative one, and where it would be infinite.
func (mySQL) power(w *Writer, x, y Arg) {
	w.Text("CASE WHEN ")
	x.Write()
	w.Text(" = 0 THEN CASE WHEN ")
	y.Write()
	w.Text(" >= 0 THEN ")
	call(w, "POWER", x, y)
	w.Text(" END WHEN (")
	x.Write()
	w.Text(" > 0 OR ")
	y.Write()
	w.Text(" = FLOOR(")
	y.Write()
	w.Text(")) AND ")
	y.Write()
	w.Text(" * LN(ABS(")
	x.Write()
	w.Text(")) <= ", maxExponent, " THEN ")
	call(w, "POWER", x, y)
	w.Text(" END")
}

// extreme ignores nulls: each place of the list holds, instead of a null, the next value that is none.
func (mySQL) extreme(w *Writer, name string, args []Arg) {
	w.Text(name, "(")
	for i := range args {
		if i > 0 {
			w.Text(", ")
		}
		call(w, "COALESCE", append(append([]Arg{}, args[i:]...), args[:i]...)...)
	}
	w.Text(")")
}

// folding returns a regular expression that matches a text under simple Unicode case folding, each letter written as
// the set of its forms: regular expressions of different servers fold differently.
func folding(text string) string {
	var b strings.Builder
	for _, r := range text {
		forms := []rune{r}
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			forms = append(forms, next)
		}
		if len(forms) == 1 {
			b.WriteString(regexp.QuoteMeta(string(r)))
			continue
		}
		b.WriteString("[" + string(forms) + "]")
	}
	return b.String()
}
