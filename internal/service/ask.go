package service

import (
	"context"
	"strings"
	"time"

	"parlance/internal/access"
	"parlance/internal/fault"
	"parlance/internal/query"
	"parlance/internal/semantic"
)

// Asker reads a question in plain words. It runs nothing: what it makes of a question goes through the same
// resolver and grant as any other query.
type Asker interface {
	Read(question string, models []Askable, now time.Time) Reading
}

// Askable is a model with what the caller may see of it; nothing else of the model may be read.
type Askable struct {
	Model *semantic.Model
	Grant access.Grant
}

// Reading is what a question was taken for: one query, some choices, or neither and a message that says why.
type Reading struct {
	Query      *Proposal
	Choices    []Proposal // at most three, when the question has several readings
	Message    string     // what is asked back, or why it cannot be answered
	Understood string     // the query in words
}

// Proposal is a query over a model, in words and ready to run.
type Proposal struct {
	Text  string
	Model string
	Query *query.Query
}

const (
	askRows  = 100
	askBytes = 50_000

	nothingAsked = "What would you like to know? Name a measure, and what to break it down by."
	noAsker      = "This server does not answer questions in plain words"
)

// Ask answers a question in plain words, or asks back.
func (s *Service) Ask(ctx context.Context, c Caller, question string) (*AskReply, error) {
	v, err := s.view(c)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(question) == "" {
		return &AskReply{Type: "clarify", Question: question, Message: nothingAsked}, nil
	}
	if s.Asker == nil {
		return &AskReply{Type: "error", Question: question, Message: noAsker}, nil
	}
	var models []Askable
	for _, m := range v.models() {
		models = append(models, Askable{Model: m.Model, Grant: m.grant})
	}
	reading := s.Asker.Read(question, models, s.Now())
	switch {
	case reading.Query != nil:
		return s.answer(ctx, c, question, reading)
	case len(reading.Choices) > 0:
		return clarify(question, reading), nil
	}
	return &AskReply{Type: "clarify", Question: question, Message: reading.Message}, nil
}

func clarify(question string, r Reading) *AskReply {
	reply := &AskReply{Type: "clarify", Question: question, Message: r.Message}
	for _, p := range r.Choices {
		reply.Choices = append(reply.Choices, Choice{Text: p.Text, Model: p.Model, Payload: p.Query.JSON()})
	}
	return reply
}

// answer runs the query that the question became. What the caller's rights or the data refuse is told in the reply,
// beside the query that was tried.
func (s *Service) answer(ctx context.Context, c Caller, question string, r Reading) (*AskReply, error) {
	reply := &AskReply{
		Type: "result", Question: question, Understood: r.Understood, Model: r.Query.Model, Payload: r.Query.Query.JSON(),
	}
	a, err := s.Query(ctx, c, r.Query.Model, r.Query.Query, QueryOptions{DefaultRows: askRows, MaxBytes: askBytes})
	if err != nil {
		f := fault.As(err)
		if f.Kind == fault.Internal || f.Kind == fault.Unavailable {
			return nil, err
		}
		reply.Type, reply.Message = "error", f.Text()
		return reply, nil
	}
	reply.Items, reply.Total, reply.Summary = a.Items, &a.Total, summary(a)
	return reply, nil
}
