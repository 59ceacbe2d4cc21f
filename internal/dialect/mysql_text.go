package dialect

import (
	"strconv"

	"parlance/internal/compute"
	"parlance/internal/value"
)

func digits(n uint8) string { return strconv.Itoa(int(n)) }

// text writes the functions of texts; it reports false for any other.
func (d mySQL) text(w *Writer, f compute.Fn, args []Arg) bool {
	switch f {
	case compute.Contains:
		d.match(w, args, "", "")
	case compute.StartsWith:
		d.match(w, args, `\A`, "")
	case compute.EndsWith:
		d.match(w, args, "", `\z`)
	case compute.Lower, compute.Upper:
		w.Text(names[f], "(")
		args[0].Write()
		w.Text(" COLLATE ", d.server.Case, ") COLLATE ", d.server.Text)
	case compute.Length:
		call(w, "CHAR_LENGTH", args...)
	case compute.Concat: // CONCAT of a null is null
		w.Text("CONCAT_WS('', ")
		list(w, args)
		w.Text(")")
	case compute.Position:
		call(w, "LOCATE", args[1], args[0])
	case compute.Substring:
		substring(w, args)
	case compute.Left, compute.Right:
		end(w, names[f], args[0], args[1])
	case compute.ToText:
		d.toText(w, args[0])
	case compute.Digest:
		w.Text("LEFT(SHA2(CONCAT(")
		list(w, []Arg{args[1], args[0]})
		w.Text("), 256), 32) COLLATE ", d.server.Text)
	default:
		return false
	}
	return true
}

func (mySQL) match(w *Writer, args []Arg, before, after string) {
	pattern := before + folding(args[1].Const.Text) + after
	if pattern == "" {
		pattern = `\A` // an empty one is an error to some servers
	}
	w.Text("(")
	args[0].Write()
	w.Text(" REGEXP ")
	w.Bind(pattern)
	w.Text(")")
}

// atLeast reports whether an argument is a constant whole number that is not below least.
func atLeast(a Arg, least int64) bool {
	if a.Const == nil {
		return false
	}
	n, err := strconv.ParseInt(a.Const.Text, 10, 64)
	return err == nil && n >= least
}

// substring counts a start below 1 on from there, and a negative one from the end; the server knows neither.
func substring(w *Writer, args []Arg) {
	if atLeast(args[1], 1) {
		call(w, "SUBSTRING", args...)
		return
	}
	x, from := args[0], args[1]
	start := func() {
		w.Text("CASE WHEN ")
		from.Write()
		w.Text(" < 0 THEN CHAR_LENGTH(")
		x.Write()
		w.Text(") + 1 + ")
		from.Write()
		w.Text(" ELSE ")
		from.Write()
		w.Text(" END")
	}
	w.Text("SUBSTRING(")
	x.Write()
	w.Text(", GREATEST(1, ")
	start()
	w.Text(")")
	if len(args) > 2 {
		w.Text(", ")
		args[2].Write()
		w.Text(" + LEAST(0, ")
		start()
		w.Text(" - 1)")
	}
	w.Text(")")
}

// end writes the first or last n characters, all but the last or first where n is negative.
func end(w *Writer, name string, x, n Arg) {
	if atLeast(n, 0) {
		call(w, name, x, n)
		return
	}
	w.Text(name, "(")
	x.Write()
	w.Text(", CASE WHEN ")
	n.Write()
	w.Text(" < 0 THEN CHAR_LENGTH(")
	x.Write()
	w.Text(") + ")
	n.Write()
	w.Text(" ELSE ")
	n.Write()
	w.Text(" END)")
}

func (mySQL) toText(w *Writer, x Arg) {
	switch x.Type.Kind {
	case value.Null, value.String:
		x.Write()
	case value.Boolean:
		w.Text("ELT(1 + ")
		x.Write()
		w.Text(", 'false', 'true')")
	case value.Timestamp: // without the zeros at the end of a second
		w.Text("TRIM(TRAILING '.' FROM TRIM(TRAILING '0' FROM DATE_FORMAT(")
		x.Write()
		w.Text(", '%Y-%m-%dT%H:%i:%s.%f')))")
	case value.Integer, value.Decimal, value.Float, value.Date:
		cast(w, x.Write, "CHAR")
	}
}
