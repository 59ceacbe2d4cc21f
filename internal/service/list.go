package service

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"parlance/internal/semantic"
)

const (
	maxCard      = 400 // bytes of a routing card as JSON (decision 20)
	maxCaption   = 60  // runes of its caption
	listPatience = 500 * time.Millisecond
)

// ListModels returns a routing card for every model that the caller may see.
func (s *Service) ListModels(ctx context.Context, c Caller) (*ModelList, error) {
	v, err := s.view(c)
	if err != nil {
		return nil, err
	}
	s.note(ctx, v)
	models := v.models()
	list := &ModelList{Namespace: v.caller.Namespace, Models: make([]ModelCard, len(models))}
	ctx, cancel := context.WithTimeout(ctx, listPatience)
	defer cancel()
	var wg sync.WaitGroup
	ranges := make([]*TimeRange, len(models))
	for i, m := range models {
		wg.Go(func() { ranges[i] = s.timeRange(ctx, v, m) })
	}
	wg.Wait()
	for i, m := range models {
		list.Models[i] = card(m, ranges[i])
	}
	return list, nil
}

// Warm reads what listings and questions need of the data of a namespace, so that the first caller need not wait.
func (s *Service) Warm(ctx context.Context, c Caller) error {
	v, err := s.view(c)
	if err != nil {
		return err
	}
	for _, m := range v.models() {
		s.timeRange(ctx, v, m)
		s.vocabulary(ctx, v, m)
	}
	return ctx.Err()
}

// card makes the routing card of a model; its description is cut where the card would grow too large.
func card(m seen, r *TimeRange) ModelCard {
	c := ModelCard{Name: m.Name, Caption: shorten(m.Caption, maxCaption), TimeRange: r}
	dimensions := map[*semantic.Dimension]bool{}
	for _, f := range m.fields {
		if f.Kind == semantic.MeasureKind {
			c.Measures++
		}
		if f.Dimension != nil {
			dimensions[f.Dimension] = true
		}
	}
	c.Dimensions = len(dimensions)
	c.Description = m.Description
	for runes := utf8.RuneCountInString(c.Description); size(c) >= maxCard && runes > 0; runes -= max(1, runes/10) {
		c.Description = shorten(m.Description, runes)
	}
	return c
}

func size(c ModelCard) int {
	encoded, err := json.Marshal(c)
	if err != nil {
		return 0
	}
	return len(encoded)
}

// shorten cuts text to at most n runes, at a blank if one is near, and marks the cut.
func shorten(text string, n int) string {
	runes := []rune(text)
	if len(runes) <= n {
		return text
	}
	kept := string(runes[:max(n-1, 0)])
	if blank := strings.LastIndexByte(kept, ' '); blank > len(kept)*2/3 {
		kept = kept[:blank]
	}
	return strings.TrimRight(kept, " ,;:.") + "…"
}
