package question

import (
	"slices"
)

// path is one way to account for the tokens up to some point: senses that follow each other without a gap.
type path struct {
	before *path
	last   sense
	cost   int
}

// senses returns the meanings of the path in the order of the question.
func (p *path) senses() []sense {
	var list []sense
	for ; p != nil && p.before != nil; p = p.before {
		list = append(list, p.last)
	}
	slices.Reverse(list)
	return list
}

// maxPaths bounds how many ways to account for a question are tried for one model.
const maxPaths = 48

// paths returns the cheapest ways to account for all tokens, cheapest first. There is always one: a token that nothing
// knows is an unknown word.
func (a Asked) paths(tokens []token) []*path {
	dates := almanacOf(tokens, a.model.Calendar, a.Now)
	taken := 0 // where the furthest phrase of the vocabulary ends that began before
	reached := make([][]*path, len(tokens)+1)
	reached[0] = []*path{{}}
	for i := range tokens {
		here := cheapest(reached[i])
		found := a.sensesAt(tokens, i, dates)
		for _, s := range found {
			if i < taken && taken < s.to && s.kind != unknownWord {
				continue // the phrase that begins first holds together: phone number, number of calls
			}
			s.text = asWritten(tokens[s.from:s.to])
			for _, p := range here {
				reached[s.to] = append(reached[s.to], &path{before: p, last: s, cost: p.cost + s.cost})
			}
		}
		for _, s := range found {
			if s.word() && len(here) > 0 {
				taken = max(taken, s.to)
			}
		}
	}
	return cheapest(reached[len(tokens)])
}

// word reports whether the sense is of the model's vocabulary.
func (s sense) word() bool {
	return s.kind == measure || s.kind == field || s.kind == member || s.kind == entity
}

func cheapest(paths []*path) []*path {
	slices.SortStableFunc(paths, func(p, q *path) int { return p.cost - q.cost })
	return paths[:min(len(paths), maxPaths)]
}

// sensesAt returns every meaning that starts at token i.
func (a Asked) sensesAt(tokens []token, i int, dates *almanac) []sense {
	found, known := a.wordsAt(tokens, i)
	found = append(found, dates.periodsAt(i)...)
	found = append(found, a.comparisonsAt(tokens, i)...)
	found = append(found, a.ranksAt(tokens, i)...)
	for n := min(longestMark, len(tokens)-i); n > 0; n-- {
		key := phrase(tokens[i : i+n])
		cost := costMark
		if known > n {
			cost += costName // a longer phrase of the model is torn apart
		}
		for _, m := range marks[key] {
			found = append(found, sense{kind: mark, from: i, to: i + n, cost: cost, mark: m})
		}
		if _, ok := meaningless[key]; ok {
			if known == n {
				cost += costPassed
			}
			found = append(found, sense{kind: harmless, from: i, to: i + n, cost: cost})
		}
	}
	return append(found, sense{kind: unknownWord, from: i, to: i + 1, cost: costUnknown})
}

// wordsAt returns the meanings that the model gives to phrases at i, and the length of the longest.
func (v *Vocabulary) wordsAt(tokens []token, i int) (found []sense, known int) {
	if !v.starts[tokens[i].word] {
		return nil, 0
	}
	for n := min(v.longest, len(tokens)-i); n > 0; n-- {
		for _, s := range v.phrases[phrase(tokens[i:i+n])] {
			s.from, s.to = i, i+n
			s.cost += costWord
			found = append(found, s)
			known = max(known, n)
		}
	}
	return found, known
}
