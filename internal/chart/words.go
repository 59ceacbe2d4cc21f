package chart

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// none stands for a value that is not there.
const none = "–"

// words are what a chart says in one language.
type words struct {
	by, and, comma, gap, other, tooLarge string

	unit     func(unit string) string
	shown    func(shown, of int) string
	series   func(shown, of int) string
	notDrawn func(names []string) string
	thinned  func(drawn, of int) string
}

func wordsOf(chinese bool) words {
	if chinese {
		return chineseWords
	}
	return englishWords
}

var englishWords = words{
	by: "{names} by {keys}", and: " and ", comma: ", ", gap: "; ", other: "Other", tooLarge: "the picture would be too large",
	unit:     func(unit string) string { return "in " + unit },
	shown:    func(shown, of int) string { return fmt.Sprintf("%d of %d are drawn", shown, of) },
	series:   func(shown, of int) string { return fmt.Sprintf("the largest %d of %d series are drawn", shown, of) },
	notDrawn: func(names []string) string { return "not drawn: " + strings.Join(names, ", ") },
	thinned:  func(drawn, of int) string { return fmt.Sprintf("drawn with %d of %d points", drawn, of) },
}

var chineseWords = words{
	by: "{names}（按{keys}）", and: "、", comma: "、", gap: "；", other: "其他", tooLarge: "图过大，未绘制",
	unit:     func(unit string) string { return "单位：" + unit },
	shown:    func(shown, of int) string { return fmt.Sprintf("共%d项，绘制%d项", of, shown) },
	series:   func(shown, of int) string { return fmt.Sprintf("共%d个系列，绘制最大的%d个", of, shown) },
	notDrawn: func(names []string) string { return "未绘制：" + strings.Join(names, "、") },
	thinned:  func(drawn, of int) string { return fmt.Sprintf("以%d个点绘制（共%d个）", drawn, of) },
}

// listed joins names: a, b and c.
func listed(names []string, w words) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], w.comma) + w.and + names[last]
}

// clean returns a text on one line without what is invisible, breaks XML or turns the direction of what follows.
func clean(s string) string {
	var b strings.Builder
	space := false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			space = b.Len() > 0
			continue
		case r == utf8.RuneError, r == 0xFFFE, r == 0xFFFF, unicode.Is(unicode.Cc, r), unicode.Is(unicode.Cf, r):
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

// cut returns at most n runes of a text, the last one an ellipsis where there are more.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	runes := []rune(s)
	return strings.TrimRight(string(runes[:n-1]), " ") + "…"
}

// firstLetter returns the capital of the first letter and the size of the letter that it replaces.
func firstLetter(s string) (string, int, bool) {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)), size, size > 0 && r != utf8.RuneError
}

// inSentence returns a name as it stands within a sentence: without its capital, unless it is written in capitals.
func inSentence(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	second, _ := utf8.DecodeRuneInString(s[size:])
	if unicode.IsUpper(first) && unicode.IsLower(second) {
		return string(unicode.ToLower(first)) + s[size:]
	}
	return s
}
