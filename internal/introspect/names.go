package introspect

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"parlance/internal/query"
)

// names hands out names that are unique in one scope, whatever case a file system or a reader minds.
type names map[string]bool

func newNames(taken ...string) names {
	n := names{}
	for _, t := range taken {
		n[strings.ToLower(t)] = true
	}
	return n
}

// take returns a name, with a number behind it where it is taken.
func (n names) take(name string) string {
	unique := name
	for i := 2; n[strings.ToLower(unique)]; i++ {
		unique = name + strconv.Itoa(i)
	}
	n[strings.ToLower(unique)] = true
	return unique
}

// field returns a name that queries can spell, unique in the scope; what is no name gets the word in front.
func (n names) field(list []string, word string) string { return n.take(spelled(camel(list), word)) }

// spelled makes a name one that begins with a letter and is no word of the expression language.
func spelled(name, word string) string {
	if first, _ := utf8.DecodeRuneInString(name); !unicode.IsLetter(first) {
		name = word + title(name)
	}
	name = strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return c
		}
		return -1
	}, name)
	if e, err := query.ParseExpr(name); err == nil {
		if ref, ok := e.(*query.Ref); ok && ref.Name == name {
			return name
		}
	}
	return name + title(word)
}

// usable reports whether a model file can name a table or a column so.
func usable(name string) bool {
	return strings.TrimSpace(name) != "" && !strings.ContainsRune(name, 0) && strings.ToValidUTF8(name, "") == name
}
