package service

import (
	"context"
	"slices"

	"parlance/internal/access"
	"parlance/internal/fault"
	"parlance/internal/query"
	"parlance/internal/semantic"
)

const (
	likelyValues = 200 // that are read to find the closest among many
	likelyPrefix = 2   // letters that those have in common with what was asked for
)

// closestValues returns the values that a text may have been meant as, as far as they can be told in time.
func (s *Service) closestValues(ctx context.Context, t target, f *semantic.Field, text string) []string {
	if t.grant.Field(f) != access.Visible {
		return nil
	}
	if f.Dictionary != nil && f.Role != semantic.CodeLabel {
		return closestCodes(f.Dictionary, text)
	}
	return fault.Closest(text, s.likely(ctx, t, f, text))
}

// likely returns the values that a text may have been meant as: all values of a field that has not too many, otherwise some
// that begin like the text.
func (s *Service) likely(ctx context.Context, t target, f *semantic.Field, text string) []string {
	if values := s.distinct(ctx, t.view, t.seen, f, knownValues); len(values) > 0 {
		return values
	}
	runes := []rune(text)
	values, _ := s.matching(ctx, t, f, query.StartsWith, string(runes[:min(len(runes), likelyPrefix)]), likelyValues)
	return values
}

// matching returns values of a field, in the rows that the caller may see, that meet a comparison with a text, and
// whether they could be read.
func (s *Service) matching(ctx context.Context, t target, f *semantic.Field, op query.Op, text string, limit int64) (values []string, ok bool) {
	rows, err := s.values(ctx, t.view, t.seen, &query.Query{
		Columns: []query.Column{{Expr: &query.Ref{Name: f.Name}, Text: f.Name}},
		GroupBy: []query.Group{{Field: f.Name}},
		Slice: []query.Condition{&query.Compare{
			Field: &query.Ref{Name: f.Name}, Op: op, Value: query.Scalar{Kind: query.StringLiteral, Text: text},
		}},
	}, limit)
	for _, row := range rows {
		values = append(values, row[0])
	}
	return values, err == nil
}

// closestCodes returns the codes whose own text, label or synonyms are close to a text.
func closestCodes(d *semantic.Dictionary, text string) []string {
	codes := map[string]string{}
	var words []string
	for _, e := range d.Entries {
		for _, w := range append([]string{e.Code, e.Label}, e.Synonyms...) {
			if _, known := codes[w]; !known {
				codes[w] = e.Code
				words = append(words, w)
			}
		}
	}
	var closest []string
	for _, w := range fault.Closest(text, words) {
		if !slices.Contains(closest, codes[w]) {
			closest = append(closest, codes[w])
		}
	}
	return closest
}
