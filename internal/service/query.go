package service

import (
	"context"
	"slices"

	"parlance/internal/compile"
	"parlance/internal/query"
	"parlance/internal/stage"
)

// Query compiles and runs one query over a model, under the caller's grant.
func (s *Service) Query(ctx context.Context, c Caller, model string, q *query.Query, o QueryOptions) (*Answer, error) {
	t, err := s.find(c, model)
	if err != nil {
		return nil, err
	}
	entry := s.noteQuery(ctx, t, q, o)
	planning := stage.Start(ctx, stage.Plan)
	compiled, err := t.view.plans.cache.Query(s.overRollups(ctx, t, s.request(t, q, o.DefaultRows, s.today(ctx, t.view, t.seen))))
	planning.End()
	if err != nil {
		return nil, err
	}
	noteCompiled(entry, q, t.Model, compiled)
	answer := &Answer{
		Items: []byte("[]"), Columns: compiled.Columns, Start: compiled.Start, Limit: compiled.Limit,
		LimitSource: compiled.LimitSource, Warnings: eachOnce(q.Warnings, compiled.Warnings),
		Applied: Applied{Applied: compiled.Applied, Defaults: defaultsOf(t.seen, q, compiled), Rollup: s.rollupUse(ctx, compiled)},
	}
	if o.ShowSQL {
		answer.SQL = statements(compiled)
	}
	if o.Validate {
		return answer, nil
	}
	got, use, err := s.answered(ctx, t, compiled, answerForm{layout: o.Layout, most: o.MaxBytes, diagnose: o.Diagnose}, func(ctx context.Context) (*keptAnswer, error) {
		return s.execute(ctx, t, q, compiled, o)
	})
	if unread(compiled, err) {
		return s.Query(overRows(ctx), c, model, q, o)
	}
	if err != nil {
		return nil, err
	}
	answer.Applied.Cache = use
	if err := got.fill(answer, s.budget, t.source); err != nil {
		return nil, err
	}
	if entry != nil {
		entry.Total = answer.Total
	}
	return answer, nil
}

// execute asks the database, once it is known that the statements count no row twice.
func (s *Service) execute(ctx context.Context, t target, q *query.Query, compiled *compile.Compiled, o QueryOptions) (*keptAnswer, error) {
	at := s.Now()
	unchecked, err := s.trust(ctx, t, compiled.Joins)
	if err != nil {
		return nil, err
	}
	r := run{target: s.reading(t, compiled), compiled: compiled, options: o, budget: s.budget}
	if err := r.all(ctx); err != nil {
		return nil, err
	}
	got := r.answer()
	got.at, got.warnings = at, slices.Concat(unchecked, s.merged(ctx, t, compiled.Captions))
	if o.Diagnose && overNothing(got, compiled) {
		reasons := s.whyEmpty(ctx, t, q, compiled)
		if len(reasons) == 0 && got.total > 0 {
			reasons = []string{noRowsMatch}
		}
		got.warnings = append(got.warnings, reasons...)
	}
	return got, nil
}

// statements returns the texts of page, count and totals, without their arguments.
func statements(c *compile.Compiled) []string {
	texts := []string{c.Page.SQL, c.Count.SQL}
	for _, st := range c.Extra {
		texts = append(texts, st.SQL)
	}
	if c.Totals != nil {
		texts = append(texts, c.Totals.SQL)
	}
	return texts
}

// eachOnce returns what the decoder and the compiler had to assume, without repeats.
func eachOnce(lists ...[]string) []string {
	var all []string
	for _, w := range slices.Concat(lists...) {
		if !slices.Contains(all, w) {
			all = append(all, w)
		}
	}
	return all
}
