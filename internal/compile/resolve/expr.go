// Package resolve binds a query to a model under a grant: every name found, every right applied, every value typed.
// What it returns can no longer fail for a reason of the caller's; how it is computed is the plan's work.
package resolve

import (
	"strconv"
	"strings"

	"parlance/internal/compute"
	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// Level is what an expression is computed from. Levels are ordered.
type Level uint8

// The levels.
const (
	Constant    Level = iota
	RowLevel          // a value of one row
	GroupLevel        // a value of one group of rows
	WindowLevel       // a value of one result row among the others
)

// Expr is a bound, typed expression. String is a key: two expressions of one query with the same text have the same
// value. The set is closed: Field, Stored, Literal, Op, Agg, Window, Within,
// PeriodName, Column.
type Expr interface {
	Type() value.Type
	Level() Level
	String() string
	bound()
}

// Field is the value of a field in one row.
type Field struct{ *semantic.Field }

// Stored is a column of the model's own rows that is not a field: a part of its key.
type Stored struct {
	Name string
	T    value.Type
}

// Literal is a constant; it becomes a bind argument.
type Literal struct {
	V value.Value
	T value.Type
}

// Op is a function of values.
type Op struct {
	Fn   Fn
	Args []Expr
	T    value.Type

	fraction *fraction // of an exact quotient: what it is before it is rounded
}

// Agg is an aggregate over the rows of a group. Arg is nil for a count of rows; a null argument does not count.
type Agg struct {
	Fn   semantic.Agg
	Arg  Expr
	Semi *Semi // nil: every row of the group counts
	Of   *semantic.Model
	Part int // Own, or Beside in a TimeWindow
	T    value.Type
}

// Semi says how an aggregate goes along Over, a time over which it is not added up: only the rows at one end of it
// count, or the aggregate of each of its values is averaged, or the least or the greatest is taken. With Per that is
// done for each series of a group, and the series are then put together.
type Semi struct {
	Over Expr
	Use  semantic.SemiUse
	Per  []Expr
}

// AtEnd reports whether only the rows at one end of the time count.
func (s *Semi) AtEnd() bool { return s.Use == semantic.UseLast || s.Use == semantic.UseFirst }

// Window is a function of the rows that stand beside a row, the row kept.
type Window struct {
	Fn          WindowFn
	Args        []Expr
	PartitionBy []Expr
	OrderBy     []Order
	Frame       *query.Frame // nil: the default of the standard
	Total       bool         // equal rows must have one order: the plan appends what tells them apart
	counted     bool         // the frame counts along its one order term, to which nothing may be appended
	T           value.Type
}

// Within is whether a member of a hierarchy stands below (or, with Up, above) any of some nodes, at a distance from
// Min to Max; a negative Max is no bound.
type Within struct {
	X        Expr
	Tree     *semantic.Dimension
	Up       bool
	Min, Max int64
	Nodes    []Expr
}

// WindowFn is a window function: an aggregate's word, or one of its own.
type WindowFn = compute.Window

// The window functions that are no aggregates.
const (
	RowNumber   = compute.RowNumber
	Rank        = compute.Rank
	DenseRank   = compute.DenseRank
	PercentRank = compute.PercentRank
	CumeDist    = compute.CumeDist
	Ntile       = compute.Ntile
	Lag         = compute.Lag
	Lead        = compute.Lead
	FirstValue  = compute.FirstValue
	LastValue   = compute.LastValue
)

// Column is a value that an inner stage of a plan has computed; only plans make it.
type Column struct {
	Rel    string
	Name   string
	T      value.Type
	Stored bool // read from a table, not from an inner stage
	Native bool // text that is compared as the database does
	Bare   bool // read from a table, and written without its name
}

// Type returns the type of the field's value in one row.
func (f Field) Type() value.Type {
	if f.Measure != nil {
		return f.Measure.Type
	}
	return f.Field.Type
}

// Type returns the type of the value.
func (s Stored) Type() value.Type { return s.T }

// Type returns the type of the value.
func (l Literal) Type() value.Type { return l.T }

// Type returns the type of the value.
func (o *Op) Type() value.Type { return o.T }

// Type returns the type of the value.
func (a *Agg) Type() value.Type { return a.T }

// Type returns the type of the value.
func (w *Window) Type() value.Type { return w.T }

// Type is boolean.
func (w *Within) Type() value.Type { return boolean }

// Type returns the type of the value.
func (c Column) Type() value.Type { return c.T }

// Level is RowLevel.
func (Field) Level() Level { return RowLevel }

// Level is RowLevel.
func (Stored) Level() Level { return RowLevel }

// Level is Constant.
func (Literal) Level() Level { return Constant }

// Level is the highest level of the arguments.
func (o *Op) Level() Level {
	level := Constant
	for _, a := range o.Args {
		level = max(level, a.Level())
	}
	return level
}

// Level is GroupLevel.
func (*Agg) Level() Level { return GroupLevel }

// Level is WindowLevel.
func (*Window) Level() Level { return WindowLevel }

// Level is the level of the member.
func (w *Within) Level() Level { return w.X.Level() }

// Level is RowLevel: a stage's columns are the rows of the next.
func (Column) Level() Level { return RowLevel }

// String names the field.
func (f Field) String() string { return f.Name }

// String names the column.
func (s Stored) String() string { return "stored:" + s.Name }

// String shows the constant with its kind, so that 1 and '1' differ.
func (l Literal) String() string {
	if l.V.IsNull() {
		return "null:" + l.T.Name()
	}
	return strconv.Quote(l.V.Text) + ":" + l.T.Name() + strconv.Itoa(int(l.T.Scale))
}

// usualText is the room that the text of an expression has to begin with.
const usualText = 64

// String shows the operation and its arguments.
func (o *Op) String() string {
	var b strings.Builder
	b.Grow(usualText)
	b.WriteString(o.Fn.String())
	b.WriteByte(':')
	b.WriteString(strconv.Itoa(int(o.T.Scale)))
	b.WriteByte('(')
	writeList(&b, o.Args)
	b.WriteByte(')')
	return b.String()
}

// String shows the aggregate.
func (a *Agg) String() string {
	var b strings.Builder
	b.Grow(usualText)
	b.WriteString(string(a.Fn))
	b.WriteByte('(')
	if a.Arg == nil {
		b.WriteByte('*')
	} else {
		b.WriteString(a.Arg.String())
	}
	b.WriteByte(')')
	if a.Semi != nil {
		b.WriteString(" at ")
		b.WriteString(a.Semi.String())
	}
	if a.Of != nil {
		b.WriteString(" of ")
		b.WriteString(a.Of.Name)
	}
	if a.Part != Own {
		b.WriteString(" beside")
	}
	return b.String()
}

// String shows the window.
func (w *Window) String() string {
	var b strings.Builder
	b.WriteString(string(w.Fn))
	b.WriteByte('(')
	writeList(&b, w.Args)
	b.WriteString(") over (partition by ")
	writeList(&b, w.PartitionBy)
	b.WriteString(" order by ")
	for _, o := range w.OrderBy {
		b.WriteString(o.String())
	}
	if w.Frame != nil {
		b.WriteByte(' ')
		b.WriteString(w.Frame.String())
	}
	b.WriteByte(')')
	return b.String()
}

// String shows the condition.
func (w *Within) String() string {
	var b strings.Builder
	b.WriteString(w.X.String())
	b.WriteString(" below ")
	if w.Up {
		b.WriteString("or above ")
	}
	b.WriteString(strconv.FormatInt(w.Min, 10) + ".." + strconv.FormatInt(w.Max, 10) + " (")
	writeList(&b, w.Nodes)
	b.WriteByte(')')
	return b.String()
}

// String shows which rows count.
func (s *Semi) String() string {
	var b strings.Builder
	b.WriteString(string(s.Use) + " ")
	b.WriteString(s.Over.String())
	b.WriteString(" per ")
	writeList(&b, s.Per)
	return b.String()
}

// String shows where the value comes from.
func (c Column) String() string { return c.Rel + "." + c.Name }

func writeList(b *strings.Builder, list []Expr) {
	for i, e := range list {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(e.String())
	}
}

func (Field) bound()   {}
func (Stored) bound()  {}
func (Literal) bound() {}
func (*Op) bound()     {}
func (*Agg) bound()    {}
func (*Window) bound() {}
func (*Within) bound() {}
func (Column) bound()  {}
