package dialect

import (
	"regexp"
	"strconv"
	"strings"

	"parlance/internal/value"
)

// DuckDB returns the dialect of DuckDB. Its decimals have 38 digits and its integers 128 bits; its own decimal
// division, average and modulo are doubles, and its sum of wide numbers wraps around, so none of them is used.
func DuckDB() Dialect { return duckDB{} }

type duckDB struct{}

func (duckDB) Quote(buf []byte, ident string) []byte { return quoteWith(buf, ident, '"') }

func quoteWith(buf []byte, ident string, mark byte) []byte {
	buf = append(buf, mark)
	for i := range len(ident) {
		if ident[i] == mark {
			buf = append(buf, mark)
		}
		buf = append(buf, ident[i])
	}
	return append(buf, mark)
}

func (duckDB) Placeholder(buf []byte, _ int) []byte { return append(buf, '?') }

func (duckDB) TypeName(t value.Type) string {
	switch t.Kind {
	case value.Integer:
		return "HUGEINT"
	case value.Decimal:
		return decimalName(t.Scale)
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

func decimalName(scale uint8) string { return "DECIMAL(38," + strconv.Itoa(int(scale)) + ")" }

func (d duckDB) Value(w *Writer, v value.Value, t value.Type) {
	switch v.Kind {
	case value.Null:
		w.Text("CAST(NULL AS ", d.TypeName(t), ")")
	case value.Boolean:
		w.Text(strings.ToUpper(v.Text))
	case value.String:
		w.Bind(v.Text)
	case value.Integer:
		if t.Kind == value.Decimal {
			d.cast(w, v.Text, d.TypeName(t))
		} else if n, err := strconv.ParseInt(v.Text, 10, 64); err == nil {
			w.Bind(n)
		} else {
			d.cast(w, v.Text, "HUGEINT")
		}
	case value.Decimal, value.Date, value.Timestamp, value.Float:
		d.cast(w, v.Text, d.TypeName(t))
	}
}

func (duckDB) cast(w *Writer, arg any, to string) {
	w.Text("CAST(")
	w.Bind(arg)
	w.Text(" AS ", to, ")")
}

func (duckDB) Sum(w *Writer, x, over Operand, t value.Type) {
	if !t.Wide || !t.Exact() {
		call(w, "SUM", x)
		over()
		return
	}
	w.Text("CASE WHEN ABS(SUM(CAST(")
	x()
	w.Text(" AS DOUBLE))")
	over()
	w.Text(") >= 9e", strconv.Itoa(value.MaxPrecision-1-int(t.Scale)), " THEN error('numeric overflow') ELSE SUM(")
	x()
	w.Text(")")
	over()
	w.Text(" END")
}

func call(w *Writer, name string, x Operand) {
	w.Text(name, "(")
	x()
	w.Text(")")
}

func (duckDB) Middle(w *Writer, x Operand, upper bool) {
	w.Text("LIST_SORT(LIST(")
	x()
	w.Text(") FILTER (WHERE ")
	x()
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

func (duckDB) JoinText(w *Writer, x Operand) {
	w.Text("STRING_AGG(")
	x()
	w.Text(", ',' ORDER BY ")
	x()
	w.Text(")")
}

// scaled writes an exact number as the 128-bit integer of its digits, moved by further decimal places.
func scaled(w *Writer, x Operand, scale uint8, further int) {
	w.Text("CAST(")
	x()
	if scale > 0 {
		w.Text(" * ", power10(int(scale)))
	}
	w.Text(" AS HUGEINT)")
	if further > 0 {
		w.Text(" * CAST(", power10(further), " AS HUGEINT)")
	}
}

func power10(n int) string { return "1" + strings.Repeat("0", n) }

// unscaled writes a 128-bit integer as a decimal of a scale.
func unscaled(w *Writer, scale uint8, x Operand) {
	w.Text("CAST(")
	x()
	w.Text(" AS DECIMAL(38,0))")
	if scale > 0 {
		n := strconv.Itoa(int(scale))
		w.Text(" * CAST(0.", strings.Repeat("0", int(scale)-1), "1 AS DECIMAL(", n, ",", n, "))")
	}
}

func (duckDB) Divide(w *Writer, x, y Operand, tx, ty, t value.Type) {
	num := func() { scaled(w, x, tx.Scale, int(t.Scale)-int(tx.Scale)+int(ty.Scale)) }
	den := func() { scaled(w, y, ty.Scale, 0) }
	w.Text("(")
	unscaled(w, t.Scale, func() {
		w.Text("(2 * ")
		num()
		w.Text(" + SIGN(")
		x()
		w.Text(") * ABS(")
		den()
		w.Text(")) // NULLIF(2 * ")
		den()
		w.Text(", 0)")
	})
	w.Text(")")
}

func (duckDB) Modulo(w *Writer, x, y Operand, tx, ty, t value.Type) {
	w.Text("(")
	unscaled(w, t.Scale, func() {
		w.Text("(")
		scaled(w, x, tx.Scale, int(t.Scale)-int(tx.Scale))
		w.Text(") % NULLIF(")
		scaled(w, y, ty.Scale, int(t.Scale)-int(ty.Scale))
		w.Text(", 0)")
	})
	w.Text(")")
}

func (duckDB) Truncated(w *Writer, x Operand, _ value.Type) { call(w, "TRUNC", x) }

func (duckDB) Position(w *Writer, x, text Operand) {
	w.Text("STRPOS(")
	x()
	w.Text(", ")
	text()
	w.Text(")")
}

// Match uses the regular expressions of RE2, whose case folding is Unicode's simple one.
func (duckDB) Match(w *Writer, x Operand, where Match, text string) {
	pattern := regexp.QuoteMeta(text)
	switch where {
	case AtStart:
		pattern = `\A` + pattern
	case AtEnd:
		pattern += `\z`
	case Anywhere:
	}
	w.Text("REGEXP_MATCHES(")
	x()
	w.Text(", ")
	w.Bind("(?is)" + pattern)
	w.Text(")")
}

func (duckDB) Text(w *Writer, x Operand, t value.Type) {
	switch t.Kind {
	case value.Timestamp:
		w.Text("REPLACE(CAST(")
		x()
		w.Text(" AS VARCHAR), ' ', 'T')")
	case value.Null, value.String:
		x()
	case value.Integer, value.Decimal, value.Float, value.Boolean, value.Date:
		w.Text("CAST(")
		x()
		w.Text(" AS VARCHAR)")
	}
}

func (duckDB) Period(w *Writer, x Operand, p Period) {
	switch p {
	case Year:
		call(w, "YEAR", x)
	case Quarter:
		w.Text("(STRFTIME(")
		x()
		w.Text(", '%Y-Q') || QUARTER(")
		x()
		w.Text("))")
	case Month:
		format(w, x, "%Y-%m")
	case Week:
		format(w, x, "%G-W%V")
	case Day:
		w.Text("CAST(")
		x()
		w.Text(" AS DATE)")
	case Hour:
		w.Text("DATE_TRUNC('hour', ")
		x()
		w.Text(")")
	}
}

func format(w *Writer, x Operand, pattern string) {
	w.Text("STRFTIME(")
	x()
	w.Text(", '", pattern, "')")
}

var duckParts = map[Part]string{
	YearPart: "YEAR", QuarterPart: "QUARTER", MonthPart: "MONTH", WeekPart: "WEEK", DayPart: "DAY", HourPart: "HOUR", WeekdayPart: "ISODOW",
}

func (duckDB) Part(w *Writer, x Operand, p Part) { call(w, duckParts[p], x) }

var duckUnits = map[Period]string{Year: "year", Quarter: "quarter", Month: "month", Week: "week", Day: "day", Hour: "hour"}

func (duckDB) Start(w *Writer, x Operand, p Period) {
	if p != Hour {
		w.Text("CAST(")
	}
	w.Text("DATE_TRUNC('", duckUnits[p], "', ")
	x()
	w.Text(")")
	if p != Hour {
		w.Text(" AS DATE)")
	}
}

func (d duckDB) Shift(w *Writer, x, n Operand, p Period, t value.Type) {
	step, times := map[Period]string{Year: "TO_YEARS", Quarter: "TO_MONTHS", Month: "TO_MONTHS", Week: "TO_DAYS", Day: "TO_DAYS", Hour: "TO_HOURS"}[p], ""
	switch p {
	case Quarter:
		times = " * 3"
	case Week:
		times = " * 7"
	case Year, Month, Day, Hour:
	}
	cast := "INTEGER"
	if p == Hour {
		cast = "BIGINT"
	}
	w.Text("CAST(")
	x()
	w.Text(" + ", step, "(CAST(")
	n()
	w.Text(times, " AS ", cast, ")) AS ", d.TypeName(t), ")")
}

// Distance counts weeks by their Mondays, which DuckDB's own difference in weeks does not.
func (d duckDB) Distance(w *Writer, from, to Operand, p Period) {
	if p == Week {
		w.Text("(")
		d.Distance(w, func() { d.Start(w, from, Week) }, func() { d.Start(w, to, Week) }, Day)
		w.Text(" // 7)")
		return
	}
	w.Text("DATE_DIFF('", duckUnits[p], "', ")
	from()
	w.Text(", ")
	to()
	w.Text(")")
}

func (duckDB) Local(w *Writer, x Operand, zone string) {
	w.Text("(")
	x()
	w.Text(" AT TIME ZONE ")
	w.Bind(zone)
	w.Text(")")
}

func (duckDB) NotTrue(w *Writer, cond Operand) {
	w.Text("((")
	cond()
	w.Text(") IS NOT TRUE)")
}

func (duckDB) Same(w *Writer, x, y Operand) {
	x()
	w.Text(" IS NOT DISTINCT FROM ")
	y()
}

func (duckDB) Order(w *Writer, x Operand, desc, nullsFirst bool) {
	x()
	if desc {
		w.Text(" DESC")
	}
	if nullsFirst {
		w.Text(" NULLS FIRST")
		return
	}
	w.Text(" NULLS LAST")
}

func (duckDB) Rows(w *Writer, alias string, columns []string, rows int, cell func(row, column int)) {
	w.Text("(VALUES ")
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
	w.Text(") AS ", alias, "(", strings.Join(columns, ", "), ")")
}

func (duckDB) Page(w *Writer, start, rows int64) {
	w.Text(" LIMIT ")
	w.Bind(rows)
	if start > 0 {
		w.Text(" OFFSET ")
		w.Bind(start)
	}
}
