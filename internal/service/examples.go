package service

import (
	"parlance/internal/compile"
	"parlance/internal/jsontree"
	"parlance/internal/query"
)

// wantedExamples is how many examples a description has at least, where the caller's grant leaves anything to ask.
const wantedExamples = 2

// examples returns the model's examples that the caller could run, the resolver deciding as for any query. Where the
// author's are too few, some are made up from the fields that the caller sees.
func (s *Service) examples(t target) []Example {
	runnable := []Example{}
	for _, e := range t.Examples {
		if s.runnable(t, e.Payload) {
			runnable = append(runnable, Example{Question: e.Question, Payload: Raw(e.Payload)})
		}
	}
	for _, suggest := range []func(seen) *Example{topMembers, overTime, countsOf, firstRows} {
		if len(runnable) >= wantedExamples {
			break
		}
		if e := suggest(t.seen); e != nil && s.runnable(t, string(e.Payload)) {
			runnable = append(runnable, *e)
		}
	}
	return runnable
}

// runnable reports whether the caller could run a payload. One that a mask changes is none: its own values may be those
// that the mask keeps back.
func (s *Service) runnable(t target, payload string) bool {
	tree, err := jsontree.Parse([]byte(payload))
	if err != nil {
		return false
	}
	q, err := query.Decode(tree, query.DecodeOptions{Limits: s.Payload})
	if err != nil {
		return false
	}
	compiled, err := compile.Query(s.request(t, q, 0, s.Now()))
	return err == nil && len(compiled.Masked) == 0
}
