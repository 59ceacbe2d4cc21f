package resolve

import "parlance/internal/compute"

// Fn is a scalar function of the bound tree.
type Fn = compute.Fn

// The functions; package compute says what each means.
const (
	And         = compute.And
	Or          = compute.Or
	Not         = compute.Not
	Eq          = compute.Eq
	Ne          = compute.Ne
	Lt          = compute.Lt
	Le          = compute.Le
	Gt          = compute.Gt
	Ge          = compute.Ge
	In          = compute.In
	IsNull      = compute.IsNull
	Contains    = compute.Contains
	StartsWith  = compute.StartsWith
	EndsWith    = compute.EndsWith
	BitsSet     = compute.BitsSet
	Add         = compute.Add
	Sub         = compute.Sub
	Mul         = compute.Mul
	Div         = compute.Div
	Mod         = compute.Mod
	Neg         = compute.Neg
	Case        = compute.Case
	Coalesce    = compute.Coalesce
	NullIf      = compute.NullIf
	Abs         = compute.Abs
	Round       = compute.Round
	Floor       = compute.Floor
	Ceil        = compute.Ceil
	Power       = compute.Power
	Sqrt        = compute.Sqrt
	Exp         = compute.Exp
	Ln          = compute.Ln
	Greatest    = compute.Greatest
	Least       = compute.Least
	Sign        = compute.Sign
	Trunc       = compute.Trunc
	Log10       = compute.Log10
	Lower       = compute.Lower
	Upper       = compute.Upper
	Trim        = compute.Trim
	LTrim       = compute.LTrim
	RTrim       = compute.RTrim
	Length      = compute.Length
	Concat      = compute.Concat
	Substring   = compute.Substring
	Left        = compute.Left
	Right       = compute.Right
	Replace     = compute.Replace
	Position    = compute.Position
	Reverse     = compute.Reverse
	PadLeft     = compute.PadLeft
	PadRight    = compute.PadRight
	YearOf      = compute.YearOf
	QuarterOf   = compute.QuarterOf
	MonthOf     = compute.MonthOf
	WeekOf      = compute.WeekOf
	DayOf       = compute.DayOf
	HourOf      = compute.HourOf
	DayOfWeekOf = compute.DayOfWeekOf
	ToYear      = compute.ToYear
	ToQuarter   = compute.ToQuarter
	ToMonth     = compute.ToMonth
	ToWeek      = compute.ToWeek
	ToDate      = compute.ToDate
	ToHour      = compute.ToHour
	Shift       = compute.Shift
	Distance    = compute.Distance
	Truncate    = compute.Truncate
	ToLocal     = compute.ToLocal
	ToText      = compute.ToText
	Widen       = compute.Widen
	Float       = compute.Float
	Guard       = compute.Guard
	Digest      = compute.Digest
)
