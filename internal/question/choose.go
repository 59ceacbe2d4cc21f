package question

import (
	"slices"
)

// outcome is what one model makes of a question: drafts, cheapest first and no two the same, or the nearest doubt.
type outcome struct {
	Asked
	drafts []*draft
	doubt  *doubt
	cost   int // of the path that the doubt is about
}

// sameReading is how far apart the costs of two drafts of one model may be for them to be equally good; otherModel is
// the same across models, where a word more or less in a phrase says little.
const (
	sameReading = costMark
	otherModel  = costName / 2
)

// read tries the ways to account for the tokens over one model.
func (a Asked) read(l *line) outcome {
	o := outcome{Asked: a}
	seen := map[string]bool{}
	for _, p := range a.paths(l) {
		if p.cost >= costUnknown && (o.doubt != nil || len(o.drafts) > 0) {
			break // every way from here on leaves words out
		}
		d, doubt := a.interpret(p, l)
		switch {
		case doubt != nil:
			if o.doubt == nil || len(o.doubt.choices) == 0 && len(doubt.choices) > 0 && p.cost < o.cost+costPassed {
				o.doubt, o.cost = doubt, p.cost
			}
		default:
			if key := string(d.proposal().Query.JSON()); !seen[key] {
				seen[key] = true
				o.drafts = append(o.drafts, d)
			}
		}
	}
	slices.SortStableFunc(o.drafts, func(x, y *draft) int { return x.cost - y.cost })
	return o
}

// choose picks the answer among the models' outcomes, or asks back.
func choose(l *line, found []outcome, models []Asked) Reading {
	tokens, say := l.tokens, sayings[l.lang]
	if drafts := equallyGood(found); len(drafts) == 1 {
		p := drafts[0].proposal()
		return Reading{Answer: &p}
	} else if len(drafts) > 1 {
		return Reading{Message: say.several, Choices: proposals(drafts)}
	}
	if m := declines(tokens); m != noMark {
		return Reading{Message: say.decline(m, offer(nearest(found), models, l.lang)), Declined: true}
	}
	best := nearest(found)
	switch {
	case best == nil:
		return Reading{Message: say.notUnderstood([]string{asWritten(tokens)}, offer(nil, models, l.lang))}
	case len(best.doubt.unknown) > 0:
		var words []string
		for _, s := range best.doubt.unknown {
			words = append(words, s.text)
		}
		return Reading{Message: say.notUnderstood(words, offer(best, models, l.lang))}
	}
	return Reading{Message: best.doubt.message, Choices: proposals(best.doubt.choices)}
}

// equallyGood returns the best draft and those that are as good as it.
func equallyGood(found []outcome) []*draft {
	var best *draft
	for _, o := range found {
		if len(o.drafts) > 0 && (best == nil || o.drafts[0].cost < best.cost) {
			best = o.drafts[0]
		}
	}
	if best == nil {
		return nil
	}
	good := []*draft{best}
	for _, o := range found {
		for i, d := range o.drafts {
			ours := d.model == best.model && d.cost < best.cost+sameReading
			theirs := d.model != best.model && i == 0 && d.cost < best.cost+otherModel
			if d != best && (ours || theirs) {
				good = append(good, d)
			}
		}
	}
	return good
}

// nearest returns the outcome that came closest to an answer.
func nearest(found []outcome) *outcome {
	var best *outcome
	for i := range found {
		if found[i].doubt != nil && (best == nil || found[i].cost < best.cost) {
			best = &found[i]
		}
	}
	return best
}

func proposals(drafts []*draft) []Proposal {
	var list []Proposal
	for _, d := range drafts[:min(len(drafts), maxChoices)] {
		list = append(list, d.proposal())
	}
	return list
}

// declines returns why the question cannot be answered at all: it commands, or asks for the future or for reasons. A
// mild command counts only where it opens the question.
func declines(tokens []token) marker {
	opening := true
	for i := 0; i < len(tokens); {
		m, n := grammarAt(tokens, i)
		switch m {
		case destroyer, forecast, reason, personal:
			return m
		case command:
			if opening {
				return m
			}
		}
		opening = opening && n > 0 && m == noMark
		i += max(n, 1)
	}
	return noMark
}

// grammarAt returns the longest word of the grammar at i; a meaningless one is noMark with its length.
func grammarAt(tokens []token, i int) (marker, int) {
	for n := min(longestMark, len(tokens)-i); n > 0; n-- {
		key := phrase(tokens[i : i+n])
		if m := marks[key]; len(m) > 0 {
			return m[0], n
		}
		if _, ok := meaningless[key]; ok {
			return noMark, n
		}
	}
	return noMark, 0
}
