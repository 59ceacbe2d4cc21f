package dialect

import (
	"strconv"
	"strings"
	"time"

	"parlance/internal/compute"
	"parlance/internal/value"
)

// MySQLServer is what a server of the MySQL family was found to have when it was opened.
type MySQLServer struct {
	Text  string // a collation of utf8mb4 by code point that does not pad; also that of the connection
	Case  string // a collation of utf8mb4 whose case mappings are Unicode's simple ones
	Zones bool   // its time-zone tables are filled
	Lag   bool   // LAG and LEAD take a value for rows that are not there
}

// MySQL returns the dialect of MySQL 8 and MariaDB.
//
// Their decimals have 65 digits and their decimal division cuts, so both are asked for more digits than are kept. A
// cast to fewer digits than a number has gives the largest number and a warning: whoever runs the statements of this
// dialect treats the warnings of a statement as its error.
func MySQL(s MySQLServer) Dialect { return mySQL{s} }

type mySQL struct{ server MySQLServer }

func (d mySQL) Features() Features {
	return Features{Windows: true, Joins: true, Recursion: true, NoZones: !d.server.Zones, NoLagDefault: !d.server.Lag, NoWindowMix: true, SlowExtremes: true, EarlyConditions: true}
}

func (mySQL) Quote(buf []byte, ident string) []byte { return quoteWith(buf, ident, '`') }

func (mySQL) Placeholder(buf []byte, _ int) []byte { return append(buf, '?') }

// TypeName returns a type that CAST takes, which knows fewer than columns do.
func (mySQL) TypeName(t value.Type) string {
	switch t.Kind {
	case value.Integer:
		return "DECIMAL(38,0)"
	case value.Decimal:
		return "DECIMAL(38," + strconv.Itoa(int(t.Scale)) + ")"
	case value.Float:
		return "DOUBLE"
	case value.Boolean:
		return "SIGNED"
	case value.Date:
		return "DATE"
	case value.Timestamp:
		return "DATETIME(6)"
	case value.Null, value.String:
	}
	return "CHAR"
}

func (d mySQL) Value(w *Writer, v value.Value, t value.Type) {
	bound := func() { w.Bind(v.Text) }
	switch v.Kind {
	case value.Null:
		w.Text("CAST(NULL AS ", d.TypeName(t), ")")
	case value.Boolean:
		w.Text(strings.ToUpper(v.Text))
	case value.String:
		bound()
	case value.Integer:
		if n, err := strconv.ParseInt(v.Text, 10, 64); err == nil && t.Kind != value.Decimal {
			w.Bind(n)
		} else {
			cast(w, bound, d.TypeName(t))
		}
	case value.Timestamp:
		v.Text = utc(v.Text)
		cast(w, bound, d.TypeName(t))
	case value.Decimal, value.Date, value.Float:
		cast(w, bound, d.TypeName(t))
	}
}

// utc writes an instant as the session's clock shows it; a wall time stays as it is.
func utc(text string) string {
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return text
	}
	return at.UTC().Format("2006-01-02T15:04:05.999999")
}

// Stored converts text to utf8mb4 since a collation is one of a character set, which a column may have another of.
func (d mySQL) Stored(w *Writer, x Operand, t value.Type, native bool) {
	switch {
	case t.Kind == value.String && !native:
		w.Text("CONVERT(")
		x()
		w.Text(" USING utf8mb4) COLLATE ", d.server.Text)
	case t.Kind == value.Boolean:
		w.Text("(")
		x()
		w.Text(" <> 0)")
	default:
		x()
	}
}

// Key compares text twice: by the columns' collations, which an index has and which take more for the same than is, and
// by code point.
func (d mySQL) Key(w *Writer, x, y Operand, t value.Type) {
	if t.Kind != value.String {
		standardKey(w, x, y)
		return
	}
	keyBeside(w, x, y, func(o Operand) { d.Stored(w, o, t, false) })
}

func (mySQL) Same(w *Writer, x, y Operand) {
	x()
	w.Text(" <=> ")
	y()
}

// Order says where nulls stand by a term of its own where that is not where they stand anyway.
func (mySQL) Order(w *Writer, x Arg, desc, nullsFirst bool) {
	if desc == nullsFirst {
		w.Text("(")
		x.Write()
		w.Text(" IS NULL)")
		if nullsFirst {
			w.Text(" DESC")
		}
		w.Text(", ")
	}
	x.Write()
	if desc {
		w.Text(" DESC")
	}
}

// OrderAlone orders by the negated number backwards where nulls would stand at the wrong end.
func (mySQL) OrderAlone(w *Writer, x Arg, desc, nullsFirst bool) {
	if desc == nullsFirst {
		desc = !desc
		w.Text("(0.0 - ")
		x.Write()
		w.Text(")")
	} else {
		x.Write()
	}
	if desc {
		w.Text(" DESC")
	}
}

func (mySQL) Rows(w *Writer, alias string, columns []string, rows int, cell func(row, column int)) {
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
			w.Text(" AS ")
			w.Name(name)
		}
	}
	w.Text(") AS ", alias)
}

// Page always has a limit, without which there is no offset.
func (mySQL) Page(w *Writer, start, rows int64) {
	w.Text(" LIMIT ")
	w.Bind(rows)
	if start > 0 {
		w.Text(" OFFSET ")
		w.Bind(start)
	}
}

func (d mySQL) Aggregate(w *Writer, a compute.Agg, x *Arg, _ value.Type, over Operand) {
	switch {
	case x == nil:
		standardAggregate(w, a, x, over)
	case a == compute.Sum && x.Type.Wide && x.Type.Exact():
		cast(w, func() { standardAggregate(w, a, x, over) }, d.TypeName(x.Type))
	case a == compute.MedianLow:
		d.middle(w, *x, false)
	case a == compute.MedianHigh:
		d.middle(w, *x, true)
	case a == compute.Median:
		w.Text("((")
		d.middle(w, *x, false)
		w.Text(" + ")
		d.middle(w, *x, true)
		w.Text(") / 2)")
	case a == compute.GroupConcat:
		joined(w, *x)
	case a == compute.StddevPop, a == compute.StddevSamp, a == compute.VarPop, a == compute.VarSamp:
		w.Text("(") // MariaDB takes these alone for null where a condition on groups asks
		standardAggregate(w, a, x, over)
		w.Text(" + 0e0)")
	default:
		standardAggregate(w, a, x, over)
	}
}

// joined writes the values of a group as one text, in order. One that the server would cut is a warning of it.
func joined(w *Writer, x Arg) {
	w.Text("GROUP_CONCAT(")
	x.Write()
	w.Text(" ORDER BY ")
	x.Write()
	w.Text(" SEPARATOR ',')")
}

// middle writes one of the two middle values of a group, cut out of the text of them all: no aggregate picks the n-th.
func (d mySQL) middle(w *Writer, x Arg, upper bool) {
	w.Text("CAST(SUBSTRING_INDEX(SUBSTRING_INDEX(")
	joined(w, x)
	w.Text(", ',', ")
	if upper {
		call(w, "COUNT", x)
		w.Text(" DIV 2 + 1")
	} else {
		w.Text("(")
		call(w, "COUNT", x)
		w.Text(" + 1) DIV 2")
	}
	w.Text("), ',', -1) AS ", d.TypeName(x.Type), ")")
}
