// Package plan turns a resolved query into statements as data: which tables, joins, stages and columns.
// It decides everything about meaning and writes no SQL; a plan can be printed, compared and run apart.
package plan

import (
	"parlance/internal/compile/resolve"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// Plan is the independent statements of one query.
type Plan struct {
	Page   *Select
	Count  *Select   // one row, one integer
	Extra  []*Select // rows over several groups, with the columns of the page
	Totals *Select   // nil unless totals were asked for
}

// Select is one stage: columns computed from the rows of a source.
type Select struct {
	Columns  []Output
	From     Source
	Joins    []Join
	Where    resolve.Expr
	GroupBy  []resolve.Expr
	OrderBy  []resolve.Order
	Limit    *Limit
	Distinct bool
}

// Output is a column of a stage. Names are made by the plan, never taken from a request.
type Output struct {
	Name string
	Expr resolve.Expr
}

// Limit is a page of a stage's rows.
type Limit struct{ Start, Rows int64 }

// Source is where a stage's rows come from. The set is closed: Table, Tree, Values, Derived, Union.
type Source interface{ source() }

// Table is a table or an author's query of the model.
type Table struct {
	Source semantic.Source
	Alias  string
}

// Tree is the closure of a dimension's hierarchy: one row for each node and each of its ancestors, itself included.
type Tree struct {
	Dimension *semantic.Dimension
	Alias     string
}

// Values is rows of constants, at least one.
type Values struct {
	Alias   string
	Columns []string
	Rows    [][]resolve.Literal
}

// Derived is an inner stage.
type Derived struct {
	Select *Select
	Alias  string
}

// Union is the rows of several stages with the same columns.
type Union struct {
	Selects []*Select
	Alias   string
}

func (Table) source()   {}
func (Tree) source()    {}
func (Values) source()  {}
func (Derived) source() {}
func (Union) source()   {}

// Join adds a source to the rows. A dimension's join keeps every row; a Required one keeps those that match.
type Join struct {
	To       Source
	On       []Pair
	If       []resolve.Expr // further conditions
	Required bool
}

// Pair is two columns that a join matches. NullSafe pairs match null with null. The type of one of them may be known.
type Pair struct {
	Left, Right resolve.Column
	NullSafe    bool
	Computed    bool // one of them is no column of a table: the other is read as a value too
}

// Type is what is known of the type of both.
func (p Pair) Type() value.Type {
	if p.Left.T != (value.Type{}) {
		return p.Left.T
	}
	return p.Right.T
}
