package chart

import (
	"strings"
	"unicode"
)

// The sheet that a chart is drawn on.
const (
	sheet     = 640.0 // its width
	margin    = 16.0
	titleSize = 15.0
	textSize  = 12.0
	smallSize = 11.0
)

// widths are those of characters in wide fonts, in parts of the size; what is drawn is most often narrower.
func widthOf(r rune) float64 {
	switch {
	case r >= 0x1100 && (unicode.Is(unicode.Han, r) || unicode.Is(unicode.Hangul, r) || unicode.Is(unicode.Hiragana, r) || unicode.Is(unicode.Katakana, r)),
		r >= 0x3000 && r <= 0x303F, r >= 0xFF00 && r <= 0xFFEF, r >= 0x1F000:
		return 1
	case unicode.Is(unicode.Mn, r):
		return 0
	case strings.ContainsRune("iIjl|!.,:;'` ", r):
		return 0.34
	case strings.ContainsRune("frt()[]{}/\\-\"", r):
		return 0.45
	case strings.ContainsRune("mwMW@%", r):
		return 0.98
	case r >= '0' && r <= '9':
		return 0.64
	case unicode.IsUpper(r):
		return 0.76
	case r < 0x250:
		return 0.63
	}
	return 0.8
}

// width returns how wide a text is at a size.
func width(s string, size float64) float64 {
	sum := 0.0
	for _, r := range s {
		sum += widthOf(r)
	}
	return sum * size
}

// fit returns as much of a text as a width holds, with an ellipsis where that is not all of it.
func fit(s string, size, room float64) string {
	if width(s, size) <= room {
		return s
	}
	room -= size // of the ellipsis
	used := 0.0
	for i, r := range s {
		if used += widthOf(r) * size; used > room {
			return strings.TrimRight(s[:i], " ") + "…"
		}
	}
	return s
}

// widest returns the width of the widest of some texts.
func widest(texts []string, size float64) float64 {
	most := 0.0
	for _, s := range texts {
		most = max(most, width(s, size))
	}
	return most
}
