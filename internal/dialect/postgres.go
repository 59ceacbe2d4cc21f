package dialect

import (
	"strconv"
	"strings"

	"parlance/internal/compute"
	"parlance/internal/value"
)

// Postgres returns the dialect of PostgreSQL 14 and later in a database of UTF-8, whatever its locale: text carries the
// collation "C" from where it is read. Its numerics have no bound, so every result is cast to the 38 digits of decision
// 55, which fails where they do not suffice. Arguments have no type of their own; the cast around a mark gives it one.
func Postgres(s PostgresServer) Dialect { return postgres{s} }

// PostgresServer is what a database of PostgreSQL was found to have when it was opened.
type PostgresServer struct {
	Folds bool // columns in which texts are equal that differ: citext, or of a collation that is not deterministic
}

type postgres struct{ server PostgresServer }

// byCodePoint is the collation of text.
const byCodePoint = ` COLLATE "C"`

func (postgres) Features() Features {
	return Features{Windows: true, Joins: true, Recursion: true, NoFloatMod: true}
}

func (postgres) Quote(buf []byte, ident string) []byte { return quoteWith(buf, ident, '"') }

func (postgres) Placeholder(buf []byte, n int) []byte {
	return strconv.AppendInt(append(buf, '$'), int64(n), 10)
}

func (postgres) TypeName(t value.Type) string {
	switch t.Kind {
	case value.Integer:
		return "numeric(38,0)"
	case value.Decimal:
		return "numeric(38," + strconv.Itoa(int(t.Scale)) + ")"
	case value.Float:
		return "double precision"
	case value.Boolean:
		return "boolean"
	case value.Date:
		return "date"
	case value.Timestamp:
		if t.Zoned {
			return "timestamptz"
		}
		return "timestamp"
	case value.Null, value.String:
	}
	return "text"
}

func (d postgres) Value(w *Writer, v value.Value, t value.Type) {
	bound := func() { w.Bind(v.Text) }
	switch v.Kind {
	case value.Null:
		w.Text("CAST(NULL AS ", d.TypeName(t), ")")
	case value.Boolean:
		w.Text(strings.ToUpper(v.Text))
	case value.String:
		w.Text("(")
		cast(w, bound, "text")
		w.Text(byCodePoint, ")")
	case value.Integer:
		if t.Kind != value.Decimal && small(v) {
			cast(w, bound, "bigint")
		} else {
			cast(w, bound, d.TypeName(t))
		}
	case value.Decimal, value.Date, value.Timestamp, value.Float:
		cast(w, bound, d.TypeName(t))
	}
}

// small reports whether an integer has 64 bits.
func small(v value.Value) bool {
	_, err := strconv.ParseInt(v.Text, 10, 64)
	return err == nil
}

// Stored makes a text of whatever the column holds: an identifier, an enumeration, a text of a locale.
func (postgres) Stored(w *Writer, x Operand, t value.Type, native bool) {
	if t.Kind != value.String || native {
		x()
		return
	}
	w.Text("(")
	cast(w, x, "text")
	w.Text(byCodePoint, ")")
}

// Key is the columns' own equality, which is that of code points unless the database has columns that fold texts.
func (d postgres) Key(w *Writer, x, y Operand, t value.Type) {
	if t.Kind != value.String || !d.server.Folds {
		standardKey(w, x, y)
		return
	}
	keyBeside(w, x, y, func(o Operand) { d.Stored(w, o, t, false) })
}

// Same compares arrays of one: in them null equals null, and unlike IS NOT DISTINCT FROM their equality can be hashed.
func (postgres) Same(w *Writer, x, y Operand) {
	w.Text("ARRAY[")
	x()
	w.Text("] = ARRAY[")
	y()
	w.Text("]")
}

func (postgres) Order(w *Writer, x Arg, desc, nullsFirst bool) { standardOrder(w, x, desc, nullsFirst) }

func (postgres) Rows(w *Writer, alias string, columns []string, rows int, cell func(row, column int)) {
	standardRows(w, alias, columns, rows, cell)
}

func (postgres) Page(w *Writer, start, rows int64) { standardPage(w, start, rows) }

