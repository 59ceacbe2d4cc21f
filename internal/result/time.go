package result

import (
	"strconv"
	"time"
)

// appendDate appends 2024-03-05. A year that needs more than four digits has a sign before it, as ISO 8601 wants.
func appendDate(b []byte, t time.Time) []byte {
	year, month, day := t.Date()
	switch {
	case year > 9999:
		b = strconv.AppendInt(append(b, '+'), int64(year), 10)
	case year < 0:
		b = appendPadded(append(b, '-'), -year, 4)
	default:
		b = append(b, byte('0'+year/1000), byte('0'+year/100%10), byte('0'+year/10%10), byte('0'+year%10))
	}
	return append(b, '-', byte('0'+month/10), byte('0'+month%10), '-', byte('0'+day/10), byte('0'+day%10))
}

// appendTimestamp appends 2024-03-05T14:03:07, then microseconds unless they are zero, without trailing zeros.
func appendTimestamp(b []byte, t time.Time) []byte {
	b = append(appendDate(b, t), 'T')
	hour, minute, second := t.Clock()
	b = appendPadded(b, hour, 2)
	b = appendPadded(append(b, ':'), minute, 2)
	b = appendPadded(append(b, ':'), second, 2)
	micros := t.Nanosecond() / 1000
	if micros == 0 {
		return b
	}
	b = appendPadded(append(b, '.'), micros, 6)
	for b[len(b)-1] == '0' {
		b = b[:len(b)-1]
	}
	return b
}

// appendInstant appends a timestamp in a zone with its offset: +08:00, and seconds where history had them.
func appendInstant(b []byte, t time.Time, zone *time.Location) []byte {
	t = t.In(zone)
	b = appendTimestamp(b, t)
	_, offset := t.Zone()
	sign := byte('+')
	if offset < 0 {
		sign, offset = '-', -offset
	}
	b = appendPadded(append(b, sign), offset/3600, 2)
	b = appendPadded(append(b, ':'), offset/60%60, 2)
	if offset%60 != 0 {
		b = appendPadded(append(b, ':'), offset%60, 2)
	}
	return b
}

// appendPadded appends n ≥ 0 with leading zeros up to a width.
func appendPadded(b []byte, n, width int) []byte {
	if width == 2 {
		return append(b, byte('0'+n/10%10), byte('0'+n%10))
	}
	limit := 10
	for w := 1; w < width; w++ {
		if n < limit {
			b = append(b, '0')
		}
		limit *= 10
	}
	return strconv.AppendInt(b, int64(n), 10)
}
