package question

import (
	"slices"
)

// outcome is what one model makes of a question: drafts, cheapest first and no two the same, or the nearest doubt.
type outcome struct {
	Asked
	drafts []*draft
	doubt  *doubt
	cost   int  // of the path that the doubt is about
	knows  bool // a word of that path is of the model's vocabulary
}

// sameReading is how far apart the costs of two drafts of one model may be for them to be equally good; otherModel is
// the same across models, where a word more or less in a phrase says little.
const (
	sameReading = costMark
	otherModel  = costName / 2
)

// read tries the ways to account for the tokens over one model.
func (a Asked) read(l *line, paths []*path) outcome {
	o := outcome{Asked: a}
	seen := map[string]bool{}
	for _, p := range paths {
		if p.cost >= costUnknown && (o.doubt != nil || len(o.drafts) > 0) {
			break // every way from here on leaves words out
		}
		if len(o.drafts) > 0 && p.cost > o.drafts[0].cost+2*costName {
			break // too far from the best to be told of
		}
		d, doubt := a.interpret(p, l)
		switch {
		case doubt != nil:
			if o.doubt == nil || len(o.doubt.choices) == 0 && len(doubt.choices) > 0 && p.cost < o.cost+costPassed {
				o.doubt, o.cost = doubt, p.cost
				o.knows = slices.ContainsFunc(p.senses(), func(s *sense) bool { return s.word() })
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
	var drafts []*draft
	for _, o := range found {
		drafts = append(drafts, o.drafts...)
	}
	if len(drafts) > 0 {
		slices.SortStableFunc(drafts, func(x, y *draft) int { return x.cost - y.cost })
		if near := nearest(doubtsBefore(found, drafts[0])); near != nil {
			choices := append(slices.Clone(near.doubt.choices[:min(len(near.doubt.choices), maxChoices-1)]), drafts[0])
			return Reading{Message: near.doubt.message, Choices: proposals(choices)}
		}
		return decide(l, drafts)
	}
	say := sayings[l.lang]
	best := nearest(found)
	if m := declines(l.tokens); m != noMark {
		return Reading{Message: say.decline(m, offer(best, models, l.lang)), Declined: true}
	}
	switch {
	case best == nil:
		return Reading{Message: say.notUnderstood([]string{asWritten(l.tokens)}, offer(nil, models, l.lang))}
	case len(best.doubt.unknown) > 0:
		var words []string
		for _, s := range best.doubt.unknown {
			words = append(words, s.text)
		}
		if !best.knows {
			best = nil
		}
		return Reading{Message: say.notUnderstood(words, offer(best, models, l.lang))}
	}
	return Reading{Message: best.doubt.message, Choices: proposals(best.doubt.choices)}
}

// doubtsBefore returns the outcomes whose doubt offers choices and comes so much cheaper than a draft that it is told
// instead.
func doubtsBefore(found []outcome, d *draft) []outcome {
	return slices.DeleteFunc(slices.Clone(found), func(o outcome) bool {
		margin := otherModel
		if o.model == d.model {
			margin = sameReading
		}
		return o.doubt == nil || len(o.doubt.choices) == 0 || o.doubt.open || o.cost >= d.cost-margin
	})
}

// decide answers with the cheapest draft, or asks back when others are as good and no hint decides.
func decide(l *line, drafts []*draft) Reading {
	good := l.preferred(equallyGood(drafts))
	if len(good) > 1 {
		return Reading{Message: sayings[l.lang].several, Choices: proposals(good)}
	}
	best := good[0]
	others := slices.DeleteFunc(slices.Clone(drafts), func(d *draft) bool { return d == best || d.cost > best.cost+2*costName })
	p := best.proposal()
	p.Confidence = best.confidence(others)
	r := Reading{Answer: &p}
	if before := best.yearBefore(); before != nil {
		others = append([]*draft{before}, others...)
	}
	for _, d := range others[:min(len(others), maxChoices)] {
		other := d.proposal()
		other.Confidence = min(d.confidence(nil), p.Confidence) / 2
		r.Alternatives = append(r.Alternatives, other)
	}
	return r
}

// equallyGood returns the first of the sorted drafts and those that are as good as it.
func equallyGood(drafts []*draft) []*draft {
	best := drafts[0]
	good := []*draft{best}
	seen := map[string]bool{best.model.Name: true}
	for _, d := range drafts[1:] {
		ours := d.model == best.model && d.cost < best.cost+sameReading
		theirs := !seen[d.model.Name] && d.cost < best.cost+otherModel
		if ours || theirs {
			good = append(good, d)
		}
		seen[d.model.Name] = true
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

// proposals returns the first drafts that differ, as queries.
func proposals(drafts []*draft) []Proposal {
	var list []Proposal
	for _, d := range drafts {
		p := d.proposal()
		if len(list) < maxChoices && !slices.ContainsFunc(list, func(o Proposal) bool { return o.Text == p.Text && o.Model == p.Model }) {
			list = append(list, p)
		}
	}
	return list
}
