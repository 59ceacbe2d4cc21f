package service

import (
	"context"

	"parlance/internal/compile"
	"parlance/internal/query"
	"parlance/internal/result"
)

// Summarize returns an object with one number for each measure of the summary, over all rows of its slice.
func (s *Service) Summarize(ctx context.Context, c Caller, sum Summary) ([]byte, error) {
	t, err := s.find(c, sum.Model)
	if err != nil {
		return nil, err
	}
	q := &query.Query{Columns: sum.Columns, Slice: sum.Slice}
	entry := s.noteQuery(ctx, t, q, QueryOptions{})
	compiled, err := compile.Summarize(s.overRollups(t, s.request(t, q, 0, s.today(ctx, t.view, t.seen))))
	if err != nil {
		return nil, err
	}
	noteSummary(entry, compiled)
	if _, err := s.trust(ctx, t, compiled.Joins); err != nil {
		return nil, err
	}
	var object []byte
	err = oneRow(ctx, s.reading(t, compiled).source, *compiled.Totals, func(cells []any) (err error) {
		object, err = result.AppendObject(nil, compiled.TotalColumns, cells, t.Calendar.Zone)
		return err
	})
	return object, err
}
