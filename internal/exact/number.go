// Package exact computes decimal numbers of 38 digits and writes them as bytes that sort as the numbers do.
// It serves databases that have no decimals of their own; it knows neither databases nor queries.
package exact

import (
	"math"
	"math/big"
	"math/bits"

	"parlance/internal/value"
)

// Number is an exact decimal number. The zero Number is 0. Numbers are never changed.
type Number struct {
	small int64    // the unscaled integer, where big is nil
	big   *big.Int // the unscaled integer where 64 bits are too few
	scale int      // digits after the point
}

// Int returns an integer.
func Int(n int64) Number { return Number{small: n} }

// New returns the decimal unscaled / 10^scale.
func New(unscaled int64, scale int) Number { return Number{small: unscaled, scale: scale} }

// maxPower is the greatest power of ten that fits in 64 bits.
const maxPower = 18

var powers = func() (list [maxPower + 1]int64) {
	n := int64(1)
	for i := range list {
		list[i] = n
		n *= 10
	}
	return list
}()

func power(n int) *big.Int {
	if n <= maxPower {
		return big.NewInt(powers[n])
	}
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}

// unscaled returns the unscaled integer; the caller does not change it.
func (x Number) unscaled() *big.Int {
	if x.big != nil {
		return x.big
	}
	return big.NewInt(x.small)
}

// from returns unscaled / 10^scale, in 64 bits where that goes.
func from(unscaled *big.Int, scale int) Number {
	if unscaled.IsInt64() {
		return Number{small: unscaled.Int64(), scale: scale}
	}
	return Number{big: unscaled, scale: scale}
}

// at returns the number with more digits after the point.
func (x Number) at(scale int) Number {
	d := scale - x.scale
	switch {
	case d == 0:
		return x
	case x.big == nil && d <= maxPower:
		if product, ok := mul(x.small, powers[d]); ok {
			return Number{small: product, scale: scale}
		}
	}
	return from(new(big.Int).Mul(x.unscaled(), power(d)), scale)
}

func mul(x, y int64) (int64, bool) {
	high, low := bits.Mul64(magnitude(x), magnitude(y))
	if high != 0 || low > math.MaxInt64 {
		return 0, false
	}
	if (x < 0) != (y < 0) {
		return -int64(low), true
	}
	return int64(low), true
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

func level(x, y Number) (Number, Number) {
	scale := max(x.scale, y.scale)
	return x.at(scale), y.at(scale)
}

// Add returns x + y.
func (x Number) Add(y Number) Number {
	x, y = level(x, y)
	if x.big == nil && y.big == nil {
		if sum := x.small + y.small; (sum > x.small) == (y.small > 0) {
			return Number{small: sum, scale: x.scale}
		}
	}
	return from(new(big.Int).Add(x.unscaled(), y.unscaled()), x.scale)
}

// Sub returns x − y.
func (x Number) Sub(y Number) Number { return x.Add(y.Neg()) }

// Neg returns −x.
func (x Number) Neg() Number {
	if x.big == nil && x.small != math.MinInt64 {
		return Number{small: -x.small, scale: x.scale}
	}
	return from(new(big.Int).Neg(x.unscaled()), x.scale)
}

// Abs returns x without its sign.
func (x Number) Abs() Number {
	if x.Sign() < 0 {
		return x.Neg()
	}
	return x
}

// Mul returns x · y.
func (x Number) Mul(y Number) Number {
	if x.big == nil && y.big == nil {
		if product, ok := mul(x.small, y.small); ok {
			return Number{small: product, scale: x.scale + y.scale}
		}
	}
	return from(new(big.Int).Mul(x.unscaled(), y.unscaled()), x.scale+y.scale)
}

// Quo returns x / y rounded half away from zero to scale digits after the point. y is not 0.
func (x Number) Quo(y Number, scale int) Number {
	num, den := x.unscaled(), y.unscaled()
	if shift := scale - x.scale + y.scale; shift >= 0 {
		num = new(big.Int).Mul(num, power(shift))
	} else {
		den = new(big.Int).Mul(den, power(-shift))
	}
	return from(quoHalf(num, den), scale)
}

// Rem returns what x / y leaves, with the sign of x. y is not 0.
func (x Number) Rem(y Number) Number {
	x, y = level(x, y)
	if x.big == nil && y.big == nil && y.small != -1 {
		return Number{small: x.small % y.small, scale: x.scale}
	}
	return from(new(big.Int).Rem(x.unscaled(), y.unscaled()), x.scale)
}

// quoHalf divides and rounds half away from zero.
func quoHalf(num, den *big.Int) *big.Int {
	q, r := new(big.Int).QuoRem(num, den, new(big.Int))
	if r.Lsh(r, 1).CmpAbs(den) >= 0 {
		q.Add(q, big.NewInt(int64(num.Sign()*den.Sign())))
	}
	return q
}

// Round returns x rounded half away from zero to at most scale digits after the point.
func (x Number) Round(scale int) Number {
	if x.scale <= scale {
		return x
	}
	return from(quoHalf(x.unscaled(), power(x.scale-scale)), scale)
}

// Trunc returns x without what stands after the point.
func (x Number) Trunc() Number {
	if x.scale == 0 {
		return x
	}
	return from(new(big.Int).Quo(x.unscaled(), power(x.scale)), 0)
}

// Floor returns the greatest integer up to x.
func (x Number) Floor() Number {
	whole := x.Trunc()
	if whole.Cmp(x) > 0 {
		return whole.Sub(Int(1))
	}
	return whole
}

// Ceil returns the least integer from x on.
func (x Number) Ceil() Number { return x.Neg().Floor().Neg() }

// Sign returns -1, 0 or 1.
func (x Number) Sign() int {
	switch {
	case x.big != nil:
		return x.big.Sign()
	case x.small < 0:
		return -1
	case x.small > 0:
		return 1
	}
	return 0
}

// Cmp compares two numbers by size.
func (x Number) Cmp(y Number) int {
	x, y = level(x, y)
	if x.big == nil && y.big == nil {
		switch {
		case x.small < y.small:
			return -1
		case x.small > y.small:
			return 1
		}
		return 0
	}
	return x.unscaled().Cmp(y.unscaled())
}

// Int64 returns an integer of 64 bits.
func (x Number) Int64() (int64, bool) {
	if x.scale > 0 {
		whole := x.Trunc()
		if whole.Cmp(x) != 0 {
			return 0, false
		}
		x = whole
	}
	return x.small, x.big == nil
}

// Unscaled returns the number's digits as an integer at a scale that holds them all.
func (x Number) Unscaled(scale int) (int64, bool) {
	return x.Mul(from(power(scale), 0)).Int64()
}

// Has reports whether x has all of its bits of y set. Both are integers.
func (x Number) Has(y Number) bool {
	want := y.Trunc().unscaled()
	return new(big.Int).And(x.Trunc().unscaled(), want).Cmp(want) == 0
}

var limit = power(value.MaxPrecision)

// Fits reports whether 38 digits hold the number with scale digits after the point.
func (x Number) Fits(scale int) bool {
	if x.big == nil && x.scale == scale {
		return true
	}
	digits := x.Round(scale).at(scale)
	return digits.big == nil || digits.big.CmpAbs(limit) < 0
}
