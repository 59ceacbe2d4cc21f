package result

import (
	"math/big"
	"math/bits"
	"strconv"
)

// Decimal is an exact decimal number: the unscaled integer divided by ten to the power of Scale.
// A datasource passes *Decimal cells, so that one value per column serves every row.
type Decimal struct {
	Unscaled int64
	Wide     *big.Int // instead of Unscaled where that is too small; nil otherwise
	Scale    uint8
}

// maxSafe is the largest integer that every JSON reader keeps: 2^53−1 (decision 51).
const maxSafe = 1<<53 - 1

const safeBits = 53

// digitRoom holds the digits of any 128-bit integer.
const digitRoom = 40

// appendDecimal appends the number with at least scale digits after the point. Further digits stay unless they are
// zeros: nothing is ever rounded.
func appendDecimal(b []byte, d *Decimal, scale uint8, measure bool) []byte {
	if d.Wide == nil && d.Scale == scale && int(scale) < len(powers) && (measure || magnitude(d.Unscaled) <= maxSafe) {
		return appendScaled(b, d.Unscaled, scale)
	}
	var room [digitRoom]byte
	var digits []byte
	negative := d.Unscaled < 0
	if d.Wide != nil {
		negative = d.Wide.Sign() < 0
		digits = appendMagnitude(room[:0], d.Wide)
	} else {
		digits = strconv.AppendUint(room[:0], magnitude(d.Unscaled), 10)
	}
	return appendPoint(b, negative, digits, int(d.Scale), int(scale), measure)
}

// powers are those of ten by which most decimals are scaled.
var powers = [...]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8}

// appendScaled appends n divided by ten to the power of scale, with all its digits.
func appendScaled(b []byte, n int64, scale uint8) []byte {
	if n < 0 {
		b = append(b, '-')
	}
	whole, rest := magnitude(n)/powers[scale], magnitude(n)%powers[scale]
	b = strconv.AppendUint(b, whole, 10)
	switch scale {
	case 0:
		return b
	case 2:
		return append(b, '.', byte('0'+rest/10), byte('0'+rest%10))
	}
	b = append(b, '.')
	for at := scale; at > 0; at-- {
		b = append(b, byte('0'+rest/powers[at-1]%10))
	}
	return b
}

// magnitude is |n|, also of the least integer.
func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// appendPoint appends digits whose last have digits stand after the point, as want digits after the point.
// What is no measure and whose whole part passes 2^53−1 is quoted.
func appendPoint(b []byte, negative bool, digits []byte, have, want int, measure bool) []byte {
	for have > want && len(digits) > 1 && digits[len(digits)-1] == '0' {
		digits, have = digits[:len(digits)-1], have-1
	}
	if len(digits) == 1 && digits[0] == '0' {
		negative, have = false, min(have, want)
	}
	whole := digits[:max(0, len(digits)-have)]
	quoted := !measure && beyondSafe(whole)
	if quoted {
		b = append(b, '"')
	}
	if negative {
		b = append(b, '-')
	}
	if len(whole) == 0 {
		b = append(b, '0')
	}
	b = append(b, whole...)
	if max(have, want) > 0 {
		b = append(b, '.')
	}
	b = appendZeros(b, have-len(digits))
	b = append(b, digits[len(whole):]...)
	b = appendZeros(b, want-have)
	if quoted {
		b = append(b, '"')
	}
	return b
}

func appendZeros(b []byte, n int) []byte {
	for ; n > 0; n-- {
		b = append(b, '0')
	}
	return b
}

// beyondSafe reports whether digits without leading zeros are a number above 2^53−1.
func beyondSafe(digits []byte) bool {
	const limit = "9007199254740991"
	if len(digits) != len(limit) {
		return len(digits) > len(limit)
	}
	return string(digits) > limit
}

// appendMagnitude appends the digits of |n|; up to 128 bits it allocates nothing.
func appendMagnitude(b []byte, n *big.Int) []byte {
	words := n.Bits()
	if bits.UintSize != 64 || len(words) > 2 {
		b = n.Append(b, 10)
		if n.Sign() < 0 {
			b = append(b[:0], b[1:]...)
		}
		return b
	}
	var high, low uint64
	switch len(words) {
	case 2:
		high, low = uint64(words[1]), uint64(words[0])
	case 1:
		low = uint64(words[0])
	}
	return appendUint128(b, high, low)
}

// appendUint128 cuts the number into groups of nineteen digits.
func appendUint128(b []byte, high, low uint64) []byte {
	const group = 1e19 // ten to the power of groupWidth
	if high == 0 {
		return strconv.AppendUint(b, low, 10)
	}
	top, rest := high/group, high%group
	middle, last := bits.Div64(rest, low, group)
	// The quotient is top·2^64 + middle; it has at most twenty digits.
	first, second := bits.Div64(top, middle, group)
	if first > 0 {
		b = strconv.AppendUint(b, first, 10)
		b = appendGroup(b, second)
	} else {
		b = strconv.AppendUint(b, second, 10)
	}
	return appendGroup(b, last)
}

// groupWidth is the number of digits that always fit in 64 bits.
const groupWidth = 19

// appendGroup appends n with leading zeros up to groupWidth digits.
func appendGroup(b []byte, n uint64) []byte {
	b = appendZeros(b, groupWidth)
	for i := len(b) - 1; n > 0; i-- {
		b[i] = byte('0' + n%10)
		n /= 10
	}
	return b
}
