package query

// Expr is a parsed expression, not yet bound to any model. Its String parses back to an equal tree.
// The set is closed: Ref, Literal, Call, Unary, Binary, In, Between, IsNull, Like, Case.
type Expr interface {
	String() string
	expr()
}

// Ref names a field, an alias or a calculated field: salesAmount, customer$caption, product.category$caption.
type Ref struct{ Name string }

// LiteralKind tells the literals apart.
type LiteralKind uint8

// The literals of the expression language.
const (
	NullLiteral LiteralKind = iota
	BoolLiteral
	NumberLiteral
	StringLiteral
)

// Literal is a constant. Text is the number as written, the string without its quotes, or true or false.
type Literal struct {
	Kind LiteralKind
	Text string
}

// Call is a function call. Func is in lower case, an alias (countd) already replaced by its name (count_distinct).
type Call struct {
	Func string
	Args []Expr
	Star bool    // count(*)
	Over *Window // nil unless a window function
}

// Window is the OVER clause of a call.
type Window struct {
	PartitionBy []Expr
	OrderBy     []Order
	Frame       *Frame // nil: the default frame
}

// Frame is a parsed window frame.
type Frame struct {
	Unit     FrameUnit
	From, To Bound
}

// FrameUnit is what a frame counts in.
type FrameUnit uint8

// The frame units.
const (
	Rows FrameUnit = iota
	Range
)

// Bound is one end of a frame.
type Bound struct {
	Kind   BoundKind
	Offset int64 // of Preceding and Following
}

// BoundKind tells the ends of a frame apart, in their order along the window.
type BoundKind uint8

// The frame bounds.
const (
	UnboundedPreceding BoundKind = iota
	Preceding
	CurrentRow
	Following
	UnboundedFollowing
)

// UnaryOp is a prefix operator.
type UnaryOp uint8

// The prefix operators.
const (
	Neg UnaryOp = iota // -x
	Not                // not x
)

// Unary is a prefix operation.
type Unary struct {
	Op UnaryOp
	X  Expr
}

// BinaryOp is an infix operator.
type BinaryOp uint8

// The infix operators, loosest first.
const (
	Or BinaryOp = iota
	And
	Eq
	Ne
	Lt
	Le
	Gt
	Ge
	Add
	Sub
	Mul
	Div
	Mod
)

// Binary is an infix operation.
type Binary struct {
	Op   BinaryOp
	X, Y Expr
}

// In is x in (a, b) or x not in (a, b).
type In struct {
	X    Expr
	List []Expr
	Not  bool
}

// Between is x between a and b, both ends included.
type Between struct {
	X, From, To Expr
	Not         bool
}

// IsNull is x is null or x is not null.
type IsNull struct {
	X   Expr
	Not bool
}

// Like is x like 'text': contains, with no wildcards (decision 42).
type Like struct {
	X, Text Expr
	Not     bool
}

// Case is case when c then x … else y end. Else is nil when absent.
type Case struct {
	Whens []When
	Else  Expr
}

// When is one branch of a Case.
type When struct{ Cond, Then Expr }

func (*Ref) expr()     {}
func (*Literal) expr() {}
func (*Call) expr()    {}
func (*Unary) expr()   {}
func (*Binary) expr()  {}
func (*In) expr()      {}
func (*Between) expr() {}
func (*IsNull) expr()  {}
func (*Like) expr()    {}
func (*Case) expr()    {}
