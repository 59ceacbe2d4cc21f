package audit

import (
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// appendText appends a JSON string of at most most bytes beside its quotes and the mark of a cut. Only characters that
// print stand as they are: what ends a line, moves a cursor or turns the reading direction is escaped.
func appendText(dst []byte, s string, most int) []byte {
	dst = append(dst, '"')
	start := len(dst)
	for i := 0; i < len(s); {
		before := len(dst)
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r >= ' ' && r < 0x7f:
			dst = append(dst, byte(r))
		case r == utf8.RuneError || !unicode.IsPrint(r):
			dst = appendEscaped(dst, r)
		default:
			dst = append(dst, s[i:i+size]...)
		}
		if len(dst)-start > most {
			dst = append(dst[:before], "…"...)
			break
		}
		i += size
	}
	return append(dst, '"')
}

func appendEscaped(dst []byte, r rune) []byte {
	if r > 0xffff {
		high, low := utf16.EncodeRune(r)
		return appendEscaped(appendEscaped(dst, high), low)
	}
	return append(dst, '\\', 'u', hexDigits[r>>12&0xf], hexDigits[r>>8&0xf], hexDigits[r>>4&0xf], hexDigits[r&0xf])
}
