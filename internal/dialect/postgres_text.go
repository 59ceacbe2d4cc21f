package dialect

import (
	"math"
	"strconv"

	"parlance/internal/compute"
	"parlance/internal/value"
)

// spaces are what a text is trimmed of: the characters of Unicode's class Zs.
const spaces = " \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"

var postgresTrims = map[compute.Fn]string{compute.Trim: "BTRIM(", compute.LTrim: "LTRIM(", compute.RTrim: "RTRIM("}

// text writes the functions of texts; it reports false for any other.
func (d postgres) text(w *Writer, f compute.Fn, args []Arg) bool {
	x := args[0]
	if name, ok := postgresTrims[f]; ok {
		w.Text(name)
		x.Write()
		w.Text(", ")
		w.Bind(spaces)
		w.Text(")")
		return true
	}
	switch f {
	case compute.Contains:
		d.match(w, args, "", "")
	case compute.StartsWith:
		d.match(w, args, `\A`, "")
	case compute.EndsWith:
		d.match(w, args, "", `\Z`)
	case compute.Lower:
		d.letters(w, "LOWER", x, lowerCase())
	case compute.Upper:
		d.letters(w, "UPPER", x, upperCase())
	case compute.Substring:
		d.substring(w, args)
	case compute.Left, compute.Right:
		call(w, names[f], x, d.count(w, args[1]))
	case compute.PadLeft, compute.PadRight:
		call(w, names[f], x, d.count(w, args[1]), args[2])
	case compute.Position:
		call(w, "STRPOS", args...)
	case compute.ToText:
		d.toText(w, x)
	case compute.Digest:
		w.Text("(LEFT(ENCODE(SHA256(CONVERT_TO(")
		args[1].Write()
		w.Text(" || ")
		x.Write()
		w.Text(", 'UTF8')), 'hex'), 32)", byCodePoint, ")")
	default:
		return false
	}
	return true
}

// match writes a regular expression that spells every letter in all its cases, so that no locale decides about them.
func (postgres) match(w *Writer, args []Arg, before, after string) {
	w.Text("(")
	args[0].Write()
	w.Text(byCodePoint, " ~ ")
	w.Bind(before + foldedPattern(args[1].Const.Text) + after)
	w.Text(")")
}

// letters writes a text in one case. The database maps the letters of ASCII; where a text holds others that have the
// case, they are mapped one by one. A text of ASCII, as long in bytes as in characters, is not searched for them.
func (postgres) letters(w *Writer, name string, x Arg, m *caseMap) {
	ascii := func() {
		w.Text(name, "(")
		x.Write()
		w.Text(byCodePoint, ")")
	}
	w.Text("CASE WHEN OCTET_LENGTH(")
	x.Write()
	w.Text(") = LENGTH(")
	x.Write()
	w.Text(") THEN ")
	ascii()
	w.Text(" WHEN ")
	x.Write()
	w.Text(byCodePoint, " ~ ")
	w.Bind(m.class)
	w.Text(" THEN TRANSLATE(")
	ascii()
	w.Text(", ")
	w.Bind(m.from)
	w.Text(", ")
	w.Bind(m.to)
	w.Text(") ELSE ")
	ascii()
	w.Text(" END")
}

// count is a number of characters as functions of texts take it.
func (postgres) count(w *Writer, n Arg) Arg {
	write := n.Write
	if isConst(n) {
		write = func() { w.Bind(strconv.Itoa(clamped(*n.Const))) }
	}
	return Arg{Write: func() { cast(w, write, "integer") }, Type: value.Type{Kind: value.Integer}}
}

// clamped returns a number as 31 bits, which no text is longer than.
func clamped(v value.Value) int {
	n, err := strconv.ParseInt(v.Text, 10, 64)
	switch {
	case err == nil:
		return int(max(-math.MaxInt32, min(math.MaxInt32, n)))
	case v.Text[0] == '-':
		return -math.MaxInt32
	}
	return math.MaxInt32
}

func positive(n Arg) bool { return isConst(n) && clamped(*n.Const) > 0 }

// substring writes from which character on, counted from 1 or, negative, from the end, and how many; a negative number
// takes the characters before. Character 0 is one before the first.
func (d postgres) substring(w *Writer, args []Arg) {
	x, from := args[0], d.count(w, args[1])
	if len(args) == 2 {
		if positive(args[1]) {
			call(w, "SUBSTRING", x, from)
			return
		}
		d.since(w, x, from)
		return
	}
	n := d.count(w, args[2])
	if positive(args[1]) && positive(args[2]) {
		call(w, "SUBSTRING", x, from, n)
		return
	}
	part := func(when string, positive, negative func()) {
		w.Text(" WHEN ")
		from.Write()
		w.Text(when, " THEN CASE WHEN ")
		n.Write()
		w.Text(" > 0 THEN ")
		positive()
		w.Text(" WHEN ")
		n.Write()
		w.Text(" <= 0 THEN ")
		negative()
		w.Text(" END")
	}
	write := func(parts ...any) func() {
		return func() {
			for _, p := range parts {
				switch p := p.(type) {
				case string:
					w.Text(p)
				case Arg:
					p.Write()
				}
			}
		}
	}
	w.Text("CASE")
	part(" > 0", write("SUBSTRING(", x, ", ", from, ", ", n, ")"), write("RIGHT(LEFT(", x, ", ", from, " - 1), -", n, ")"))
	part(" = 0", write("LEFT(", x, ", ", n, " - 1)"), write("''"))
	part(" < 0", write("LEFT(RIGHT(", x, ", -", from, "), ", n, ")"), write("RIGHT(LEFT(", x, ", ", from, "), -", n, ")"))
	w.Text(" END")
}

// since writes a text from a character on.
func (postgres) since(w *Writer, x, from Arg) {
	w.Text("CASE WHEN ")
	from.Write()
	w.Text(" >= 0 THEN SUBSTRING(")
	x.Write()
	w.Text(", ")
	from.Write()
	w.Text(") WHEN ")
	from.Write()
	w.Text(" < 0 THEN RIGHT(")
	x.Write()
	w.Text(", -")
	from.Write()
	w.Text(") END")
}

func (d postgres) toText(w *Writer, x Arg) {
	switch x.Type.Kind {
	case value.Null, value.String:
		x.Write()
	case value.Decimal:
		cast(w, func() { cast(w, x.Write, d.TypeName(x.Type)) }, "text")
	case value.Timestamp:
		w.Text("REPLACE(")
		cast(w, x.Write, "text")
		w.Text(", ' ', 'T')")
	case value.Integer, value.Float, value.Boolean, value.Date:
		cast(w, x.Write, "text")
	}
}
