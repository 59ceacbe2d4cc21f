package service

import (
	"parlance/internal/compile"
	"parlance/internal/jsontree"
	"parlance/internal/query"
)

// examples returns the model's examples that the caller could run: the resolver decides, as for any query.
func (s *Service) examples(t target) []Example {
	runnable := []Example{}
	for _, e := range t.Examples {
		tree, err := jsontree.Parse([]byte(e.Payload))
		if err != nil {
			continue
		}
		q, err := query.Decode(tree, query.DecodeOptions{Limits: s.Payload})
		if err != nil {
			continue
		}
		compiled, err := compile.Query(s.request(t, q, 0, s.Now()))
		if err != nil || len(compiled.Masked) > 0 {
			continue // its own values may be those that a mask keeps back
		}
		runnable = append(runnable, Example{Question: e.Question, Payload: Raw(e.Payload)})
	}
	return runnable
}
