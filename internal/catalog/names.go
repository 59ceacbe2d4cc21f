package catalog

import (
	"strings"
	"unicode"

	"parlance/internal/query"
)

// checkName reports a name that queries could not spell: a name is a letter, then letters, digits and _, and no
// word of the expression language.
func checkName(r *report, what string, name text) {
	if !name.set() {
		return
	}
	if !spelled(name.value) {
		r.add(name.at, "the name %q of %s is not a letter followed by letters, digits or _", name.value, what)
		return
	}
	if _, plain := parsedRef(name.value); !plain {
		r.add(name.at, "the name %q of %s is a word of the expression language", name.value, what)
	}
}

func spelled(name string) bool {
	for i, c := range name {
		if !unicode.IsLetter(c) && (i == 0 || (!unicode.IsDigit(c) && c != '_')) {
			return false
		}
	}
	return name != ""
}

// parsedRef returns the name when the expression language reads it as the name of a field.
func parsedRef(name string) (string, bool) {
	e, err := query.ParseExpr(name)
	if err != nil {
		return "", false
	}
	ref, ok := e.(*query.Ref)
	return name, ok && ref.Name == name
}

// caption returns the words that a name is made of: salesAmount and sales_amount are both Sales amount.
func caption(name string) string {
	words := splitWords(name)
	for i, w := range words {
		if i > 0 && !acronym(w) {
			words[i] = strings.ToLower(w)
		}
	}
	joined := []rune(strings.Join(words, " "))
	if len(joined) > 0 {
		joined[0] = unicode.ToUpper(joined[0])
	}
	return string(joined)
}

// splitWords cuts at _ and where lower case turns to upper; a run of capitals is one word (SKUCode is SKU, Code).
func splitWords(name string) []string {
	var words []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			words = append(words, string(word))
		}
		word = nil
	}
	letters := []rune(name)
	for i, c := range letters {
		if c == '_' {
			flush()
			continue
		}
		if unicode.IsUpper(c) && i > 0 {
			after := i+1 < len(letters) && unicode.IsLower(letters[i+1])
			if !unicode.IsUpper(letters[i-1]) || after {
				flush()
			}
		}
		word = append(word, c)
	}
	flush()
	return words
}

func acronym(word string) bool {
	upper := 0
	for _, c := range word {
		if unicode.IsLower(c) {
			return false
		}
		if unicode.IsUpper(c) {
			upper++
		}
	}
	return upper > 1
}
