package evaluate

import (
	"strings"
	"time"
	"unicode"

	"parlance/internal/value"
)

// folded returns a text in which letters that simple Unicode case folding makes equal are equal.
func folded(s string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		return least
	}, s)
}

// plainText returns a value as concat and group_concat write it.
func plainText(v Value) string {
	if v.Kind == value.String {
		return v.Text
	}
	return strings.Trim(v.JSON(true, time.UTC), `"`)
}