func (d postgres) Aggregate(w *Writer, a compute.Agg, x *Arg, _ value.Type, over Operand) {
	switch {
	case x == nil:
		standardAggregate(w, a, x, over)
	case a == compute.Sum && x.Type.Exact():
		cast(w, func() { standardAggregate(w, a, x, over) }, d.TypeName(x.Type))
	case a == compute.Median:
		middle(w, "PERCENTILE_CONT", x, "")
	case a == compute.MedianLow:
		middle(w, "PERCENTILE_DISC", x, "")
	case a == compute.MedianHigh:
		middle(w, "PERCENTILE_DISC", x, " DESC")
	case a == compute.GroupConcat:
		w.Text("STRING_AGG(")
		x.Write()
		w.Text(", ',' ORDER BY ")
		x.Write()
		w.Text(byCodePoint, ")")
	default:
		standardAggregate(w, a, x, over)
	}
}

func middle(w *Writer, name string, x *Arg, direction string) {
	w.Text(name, "(0.5) WITHIN GROUP (ORDER BY ")
	x.Write()
	w.Text(direction, ")")
}

func (d postgres) Call(w *Writer, f compute.Fn, args []Arg, t value.Type) {
	if t.Kind != value.String {
		d.call(w, f, args, t)
		return
	}
	w.Text("(")
	d.call(w, f, args, t)
	w.Text(byCodePoint, ")")
}

func (d postgres) call(w *Writer, f compute.Fn, args []Arg, t value.Type) {
	if !d.compare(w, f, args) && !d.number(w, f, args, t) && !d.text(w, f, args) && !d.date(w, f, args, t) {
		standard(w, d, f, args, t)
	}
}

// compare writes comparisons. A constant text beside a column takes the column's type and collation, so that an index
// of a native one serves; two texts that are no constants compare by code point whatever they are.
func (d postgres) compare(w *Writer, f compute.Fn, args []Arg) bool {
	switch f {
	case compute.Eq, compute.Ne, compute.Lt, compute.Le, compute.Gt, compute.Ge:
		if args[0].Type.Kind != value.String || args[1].Type.Kind != value.String {
			return false
		}
		x, y := args[0], args[1]
		switch {
		case isConst(x) == isConst(y):
			x.Write = func() { args[0].Write(); w.Text(byCodePoint) }
		case isConst(x):
			x.Write = func() { w.Bind(x.Const.Text) }
		default:
			y.Write = func() { w.Bind(y.Const.Text) }
		}
		between(w, infix[f], []Arg{x, y})
	case compute.Greatest, compute.Least, compute.NullIf:
		if args[0].Type.Kind != value.String {
			return false
		}
		first := args[0].Write
		compared := append([]Arg{{Write: func() { first(); w.Text(byCodePoint) }, Type: args[0].Type}}, args[1:]...)
		call(w, names[f], compared...)
	case compute.In:
		return d.among(w, args)
	case compute.BitsSet:
		bits := make([]Arg, len(args))
		for i, a := range args {
			bits[i] = Arg{Write: func() { cast(w, a.Write, "bigint") }, Type: a.Type}
		}
		standard(w, d, f, bits, value.Type{Kind: value.Boolean})
	default:
		return false
	}
	return true
}

func isConst(a Arg) bool { return a.Const != nil && !a.Const.IsNull() }

// among writes x IN of constants as one array argument, however many they are.
func (d postgres) among(w *Writer, args []Arg) bool {
	x, list := args[0], args[1:]
	element := d.TypeName(x.Type)
	texts := make([]string, len(list))
	for i, a := range list {
		if !isConst(a) || a.Const.Kind == value.Boolean || (a.Const.Kind == value.String) != (x.Type.Kind == value.String) {
			return false
		}
		texts[i] = a.Const.Text
	}
	if x.Type.Exact() {
		element = elementOf(list)
	}
	w.Text("(")
	x.Write()
	w.Text(" = ANY(")
	if x.Type.Kind == value.String {
		w.Bind(texts)
	} else {
		cast(w, func() { w.Bind(texts) }, element+"[]")
	}
	w.Text("))")
	return true
}

// elementOf returns the type that holds every one of some exact numbers.
func elementOf(list []Arg) string {
	for _, a := range list {
		if a.Const.Kind != value.Integer || !small(*a.Const) {
			return "numeric"
		}
	}
	return "bigint"
}
