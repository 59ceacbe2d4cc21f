package service

import (
	"context"
	"errors"
	"time"

	"parlance/internal/access"
	"parlance/internal/fault"
	"parlance/internal/query"
	"parlance/internal/question"
	"parlance/internal/semantic"
	"parlance/internal/translate"
)

// Translator puts a question that the reader declines into a payload. What it gives is checked like any caller's payload.
type Translator interface {
	Translate(ctx context.Context, q translate.Question) (*translate.Translation, error)
	Name() string
	// SendsValues reports whether values found in the data may leave the program.
	SendsValues() bool
}

const (
	translatedConfidence = 0.3 // of what a language model made of a question
	translatedModels     = 20  // that it is told about
	translatedFields     = 120 // of each of them
	translatedValues     = 10  // of each field
	translatedCodes      = 30
	longestTranslated    = 1000 // bytes of a question
)

// translate has a language model try what the reader did not understand; nil is no reply. Where the reader offers choices
// the caller is the one to choose.
func (a *inquiry) translate(ctx context.Context, r question.Reading, models []question.Asked) (*AskReply, error) {
	by := a.service.Translator
	if by == nil || len(r.Choices) > 0 || len(models) == 0 || len(a.request.Text) > longestTranslated {
		return nil, nil
	}
	got, err := by.Translate(ctx, a.described(ctx, by.SendsValues()))
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		a.untranslated(ctx, err)
		return nil, nil
	}
	q, err := query.Decode(got.Payload, query.DecodeOptions{Limits: a.service.Payload})
	if err == nil {
		err = a.service.Check(ctx, a.view.caller, got.Model, q, QueryOptions{DefaultRows: askRows})
	}
	if err != nil {
		a.untranslated(ctx, err)
		return nil, nil
	}
	return a.translated(ctx, got.Model, q)
}

// untranslated notes why there is no translation: for the caller in one sentence, for the log with its cause. What a
// language model proposed is told to neither caller nor record.
func (a *inquiry) untranslated(ctx context.Context, err error) {
	a.failed = "The language model gave no query that could be run."
	switch {
	case errors.Is(err, translate.ErrDeclined):
		a.failed = ""
		return
	case errors.Is(err, translate.ErrBudget):
		a.failed = "The budget of the language model is used up for this hour."
	case errors.Is(err, translate.ErrNoAnswer):
		a.failed = "The language model did not answer in time."
	}
	reason := fault.As(err).Reason
	if errors.Is(err, translate.ErrNoAnswer) || errors.Is(err, translate.ErrUnusable) || errors.Is(err, translate.ErrBudget) {
		reason = err.Error()
	}
	a.service.Log.WarnContext(ctx, "a question was not translated", "namespace", a.view.caller.Namespace, "by", a.service.Translator.Name(), "reason", reason)
}

// translated runs a payload that a language model wrote, and says so.
func (a *inquiry) translated(ctx context.Context, model string, q *query.Query) (*AskReply, error) {
	e, err := a.service.Explain(ctx, a.view.caller, model, q, ExplainOptions{DefaultRows: askRows})
	if err != nil {
		a.untranslated(ctx, err)
		return nil, nil
	}
	p := &question.Proposal{Text: e.Summary, Model: model, Query: q, Language: languageOf(a.request.Text), Confidence: translatedConfidence}
	a.columns(p, e)
	reply, err := a.answer(ctx, p, nil)
	if reply != nil {
		reply.TranslatedBy = "language model " + a.service.Translator.Name()
		reply.Warnings = append(reply.Warnings, "A language model translated this question: check understood and payload before you rely on it.")
	}
	return reply, err
}

// columns tells keys from numbers, as the reader does of its own proposals.
func (a *inquiry) columns(p *question.Proposal, e *Explanation) {
	m, err := a.view.model(p.Model)
	if err != nil {
		return
	}
	numbers := map[string]bool{}
	for _, c := range p.Query.Columns {
		ref, plain := c.Expr.(*query.Ref)
		numbers[c.Key()] = !plain || m.Field(ref.Name) == nil || m.Field(ref.Name).Measure != nil
	}
	for _, c := range e.Columns {
		n := question.Named{Key: c.Name, Name: c.Caption, Kind: question.CategoryColumn}
		f := m.Field(c.Name)
		if f != nil {
			n.Type = f.Type
		}
		if numbers[c.Name] {
			n.Kind = question.NumberColumn
			if f != nil && f.Measure != nil {
				n.Unit = f.Measure.Unit
			}
			p.Values = append(p.Values, n)
			continue
		}
		if f != nil && (f.Type.Temporal() || f.Role == semantic.TimeGrain || f.Dimension != nil && f.Dimension.Date) {
			n.Kind = question.TimeColumn
		}
		p.Keys = append(p.Keys, n)
	}
}

// described is what a language model is told: the question, and the names that the caller may see. Values are told only
// of fields that the caller sees as they are.
func (a *inquiry) described(ctx context.Context, values bool) translate.Question {
	q := translate.Question{Text: a.request.Text}
	seen := a.view.models()
	for _, m := range seen[:min(len(seen), translatedModels)] {
		told := translate.Model{Name: m.Name, Caption: m.Caption, Description: m.Description}
		if f := timeField(m); f != nil {
			told.Time = f.Name
		}
		if q.Today == "" {
			q.Today = a.service.today(ctx, a.view, m).Format(time.DateOnly)
		}
		var found map[string][]string
		if values {
			found = a.service.known(ctx, a.view, m)
		}
		for _, f := range m.fields[:min(len(m.fields), translatedFields)] {
			if !f.Tree && f.Role != semantic.CodeLabel {
				told.Fields = append(told.Fields, describedField(m, f, found[f.Name]))
			}
		}
		q.Models = append(q.Models, told)
	}
	return q
}

func describedField(m seen, f *semantic.Field, values []string) translate.Field {
	told := translate.Field{Name: f.Name, Kind: f.Kind.String(), Type: f.Type.Name(), Caption: f.Caption, Synonyms: f.Synonyms}
	if m.grant.Field(f) != access.Visible {
		return told
	}
	if f.Dictionary != nil {
		for _, e := range f.Dictionary.Entries[:min(len(f.Dictionary.Entries), translatedCodes)] {
			told.Codes = append(told.Codes, e.Code)
		}
	}
	told.Values = values[:min(len(values), translatedValues)]
	return told
}

// languageOf returns "zh" for a text with Chinese in it, otherwise "en".
func languageOf(text string) string {
	for _, r := range text {
		if isHan(r) {
			return "zh"
		}
	}
	return "en"
}
