// Package dialect answers what differs between databases: how names, values, exact arithmetic, dates and text are
// written. A dialect is never asked its name, and knows nothing of models and queries.
package dialect

import "parlance/internal/value"

// Operand writes one operand. A dialect may write it more than once; its bind arguments are repeated with it.
type Operand func()

// Dialect is a handful of questions about one database. Methods write their answer to w.
type Dialect interface {
	// Quote appends an identifier of the model: "a" here, `a` there.
	Quote(buf []byte, ident string) []byte
	// Placeholder appends the mark of the n-th bind argument, counted from 1: ? here, $1 there.
	Placeholder(buf []byte, n int) []byte
	// TypeName returns the column type that holds every value of t: DECIMAL(38,2).
	TypeName(t value.Type) string
	// Value writes a constant as a bind argument of its type; null is typed too, and booleans need no argument.
	Value(w *Writer, v value.Value, t value.Type)

	// Sum writes the exact sum of x, over a window where over writes one. A sum that does not fit is an error of the
	// statement, never a wrong number.
	Sum(w *Writer, x, over Operand, t value.Type)
	// Middle writes the lower or the upper of the two middle values of a group, nulls left out.
	Middle(w *Writer, x Operand, upper bool)
	// JoinText writes the texts of a group in code-point order with commas between them.
	JoinText(w *Writer, x Operand)
	// Divide writes x / y rounded half away from zero to the scale of t; null for a zero divisor. All types are exact.
	Divide(w *Writer, x, y Operand, tx, ty, t value.Type)
	// Modulo writes the remainder of x / y with the sign of x; null for a zero divisor. All types are exact.
	Modulo(w *Writer, x, y Operand, tx, ty, t value.Type)

	// Truncated writes x without its fraction, as a whole number.
	Truncated(w *Writer, x Operand, t value.Type)

	// Position writes where a text stands in x, counted from 1 in code points; 0 where it does not.
	Position(w *Writer, x, text Operand)
	// Match writes whether x holds the text, in simple Unicode case folding and without wildcards.
	Match(w *Writer, x Operand, where Match, text string)
	// Text writes x as the text that an answer would show.
	Text(w *Writer, x Operand, t value.Type)
	// Period writes x cut to a period: 2024, 2024-Q1, 2024-01, 2024-W05, a date, a full hour.
	Period(w *Writer, x Operand, p Period)
	// Part writes one part of a date or time as an integer.
	Part(w *Writer, x Operand, p Part)
	// Start writes the first day of the period that holds x or, of an hour, its first instant.
	Start(w *Writer, x Operand, p Period)
	// Shift writes a date or time of type t moved by n periods; a month's end stays within the month that it reaches.
	Shift(w *Writer, x, n Operand, p Period, t value.Type)
	// Distance writes how many borders of the period lie between two dates or times, negative when to is earlier.
	Distance(w *Writer, from, to Operand, p Period)
	// Local writes an instant as wall time of a zone.
	Local(w *Writer, x Operand, zone string)

	// NotTrue writes the complement of a condition: true where it is false or null.
	NotTrue(w *Writer, cond Operand)
	// Same writes whether two values are equal or both null.
	Same(w *Writer, x, y Operand)
	// Order writes one term of an order, nulls where asked.
	Order(w *Writer, x Operand, desc, nullsFirst bool)
	// Rows writes constant rows as a source with named columns. Every cell of row i is written by cell(i, column).
	Rows(w *Writer, alias string, columns []string, rows int, cell func(row, column int))
	// Page writes the clause that keeps rows from start on.
	Page(w *Writer, start, rows int64)
}

// Match is where a text must stand.
type Match uint8

// The matches.
const (
	Anywhere Match = iota
	AtStart
	AtEnd
)

// Period is a stretch of the calendar.
type Period uint8

// The periods, coarsest first.
const (
	Year Period = iota
	Quarter
	Month
	Week
	Day
	Hour
)

// Part is a part of a date or time.
type Part uint8

// The parts.
const (
	YearPart Part = iota
	QuarterPart
	MonthPart
	WeekPart // ISO
	DayPart
	HourPart
	WeekdayPart // Monday is 1
)
