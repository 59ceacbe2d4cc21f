// Package evaluate is a second, independent evaluator of the query language for tests: naive loops over rows in memory
// and exact fractions, written from the documents. It shares with the program the payload's tree and the vocabulary of
// models and types, and nothing that plans, writes or runs a statement.
package evaluate

import (
	"fmt"
	"time"

	"parlance/internal/query"
	"parlance/internal/semantic"
)

// Tables are the data: the rows of each table by its name.
type Tables map[string][]Row

// Row is one row of a table by column; a column that is not there is null.
type Row map[string]Value

// Input is all that an answer depends on.
type Input struct {
	Model       *semantic.Model
	Data        *Data
	Query       *query.Query
	Today       time.Time // the day that relative dates count from
	DefaultRows int64     // rows when the query names no limit
	Sight       Sight     // of who asks
	Summary     bool      // the totals are asked for, of all rows as one group
}

// Answer is what the query gives.
type Answer struct {
	Columns  []Column
	All      [][]Value // every row, ordered, not paged
	Rows     [][]Value // the page
	Total    int64
	Totals   []Total // nil unless asked for
	Grouped  bool
	Examined int // base rows that the filters on rows let through

	groups []*group // of the page
}

// Column is one column of the rows.
type Column struct {
	Key     string
	Measure bool // numbers keep all their digits
}

// Total is one entry of the totals beside their count.
type Total struct {
	Key   string
	Value Value
}

// Refusal is an error that says that the language does not allow the query.
type Refusal struct{ Reason, Message string }

// Error returns the reason and the message.
func (r *Refusal) Error() string { return r.Reason + ": " + r.Message }

// Unclear is an error that says that the documents do not decide what the query means, or that this evaluator leaves
// it out: nothing can be compared.
type Unclear struct{ Message string }

// Error returns the message.
func (u *Unclear) Error() string { return "unclear: " + u.Message }

func refuse(reason, format string, args ...any) error {
	return &Refusal{Reason: reason, Message: fmt.Sprintf(format, args...)}
}

func unclear(format string, args ...any) error {
	return &Unclear{Message: fmt.Sprintf(format, args...)}
}
