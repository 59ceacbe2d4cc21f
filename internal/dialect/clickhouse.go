package dialect

import (
	"math"
	"strconv"
	"strings"
	"time"

	"parlance/internal/compute"
	"parlance/internal/value"
)

// ClickHouseServer is what a server says of itself.
type ClickHouseServer struct {
	Version  string // 18.16.1
	Zone     string // of its times without a zone
	Cluster  bool   // its tables may have parts on other servers
	Database string // of tables that name none; another server would take its own
}

// ClickHouse returns the dialect of a ClickHouse server. Nothing newer than 18.16 is used, whatever its version, so that
// the same statements run on every later server.
//
// A server of that age reads dates from 1970 to 2105 and times to the second, joins two sources in a SELECT and has no
// windows. It computes every branch of a condition, so a division is safe by its divisor and not by what stands around
// it; its products and conversions of 38 digits may wrap around, so each is checked and fails where it would.
func ClickHouse(s ClickHouseServer) Dialect { return clickHouse{isUTC(s.Zone), s.Cluster, s.Database} }

type clickHouse struct {
	utc      bool // times without a zone are of UTC
	cluster  bool
	database string
}

// isUTC reports whether a zone of the server's own spelling is UTC.
func isUTC(zone string) bool {
	switch zone {
	case "UTC", "Etc/UTC", "Zulu", "Etc/Zulu", "UCT", "Etc/UCT", "Universal", "Etc/Universal", "GMT", "Etc/GMT":
		return true
	}
	return false
}

func (d clickHouse) Features() Features {
	return Features{
		NoFloatMod: true, NoSubseconds: true, NoDistinct: true, NoWideKeys: true, NoWideParts: d.cluster, NoComputedReplace: true,
		FirstDate: "1970-01-01", LastDate: "2105-12-31", Schema: d.database,
	}
}

// Quote doubles a backslash too, which the server reads as an escape.
func (clickHouse) Quote(buf []byte, ident string) []byte {
	return quoteWith(buf, strings.ReplaceAll(ident, `\`, `\\`), '`')
}

func (clickHouse) Placeholder(buf []byte, _ int) []byte { return append(buf, '?') }

// TypeName is always a type that holds nulls.
func (clickHouse) TypeName(t value.Type) string {
	name := "String"
	switch t.Kind {
	case value.Integer:
		name = "Int64"
		if t.Wide {
			name = "Decimal(38,0)"
		}
	case value.Decimal:
		name = "Decimal(38," + strconv.Itoa(int(t.Scale)) + ")"
	case value.Float:
		name = "Float64"
	case value.Boolean:
		name = "UInt8"
	case value.Date:
		name = "Date"
	case value.Timestamp:
		name = "DateTime('UTC')"
	case value.Null, value.String:
	}
	return "Nullable(" + name + ")"
}

func (d clickHouse) Value(w *Writer, v value.Value, t value.Type) {
	bound := func() { w.Bind(v.Text) }
	switch v.Kind {
	case value.Null:
		d.null(w, t)
	case value.Boolean:
		if v.Text == "true" {
			w.Text("1")
		} else {
			w.Text("0")
		}
	case value.String:
		bound()
	case value.Integer, value.Decimal:
		if t.Kind == value.Float { // beside doubles the server takes no integer
			d.call(w, "toFloat64", bound)
			return
		}
		if n, err := strconv.ParseInt(v.Text, 10, 64); err == nil && t.Kind != value.Decimal {
			w.Text("toInt64(")
			w.Bind(n)
			w.Text(")")
			return
		}
		d.decimal(w, bound, t.Scale)
	case value.Float:
		d.call(w, "toFloat64", bound)
	case value.Date:
		d.call(w, "toDate", bound)
	case value.Timestamp:
		w.Text("toDateTime(")
		w.Bind(clickHouseTime(v.Text))
		w.Text(", 'UTC')")
	}
}

func (d clickHouse) null(w *Writer, t value.Type) { w.Text("CAST(NULL AS ", d.TypeName(t), ")") }

// clickHouseTime writes a time as the server reads it, an instant by the clock of UTC.
func clickHouseTime(text string) string {
	const spaced = "2006-01-02 15:04:05"
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at.UTC().Format(spaced)
	}
	return strings.Replace(text, "T", " ", 1)
}

// Stored writes texts of any type as texts, and wall times as those of UTC, which has every hour of every day once.
func (d clickHouse) Stored(w *Writer, x Operand, t value.Type, native bool) {
	switch {
	case t.Kind == value.String && !native:
		d.call(w, "toString", x)
	case t.Kind == value.Boolean:
		w.Text("(toInt8(")
		x()
		w.Text(") != 0)")
	case t.Kind == value.Timestamp && !t.Zoned && !d.utc:
		w.Text("toDateTime(toString(")
		x()
		w.Text("), 'UTC')")
	default:
		x()
	}
}

// Same is for conditions; a join by it becomes one by values and marks of null before it is written.
func (clickHouse) Key(w *Writer, x, y Operand, _ value.Type) { standardKey(w, x, y) }

func (clickHouse) Same(w *Writer, x, y Operand) {
	w.Text("(ifNull(")
	x()
	w.Text(" = ")
	y()
	w.Text(", 0) OR isNull(")
	x()
	w.Text(") AND isNull(")
	y()
	w.Text("))")
}

func (clickHouse) Order(w *Writer, x Arg, desc, nullsFirst bool) {
	standardOrder(w, x, desc, nullsFirst)
}

func (clickHouse) Rows(w *Writer, alias string, columns []string, rows int, cell func(row, column int)) {
	w.Text("(")
	for r := range rows {
		if r > 0 {
			w.Text(" UNION ALL ")
		}
		w.Text("SELECT ")
		for c, name := range columns {
			if c > 0 {
				w.Text(", ")
			}
			cell(r, c)
			w.Text(" AS ", name)
		}
	}
	w.Text(") AS ", alias)
}

// Page bounds what has no bound: an offset needs one, and start and bound together must fit in 64 bits.
func (clickHouse) Page(w *Writer, start, rows int64) {
	if rows == math.MaxInt64 && start > 0 {
		rows = math.MaxInt64 / 2
	}
	standardPage(w, start, rows)
}

func (d clickHouse) Call(w *Writer, f compute.Fn, args []Arg, t value.Type) {
	if d.logic(w, f, args, t) || d.number(w, f, args, t) || d.text(w, f, args) || d.date(w, f, args, t) {
		return
	}
	standard(w, d, f, args, t)
}

// call writes a function of one operand.
func (clickHouse) call(w *Writer, name string, x Operand) {
	w.Text(name, "(")
	x()
	w.Text(")")
}

// let writes an operand under a name that the rest of the SELECT may use, so that it is written once however often it
// is needed. No two places of a text are the same, so no two names are.
func (clickHouse) let(w *Writer, x Operand) string {
	name := "_" + strconv.Itoa(w.Len())
	w.Text("(")
	x()
	w.Text(" AS ", name, ")")
	return name
}
