package evaluate

import (
	"cmp"
	"math/big"
	"strings"
	"time"

	"parlance/internal/value"
)

// Value is one value. The zero Value is null. Of its parts only the one that belongs to Kind is set.
type Value struct {
	Kind value.Kind
	Num  *big.Rat // Integer and Decimal; never changed
	F    float64
	Text string
	Bool bool
	Time time.Time // Date: midnight UTC; Timestamp: its wall time as if in UTC, or the instant when it is zoned
	// Zoned marks a timestamp that is an instant.
	Zoned bool
}

// IsNull reports whether the value is null.
func (v Value) IsNull() bool { return v.Kind == value.Null }

// Int returns an integer.
func Int(n int64) Value { return Value{Kind: value.Integer, Num: new(big.Rat).SetInt64(n)} }

// Dec returns the decimal unscaled / 10^scale.
func Dec(unscaled int64, scale uint8) Value {
	return Value{Kind: value.Decimal, Num: new(big.Rat).SetFrac(big.NewInt(unscaled), pow10(int(scale)))}
}

// Str returns a text.
func Str(s string) Value { return Value{Kind: value.String, Text: s} }

// Flag returns a boolean.
func Flag(b bool) Value { return Value{Kind: value.Boolean, Bool: b} }

// Day returns the date of a time.
func Day(t time.Time) Value {
	return Value{Kind: value.Date, Time: time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)}
}

// Wall returns a timestamp without a zone that shows the clock of t.
func Wall(t time.Time) Value {
	return Value{Kind: value.Timestamp, Time: wall(t)}
}

// Instant returns a timestamp with a zone.
func Instant(t time.Time) Value {
	return Value{Kind: value.Timestamp, Time: t.UTC(), Zoned: true}
}

func float(f float64) Value { return Value{Kind: value.Float, F: f} }

func number(kind value.Kind, r *big.Rat) Value { return Value{Kind: kind, Num: r} }

func pow10(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// asFloat returns a number as a double.
func (v Value) asFloat() float64 {
	if v.Kind == value.Float {
		return v.F
	}
	f, _ := v.Num.Float64()
	return f
}

// rat returns a number as a fraction, which a double is too.
func (v Value) rat() *big.Rat {
	if v.Kind == value.Float {
		return new(big.Rat).SetFloat64(v.F)
	}
	return v.Num
}

// compare orders two values that are not null and of comparable kinds: numbers by size, text by code point, dates and
// times along the calendar, false before true.
func compare(a, b Value) int {
	switch {
	case a.Num != nil && b.Num != nil:
		return a.Num.Cmp(b.Num)
	case a.numeric() && b.numeric():
		return cmp.Compare(a.asFloat(), b.asFloat())
	case a.Kind == value.String:
		return strings.Compare(a.Text, b.Text)
	case a.Kind == value.Boolean:
		switch {
		case a.Bool == b.Bool:
			return 0
		case b.Bool:
			return -1
		}
		return 1
	}
	return a.Time.Compare(b.Time)
}

func (v Value) numeric() bool { return v.Num != nil || v.Kind == value.Float }

// identity is a text that two values share only if they are the same value; null has its own.
func (v Value) identity() string {
	switch {
	case v.IsNull():
		return "n"
	case v.Num != nil:
		return "#" + v.Num.RatString()
	case v.Kind == value.String:
		return "s" + v.Text
	case v.Kind == value.Boolean:
		if v.Bool {
			return "bt"
		}
		return "bf"
	case v.Kind == value.Float:
		return "f" + big.NewFloat(v.F).Text('g', -1)
	}
	return "t" + v.Time.UTC().Format(time.RFC3339Nano)
}

// identities joins the identities of values so that no two lists share one.
func identities(values []Value) string {
	var b strings.Builder
	for _, v := range values {
		id := v.identity()
		b.WriteString(big.NewInt(int64(len(id))).String())
		b.WriteByte(':')
		b.WriteString(id)
	}
	return b.String()
}

// round returns r with digits after the point, halves away from zero.
func round(r *big.Rat, digits int) *big.Rat {
	scale := pow10(digits)
	n := new(big.Int).Mul(r.Num(), scale)
	n.Mul(n, big.NewInt(2))
	d := new(big.Int).Mul(r.Denom(), big.NewInt(2))
	half := new(big.Int).Set(r.Denom())
	if n.Sign() < 0 {
		half.Neg(half)
	}
	n.Add(n, half)
	return new(big.Rat).SetFrac(n.Quo(n, d), scale)
}

func wall(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
}
