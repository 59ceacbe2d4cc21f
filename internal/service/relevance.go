package service

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a word of a search is worth where it is found, the best place counting.
const (
	worthWhole     = 100 // the model's name, caption or a synonym is the word
	worthPart      = 40  // … holds it
	worthField     = 20  // a field's caption, name or synonym is the word
	worthFieldPart = 10
	worthText      = 5 // the model's description holds it
)

// relevant returns the models that have a word of the search, the most relevant first: those with most of its words, then
// those that have them in the better places. Only fields that the caller may see count.
func relevant(models []seen, search string) []seen {
	words := searchWords(search)
	type scored struct {
		seen
		words, worth int
	}
	var found []scored
	for _, m := range models {
		s := scored{seen: m}
		for _, w := range words {
			if worth := m.worth(w); worth > 0 {
				s.words++
				s.worth += worth
			}
		}
		if s.words > 0 {
			found = append(found, s)
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int {
		if a.words != b.words {
			return b.words - a.words
		}
		return b.worth - a.worth
	})
	list := make([]seen, len(found))
	for i, f := range found {
		list[i] = f.seen
	}
	return list
}

// glue is the words that stand in any question and tell no model from another.
var glue = strings.Fields("a all an and are at by each every for from how in is many much of on or our per the to was what when where which who with")

// searchWords returns the telling words of a search in lower case, without the plural's s.
func searchWords(search string) []string {
	words := strings.FieldsFunc(strings.ToLower(search), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	words = slices.DeleteFunc(words, func(w string) bool { return slices.Contains(glue, w) })
	for i, w := range words {
		words[i] = singular(w)
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// shortestPlural is the length of a word from which on its last s is taken for the plural's.
const shortestPlural = 4

func singular(word string) string {
	if utf8.RuneCountInString(word) >= shortestPlural && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") {
		return strings.TrimSuffix(word, "s")
	}
	return word
}

// worth returns what a word of a search is worth to the model, 0 if the model does not have it.
func (m seen) worth(word string) int {
	best := matched(word, worthWhole, worthPart, m.Synonyms, m.Name, m.Caption)
	if best > 0 {
		return best
	}
	for _, f := range m.fields {
		best = max(best, matched(word, worthField, worthFieldPart, f.Synonyms, f.Name, f.Caption))
	}
	if best == 0 && strings.Contains(strings.ToLower(m.Description), word) {
		return worthText
	}
	return best
}

// matched returns whole if one of the texts is the word, part if one holds it, else 0.
func matched(word string, whole, part int, more []string, texts ...string) int {
	best := 0
	for _, list := range [][]string{texts, more} {
		for _, text := range list {
			text = strings.ToLower(text)
			if singular(text) == word {
				return whole
			}
			if strings.Contains(text, word) {
				best = part
			}
		}
	}
	return best
}
