// Package compute is the closed list of what can be computed: scalar functions, aggregates, window functions.
// The resolver binds names to it and the dialects write it, so no name of a request ever reaches SQL.
package compute

// Fn is a scalar function or operator.
type Fn uint8

// The functions. Comparisons of a null are null; And, Or and a filter take null for false, and Not is the complement
// of what is true, so conditions are two-valued at any depth (decision 41).
const (
	None Fn = iota
	And
	Or
	Not // true for false and for null
	Eq
	Ne // null for a null operand: row rules only
	Lt
	Le
	Gt
	Ge
	In // first argument among the others, none of which is null
	IsNull
	Contains // simple Unicode case folding, no wildcards (decision 42)
	StartsWith
	EndsWith
	BitsSet // (x & y) = y

	Add
	Sub
	Mul
	Div // exact to the digits of the type; null for a zero divisor
	Mod // null for a zero divisor
	Neg

	Case // c1, x1, c2, x2, …, else
	Coalesce
	NullIf
	Abs
	Round // x, digits
	Floor
	Ceil
	Power
	Sqrt
	Exp
	Ln
	Greatest
	Least
	Sign
	Trunc // towards zero
	Log10

	Lower
	Upper
	Trim
	LTrim
	RTrim
	Length
	Concat // skips nulls (decision 56)
	Substring
	Left
	Right
	Replace
	Position // of the second text in the first, counted from 1; 0 if absent
	Reverse
	PadLeft
	PadRight

	YearOf // integers
	QuarterOf
	MonthOf
	WeekOf // ISO
	DayOf
	HourOf
	DayOfWeekOf // Monday is 1

	ToYear    // 2024
	ToQuarter // 2024-Q1
	ToMonth   // 2024-01
	ToWeek    // 2024-W05
	ToDate
	ToHour

	Shift    // a date or time, a number, a unit: moved by so many units, a month's end kept within its month
	Distance // a unit, two dates or times: how many borders of the unit lie between them
	Truncate // a date or time, a unit: the start of the unit that holds it

	ToLocal // an instant, a zone: wall time
	ToText
	Widen // an exact number to 38 digits
	Float // a number to a double

	Guard // c, x: the condition x where c holds, otherwise false; x is computed of no row for which c does not hold

	Digest // a text, a key: 32 hexadecimal digits, the same for the same text; no text can be told from them without the key
)

var names = [...]string{
	"none", "and", "or", "not", "eq", "ne", "lt", "le", "gt", "ge", "in", "is_null", "contains", "starts_with", "ends_with", "bits_set",
	"add", "sub", "mul", "div", "mod", "neg",
	"case", "coalesce", "nullif", "abs", "round", "floor", "ceil", "power", "sqrt", "exp", "ln", "greatest", "least", "sign", "trunc", "log10",
	"lower", "upper", "trim", "ltrim", "rtrim", "length", "concat", "substring", "left", "right", "replace", "position", "reverse", "pad_left", "pad_right",
	"year_of", "quarter_of", "month_of", "week_of", "day_of", "hour_of", "day_of_week",
	"to_year", "to_quarter", "to_month", "to_week", "to_date", "to_hour", "shift", "distance", "truncate", "to_local", "to_text", "widen", "float", "guard", "digest",
}

// String returns the function's name.
func (f Fn) String() string { return names[f] }
