package dialect

import (
	"strings"
	"sync"
	"unicode"
)

// foldedPattern returns a regular expression of POSIX's advanced kind that matches a text under simple Unicode case
// folding (decision 42): every letter as a list of the letters that fold to the same one, everything else as itself.
func foldedPattern(text string) string {
	var b strings.Builder
	for _, r := range text {
		next := unicode.SimpleFold(r)
		if next == r {
			if r < unicode.MaxASCII && !isWord(r) {
				b.WriteByte('\\')
			}
			b.WriteRune(r)
			continue
		}
		b.WriteByte('[')
		b.WriteRune(r)
		for ; next != r; next = unicode.SimpleFold(next) {
			b.WriteRune(next)
		}
		b.WriteByte(']')
	}
	return b.String()
}

func isWord(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_'
}

// caseMap is the letters beyond ASCII that have another case: from[i] becomes to[i]; class is a regular expression that
// finds any of them.
type caseMap struct{ from, to, class string }

var (
	lowerCase = sync.OnceValue(func() *caseMap { return newCaseMap(unicode.ToLower) })
	upperCase = sync.OnceValue(func() *caseMap { return newCaseMap(unicode.ToUpper) })
)

func newCaseMap(mapped func(rune) rune) *caseMap {
	var from, to, class strings.Builder
	class.WriteByte('[')
	for r := rune(unicode.MaxASCII + 1); r <= unicode.MaxRune; r++ {
		other := mapped(r)
		if other == r {
			continue
		}
		from.WriteRune(r)
		to.WriteRune(other)
		class.WriteRune(r)
	}
	class.WriteByte(']')
	return &caseMap{from.String(), to.String(), class.String()}
}
