package service

import (
	"context"
	"sync"

	"parlance/internal/audit"
	"parlance/internal/datasource"
	"parlance/internal/fault"
	"parlance/internal/question"
)

const (
	askRows  = 1000
	askBytes = 40_000
)

// Ask answers a question in plain words, or asks back. The reader sees the caller's own vocabulary only, and what it
// proposes goes through the same resolver and grant as any other query.
func (s *Service) Ask(ctx context.Context, c Caller, r AskRequest) (*AskReply, error) {
	v, err := s.view(c)
	if err != nil {
		return nil, err
	}
	if s.note(ctx, v) != nil {
		RecordOf(ctx).Entry().Question = r.Text
	}
	a := inquiry{service: s, view: v, request: r, owner: ownerOf(v)}
	if a.talk, err = s.sessions.find(r.Session, a.owner); err != nil {
		return nil, err
	}
	hints, err := s.hints(v, r.Hints)
	if err != nil {
		return nil, err
	}
	if picked := a.talk.pick(r.Text); picked != nil {
		return a.answer(ctx, picked, nil)
	}
	models, err := s.asked(ctx, v)
	if err != nil {
		return nil, err
	}
	reading := question.Read(question.Ask{Text: r.Text, Models: models, Previous: a.talk.previous, Hints: hints})
	if reading.Answer != nil {
		return a.answer(ctx, reading.Answer, reading.Alternatives)
	}
	if reply, err := a.translate(ctx, reading, models); reply != nil || err != nil {
		return reply, err
	}
	return a.back(ctx, reading), nil
}

// inquiry is one question on its way.
type inquiry struct {
	service *Service
	view    view
	request AskRequest
	owner   owner
	talk    talk // what was said before
	failed  string
}

// back asks back, or says why there is no answer.
func (a *inquiry) back(ctx context.Context, r question.Reading) *AskReply {
	entry := RecordOf(ctx).Entry()
	reply := &AskReply{Type: "clarify", Question: a.request.Text, Message: r.Message, Choices: choicesOf(r.Choices), Session: a.request.Session}
	if a.failed != "" {
		reply.Warnings = []string{a.failed}
	}
	if r.Declined {
		reply.Type = "error"
		entry.Fail("declined", audit.Code(fault.Invalid))
		return reply
	}
	entry.Outcome = "clarify"
	reply.Session = a.service.sessions.keep(a.request.Session, a.owner, talk{previous: a.talk.previous, offered: r.Choices})
	return reply
}

// asked returns the models that a question may be about. A model whose words are not known yet could change what the
// question means, so without one of them there is no answer.
func (s *Service) asked(ctx context.Context, v view) ([]question.Asked, error) {
	if len(v.waiting()) > 0 {
		return nil, datasource.NotReachedYet()
	}
	waiting, cancel := context.WithTimeout(ctx, describePatience)
	defer cancel()
	seen := v.models()
	models := make([]question.Asked, len(seen))
	var wg sync.WaitGroup
	for i, m := range seen {
		wg.Go(func() {
			models[i].Vocabulary = s.vocabulary(waiting, v, m)
			models[i].Now = s.today(waiting, v, m)
		})
	}
	wg.Wait()
	for _, m := range models {
		if m.Vocabulary == nil {
			return nil, wordsNotRead()
		}
	}
	return models, nil
}
