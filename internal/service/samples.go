package service

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"

	"parlance/internal/access"
	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

const (
	knownValues   = 5000 // a field with more distinct values has none that questions know
	fewValues     = 50   // a field with more has no samples: they would say little
	shownSamples  = 10
	sampledFields = 40
)

// sampleValues returns some values of every field that has few of them.
func (s *Service) sampleValues(ctx context.Context, v view, m seen) map[string][]string {
	samples := map[string][]string{}
	for field, values := range s.known(ctx, v, m) {
		if len(values) <= fewValues {
			samples[field] = values[:min(len(values), shownSamples)]
		}
	}
	return samples
}

// known returns the values of every field that has not too many; fields that cannot be read are left out.
func (s *Service) known(ctx context.Context, v view, m seen) map[string][]string {
	values, _ := s.facts.values.of(ctx, factKey{v.generation, m.Name, m.grant.Key()}, func(ctx context.Context) (map[string][]string, error) {
		found := map[string][]string{}
		var mu sync.Mutex
		var g errgroup.Group
		for _, f := range sampled(m) {
			g.Go(func() error {
				return guarded(func() error {
					values := s.distinct(ctx, v, m, f, knownValues)
					mu.Lock()
					defer mu.Unlock()
					if len(values) > 0 {
						found[f.Name] = values
					}
					return nil
				})
			})
		}
		if err := g.Wait(); err != nil {
			return nil, err
		}
		return bounded(found), ctx.Err()
	})
	return values
}

// sampled returns the fields worth sampling: texts that speak for themselves and that the caller sees unmasked.
func sampled(m seen) []*semantic.Field {
	var fields []*semantic.Field
	for _, f := range m.fields {
		speaks := (f.Role == semantic.Plain || f.Role == semantic.Label) && !f.Tree
		if speaks && f.Type.Kind == value.String && f.Dictionary == nil && m.grant.Field(f) == access.Visible {
			fields = append(fields, f)
		}
	}
	return fields[:min(len(fields), sampledFields)]
}

// distinct returns the values of a field, or none when there are more than few or it cannot be read.
func (s *Service) distinct(ctx context.Context, v view, m seen, f *semantic.Field, few int) []string {
	q := &query.Query{
		Columns: []query.Column{{Expr: &query.Ref{Name: f.Name}, Text: f.Name}},
		GroupBy: []query.Group{{Field: f.Name}},
	}
	rows, err := s.values(ctx, v, m, q, int64(few)+1)
	if err != nil || len(rows) > few {
		return nil
	}
	var values []string
	for _, row := range rows {
		if row[0] != "" {
			values = append(values, row[0])
		}
	}
	return values
}
