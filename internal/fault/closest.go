package fault

import (
	"sort"
	"strings"
	"unicode/utf8"
)

const (
	maxClosest  = 3
	maxCompared = 128 // runes; a longer word is nobody's typing mistake
)

// Closest returns up to three of the allowed words that got may have been meant as, nearest first.
// Case, separators and up to about a third of the letters may differ.
func Closest(got string, allowed []string) []string {
	if got == "" || utf8.RuneCountInString(got) > maxCompared {
		return nil
	}
	type scored struct {
		word string
		cost int
	}
	var found []scored
	folded := fold(got)
	limit := max(1, len(folded)/3)
	for _, w := range allowed {
		if utf8.RuneCountInString(w) > maxCompared {
			continue
		}
		fw := fold(w)
		cost := distance(folded, fw)
		contained := len(folded) >= 3 && (strings.Contains(string(fw), string(folded)) || (len(fw) >= 3 && strings.Contains(string(folded), string(fw))))
		if cost > limit && contained {
			cost = limit
		}
		if cost <= limit {
			found = append(found, scored{w, cost})
		}
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].cost < found[j].cost })
	if len(found) > maxClosest {
		found = found[:maxClosest]
	}
	words := make([]string, len(found))
	for i, f := range found {
		words[i] = f.word
	}
	return words
}

func fold(s string) []rune {
	return []rune(strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToLower(s)))
}

// distance is the optimal string alignment distance: insertions, deletions, substitutions, swaps of neighbours.
func distance(a, b []rune) int {
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, prev, cur := rows[(i+2)%3], rows[i%3], rows[(i+1)%3]
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
	}
	return rows[(len(a)+1)%3][len(b)]
}
