package question

import (
	"slices"

	"parlance/internal/semantic"
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
func (a Asked) paths(l *line) []*path {
	tokens := l.tokens
	dates := almanacOf(tokens, a.model.Calendar, a.Now)
	taken := 0 // where the furthest phrase of the vocabulary ends that began before
	reached := make([][]*path, len(tokens)+1)
	reached[0] = []*path{{}}
	for i := range tokens {
		here := cheapest(reached[i])
		found := a.sensesAt(l, i, dates)
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
func (a Asked) sensesAt(l *line, i int, dates *almanac) []sense {
	tokens, runs := l.tokens, l.runs[i]
	found, known := a.wordsAt(l, i)
	found = append(found, dates.periodsAt(i)...)
	found = append(found, a.comparisonsAt(tokens, i)...)
	found = append(found, a.ranksAt(tokens, i)...)
	for n := min(longestMark, len(runs)); n > 0; n-- {
		key := runs[n-1].key
		cost := costMark
		if known > n {
			cost += costName // a longer phrase of the model is torn apart
		}
		for _, m := range marks[key] {
			if m == command || (m == also || m == turnTo || m == ofThem) && !l.follows {
				continue
			}
			found = append(found, sense{kind: mark, from: i, to: i + n, cost: cost, mark: m})
		}
		if sizeWords[key] {
			found = append(found, sense{kind: mark, from: i, to: i + n, cost: cost + costMark, mark: sizeOfRow})
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
func (v *Vocabulary) wordsAt(l *line, i int) (found []sense, known int) {
	runs := l.runs[i]
	for n := min(v.longest+2, len(runs)); n > 0; n-- {
		senses := v.lookup(runs[n-1])
		turned := len(senses) == 0 && n > 2
		if turned {
			senses = v.turned(l.tokens[i : i+n])
		}
		for _, s := range senses {
			s.from, s.to = i, i+n
			s.cost += costWord
			if !turned {
				known = max(known, n)
			}
			found = append(found, s)
		}
	}
	return found, known
}

// lookup returns the meanings of one run: of its words or, where they have none, of their roots.
func (v *Vocabulary) lookup(r run) []sense {
	found := v.phrases[r.key][:len(v.phrases[r.key]):len(v.phrases[r.key])]
	v.values.each(r.key, r.hash, func(f *semantic.Field, text string) {
		s := sense{kind: member, field: f, value: scalar(f, text), cost: costFound}
		s.vague = v.isVague(s, r.key)
		if !slices.ContainsFunc(found, func(o sense) bool { return o.kind == member && o.field == f && o.value == s.value }) {
			found = append(found, s)
		}
	})
	if len(found) == 0 {
		for _, key := range v.roots[r.root] {
			for _, s := range v.phrases[key] {
				if s.kind == member && (families[key] != "" || families[r.key] != "") {
					continue // payments are not what is paid
				}
				s.cost += costRoot
				found = append(found, s)
			}
		}
		return found
	}
	if len(found) > 1 {
		found = slices.Clone(found)
		v.rank(found)
	}
	return found
}

// turned returns the meanings of what is said the other way round: amount of the order, 订单的金额.
func (v *Vocabulary) turned(tokens []token) []sense {
	for i := 1; i < len(tokens)-1; i++ {
		switch t := tokens[i]; {
		case t.fold == "of":
			rest := tokens[i+1:]
			if len(rest) > 1 && isOneOf(rest[0].fold, "the", "each", "our", "all", "a") {
				rest = rest[1:]
			}
			if len(marks[phrase(tokens[:i+1])]) > 0 {
				return nil // number of, share of
			}
			return v.phrases[phrase(rest)+" "+phrase(tokens[:i])]
		case t.fold == "的":
			return v.phrases[phrase(tokens[:i])+" "+phrase(tokens[i+1:])]
		}
	}
	return nil
}
