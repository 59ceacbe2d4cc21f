package service

import (
	"context"

	"parlance/internal/compile"
	"parlance/internal/query"
	"parlance/internal/result"
	"parlance/internal/stage"
)

// Summarize returns an object with one number for each measure of the summary, over all rows of its slice. It must not be
// changed.
func (s *Service) Summarize(ctx context.Context, c Caller, sum Summary) ([]byte, error) {
	t, err := s.find(c, sum.Model)
	if err != nil {
		return nil, err
	}
	q := &query.Query{Columns: sum.Columns, Slice: sum.Slice}
	entry := s.noteQuery(ctx, t, q, QueryOptions{})
	planning := stage.Start(ctx, stage.Plan)
	compiled, err := t.view.plans.cache.Summarize(s.overRollups(ctx, t, s.request(t, q, 0, s.today(ctx, t.view, t.seen))))
	planning.End()
	if err != nil {
		return nil, err
	}
	noteSummary(entry, compiled)
	s.rollupUse(ctx, compiled)
	got, _, err := s.answered(ctx, t, compiled, answerForm{summary: true}, func(ctx context.Context) (*keptAnswer, error) {
		return s.summarize(ctx, t, compiled)
	})
	if unread(compiled, err) {
		return s.Summarize(overRows(ctx), c, sum)
	}
	if err != nil {
		return nil, err
	}
	return got.items, nil
}

// summarize asks the database for the one row of a summary.
func (s *Service) summarize(ctx context.Context, t target, compiled *compile.Compiled) (*keptAnswer, error) {
	at := s.Now()
	if _, err := s.trust(ctx, t, compiled.Joins); err != nil {
		return nil, err
	}
	t = s.reading(t, compiled)
	ctx, done, err := t.source.admitted(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	var object []byte
	err = oneRow(ctx, t.source, *compiled.Totals, func(cells []any) (err error) {
		object, err = result.AppendObject(nil, compiled.TotalColumns, cells, t.Calendar.Zone)
		return err
	})
	return &keptAnswer{items: object, at: at}, err
}
