// Package query is the payload of contract 2.6: its tree, its strict decoding, its printing.
// It binds no name and knows no model; that is the resolver's work.
package query

// Query is one decoded payload. Every clause keeps its order; nothing is defaulted but what a comment says.
type Query struct {
	Columns     []Column
	ExColumns   []string
	Slice       []Condition // and-ed
	Having      []Condition // and-ed
	GroupBy     []Group
	OrderBy     []Order
	Calculated  []Calculated
	ReturnTotal bool
	Distinct    bool
	Subtotals   bool        // withSubtotals
	Top         *Top        // topN; nil if absent
	Time        *TimeWindow // timeWindow; nil if absent
	Paging      Paging
	Format      Format
	Warnings    []string // what the decoder had to assume (decision 05)
}

// Format is how rows are laid out in a tool result.
type Format uint8

// The formats. DefaultFormat leaves the choice to the transport.
const (
	DefaultFormat Format = iota
	RowsFormat
	CompactFormat
)

// Paging holds the four paging keys; nil is absent. Bounds are checked by Window.
type Paging struct {
	Page, PageSize, Start, Limit *int64
}

// Column is one entry of columns: an expression, its alias ("" if none) and the text as written,
// which is the row's key where there is no alias.
type Column struct {
	Expr  Expr
	Alias string
	Text  string
}

// Key is the name under which the column stands in a row.
func (c Column) Key() string {
	if c.Alias != "" {
		return c.Alias
	}
	return c.Text
}

// Group is one entry of groupBy. Agg is "" unless it overrides a measure's aggregation.
type Group struct {
	Field string
	Agg   string
}

// Order is one entry of orderBy. Expr is a reference or an aggregate expression.
type Order struct {
	Expr  Expr
	Desc  bool
	Nulls NullOrder
}

// NullOrder says where nulls stand; the default is last (decision 50).
type NullOrder uint8

// The null orders.
const (
	NullsDefault NullOrder = iota
	NullsFirst
	NullsLast
)

// Calculated is one entry of calculatedFields (decision 49). Window is nil unless partitionBy, windowOrderBy or
// windowFrame is there. Agg is "" if absent, Type is "" or a word of value.TypeNames.
type Calculated struct {
	Name        string
	Expr        Expr
	Caption     string
	Description string
	Agg         string
	Type        string
	Window      *Window
}

// Top is topN: the N groups that stand first by a value, and perhaps one row for all the others.
type Top struct {
	By     Order
	N      int64
	Others bool
}

// Grain is the length of a timeWindow's periods.
type Grain string

// The grains.
const (
	DayGrain     Grain = "day"
	WeekGrain    Grain = "week"
	MonthGrain   Grain = "month"
	QuarterGrain Grain = "quarter"
	YearGrain    Grain = "year"
)

// Comparison is what a timeWindow sets beside each period.
type Comparison string

// The comparisons.
const (
	YearOnYear   Comparison = "yoy"
	MonthOnMonth Comparison = "mom"
	WeekOnWeek   Comparison = "wow"
	YearToDate   Comparison = "ytd"
	MonthToDate  Comparison = "mtd"
	Rolling7     Comparison = "rolling_7d"
	Rolling30    Comparison = "rolling_30d"
	Rolling90    Comparison = "rolling_90d"
)

// TimeWindow is timeWindow: measures by period, each beside its value in another stretch of time.
type TimeWindow struct {
	Field      string
	Grain      Grain
	Comparison Comparison
	Range      List     // a period, or the first and the last day
	Metrics    []string // targetMetrics; empty: every selected measure
}

// Condition is a filter. The set is closed: Compare, Logic, ExprCondition.
// Each knows its path within the payload, for errors, and says in words what it keeps.
type Condition interface {
	Where() string
	String() string
	condition()
}

// Compare is {field, op, value}. Field is a reference or an aggregate expression.
type Compare struct {
	Field    Expr
	Op       Op
	Value    Operand
	MaxDepth *int64 // of the hierarchy operators
	Path     string
}

// Logic joins conditions: $and, $or, $not. A Not is over the and of its conditions.
type Logic struct {
	Op    LogicOp
	Conds []Condition
	Path  string
}

// LogicOp is a connective.
type LogicOp uint8

// The connectives.
const (
	AllOf LogicOp = iota
	AnyOf
	NoneOf // $not: the complement of all of them together
)

// ExprCondition is {"$expr": "a > b * 1.2"}.
type ExprCondition struct {
	Expr Expr
	Path string
}

// Where returns the path of the condition.
func (c *Compare) Where() string { return c.Path }

// Where returns the path of the condition.
func (c *Logic) Where() string { return c.Path }

// Where returns the path of the condition.
func (c *ExprCondition) Where() string { return c.Path }

func (*Compare) condition()       {}
func (*Logic) condition()         {}
func (*ExprCondition) condition() {}

// Operand is the value of a Compare: what the JSON held, not yet typed. It is nil where the operator takes none, a
// List of any length where it takes a list, a List of two where it takes an interval, else a Scalar or a FieldRef.
// The set is closed: Scalar, List, FieldRef.
type Operand interface {
	String() string
	operand()
}

// Scalar is a JSON null, boolean, number or string. A number keeps its text.
type Scalar struct {
	Kind LiteralKind
	Text string
}

// List is a JSON array of scalars.
type List []Scalar

// FieldRef is {"$field": "b"}.
type FieldRef struct{ Expr Expr }

func (Scalar) operand()   {}
func (List) operand()     {}
func (FieldRef) operand() {}
