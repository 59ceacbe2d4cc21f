package introspect

import (
	"slices"
	"strings"
	"unicode"
)

// words cuts a name at what is no letter or digit and where lower case turns to upper, and writes all in lower case:
// order_date, OrderDate and "Order date" are all order, date.
func words(name string) []string {
	var list []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			list = append(list, strings.ToLower(string(word)))
		}
		word = nil
	}
	letters := []rune(name)
	for i, c := range letters {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			flush()
			continue
		}
		if unicode.IsUpper(c) && i > 0 {
			after := i+1 < len(letters) && unicode.IsLower(letters[i+1])
			if unicode.IsLower(letters[i-1]) || after && unicode.IsUpper(letters[i-1]) {
				flush()
			}
		}
		word = append(word, c)
	}
	flush()
	return list
}

// camel writes words as the name of a field: order, date is orderDate.
func camel(list []string) string {
	var b strings.Builder
	for i, w := range list {
		if i == 0 {
			b.WriteString(w)
			continue
		}
		b.WriteString(title(w))
	}
	return b.String()
}

// pascal writes words as the name of a model: fact, sales is FactSales.
func pascal(list []string) string { return title(camel(list)) }

func title(word string) string {
	letters := []rune(word)
	if len(letters) == 0 {
		return ""
	}
	letters[0] = unicode.ToTitle(letters[0])
	return string(letters)
}

// sentence writes words as people read them: order, date is Order date.
func sentence(list []string) string { return title(strings.Join(list, " ")) }

// singular is a word without its plural ending, as far as English is regular.
func singular(word string) string {
	for _, e := range []struct{ ending, instead string }{
		{"ies", "y"}, {"sses", "ss"}, {"ches", "ch"}, {"shes", "sh"}, {"xes", "x"}, {"ss", "ss"}, {"us", "us"}, {"is", "is"}, {"s", ""},
	} {
		if root, ok := strings.CutSuffix(word, e.ending); ok && len(root) > 1 {
			return root + e.instead
		}
	}
	return word
}

var (
	tablePrefixes = []string{"dim", "d", "fact", "fct", "f", "tbl", "t", "ref", "lkp", "lookup"}
	tableSuffixes = []string{"dim", "fact", "tbl", "table", "lookup", "lkp"}
	keySuffixes   = []string{"id", "key", "sk", "fk", "code", "uuid", "guid"}
)

// subject is what a table is about: dim_customer, customers and tbl_customer are all customer.
func subject(table string) []string {
	list := words(table)
	if len(list) > 1 && slices.Contains(tablePrefixes, list[0]) {
		list = list[1:]
	}
	if len(list) > 1 && slices.Contains(tableSuffixes, list[len(list)-1]) {
		list = list[:len(list)-1]
	}
	if len(list) == 0 {
		return nil
	}
	return single(list)
}

// single returns words of which the last is singular.
func single(list []string) []string {
	list = slices.Clone(list)
	list[len(list)-1] = singular(list[len(list)-1])
	return list
}

// pointed is what a column of a key's name points to: order_date_key is order, date. It is false for a column whose
// name is no key's.
func pointed(column string) ([]string, bool) {
	list := words(column)
	switch n := len(list); {
	case n > 1 && slices.Contains(keySuffixes, list[n-1]):
		list = list[:n-1]
	case n > 1 && (list[0] == "id" || list[0] == "fk"):
		list = list[1:]
	default:
		return nil, false
	}
	return list, true
}

// hasWord reports whether one of some words is among others.
func hasWord(list, some []string) bool {
	return slices.ContainsFunc(list, func(w string) bool { return slices.Contains(some, w) })
}
