package dialect

import (
	"math"
	"strconv"
	"strings"

	"parlance/internal/compute"
	"parlance/internal/value"
)

// SQLite returns the dialect of SQLite as its datasource opens it: with the functions of package sqlitefn. SQLite has
// no decimals, dates or booleans of its own and its arithmetic turns into floats where 64 bits are too few, so exact
// numbers are computed by those functions: a decimal, and an integer beyond 64 bits, is bytes that sort as numbers do.
func SQLite() Dialect { return sqlite{} }

type sqlite struct{}

func (sqlite) Features() Features { return Features{Windows: true, Joins: true, Recursion: true} }

func (sqlite) Quote(buf []byte, ident string) []byte { return quoteWith(buf, ident, '"') }

func (sqlite) Placeholder(buf []byte, _ int) []byte { return append(buf, '?') }

func (sqlite) TypeName(t value.Type) string {
	switch t.Kind {
	case value.Integer:
		return "INTEGER"
	case value.Decimal:
		return "DECIMAL(" + strconv.Itoa(value.MaxPrecision) + "," + strconv.Itoa(int(t.Scale)) + ")"
	case value.Float:
		return "REAL"
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
	return "TEXT"
}

func (sqlite) Value(w *Writer, v value.Value, t value.Type) {
	given := func(name string) {
		w.Text(name, "(")
		w.Bind(v.Text)
		w.Text(")")
	}
	switch v.Kind {
	case value.Null:
		w.Text("NULL")
	case value.Boolean:
		w.Text(strings.ToUpper(v.Text))
	case value.String, value.Date:
		w.Bind(v.Text)
	case value.Integer:
		if t.Kind == value.Decimal {
			given("dec")
		} else if n, err := strconv.ParseInt(v.Text, 10, 64); err == nil {
			w.Bind(n)
		} else {
			given("int")
		}
	case value.Decimal:
		given("dec")
	case value.Float:
		f, _ := strconv.ParseFloat(v.Text, 64) // beyond the range of floats: infinite
		w.Bind(f)
	case value.Timestamp:
		if t.Zoned {
			given("instant")
		} else {
			w.Bind(v.Text)
		}
	}
}

var sqliteStored = map[value.Kind]string{value.Boolean: "bool_stored(", value.Date: "date_stored(", value.Timestamp: "time_stored("}

// Stored reads what a column holds, whichever of the forms that people use it is in. Integers and text are as they are,
// so that indexes serve.
func (sqlite) Stored(w *Writer, x Operand, t value.Type, native bool) {
	switch t.Kind {
	case value.String:
		x()
		if !native {
			w.Text(" COLLATE BINARY")
		}
	case value.Decimal:
		w.Text("dec_stored(")
		x()
		w.Text(", ", strconv.Itoa(int(t.Scale)), ")")
	case value.Float:
		cast(w, x, "REAL")
	case value.Boolean, value.Date, value.Timestamp:
		if t.Zoned {
			w.Text("instant(")
		} else {
			w.Text(sqliteStored[t.Kind])
		}
		x()
		w.Text(")")
	case value.Null, value.Integer:
		x()
	}
}

// Key names the collation once: it counts for both sides, and an index of another is of no use anyway.
func (sqlite) Key(w *Writer, x, y Operand, t value.Type) {
	standardKey(w, x, y)
	if t.Kind == value.String {
		w.Text(" COLLATE BINARY")
	}
}

func (sqlite) Same(w *Writer, x, y Operand) {
	x()
	w.Text(" IS ")
	y()
}

func (d sqlite) Order(w *Writer, x Arg, desc, nullsFirst bool) {
	standardOrder(w, d.sortable(w, x), desc, nullsFirst)
}

// OrderAlone writes a number of SQLite's own, along which a frame can count: the digits of a decimal.
func (sqlite) OrderAlone(w *Writer, x Arg, desc, nullsFirst bool) {
	plain := x.Write
	if x.Type.Exact() {
		x.Write = func() {
			w.Text("dec_unscaled(")
			plain()
			w.Text(", ", strconv.Itoa(int(x.Type.Scale)), ")")
		}
	}
	standardOrder(w, x, desc, nullsFirst)
}

// UnitDigits returns the scale of a decimal, whose digits OrderAlone counts along.
func (sqlite) UnitDigits(t value.Type) int {
	if t.Exact() {
		return int(t.Scale)
	}
	return 0
}

func (sqlite) Rows(w *Writer, alias string, columns []string, rows int, cell func(row, column int)) {
	w.Text("(SELECT ")
	for i, c := range columns {
		if i > 0 {
			w.Text(", ")
		}
		w.Text("column", strconv.Itoa(i+1), " AS ", c)
	}
	w.Text(" FROM (VALUES ")
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
	w.Text(")) AS ", alias)
}

func (sqlite) Page(w *Writer, start, rows int64) {
	if rows == math.MaxInt64 && start > 0 {
		rows = -1 // all of them: an offset needs a limit
	}
	if rows != math.MaxInt64 {
		w.Text(" LIMIT ")
		w.Bind(rows)
	}
	if start > 0 {
		w.Text(" OFFSET ")
		w.Bind(start)
	}
}

var sqliteAggregates = map[compute.Agg]string{
	compute.Sum: "sum", compute.MedianLow: "median_low", compute.MedianHigh: "median_high",
}

func (d sqlite) Aggregate(w *Writer, a compute.Agg, x *Arg, _ value.Type, over Operand) {
	if x == nil {
		standardAggregate(w, a, x, over)
		return
	}
	name, exact := sqliteAggregates[a]
	switch {
	case exact && x.Type.Exact():
		w.Text(d.prefix(x.Type), name, "(")
		x.Write()
		if a == compute.Sum && x.Type.Kind == value.Decimal {
			w.Text(", ", strconv.Itoa(int(x.Type.Scale)))
		}
		w.Text(")")
		over()
	case (a == compute.Min || a == compute.Max) && d.unsorted(*x):
		w.Text("int(")
		sorted := d.sortable(w, *x)
		standardAggregate(w, a, &sorted, over)
		w.Text(")")
	case a == compute.Median:
		call(w, "float_median", *x)
		over()
	case a == compute.GroupConcat:
		w.Text("GROUP_CONCAT(")
		x.Write()
		w.Text(", ',' ORDER BY ")
		x.Write()
		w.Text(")")
	default:
		standardAggregate(w, a, x, over)
	}
}

// prefix begins the names of the functions whose result is an exact number of the type.
func (sqlite) prefix(t value.Type) string {
	if t.Kind == value.Decimal {
		return "dec_"
	}
	return "int_"
}

// unsorted reports whether SQLite may sort the values wrongly as they are: integers, if 64 bits may be too few for
// them. What a column holds always fits.
func (sqlite) unsorted(x Arg) bool {
	if x.Type.Kind != value.Integer || !x.Type.Wide || x.Stored {
		return false
	}
	if x.Const == nil {
		return true
	}
	_, err := strconv.ParseInt(x.Const.Text, 10, 64)
	return err != nil
}

// sortable is a value in a form that SQLite sorts.
func (d sqlite) sortable(w *Writer, x Arg) Arg {
	if d.unsorted(x) {
		return d.asDecimal(w, x)
	}
	return x
}

// asDecimal is an exact number in the form of decimals.
func (sqlite) asDecimal(w *Writer, x Arg) Arg {
	if x.Type.Kind != value.Integer {
		return x
	}
	plain := x.Write
	x.Write = func() {
		w.Text("dec(")
		plain()
		w.Text(")")
	}
	x.Type.Kind = value.Decimal
	return x
}
