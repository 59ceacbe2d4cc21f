package service

import (
	"context"
	"sync"

	"parlance/internal/audit"
	"parlance/internal/fault"
	"parlance/internal/jsontree"
	"parlance/internal/question"
)

const (
	askRows  = 1000
	askBytes = 50_000
)

// Ask answers a question in plain words, or asks back. The reader sees the caller's own vocabulary only, and what it
// proposes goes through the same resolver and grant as any other query.
func (s *Service) Ask(ctx context.Context, c Caller, text string) (*AskReply, error) {
	v, err := s.view(c)
	if err != nil {
		return nil, err
	}
	entry := RecordOf(ctx).Entry()
	if s.note(ctx, v) != nil {
		entry.Question = text
	}
	models, err := s.asked(ctx, v)
	if err != nil {
		return nil, err
	}
	reading := question.Read(question.Ask{Text: text, Models: models})
	if reading.Answer != nil {
		return s.answer(ctx, c, text, reading.Answer)
	}
	reply := &AskReply{Type: "clarify", Question: text, Message: reading.Message}
	entry.Outcome = "clarify"
	if reading.Declined {
		reply.Type = "error"
		entry.Fail("declined", audit.Code(fault.Invalid))
	}
	for _, p := range reading.Choices {
		reply.Choices = append(reply.Choices, Choice{Text: p.Text, Model: p.Model, Payload: p.Query.JSON()})
	}
	return reply, nil
}

// asked returns the models that a question may be about. A model whose words are not known yet could change what the
// question means, so without one of them there is no answer.
func (s *Service) asked(ctx context.Context, v view) ([]question.Asked, error) {
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

// vocabulary returns the words by which the caller can speak of a model, or nil when they are not read in time.
func (s *Service) vocabulary(ctx context.Context, v view, m seen) *question.Vocabulary {
	words, _ := s.facts.words.of(ctx, factKey{v.generation, m.Name, m.grant.Key()}, func(ctx context.Context) (*question.Vocabulary, error) {
		return question.Index(m.Model, m.grant, s.known(ctx, v, m)), ctx.Err()
	})
	return words
}

// answer runs the query that the question became. What the caller's rights or the data refuse is told in the reply,
// beside the query that was tried.
func (s *Service) answer(ctx context.Context, c Caller, text string, p *question.Proposal) (*AskReply, error) {
	reply := &AskReply{Type: "result", Question: text, Understood: p.Text, Model: p.Model, Payload: p.Query.JSON()}
	a, err := s.Query(ctx, c, p.Model, p.Query, QueryOptions{DefaultRows: askRows, MaxBytes: askBytes})
	if err != nil {
		f := fault.As(err)
		if f.Kind == fault.Internal || f.Kind == fault.Unavailable {
			return nil, err
		}
		RecordOf(ctx).Entry().FailWith(f)
		reply.Type, reply.Message = "error", f.Text()
		return reply, nil
	}
	reply.Items, reply.Total, reply.Summary = a.Items, &a.Total, p.Summary(table(a))
	return reply, nil
}

// table returns an answer as its summary reads it.
func table(a *Answer) question.Table {
	t := question.Table{Total: a.Total, Totals: map[string]string{}}
	items, err := jsontree.Parse(a.Items)
	if err != nil {
		return t
	}
	for _, row := range items.Items {
		t.Rows = append(t.Rows, texts(row))
	}
	if totals, err := jsontree.Parse(a.TotalData); err == nil {
		t.Totals = texts(totals)
	}
	return t
}

// texts returns the members of an object that are not null.
func texts(n jsontree.Node) map[string]string {
	cells := map[string]string{}
	for _, m := range n.Members {
		if m.Value.Kind != jsontree.Null {
			cells[m.Key] = m.Value.Text
		}
	}
	return cells
}
