package resolve

import (
	"slices"

	"parlance/internal/value"
)

// Guarded adds the policy's condition on rows to what the caller asked. A database may compute the parts of a condition in
// any order, so one that can fail, such as a product of too many digits, is computed only where the policy holds: whether
// it fails must not tell of rows that the caller does not see.
func Guarded(asked, limit Expr) Expr {
	if limit == nil {
		return asked
	}
	var out, failing Expr
	for _, part := range conjuncts(asked) {
		if total(part) {
			out = and(out, part)
		} else {
			failing = and(failing, part)
		}
	}
	out = and(out, limit)
	if failing != nil {
		out = and(out, op(Guard, boolean, limit, failing))
	}
	return out
}

func conjuncts(e Expr) []Expr {
	if e == nil {
		return nil
	}
	o, ok := e.(*Op)
	if !ok || o.Fn != And {
		return []Expr{e}
	}
	var list []Expr
	for _, a := range o.Args {
		list = append(list, conjuncts(a)...)
	}
	return list
}

// total reports whether an expression has a value whatever the row.
func total(e Expr) bool {
	ok := true
	Visit(e, func(x Expr) bool {
		if o, isOp := x.(*Op); isOp {
			ok = ok && slices.Contains(totalFns, o.Fn) && sameDigits(o)
		}
		return ok
	})
	return ok
}

// totalFns are the functions that no value makes fail, on any database.
var totalFns = []Fn{
	And, Or, Not, Eq, Ne, Lt, Le, Gt, Ge, In, IsNull, Contains, StartsWith, EndsWith, BitsSet, Case, Coalesce, NullIf,
	Lower, Upper, Trim, LTrim, RTrim, Length, Concat, Substring, Left, Right, Position, Digest,
	YearOf, QuarterOf, MonthOf, WeekOf, DayOf, HourOf, DayOfWeekOf, ToYear, ToQuarter, ToMonth, ToWeek, ToDate, ToHour, ToLocal, ToText,
}

// sameDigits reports whether a comparison needs no number widened: a number of 38 digits has no room for further ones.
func sameDigits(o *Op) bool {
	scale := -1
	for _, a := range o.Args {
		t := a.Type()
		if t.Kind != value.Decimal && t.Kind != value.Integer {
			continue
		}
		if scale >= 0 && scale != int(t.Scale) {
			return false
		}
		scale = int(t.Scale)
	}
	return true
}
