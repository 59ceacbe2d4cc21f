package question

import (
	"math"
	"slices"

	"parlance/internal/semantic"
)

// path is one way to account for the tokens up to some point: senses that follow each other without a gap.
type path struct {
	before *path
	last   *sense
	cost   int
}

// senses returns the meanings of the path in the order of the question.
func (p *path) senses() []*sense {
	var list []*sense
	for ; p != nil && p.before != nil; p = p.before {
		list = append(list, p.last)
	}
	slices.Reverse(list)
	return list
}

// maxPaths bounds how many ways to account for a question are tried for one model.
const maxPaths = 24

// lattice is every meaning of every run of tokens for one model, by the token at which it starts.
type lattice [][]sense

// lattice looks all runs of the question up. A phrase of the model that begins first holds together: in phone number of
// calls, no number of calls is read.
func (a Asked) lattice(l *line) lattice {
	dates := l.dates(a.model.Calendar, a.Now)
	at := make(lattice, len(l.tokens))
	taken := 0 // where the furthest phrase of the vocabulary ends that began before
	for i := range l.tokens {
		found := a.sensesAt(l, i, dates)
		at[i] = found[:0]
		end := taken
		for _, s := range found {
			if s.word() && s.cost < costOnlyName && !led(l.tokens, s) {
				end = max(end, s.to)
			}
			if i >= taken || taken >= s.to || s.kind == unknownWord {
				at[i] = append(at[i], s)
			}
		}
		taken = end
	}
	return at
}

// least returns the cost of the cheapest way to account for all tokens.
func (at lattice) least() int {
	costs := make([]int, len(at)+1)
	for i := range costs[1:] {
		costs[i+1] = math.MaxInt / 2
	}
	for i, senses := range at {
		for _, s := range senses {
			costs[s.to] = min(costs[s.to], costs[i]+s.cost)
		}
	}
	return costs[len(at)]
}

// paths returns the cheapest ways to account for all tokens, cheapest first. There is always one: a token that nothing
// knows is an unknown word.
func (at lattice) paths(l *line) []*path {
	reached := make([][]*path, len(at)+1)
	reached[0] = []*path{{}}
	for i, senses := range at {
		here := cheapest(reached[i])
		for n := range senses {
			s := &senses[n]
			s.text = l.text(s.from, s.to)
			if n := s.to - s.from; n <= len(l.runs[i]) {
				s.key = l.runs[i][n-1].key
			}
			from := here
			if s.kind == unknownWord {
				from = here[:min(len(here), 1)] // one way to leave a word out is enough
			}
			for _, p := range from {
				reached[s.to] = append(reached[s.to], &path{before: p, last: s, cost: p.cost + s.cost})
			}
		}
	}
	return cheapest(reached[len(at)])
}

// led reports whether a phrase begins with a word of the grammar that may also stand alone: 按月, 分类.
func led(tokens []token, s sense) bool {
	return tokens[s.from].han && s.to-s.from > 1 && len(marks[tokens[s.from].word]) > 0
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
func (a Asked) sensesAt(l *line, i int, dates [][]sense) []sense {
	found, known := a.wordsAt(l, i)
	found = append(found, dates[i]...)
	if l.grammar[i].numeric && len(a.units) > 0 {
		found = append(found, a.comparisonsAt(l.tokens, i)...)
	} else {
		found = append(found, l.grammar[i].tests...)
	}
	for _, s := range l.grammar[i].marks {
		switch n := s.to - s.from; {
		case known > n:
			s.cost += costName // a longer phrase of the model is torn apart
		case known == n && s.kind == harmless:
			s.cost += costPassed
		}
		found = append(found, s)
	}
	return append(found, sense{kind: unknownWord, from: i, to: i + 1, cost: costUnknown})
}

// wordsAt returns the meanings that the model gives to phrases at i, and the length of the longest.
func (v *Vocabulary) wordsAt(l *line, i int) (found []sense, known int) {
	runs := l.runs[i]
	if !v.starts.has(runs[0].hash) && !v.starts.has(l.rootHashes[i]) {
		return nil, 0
	}
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
				if s.kind == member && (families[key] != "" || families[r.key] != "") || s.kind == measure && s.field.Measure.Agg == semantic.Count {
					continue // payments are not what is paid, nor is what is ordered the number of orders
				}
				s.cost += costRoot
				if s.kind == member {
					s.cost += costPassed
				}
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
			if len(rest) > 1 && isOneOf(rest[0].fold, "the", "our", "a") {
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
