package dialect

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"parlance/internal/compute"
	"parlance/internal/value"
)

// DuckDB returns the dialect of DuckDB. Its decimals have 38 digits and its integers 128 bits; its own decimal
// division, average and modulo are doubles, and its sum of wide numbers wraps around, so none of them is used.
func DuckDB() Dialect { return duckDB{} }

// CollatedDuckDB is DuckDB where columns are declared with collations, which text that is read from them forgets.
func CollatedDuckDB() Dialect { return duckDB{collated: true} }

type duckDB struct{ collated bool }

func (duckDB) Features() Features { return Features{Windows: true, Joins: true, Recursion: true} }

func (duckDB) Quote(buf []byte, ident string) []byte { return quoteWith(buf, ident, '"') }

func (duckDB) Placeholder(buf []byte, _ int) []byte { return append(buf, '?') }

func (duckDB) TypeName(t value.Type) string {
	switch t.Kind {
	case value.Integer:
		return "HUGEINT"
	case value.Decimal:
		return "DECIMAL(38," + strconv.Itoa(int(t.Scale)) + ")"
	case value.Float:
		return "DOUBLE"
	case value.Boolean:
		return "BOOLEAN"
	case value.Date:
		return "DATE"
	case value.Timestamp:
		if t.Zoned {
			return "TIMESTAMPTZ"
		}
		return "TIMESTAMP"
	case value.Null, value.String:
	}
	return "VARCHAR"
}

func (d duckDB) Value(w *Writer, v value.Value, t value.Type) {
	bound := func() { w.Bind(v.Text) }
	switch v.Kind {
	case value.Null:
		w.Text("CAST(NULL AS ", d.TypeName(t), ")")
	case value.Boolean:
		w.Text(strings.ToUpper(v.Text))
	case value.String:
		bound()
	case value.Integer:
		if t.Kind == value.Decimal {
			cast(w, bound, d.TypeName(t))
		} else if n, err := strconv.ParseInt(v.Text, 10, 64); err == nil {
			w.Bind(n)
		} else {
			cast(w, bound, "HUGEINT")
		}
	case value.Decimal, value.Date, value.Timestamp, value.Float:
		cast(w, bound, d.TypeName(t))
	}
}

// Authored reads a query that lists values through a materialized stage: DuckDB loses rows of such a list under a
// window and a filter with a bind argument.
func (duckDB) Authored(w *Writer, sql string) {
	if strings.Contains(strings.ToLower(sql), "values") {
		w.Text("(WITH listed AS MATERIALIZED (", sql, ") SELECT * FROM listed)")
		return
	}
	w.Text("(", sql, ")")
}

func (d duckDB) Stored(w *Writer, x Operand, t value.Type, native bool) {
	if !d.collated || native || t.Kind != value.String {
		x()
		return
	}
	w.Text("(")
	x()
	w.Text(byCodePoint, ")")
}

func (d duckDB) Key(w *Writer, x, y Operand, t value.Type) {
	standardKey(w, func() { d.Stored(w, x, t, false) }, func() { d.Stored(w, y, t, false) })
}

func (duckDB) Same(w *Writer, x, y Operand) {
	x()
	w.Text(" IS NOT DISTINCT FROM ")
	y()
}

func (duckDB) Order(w *Writer, x Arg, desc, nullsFirst bool) { standardOrder(w, x, desc, nullsFirst) }

func (duckDB) Rows(w *Writer, alias string, columns []string, rows int, cell func(row, column int)) {
	standardRows(w, alias, columns, rows, cell)
}

func (duckDB) Page(w *Writer, start, rows int64) { standardPage(w, start, rows) }

func (d duckDB) Aggregate(w *Writer, a compute.Agg, x *Arg, _ value.Type, over Operand) {
	switch {
	case x == nil:
		standardAggregate(w, a, x, over)
	case a == compute.Sum && x.Type.Wide && x.Type.Exact():
		d.guardedSum(w, *x, over)
	case a == compute.MedianLow, a == compute.MedianHigh:
		d.middle(w, *x, a == compute.MedianHigh)
	case a == compute.GroupConcat:
		w.Text("STRING_AGG(")
		x.Write()
		w.Text(", ',' ORDER BY ")
		x.Write()
		w.Text(")")
	default:
		standardAggregate(w, a, x, over)
	}
}

// guardedSum writes a sum that fails where it passes the digits of a decimal.
func (duckDB) guardedSum(w *Writer, x Arg, over Operand) {
	w.Text("CASE WHEN ABS(SUM(CAST(")
	x.Write()
	w.Text(" AS DOUBLE))")
	over()
	w.Text(") >= 9e", strconv.Itoa(value.MaxPrecision-1-int(x.Type.Scale)), " THEN error('numeric overflow') ELSE SUM(")
	x.Write()
	w.Text(")")
	over()
	w.Text(" END")
}

// middle writes one of the two middle values of a group.
func (duckDB) middle(w *Writer, x Arg, upper bool) {
	w.Text("LIST_SORT(LIST(")
	x.Write()
	w.Text(") FILTER (WHERE ")
	x.Write()
	w.Text(" IS NOT NULL))[")
	if upper {
		call(w, "COUNT", x)
		w.Text(" // 2 + 1]")
		return
	}
	w.Text("(")
	call(w, "COUNT", x)
	w.Text(" + 1) // 2]")
}

