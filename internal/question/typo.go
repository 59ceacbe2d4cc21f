package question

import (
	"slices"
	"strings"
)

// correct returns the line with words that nothing knows read as the one word that they are a slip of the finger away
// from, or the line itself. A word that is a word of its own, or near several, stays.
func (l *line) correct(models []Asked) *line {
	tokens := slices.Clone(l.tokens)
	changed := false
	for i, t := range tokens {
		if !correctable(t) || known(t, models) {
			continue
		}
		if w := nearestWord(t.fold, models); w != "" {
			tokens[i].fold, tokens[i].word, tokens[i].guessed = w, stem(w), true
			changed = true
		}
	}
	if !changed {
		return l
	}
	return lineOf(tokens, l.lang)
}

// shortestTypo is the length from which a word can be taken for a slip.
const shortestTypo = 5

func correctable(t token) bool {
	return !t.digit && !t.han && len(t.fold) >= shortestTypo && len(t.fold) <= 30 && isLetters(t.fold) && !ordinary[t.word] && !ordinary[t.fold]
}

func isLetters(w string) bool {
	return !strings.ContainsFunc(w, func(r rune) bool { return r < 'a' || r > 'z' })
}

// known reports whether a word means something to the grammar or to any model.
func known(t token, models []Asked) bool {
	if grammarWords[t.word] || grammarWords[t.fold] {
		return true
	}
	r := root(t.word)
	for _, m := range models {
		if m.knows(t.word) || m.rootWords[r] {
			return true
		}
	}
	return false
}

// nearestWord returns the one word of the models and the grammar that is nearest to w and near enough, or "".
func nearestWord(w string, models []Asked) string {
	best, least, tied := "", 3, false
	stemmed := stem(w)
	try := func(candidate string) {
		if !alike(w, candidate) {
			return
		}
		d := min(slips(w, candidate), slips(stemmed, candidate))
		switch {
		case d > allowed(w, candidate) || d > least || candidate == best:
		case d < least:
			best, least, tied = candidate, d, false
		default:
			tied = true
		}
	}
	for _, m := range models {
		for _, c := range m.wordsLike(w[0]) {
			try(c)
		}
	}
	for c := range grammarWords {
		if c[0] == w[0] && isLetters(c) {
			try(c)
		}
	}
	if tied {
		return ""
	}
	return best
}

// alike reports whether two words begin so that slips can tell them apart: a slip in the second letter leaves the third.
func alike(a, b string) bool {
	n := len(a) - len(b)
	return n <= 2 && n >= -2 && a[0] == b[0] && (a[1] == b[1] || a[1] == b[2] || a[2] == b[1] || a[2] == b[2])
}

// allowed is how many slips a word may be away from a candidate.
func allowed(w, candidate string) int {
	switch n := min(len(w), len(candidate)); {
	case n < shortestTypo-1:
		return 0
	case n < 8:
		return 1
	}
	return 2
}

// slips counts letters left out, put in, changed, or exchanged with their neighbour; it gives up past two. The first
// letter is taken as right.
func slips(a, b string) int {
	const limit = 3
	if d := len(a) - len(b); d >= limit || d <= -limit || a[0] != b[0] {
		return limit
	}
	var rows [3][32]int
	if len(b) >= len(rows[0]) {
		return limit
	}
	for j := range b {
		rows[0][j] = j
	}
	rows[0][len(b)] = len(b)
	for i := 1; i <= len(a); i++ {
		before, last, row := &rows[(i+1)%3], &rows[(i+2)%3], &rows[i%3]
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least >= limit {
			return limit
		}
	}
	return rows[len(a)%3][len(b)]
}
