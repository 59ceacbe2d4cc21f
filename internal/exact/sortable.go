package exact

// A sortable number is a byte for its sign and size, then its digits, two a byte, without zeros at the end: equal
// numbers have equal bytes whatever their scale. The size is the place of the first digit, counted from the point. The
// bytes of a negative number are complemented and closed with the highest byte, so that the longer one comes first.
const (
	zero   = 0x80
	middle = 0x40 // the size of 0.1 … 0.99
	spread = 0x3b // the most that a size is off the middle
	closed = 0xff

	firstPair = 11 // the least pair whose first digit is no zero
)

// AppendSortable appends the number. It must fit in 38 digits before and after the point.
func (x Number) AppendSortable(b []byte) []byte {
	sign := x.Sign()
	if sign == 0 {
		return append(b, zero)
	}
	if sign < 0 {
		x = x.Neg()
	}
	var room [2 * maxScale]byte
	digits := x.digits(room[:0])
	size := len(digits) - x.scale
	for digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	if len(digits)%2 == 1 {
		digits = append(digits, '0')
	}
	mark := len(b)
	b = append(b, byte(zero+middle+size))
	for i := 0; i < len(digits); i += 2 {
		b = append(b, (digits[i]-'0')*10+digits[i+1]-'0'+1)
	}
	if sign > 0 {
		return b
	}
	b[mark] = byte(zero - middle - size)
	for i := mark + 1; i < len(b); i++ {
		b[i] = ^b[i]
	}
	return append(b, closed)
}

// Decode reads a sortable number.
func Decode(b []byte) (Number, bool) {
	if len(b) == 0 {
		return Number{}, false
	}
	if b[0] == zero {
		return Number{}, len(b) == 1
	}
	flip, size, pairs := byte(0), int(b[0])-zero-middle, b[1:]
	if b[0] < zero {
		if b[len(b)-1] != closed {
			return Number{}, false
		}
		flip, size, pairs = 0xff, zero-middle-int(b[0]), b[1:len(b)-1]
	}
	if size < -spread || size > spread || len(pairs) == 0 || len(pairs) > maxScale {
		return Number{}, false
	}
	if pairs[0]^flip < firstPair || pairs[len(pairs)-1]^flip == 1 { // digits begin and end with one that is no zero
		return Number{}, false
	}
	n, ok := readPairs(pairs, flip)
	if !ok {
		return n, false
	}
	if n.scale = 2*len(pairs) - size; n.scale < 0 {
		n = whole(n)
	} else {
		n = n.trimmed()
	}
	if flip != 0 {
		n = n.Neg()
	}
	return n, true
}

func readPairs(pairs []byte, flip byte) (Number, bool) {
	var n Number
	for _, p := range pairs {
		p ^= flip
		if p == 0 || p > 100 {
			return n, false
		}
		if n.big == nil && n.small < powers[maxPower-2] {
			n.small = n.small*100 + int64(p-1)
			continue
		}
		n = n.push(int64((p - 1) / 10)).push(int64((p - 1) % 10))
	}
	return n, true
}

// whole moves the digits of a number whose scale is negative before the point.
func whole(n Number) Number {
	missing := -n.scale
	n.scale = 0
	n = n.at(missing)
	n.scale = 0
	return n
}

// trimmed takes the zero away that fills the last pair.
func (x Number) trimmed() Number {
	if x.big == nil && x.scale > 0 && x.small%10 == 0 {
		return Number{small: x.small / 10, scale: x.scale - 1}
	}
	return x
}
