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
	compiled, err := compile.Query(s.overRollups(t, s.request(t, q, o.DefaultRows, s.today(ctx, t.view, t.seen))))
	planning.End()
	if err != nil {
		return nil, err
	}
	noteCompiled(entry, q, t.Model, compiled)
	answer := &Answer{
		Items: []byte("[]"), Columns: compiled.Columns, Start: compiled.Start, Limit: compiled.Limit,
		LimitSource: compiled.LimitSource, Warnings: eachOnce(q.Warnings, compiled.Warnings),
		Applied: Applied{Applied: compiled.Applied, Defaults: defaultsOf(t.seen, q, compiled), Rollup: rollupUse(compiled)},
	}
	if o.ShowSQL {
		answer.SQL = statements(compiled)
	}
	if o.Validate {
		return answer, nil
	}
	unchecked, err := s.trust(ctx, t, compiled.Joins)
	if err != nil {
		return nil, err
	}
	answer.Warnings = slices.Concat(answer.Warnings, unchecked, s.merged(ctx, t, compiled.Captions))
	r := run{target: s.reading(t, compiled), compiled: compiled, options: o}
	if err := r.all(ctx); err != nil {
		return nil, err
	}
	r.fill(answer)
	if o.Diagnose && overNothing(answer, compiled) {
		answer.Warnings = append(answer.Warnings, s.whyEmpty(ctx, t, q, compiled)...)
	}
	if entry != nil {
		entry.Total = answer.Total
	}
	return answer, nil
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
