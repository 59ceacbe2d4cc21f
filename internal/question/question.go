// Package question reads questions in plain words, English or Chinese, as queries over the models that a caller may see.
// It is deterministic and runs nothing: what it proposes goes through the same resolver and grant as any other query.
package question

import (
	"math"
	"slices"
	"time"
)

// Ask is one question over the models that the caller may see.
type Ask struct {
	Text     string
	Models   []Asked
	Previous *Proposal // what the conversation's last question became; nil at its start
	Hints    Hints
}

// Asked is a model that a question may be about.
type Asked struct {
	*Vocabulary
	Now time.Time // the moment from which relative dates count, unless the model's calendar fixes the day
}

// Hints are the caller's own leanings. They decide between readings that the words leave open and never overrule the
// words.
type Hints struct {
	PreferModel  string   // this model wins where several understand the question
	PreferFields []string // readings that use one of these win over those that do not
	TimeRange    *TimeRange
}

// TimeRange is a stretch of whole days, 2024-01-31 or "" for an open end, both ends included. It bounds a question
// that names no period of its own.
type TimeRange struct{ From, To string }

// Reading is what a question was taken for: an answer, or a message and perhaps choices.
type Reading struct {
	Answer       *Proposal  // nil when the question is asked back or declined
	Alternatives []Proposal // at most three readings that are less likely than the answer, likeliest first
	Choices      []Proposal // at most three, when the question has several readings
	Message      string     // what is asked back, or why there is no answer
	Declined     bool       // the data cannot answer this, however it is put
	FollowUp     bool       // the answer or the choices change Previous
}

const (
	maxRunes   = 1000
	maxTokens  = 80
	maxChoices = 3
)

// Read reads a question. Every word is accounted for: it is part of the query, known to be without meaning for it, or
// the reason to ask back. After a question that was answered, one that only changes it is read as that change; a whole
// question starts afresh.
func Read(a Ask) Reading {
	text, cut := bounded(a.Text)
	tokens := tokenise(text)
	lang := languageOf(tokens)
	if a.Previous != nil && a.Previous.Language == chinese.tag() && !spoken(tokens) {
		lang = chinese
	}
	say := sayings[lang]
	switch {
	case len(a.Models) == 0:
		return Reading{Message: say.noModels, Declined: true}
	case cut || len(tokens) > maxTokens:
		return Reading{Message: say.tooLong, Declined: true}
	case len(tokens) == 0:
		return Reading{Message: say.nothing(captions(a.Models, lang))}
	}
	l := lineOf(tokens, lang).correct(a.Models)
	l.hints = a.Hints
	if a.Previous == nil || a.Previous.state == nil {
		return afresh(l, a.Models)
	}
	return inConversation(l, a)
}

// afresh reads a question that stands for itself. What a model's author wrote beside the same question counts where the
// words make no query, or another one.
func afresh(l *line, models []Asked) Reading {
	r := byWords(l, models)
	if p := example(l, models); p != nil && (r.Answer == nil || !r.Answer.within(p)) {
		return Reading{Answer: p}
	}
	return r
}

// byWords reads a question by its words alone.
func byWords(l *line, models []Asked) Reading {
	var found []outcome
	best := math.MaxInt - 2*costName
	for _, c := range likeliest(l, models) {
		if c.least > best+2*costName {
			break // too far from the best to be told of
		}
		o := c.read(l, c.lattice.paths(l))
		if len(o.drafts) > 0 {
			best = min(best, o.drafts[0].cost)
		}
		found = append(found, o)
	}
	return choose(l, found, models)
}

// candidate is a model that may be meant, with what the words of the question are to it.
type candidate struct {
	Asked
	lattice
	least int
}

// maxModels bounds how many models a question is read over in full.
const maxModels = 8

// likeliest returns the models that account for the words of a question at the least cost, cheapest first: those that
// know all of them or, where none does, as many as any.
func likeliest(l *line, models []Asked) []candidate {
	l.readGrammar()
	list := make([]candidate, len(models))
	for i, m := range models {
		at := m.lattice(l)
		list[i] = candidate{m, at, at.least()}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return a.least - b.least })
	unknown := list[0].least / costUnknown
	end := slices.IndexFunc(list, func(c candidate) bool { return c.least/costUnknown > unknown })
	if end < 0 {
		end = len(list)
	}
	return list[:min(end, maxModels)]
}

// inConversation reads a question after another one.
func inConversation(l *line, a Ask) Reading {
	fresh := afresh(l, a.Models)
	turned := l.turns()
	if fresh.Answer != nil && !turned && !l.fragment(a.Models) || fresh.Declined && !turned {
		return fresh
	}
	then := *l
	then.follows = true
	if r := follow(&then, a); r != nil {
		return *r
	}
	if fresh.Answer != nil && turned && len(a.Previous.state.filters)+len(a.Previous.state.spans) > 0 {
		return Reading{Message: sayings[l.lang].several, Choices: []Proposal{*fresh.Answer}} // without what was asked before
	}
	return fresh
}

// bounded returns at most maxRunes of a text, and whether that is not all of it.
func bounded(text string) (string, bool) {
	runes := 0
	for i := range text {
		if runes == maxRunes {
			return text[:i], true
		}
		runes++
	}
	return text, false
}
