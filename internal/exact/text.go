package exact

import (
	"math"
	"math/big"
	"strconv"

	"parlance/internal/value"
)

// maxScale bounds the digits after the point that are read; a number with more is no number of ours.
const maxScale = 2 * value.MaxPrecision

// Parse reads a plain number such as -12.50, or one with an exponent.
func Parse[S string | []byte](s S) (Number, bool) {
	var n Number
	i, negative := 0, false
	if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
		negative = s[0] == '-'
		i++
	}
	digits, point := 0, false
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			n = n.push(int64(c - '0'))
			digits++
			if point {
				n.scale++
			}
		case c == '.' && !point:
			point = true
		case (c == 'e' || c == 'E') && digits > 0:
			return withExponent(n, negative, string(s[i+1:]))
		default:
			return Number{}, false
		}
		if n.scale > maxScale || n.big != nil && n.big.BitLen() > 2*limit.BitLen() {
			return Number{}, false
		}
	}
	if negative {
		n = n.Neg()
	}
	return n, digits > 0
}

// push appends a digit.
func (x Number) push(digit int64) Number {
	if x.big == nil && x.small < powers[maxPower]/10 {
		x.small = x.small*10 + digit
		return x
	}
	next := new(big.Int).Mul(x.unscaled(), big.NewInt(10))
	return from(next.Add(next, big.NewInt(digit)), x.scale)
}

func withExponent(n Number, negative bool, text string) (Number, bool) {
	e, err := strconv.Atoi(text)
	if err != nil || e > maxScale || n.scale-e > maxScale {
		return Number{}, false
	}
	if negative {
		n = n.Neg()
	}
	if n.scale -= e; n.scale < 0 {
		n = whole(n)
	}
	return n, true
}

// FromFloat returns the decimal that a double of a column stands for: its shortest text, rounded to scale digits after
// the point.
func FromFloat(f float64, scale int) (Number, bool) {
	const safe = 1 << 51
	if scale <= maxPower {
		p := float64(powers[scale])
		if r := math.Round(f * p); math.Abs(r) < safe && r/p == f {
			return New(int64(r), scale), true
		}
	}
	n, ok := Parse(strconv.FormatFloat(f, 'e', -1, 64))
	return n.Round(scale), ok
}

// Float returns the nearest double.
func (x Number) Float() float64 {
	const safe = 1 << 53
	if x.big == nil && magnitude(x.small) <= safe && x.scale <= maxPower {
		return float64(x.small) / float64(powers[x.scale])
	}
	f, _ := strconv.ParseFloat(x.unscaled().String()+"e-"+strconv.Itoa(x.scale), 64)
	return f
}

// Append appends the number with at least scale digits after the point; further ones stay unless they are zeros.
func (x Number) Append(b []byte, scale int) []byte {
	if x.Sign() < 0 {
		b, x = append(b, '-'), x.Neg()
	}
	digits, have := x.digits(nil), x.scale
	for have > scale && len(digits) > 0 && digits[len(digits)-1] == '0' {
		digits, have = digits[:len(digits)-1], have-1
	}
	for len(digits) <= have {
		digits = append([]byte{'0'}, digits...)
	}
	b = append(b, digits[:len(digits)-have]...)
	if max(have, scale) == 0 {
		return b
	}
	b = append(append(b, '.'), digits[len(digits)-have:]...)
	for ; have < scale; have++ {
		b = append(b, '0')
	}
	return b
}

// digits appends the digits of a number that is not negative; none for 0.
func (x Number) digits(b []byte) []byte {
	switch {
	case x.big != nil:
		return x.big.Append(b, 10)
	case x.small == 0:
		return b
	}
	return strconv.AppendInt(b, x.small, 10)
}

// Parts returns the number as unscaled / 10^scale with as few digits after the point as it has; wide is nil where 64
// bits are enough.
func (x Number) Parts() (unscaled int64, wide *big.Int, scale uint8) {
	return x.small, x.big, uint8(x.scale)
}
