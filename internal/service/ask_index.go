package service

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"parlance/internal/question"
)

const (
	modelValues       = 50_000    // that questions know of one model, for one grant
	defaultIndexBytes = 256 << 20 // that all of them take, for all grants
	indexTime         = 2 * time.Minute
	indexGrace        = 15 * time.Minute // that the words of before are used while they are read again
	valueOverhead     = 32               // bytes of a value beside its text
	wordOverhead      = 400              // bytes of a value's words beside its text
)

// wordIndex is a vocabulary with what it weighs, about.
type wordIndex struct {
	*question.Vocabulary
	weight int
}

// vocabulary returns the words by which the caller can speak of a model, or nil when they are not read in time. They are
// read in the background, under the caller's grant and for it alone.
func (s *Service) vocabulary(ctx context.Context, v view, m seen) *question.Vocabulary {
	words, _ := s.facts.words.of(ctx, factKey{v.generation, m.Name, m.grant.Key()}, func(ctx context.Context) (wordIndex, error) {
		values := s.known(ctx, v, m)
		return wordIndex{question.Index(m.Model, m.grant, values), weightOfWords(values, len(m.fields))}, ctx.Err()
	})
	return words.Vocabulary
}

// bounded leaves out the fields of most values until the rest is no more than questions may know of a model.
func bounded(values map[string][]string) map[string][]string {
	total := 0
	for _, list := range values {
		total += len(list)
	}
	names := slices.SortedFunc(maps.Keys(values), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(values[b]), len(values[a])), cmp.Compare(a, b))
	})
	for _, name := range names {
		if total <= modelValues {
			break
		}
		total -= len(values[name])
		delete(values, name)
	}
	return values
}

func weightOfValues(values map[string][]string) int {
	bytes := 0
	for _, list := range values {
		for _, text := range list {
			bytes += len(text) + valueOverhead
		}
	}
	return bytes
}

func weightOfWords(values map[string][]string, fields int) int {
	bytes := fields * 4 * wordOverhead
	for _, list := range values {
		for _, text := range list {
			bytes += 2*len(text) + wordOverhead
		}
	}
	return bytes
}
