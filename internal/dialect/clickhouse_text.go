package dialect

import (
	"parlance/internal/compute"
	"parlance/internal/value"
)

// eachCharacter is a regular expression that finds one character. Texts are taken apart by it, since the server's own
// functions break characters of four bytes.
const eachCharacter = "'(?s).'"

// text writes the functions of texts; it reports false for any other.
func (d clickHouse) text(w *Writer, f compute.Fn, args []Arg) bool {
	x := args[0]
	switch f {
	case compute.Contains:
		d.match(w, args, "", "")
	case compute.StartsWith:
		d.match(w, args, `\A`, "")
	case compute.EndsWith:
		d.match(w, args, "", `\z`)
	case compute.Lower:
		d.letters(w, "lower", x, lowerCase())
	case compute.Upper:
		d.letters(w, "upper", x, upperCase())
	case compute.Trim:
		d.trim(w, `\p{Zs}+$`, func() { d.trim(w, `^\p{Zs}+`, x.Write) })
	case compute.LTrim:
		d.trim(w, `^\p{Zs}+`, x.Write)
	case compute.RTrim:
		d.trim(w, `\p{Zs}+$`, x.Write)
	case compute.Length:
		d.call(w, "toInt64", func() { call(w, "lengthUTF8", x) })
	case compute.Concat:
		d.concat(w, args)
	case compute.Substring:
		d.substring(w, args)
	case compute.Left:
		d.side(w, x, args[1], false)
	case compute.Right:
		d.side(w, x, args[1], true)
	case compute.Replace:
		d.replace(w, args)
	case compute.Position:
		d.call(w, "toInt64", func() { call(w, "positionUTF8", args...) })
	case compute.Reverse:
		d.known(w, []Arg{x}, func(names []string) {
			w.Text("arrayStringConcat(arrayReverse(extractAll(", names[0], ", ", eachCharacter, ")), '')")
		})
	case compute.PadLeft:
		d.pad(w, args, true)
	case compute.PadRight:
		d.pad(w, args, false)
	case compute.ToText:
		d.toText(w, x)
	case compute.Digest:
		d.known(w, []Arg{x}, func(names []string) {
			w.Text("lower(substring(hex(SHA256(concat(")
			args[1].Write()
			w.Text(", ", names[0], "))), 1, 32))")
		})
	default:
		return false
	}
	return true
}

// match spells every letter in all its cases: the server looks for a part of the expression first, and minds case there
// whatever the expression says.
func (clickHouse) match(w *Writer, args []Arg, before, after string) {
	w.Text("match(")
	args[0].Write()
	w.Text(", ")
	w.Bind(before + foldedPattern(args[1].Const.Text) + after)
	w.Text(")")
}

// letters writes a text in one case. The server maps the letters of ASCII rightly; all others that have the case are
// mapped one by one.
func (d clickHouse) letters(w *Writer, name string, x Arg, m *caseMap) {
	d.known(w, []Arg{x}, func(names []string) {
		w.Text("arrayStringConcat(arrayMap(_c -> transform(_c, extractAll(")
		w.Bind(m.from)
		w.Text(", ", eachCharacter, "), extractAll(")
		w.Bind(m.to)
		w.Text(", ", eachCharacter, "), _c), extractAll(", name, "(", names[0], "), ", eachCharacter, ")), '')")
	})
}

// known writes a text that is null when one of its operands is, and otherwise made of them; the server has no array
// that may be null. The body is written with the names of the operands.
func (d clickHouse) known(w *Writer, operands []Arg, body func(names []string)) {
	names := make([]string, len(operands))
	w.Text("if(")
	for i, x := range operands {
		if i > 0 {
			w.Text(" OR ")
		}
		w.Text("isNull(")
		names[i] = "assumeNotNull(" + d.let(w, x.Write) + ")"
		w.Text(")")
	}
	w.Text(", NULL, ")
	body(names)
	w.Text(")")
}

func (clickHouse) trim(w *Writer, pattern string, x Operand) {
	w.Text("replaceRegexpOne(")
	x()
	w.Text(", ")
	w.Bind(pattern)
	w.Text(", '')")
}

func (clickHouse) concat(w *Writer, args []Arg) {
	w.Text("concat(''")
	for _, a := range args {
		w.Text(", ifNull(")
		a.Write()
		w.Text(", '')")
	}
	w.Text(")")
}

// count is a number of characters.
func (d clickHouse) count(w *Writer, n Arg) Arg {
	write := n.Write
	if isConst(n) {
		write = func() { w.Bind(int64(clamped(*n.Const))) }
	}
	return Arg{Write: func() { d.call(w, "toInt64", write) }, Type: value.Type{Kind: value.Integer}}
}

