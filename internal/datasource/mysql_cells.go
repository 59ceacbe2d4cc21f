package datasource

import (
	"fmt"
	"math/big"
	"strings"
	"time"

	"parlance/internal/result"
)

// readDecimal reads the text of a decimal.
func readDecimal(d *result.Decimal, text []byte) error {
	const int64Digits = 18
	var unscaled int64
	digits, scale, point := 0, 0, false
	negative := len(text) > 0 && text[0] == '-'
	rest := text
	if negative {
		rest = text[1:]
	}
	for _, c := range rest {
		switch {
		case c == '.' && !point:
			point = true
			continue
		case c < '0' || c > '9':
			return fmt.Errorf("%q is no decimal", text)
		}
		if digits > 0 || c != '0' {
			digits++
		}
		if point {
			scale++
		}
		if digits <= int64Digits {
			unscaled = unscaled*10 + int64(c-'0')
		}
	}
	d.Scale, d.Wide = uint8(scale), nil
	if d.Unscaled = unscaled; negative {
		d.Unscaled = -unscaled
	}
	if digits > int64Digits {
		wide, ok := new(big.Int).SetString(strings.Replace(string(text), ".", "", 1), 10)
		if !ok {
			return fmt.Errorf("%q is no decimal", text)
		}
		d.Wide = wide
	}
	return nil
}

// readTime reads 2024-03-05 or 2024-03-05 14:03:07.5. A date with a zero in it, which old servers hold, is null.
func readTime(text []byte) (any, error) {
	var part [6]int // year … second
	var nanos, n int
	i := 0
	for ; n < len(part) && i < len(text); n++ {
		for i < len(text) && text[i] >= '0' && text[i] <= '9' {
			part[n] = part[n]*10 + int(text[i]-'0')
			i++
		}
		if i < len(text) && text[i] == '.' {
			n++
			break
		}
		i++
	}
	if n != 3 && n != len(part) {
		return nil, fmt.Errorf("%q is no time", text)
	}
	for unit := 100_000_000; i+1 < len(text); unit /= 10 {
		i++
		nanos += int(text[i]-'0') * unit
	}
	if part[1] == 0 || part[2] == 0 {
		return nil, nil
	}
	return time.Date(part[0], time.Month(part[1]), part[2], part[3], part[4], part[5], nanos, time.UTC), nil
}

func trimClock(text []byte) string {
	s := string(text)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}