func (d duckDB) Call(w *Writer, f compute.Fn, args []Arg, t value.Type) {
	switch f {
	case compute.Div:
		if t.Kind != value.Float {
			d.divide(w, args[0], args[1], t)
			return
		}
	case compute.Mod:
		if t.Kind != value.Float {
			d.modulo(w, args[0], args[1], t)
			return
		}
	case compute.Digest:
		w.Text("LEFT(sha256(")
		args[1].Write()
		w.Text(" || ")
		args[0].Write()
		w.Text("), 32)")
		return
	case compute.Contains:
		match(w, args, "", "")
		return
	case compute.StartsWith:
		match(w, args, `\A`, "")
		return
	case compute.EndsWith:
		match(w, args, "", `\z`)
		return
	case compute.Floor, compute.Ceil, compute.Trunc: // of an integer the database would compute a double
		if args[0].Type.Kind == value.Integer {
			args[0].Write()
			return
		}
	case compute.Position:
		call(w, "STRPOS", args...)
		return
	case compute.PadLeft, compute.PadRight:
		length := args[1]
		args[1].Write = func() { cast(w, length.Write, "INTEGER") }
	case compute.Substring, compute.Left, compute.Right: // a computed integer is of 38 digits, which these do not take
		args = slices.Clone(args)
		for i, n := range args[1:] {
			if !isConst(n) {
				args[i+1].Write = func() { cast(w, n.Write, "BIGINT") }
			}
		}
	case compute.Upper:
		d.upper(w, args[0].Write)
		return
	case compute.ToText:
		d.text(w, args[0])
		return
	}
	if !d.date(w, f, args, t) {
		standard(w, d, f, args, t)
	}
}

// upper writes the capitals of a text by Unicode's simple mappings, which have none for ß: the database would take ẞ.
func (duckDB) upper(w *Writer, x Operand) {
	w.Text("CASE WHEN CONTAINS(")
	x()
	w.Text(", 'ß') THEN ARRAY_TO_STRING(LIST_TRANSFORM(STRING_SPLIT(")
	x()
	w.Text(", 'ß'), lambda p: UPPER(p)), 'ß') ELSE UPPER(")
	x()
	w.Text(") END")
}

// match uses the regular expressions of RE2, whose case folding is Unicode's simple one.
func match(w *Writer, args []Arg, before, after string) {
	w.Text("REGEXP_MATCHES(")
	args[0].Write()
	w.Text(", ")
	w.Bind("(?is)" + before + regexp.QuoteMeta(args[1].Const.Text) + after)
	w.Text(")")
}

func (duckDB) text(w *Writer, x Arg) {
	switch x.Type.Kind {
	case value.Null, value.String:
		x.Write()
	case value.Timestamp:
		w.Text("REPLACE(")
		cast(w, x.Write, "VARCHAR")
		w.Text(", ' ', 'T')")
	case value.Integer, value.Decimal, value.Float, value.Boolean, value.Date:
		cast(w, x.Write, "VARCHAR")
	}
}

// scaled writes an exact number as the 128-bit integer of its digits, moved by further decimal places. The point moves
// a few digits at a time: a product keeps the scale of its factor, so in one step a long fraction would not fit.
func scaled(w *Writer, x Arg, further int) {
	integer := x.Write
	for scale := int(x.Type.Scale); scale > 0; {
		inner, step := integer, min(scale, pointStep)
		scale -= step
		to := "HUGEINT"
		if scale > 0 {
			to = "DECIMAL(38," + strconv.Itoa(scale) + ")"
		}
		integer = func() {
			w.Text("CAST(")
			inner()
			w.Text(" * ", power10(step), " AS ", to, ")")
		}
	}
	if x.Type.Scale == 0 {
		cast(w, integer, "HUGEINT")
	} else {
		integer()
	}
	if further > 0 {
		w.Text(" * CAST(", power10(further), " AS HUGEINT)")
	}
}

const pointStep = 6

func power10(n int) string { return "1" + strings.Repeat("0", n) }

// unscaled writes a 128-bit integer as a decimal of a scale.
func unscaled(w *Writer, scale uint8, x Operand) {
	cast(w, x, "DECIMAL(38,0)")
	if scale > 0 {
		n := strconv.Itoa(int(scale))
		w.Text(" * CAST(0.", strings.Repeat("0", int(scale)-1), "1 AS DECIMAL(", n, ",", n, "))")
	}
}

// divide writes x / y rounded half away from zero to the scale of t.
func (duckDB) divide(w *Writer, x, y Arg, t value.Type) {
	den := func() { scaled(w, y, 0) }
	w.Text("(")
	unscaled(w, t.Scale, func() {
		w.Text("(2 * ")
		scaled(w, x, int(t.Scale)-int(x.Type.Scale)+int(y.Type.Scale))
		w.Text(" + SIGN(")
		x.Write()
		w.Text(") * ABS(")
		den()
		w.Text(")) // NULLIF(2 * ")
		den()
		w.Text(", 0)")
	})
	w.Text(")")
}

func (duckDB) modulo(w *Writer, x, y Arg, t value.Type) {
	w.Text("(")
	unscaled(w, t.Scale, func() {
		w.Text("(")
		scaled(w, x, int(t.Scale)-int(x.Type.Scale))
		w.Text(") % NULLIF(")
		scaled(w, y, int(t.Scale)-int(y.Type.Scale))
		w.Text(", 0)")
	})
	w.Text(")")
}
