package sqlitefn

import (
	"crypto/sha256"
	"database/sql/driver"
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longest bounds a padded text.
const longest = 1 << 20

func texts() []entry {
	return []entry{
		{"fold_contains", 2, strict(folding(strings.Contains))},
		{"fold_starts", 2, strict(folding(strings.HasPrefix))},
		{"fold_ends", 2, strict(folding(strings.HasSuffix))},
		{"text_upper", 1, strict(mapping(strings.ToUpper))},
		{"text_lower", 1, strict(mapping(strings.ToLower))},
		{"text_reverse", 1, strict(mapping(reversed))},
		{"text_length", 1, strict(length)},
		{"text_digest", 2, strict(digest)},
		{"text_position", 2, strict(position)},
		{"text_substring", -1, strict(substring)},
		{"text_left", 2, strict(func(a []driver.Value) (driver.Value, error) { return side(a, left) })},
		{"text_right", 2, strict(func(a []driver.Value) (driver.Value, error) { return side(a, right) })},
		{"text_lpad", 3, strict(func(a []driver.Value) (driver.Value, error) { return padded(a, true) })},
		{"text_rpad", 3, strict(func(a []driver.Value) (driver.Value, error) { return padded(a, false) })},
		{"bool_stored", 1, strict(storedBoolean)},
		{"bool_text", 1, strict(booleanText)},
	}
}

// text is an argument as text; a number, of a column that holds what it likes, is its own.
func text(v driver.Value) string {
	switch x := v.(type) {
	case string:
		return x
	case []byte:
		return string(x)
	}
	n, err := number(v)
	if err != nil {
		return ""
	}
	return string(n.Append(nil, 0))
}

func mapping(f func(string) string) function {
	return func(a []driver.Value) (driver.Value, error) { return f(text(a[0])), nil }
}

func folding(f func(s, part string) bool) function {
	return func(a []driver.Value) (driver.Value, error) { return f(folded(text(a[0])), folded(text(a[1]))), nil }
}

// folded makes letters equal that simple Unicode case folding makes equal.
func folded(s string) string {
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf {
			if r >= 'a' && r <= 'z' {
				r -= 'a' - 'A'
			}
			return r
		}
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		return least
	}, s)
}

// digest is 32 hexadecimal digits of a text under a key.
func digest(a []driver.Value) (driver.Value, error) {
	sum := sha256.Sum256([]byte(text(a[1]) + text(a[0])))
	return hex.EncodeToString(sum[:16]), nil
}

func reversed(s string) string {
	out := make([]byte, 0, len(s))
	for len(s) > 0 {
		_, n := utf8.DecodeLastRuneInString(s)
		out = append(out, s[len(s)-n:]...)
		s = s[:len(s)-n]
	}
	return string(out)
}

func length(a []driver.Value) (driver.Value, error) {
	return int64(utf8.RuneCountInString(text(a[0]))), nil
}

// position is where the second text begins in the first, counted from 1; 0 if nowhere.
func position(a []driver.Value) (driver.Value, error) {
	s := text(a[0])
	at := strings.Index(s, text(a[1]))
	if at < 0 {
		return int64(0), nil
	}
	return int64(utf8.RuneCountInString(s[:at])) + 1, nil
}

// offset is the byte at which the n-th code point begins, or the end.
func offset(s string, n int) int {
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}

func left(s string, n int) string {
	if n < 0 {
		n = max(0, utf8.RuneCountInString(s)+n)
	}
	return s[:offset(s, n)]
}

func right(s string, n int) string {
	if n < 0 {
		return s[offset(s, -n):]
	}
	return s[offset(s, max(0, utf8.RuneCountInString(s)-n)):]
}

func side(a []driver.Value, f func(string, int) string) (driver.Value, error) {
	n, err := whole(a[1])
	if err != nil {
		return nil, err
	}
	return f(text(a[0]), n), nil
}

// substring counts from 1, or from the end where the start is negative.
func substring(a []driver.Value) (driver.Value, error) {
	s := text(a[0])
	start, err := whole(a[1])
	if err != nil {
		return nil, err
	}
	size := utf8.RuneCountInString(s)
	count := size
	if len(a) > 2 {
		if count, err = whole(a[2]); err != nil {
			return nil, err
		}
	}
	from, to := span(start, count, size)
	return s[offset(s, from):offset(s, to)], nil
}

// span is the code points from … to that a substring holds.
func span(start, count, size int) (from, to int) {
	from = start - 1
	if start < 0 {
		from = size + start
	}
	to = from + count
	if count < 0 {
		from, to = to, from
	}
	from = min(max(from, 0), size)
	return from, max(from, min(to, size))
}

// padded fills a text with another up to a length, and cuts it there.
func padded(a []driver.Value, before bool) (driver.Value, error) {
	s, fill := text(a[0]), text(a[2])
	n, err := whole(a[1])
	if err != nil || n > longest {
		return nil, ErrRange
	}
	missing := n - utf8.RuneCountInString(s)
	if missing <= 0 || fill == "" {
		return left(s, max(0, n)), nil
	}
	pad := left(strings.Repeat(fill, missing/utf8.RuneCountInString(fill)+1), missing)
	if before {
		return pad + s, nil
	}
	return s + pad, nil
}

// storedBoolean reads a boolean column: a number, or a word for it.
func storedBoolean(a []driver.Value) (driver.Value, error) {
	switch x := a[0].(type) {
	case int64:
		return x != 0, nil
	case float64:
		return x != 0, nil
	case string:
		switch strings.ToLower(strings.TrimSpace(x)) {
		case "true", "t", "yes", "y", "on", "1":
			return true, nil
		case "false", "f", "no", "n", "off", "0", "":
			return false, nil
		}
	}
	return nil, ErrRange
}

func booleanText(a []driver.Value) (driver.Value, error) {
	if n, ok := a[0].(int64); ok && n == 0 {
		return "false", nil
	}
	return "true", nil
}
