// Package dialect answers what differs between databases: how names, values, exact arithmetic, dates and text are
// written, and what a database can do at all. A dialect is never asked its name, and knows nothing of models.
package dialect

import (
	"parlance/internal/compute"
	"parlance/internal/value"
)

// Dialect is a handful of questions about one database. Methods that take a Writer write their answer to it.
//
// Every answer keeps the promises of package compute and of the decisions, or the dialect's Features say that it
// cannot: exact arithmetic (55), text by code point (56), two-valued conditions (41).
type Dialect interface {
	// Features returns what the database can do.
	Features() Features

	// Quote appends an identifier of the model: "a" here, `a` there.
	Quote(buf []byte, ident string) []byte
	// Placeholder appends the mark of the n-th bind argument, counted from 1: ? here, $1 there.
	Placeholder(buf []byte, n int) []byte
	// TypeName returns the column type that holds every value of t: DECIMAL(38,2).
	TypeName(t value.Type) string
	// Value writes a constant as a bind argument of its type; null is typed too, and booleans need no argument.
	Value(w *Writer, v value.Value, t value.Type)
	// Stored writes a column of a table as a value of t: text that compares by code point unless native, a decimal
	// that is exact, a boolean that is one.
	Stored(w *Writer, x Operand, t value.Type, native bool)

	// Call writes a function or operator over its arguments. t is the type of the result.
	Call(w *Writer, f compute.Fn, args []Arg, t value.Type)
	// Aggregate writes an aggregate over the values of x that are not null; a nil x counts rows. over writes the window
	// behind each aggregate call, or nothing. A sum that does not fit is an error of the statement, never a wrong number.
	Aggregate(w *Writer, a compute.Agg, x *Arg, t value.Type, over Operand)

	// Key writes whether two columns, which a join matches, hold the same value of t: text by code point, whatever the
	// columns compare by. An index that serves the columns' own equality serves it too.
	Key(w *Writer, x, y Operand, t value.Type)
	// Same writes whether two values are equal or both null.
	Same(w *Writer, x, y Operand)
	// Order writes one term of an order, nulls where asked.
	Order(w *Writer, x Arg, desc, nullsFirst bool)
	// Rows writes constant rows as a source with named columns. Every cell is written by cell(row, column).
	Rows(w *Writer, alias string, columns []string, rows int, cell func(row, column int))
	// Page writes the clause that keeps rows from start on; math.MaxInt64 rows are all of them.
	Page(w *Writer, start, rows int64)
}

// Features is what a database can do; the plan asks, and refuses with the reason what it cannot do without.
type Features struct {
	Windows   bool // window functions
	Joins     bool // several joins in one SELECT
	Recursion bool // WITH RECURSIVE inside a subquery

	NoZones      bool // instants cannot be shown by the clock of a zone
	NoFloatMod   bool // no remainder of floats
	NoLagDefault bool // LAG and LEAD take no value for rows that are not there; the statement finds another way
	NoSubseconds bool // times are of whole seconds
	NoWindowMix  bool // windows of several orders in one SELECT may see a wrong one; each stage of the statement has one
	SlowExtremes bool // MIN and MAX over a partition cost its square; its first value in an order does not
	NoDistinct   bool // SELECT DISTINCT may repeat rows; the statement groups by them
	NoWideKeys   bool // numbers of 38 digits are no keys beside others; the statement groups by their texts
	NoWideParts  bool // aggregates of 38 digits, and of spread, are not put together from those of a table's parts

	EarlyConditions bool // a condition may be computed of two rows that a join does not match

	NoComputedReplace bool   // what a text is searched for, and what replaces it, must be constants
	FirstDate         string // the first and last date, as 1970-01-01; "": there is none
	LastDate          string
	Schema            string // what a table that names no schema is written as being of; "": nothing
}

// AloneOrderer is a dialect whose Order writes more than one term where a frame counts along exactly one.
type AloneOrderer interface {
	// OrderAlone writes one term of an order by a number, nulls where asked.
	OrderAlone(w *Writer, x Arg, desc, nullsFirst bool)
}

// UnitScaler is an AloneOrderer whose terms are not the numbers themselves but so many tenths, hundredths, … of them.
type UnitScaler interface {
	// UnitDigits returns how many zeros one unit of a number of the type has in such a term.
	UnitDigits(t value.Type) int
}

// Operand writes one operand. A dialect may write it more than once; its bind arguments are repeated with it.
type Operand func()

// Arg is an argument of a function: its text, its type and, of a constant, its value.
type Arg struct {
	Write Operand
	Type  value.Type
	Const *value.Value // nil unless a constant
	// Stored marks a column just as its table holds it, and not what was computed from it.
	Stored bool
}