// substring writes from which character on, counted from 1 or, negative, from the end, and how many; a negative number
// takes the characters before. Character 0 is one before the first.
func (d clickHouse) substring(w *Writer, args []Arg) {
	everything := value.Of(value.Integer, "2147483647")
	all := Arg{Const: &everything, Write: func() {}, Type: value.Type{Kind: value.Integer}}
	if len(args) == 2 {
		args = append(args, all)
	}
	x, from, n := args[0], d.count(w, args[1]), d.count(w, args[2])
	d.known(w, []Arg{x, from, n}, func(names []string) {
		text, from, n := names[0], names[1], names[2]
		w.Text("arrayStringConcat(arraySlice(")
		chars := d.let(w, func() { w.Text("extractAll(", text, ", ", eachCharacter, ")") })
		w.Text(", if(")
		take := d.let(w, func() { w.Text("if(", from, " = 0, greatest(", n, " - 1, 0), ", n, ")") })
		w.Text(" >= 0, ")
		start := d.let(w, func() {
			w.Text("multiIf(", from, " > 0, least(toInt64(length(", chars, ")), ", from, " - 1), greatest(toInt64(length(", chars, ")) + ", from, ", 0) * (", from, " < 0))")
		})
		w.Text(", greatest(", start, " + ", take, ", 0)) + 1, if(", take, " >= 0, ", take, ", ", start, " - greatest(", start, " + ", take, ", 0))), '')")
	})
}

// side writes the first or last characters of a text; a negative number leaves so many out at the other side.
func (d clickHouse) side(w *Writer, x, n Arg, last bool) {
	d.known(w, []Arg{x, d.count(w, n)}, func(names []string) {
		w.Text("arrayStringConcat(arraySlice(")
		chars := d.let(w, func() { w.Text("extractAll(", names[0], ", ", eachCharacter, ")") })
		size := "toInt64(length(" + chars + "))"
		take := "if(" + names[1] + " >= 0, least(" + names[1] + ", " + size + "), greatest(" + size + " + " + names[1] + ", 0))"
		from := "1"
		if last {
			from = size + " - " + take + " + 1"
		}
		w.Text(", ", from, ", ", take, "), '')")
	})
}

// replace takes constants only, which the features of the dialect say. Nothing is found in no text.
func (d clickHouse) replace(w *Writer, args []Arg) {
	old := args[1].Const
	switch {
	case old != nil && old.IsNull(), args[2].Const != nil && args[2].Const.IsNull():
		d.null(w, value.Type{Kind: value.String})
	case old != nil && old.Text == "":
		args[0].Write()
	default:
		call(w, "replaceAll", args...)
	}
}

// pad repeats the characters of a text up to a length, or cuts the text off there. Nothing pads with nothing.
func (d clickHouse) pad(w *Writer, args []Arg, left bool) {
	d.known(w, []Arg{args[0], d.count(w, args[1]), args[2]}, func(names []string) {
		text := func() {
			w.Text("arrayStringConcat(arraySlice(extractAll(", names[0], ", ", eachCharacter, "), 1, greatest(", names[1], ", 0)), '')")
		}
		padding := func() {
			w.Text("arrayStringConcat(arrayMap(_i -> extractAll(", names[2], ", ", eachCharacter, ")[_i % greatest(lengthUTF8(", names[2], "), 1) + 1], ")
			w.Text("range(toUInt64(greatest(", names[1], " - toInt64(lengthUTF8(", names[0], ")), 0)))), '')")
		}
		first, second := text, padding
		if left {
			first, second = padding, text
		}
		w.Text("concat(")
		first()
		w.Text(", ")
		second()
		w.Text(")")
	})
}

// toText writes a value as the answers do. A decimal's text is not the plain one, which the server would group by the
// number for.
func (d clickHouse) toText(w *Writer, x Arg) {
	switch x.Type.Kind {
	case value.Null, value.String:
		x.Write()
	case value.Decimal:
		w.Text("concat(toString(")
		d.decimal(w, x.Write, x.Type.Scale)
		w.Text("), '')")
	case value.Integer, value.Float:
		w.Text("concat(toString(")
		x.Write()
		w.Text("), '')")
	case value.Boolean:
		w.Text("multiIf(isNull(")
		name := d.let(w, x.Write)
		w.Text("), NULL, ", name, ", 'true', 'false')")
	case value.Date:
		w.Text("formatDateTime(")
		x.Write()
		w.Text(", '%Y-%m-%d', 'UTC')")
	case value.Timestamp:
		w.Text("formatDateTime(")
		x.Write()
		w.Text(", '%Y-%m-%dT%H:%M:%S', 'UTC')")
	}
}
