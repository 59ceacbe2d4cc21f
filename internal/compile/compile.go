// Package compile turns a query over a model, under a grant, into the statements of one database.
// It calls resolve, plan and sqlgen in order; it runs nothing.
package compile

import (
	"time"

	"parlance/internal/access"
	"parlance/internal/compile/sqlgen"
	"parlance/internal/dialect"
	"parlance/internal/query"
	"parlance/internal/result"
	"parlance/internal/semantic"
)

// Request is all that a compilation depends on.
type Request struct {
	Model   *semantic.Model
	Query   *query.Query
	Grant   access.Grant
	Dialect dialect.Dialect
	Limits  Limits
	Now     time.Time // the clock of relative dates; the model's calendar may fix another day
}

// Limits bound what one query may ask for (decision 67). All must be set.
type Limits struct {
	DefaultRows int64 // rows when the query names no limit
	MaxRows     int64
	Columns     int
	Conditions  int
	Depth       int
	ListValues  int
}

// Compiled is a query ready to run. Page, Count and Totals are independent statements.
type Compiled struct {
	Page         sqlgen.Statement
	Columns      []result.Column
	Count        sqlgen.Statement  // one row, one integer
	Totals       *sqlgen.Statement // one row of TotalColumns; nil unless totals were asked for
	TotalColumns []result.Column

	Start, Limit int64
	LimitSource  LimitSource
	Grouped      bool
	Applied      Applied
	Warnings     []string
}

// LimitSource says who chose the limit.
type LimitSource string

// The limit sources.
const (
	LimitGiven   LimitSource = "query"
	LimitDefault LimitSource = "default"
)

// Applied says what was done that the caller may want to check: resolved filters, defaults, time ranges.
type Applied struct {
	Mode    string   `json:"mode"` // detail or grouped
	GroupBy []string `json:"groupBy,omitempty"`
	Rows    []string `json:"filteredBefore,omitempty"` // conditions on rows, in words
	Groups  []string `json:"filteredAfter,omitempty"`  // conditions on groups
	OrderBy []string `json:"orderBy,omitempty"`
	Ranges  []Range  `json:"timeRanges,omitempty"`
}

// Range is a resolved period: from is in it, to is not; "" is open.
type Range struct {
	Field string `json:"field"`
	From  string `json:"from,omitempty"`
	To    string `json:"to,omitempty"`
}

// Query compiles a query.
func Query(_ Request) (*Compiled, error) { panic("being written") }

// Summary compiles a KPI summary: the aggregated value of each column over the rows of the slice (contract 4.4).
func Summary(_ Request) (*sqlgen.Statement, []result.Column, error) { panic("being written") }
