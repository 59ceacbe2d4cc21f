package repair

import (
	"slices"
	"strings"
	"unicode"
)

// folded is a name without case and without what separates its words.
func folded(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// words are the parts of a name: customer$memberLevel has customer, member and level.
func words(name string) []string {
	var list []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			list = append(list, strings.ToLower(string(word)))
			word = nil
		}
	}
	before := ' '
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
		case unicode.IsUpper(r) && unicode.IsLower(before):
			end()
			word = append(word, r)
		default:
			word = append(word, r)
		}
		before = r
	}
	end()
	return list
}

// The typing mistakes that a word may have: none in a short one, where another word is as near.
const (
	shortWord = 3
	longWord  = 6
)

// slip returns how many typing mistakes make got of name, and whether so few and so placed that it is plain that name
// was meant: pay is no slip for tax.
func slip(got, name string) (int, bool) {
	a, b := words(got), words(name)
	if len(a) != len(b) {
		return wholeSlip(folded(got), folded(name))
	}
	sum := 0
	for i := range a {
		d := distance([]rune(a[i]), []rune(b[i]))
		if d > allowed(a[i], b[i]) || d > 0 && otherWord(a[i], b[i]) {
			return 0, false
		}
		sum += d
	}
	return sum, sum <= 2
}

// otherWord reports whether one letter of a short word stands in the place of another: lost is no slip for cost, but
// cots is.
func otherWord(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) != len(y) || len(x) >= longWord {
		return false
	}
	slices.Sort(x)
	slices.Sort(y)
	return !slices.Equal(x, y)
}

// allowed is how many typing mistakes a word may have.
func allowed(a, b string) int {
	switch shorter := min(len([]rune(a)), len([]rune(b))); {
	case shorter <= shortWord:
		return 0
	case shorter < longWord:
		return 1
	}
	return 2
}

// wholeSlip compares names whose words are not set apart alike.
func wholeSlip(a, b string) (int, bool) {
	d := distance([]rune(a), []rune(b))
	shorter := min(len(a), len(b))
	return d, shorter >= 2*longWord && d <= 2 || shorter >= longWord && d <= 1
}

// nearest returns the one name that got is plainly a slip of; "" where there is none, or two are as near.
func nearest(got string, names []string) string {
	best, fewest, tied := "", 0, false
	for _, name := range names {
		d, ok := slip(got, name)
		switch {
		case !ok || name == best:
		case best == "" || d < fewest:
			best, fewest, tied = name, d, false
		case d == fewest:
			tied = true
		}
	}
	if tied {
		return ""
	}
	return best
}

// same returns the names that differ from got in nothing but case and separators.
func same(got string, names []string) []string {
	var found []string
	for _, name := range names {
		if folded(name) == folded(got) && !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	return found
}

// meantName returns the one name that got stands for: the same but for its spelling, or a slip of it.
func meantName(got string, names []string) string {
	if folded(got) == "" {
		return ""
	}
	switch alike := same(got, names); len(alike) {
	case 0:
		return nearest(got, names)
	case 1:
		return alike[0]
	}
	return ""
}

// distance counts insertions, deletions, substitutions and swaps of neighbours.
func distance(a, b []rune) int {
	before, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], before[j-2]+1)
			}
		}
		before, prev, cur = prev, cur, before
	}
	return prev[len(b)]
}
