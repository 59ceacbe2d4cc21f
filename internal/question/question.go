// Package question reads questions in plain words, English or Chinese, as queries over the models that a caller may see.
// It is deterministic and runs nothing: what it proposes goes through the same resolver and grant as any other query.
package question

import (
	"time"

	"parlance/internal/query"
)

// Asked is a model that a question may be about.
type Asked struct {
	*Vocabulary
	Now time.Time // the moment from which relative dates count, unless the model's calendar fixes the day
}

// Reading is what a question was taken for: an answer, or a message and perhaps choices.
type Reading struct {
	Answer   *Proposal  // nil when the question is asked back or declined
	Choices  []Proposal // at most three, when the question has several readings
	Message  string     // what is asked back, or why there is no answer
	Declined bool       // the data cannot answer this, however it is put
}

// Proposal is a query over a model, in words and ready to run.
type Proposal struct {
	Text  string // the query in one sentence, in the language of the question
	Model string
	Query *query.Query

	language language
	keys     []named // of the group
	values   []named // of the measures
	ranked   bool    // the first row is the one to tell about
}

// named is a column of the answer with its name for people.
type named struct{ key, name string }

const (
	maxRunes   = 1000
	maxTokens  = 80
	maxChoices = 3
)

// Read reads a question over the models. Every word is accounted for: it is part of the query, known to be without
// meaning for it, or the reason to ask back.
func Read(text string, models []Asked) Reading {
	text, cut := bounded(text)
	tokens := tokenise(text)
	lang := languageOf(tokens)
	say := sayings[lang]
	switch {
	case len(models) == 0:
		return Reading{Message: say.noModels, Declined: true}
	case cut || len(tokens) > maxTokens:
		return Reading{Message: say.tooLong, Declined: true}
	case len(tokens) == 0:
		return Reading{Message: say.nothing(captions(models))}
	}
	var found []outcome
	for _, m := range models {
		if m.sees(tokens) {
			found = append(found, m.read(tokens, lang))
		}
	}
	return choose(tokens, found, models, lang)
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
