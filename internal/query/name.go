package query

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxAlias is how many characters an alias or the name of a calculated field may have (decision 52).
const maxAlias = 64

// CheckAlias refuses a name that a query may not give to a column: it must begin with a letter and have only
// letters, digits and _, 64 at most.
func CheckAlias(alias string) error {
	for i, r := range alias {
		if !unicode.IsLetter(r) && (i == 0 || !namePart(r)) {
			return badAlias(alias)
		}
	}
	if alias == "" || utf8.RuneCountInString(alias) > maxAlias {
		return badAlias(alias)
	}
	return nil
}

// checkText refuses what no parser may see: too long, empty, NUL, not UTF-8.
func checkText(what, text string) error {
	switch {
	case strings.IndexByte(text, 0) >= 0:
		return nulCharacter("")
	case !utf8.ValidString(text):
		return notUTF8("")
	case len(text) > maxText:
		return textTooLong(what, text)
	case strings.TrimSpace(text) == "":
		return emptyText(what)
	}
	return nil
}
