package result

import (
	"math"
	"math/big"
	"strconv"
)

// appendInt appends an integer; what is no measure and passes ±(2^53−1) is quoted.
func appendInt(b []byte, n int64, measure bool) []byte {
	if measure || (n <= maxSafe && n >= -maxSafe) {
		return strconv.AppendInt(b, n, 10)
	}
	return append(strconv.AppendInt(append(b, '"'), n, 10), '"')
}

func appendUint(b []byte, n uint64, measure bool) []byte {
	if measure || n <= maxSafe {
		return strconv.AppendUint(b, n, 10)
	}
	return append(strconv.AppendUint(append(b, '"'), n, 10), '"')
}

func appendBig(b []byte, n *big.Int, measure bool) []byte {
	quoted := !measure && n.BitLen() > safeBits
	if quoted {
		b = append(b, '"')
	}
	if n.Sign() < 0 {
		b = append(b, '-')
	}
	var room [digitRoom]byte
	b = append(b, appendMagnitude(room[:0], n)...)
	if quoted {
		b = append(b, '"')
	}
	return b
}

// appendFloat appends the shortest text that reads back as f, in the form that JavaScript prints; NaN and the
// infinities are null.
func appendFloat(b []byte, f float64, bitSize int) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return append(b, "null"...)
	}
	if f == 0 {
		return append(b, '0')
	}
	abs := math.Abs(f)
	small, large := abs < 1e-6, abs >= 1e21
	if bitSize == 32 {
		small, large = float32(abs) < 1e-6, float32(abs) >= 1e21
	}
	if !small && !large {
		return strconv.AppendFloat(b, f, 'f', -1, bitSize)
	}
	b = strconv.AppendFloat(b, f, 'e', -1, bitSize)
	if n := len(b); b[n-4] == 'e' && b[n-3] == '-' && b[n-2] == '0' { // e-07 is e-7
		b[n-2] = b[n-1]
		b = b[:n-1]
	}
	return b
}

// numeral is a number as a database sends it in text, taken apart.
type numeral struct {
	negative bool
	whole    int // index after the digits before the point
	fraction int // index after the digits after the point
	exponent bool
}

// parseNumeral reads JSON's number grammar, with leading zeros allowed.
func parseNumeral[S string | []byte](s S) (numeral, bool) {
	var n numeral
	i := 0
	if i < len(s) && s[i] == '-' {
		n.negative = true
		i++
	}
	start := i
	i = skipDigits(s, i)
	if i == start {
		return n, false
	}
	n.whole, n.fraction = i, i
	if i < len(s) && s[i] == '.' {
		n.fraction = skipDigits(s, i+1)
		if n.fraction == i+1 {
			return n, false
		}
		i = n.fraction
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		n.exponent = true
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		start = i
		i = skipDigits(s, i)
		if i == start {
			return n, false
		}
	}
	return n, i == len(s)
}

func skipDigits[S string | []byte](s S, i int) int {
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return i
}

// appendNumeral appends a number that arrived as text; want is the least number of digits after the point.
// It reports false when s is no number. NaN and infinities are null.
func appendNumeral[S string | []byte](b []byte, s S, want int, measure bool) ([]byte, bool) {
	n, ok := parseNumeral(s)
	switch {
	case !ok:
		return appendNotFinite(b, s)
	case n.exponent:
		f, err := strconv.ParseFloat(string(s), 64)
		return appendFloat(b, f, 64), err == nil
	}
	start := 0
	if n.negative {
		start = 1
	}
	for start < n.whole-1 && s[start] == '0' {
		start++
	}
	var room [2 * digitRoom]byte
	digits := append(room[:0], s[start:n.whole]...)
	have := 0
	if n.fraction > n.whole {
		have = n.fraction - n.whole - 1
		digits = append(digits, s[n.whole+1:n.fraction]...)
	}
	for len(digits) > 1 && digits[0] == '0' {
		digits = digits[1:]
	}
	return appendPoint(b, n.negative, digits, have, want, measure), true
}

func appendNotFinite[S string | []byte](b []byte, s S) ([]byte, bool) {
	if len(s) > len("-Infinity") {
		return b, false
	}
	f, err := strconv.ParseFloat(string(s), 64)
	if err != nil || !(math.IsNaN(f) || math.IsInf(f, 0)) {
		return b, false
	}
	return append(b, "null"...), true
}
