package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"parlance/internal/semantic"
)

const (
	listedModels = 50  // of a listing that names no limit
	maxCard      = 400 // bytes of a routing card as JSON (decision 20)
	maxCaption   = 60  // runes of its caption
	listPatience = 500 * time.Millisecond
)

// ListModels returns routing cards of the models that the caller may see: all of them where they are few, a page of them
// otherwise, or those that have the words searched for.
func (s *Service) ListModels(ctx context.Context, c Caller, o ListOptions) (*ModelList, error) {
	v, err := s.view(c)
	if err != nil {
		return nil, err
	}
	s.note(ctx, v)
	found := slices.Concat(v.models(), v.waiting())
	if o.Search != "" {
		found = relevant(found, o.Search)
	}
	if o.Limit <= 0 {
		o.Limit = listedModels
	}
	first := min(max(o.Start, 0), len(found))
	page := found[first:min(first+o.Limit, len(found))]
	list := &ModelList{Namespace: v.caller.Namespace, Models: s.cards(ctx, v, page)}
	list.place(o, len(found))
	return list, nil
}

// cards makes the routing cards of models. What the data cannot tell in time is left out.
func (s *Service) cards(ctx context.Context, v view, models []seen) []ModelCard {
	ctx, cancel := context.WithTimeout(ctx, listPatience)
	defer cancel()
	var wg sync.WaitGroup
	ranges := make([]*TimeRange, len(models))
	for i, m := range models {
		wg.Go(func() { ranges[i] = s.timeRange(ctx, v, m) })
	}
	wg.Wait()
	cards := make([]ModelCard, len(models))
	for i, m := range models {
		cards[i] = card(m, ranges[i])
	}
	return cards
}

// place says where a page stands among the models found, if it is not all that there is.
func (l *ModelList) place(o ListOptions, found int) {
	end := o.Start + len(l.Models)
	more := end < found
	if o.Search == "" && o.Start == 0 && !more {
		return
	}
	l.Total = &found
	switch {
	case more:
		l.Next = &Next{Start: end, Limit: o.Limit}
		l.Hint = fmt.Sprintf("%d of %d models are here. Narrow them with search, such as a word of the question; next reads on.", len(l.Models), found)
	case found == 0:
		l.Hint = "No model has these words. Search for one word of the business, or list the models without search."
	case len(l.Models) == 0:
		l.Hint = fmt.Sprintf("start lies behind the last of %d models.", found)
	}
}

// Warm reads what listings and questions need of the data of a namespace, so that the first caller need not wait.
func (s *Service) Warm(ctx context.Context, c Caller) error {
	v, err := s.view(c)
	if err != nil {
		return err
	}
	var g errgroup.Group
	g.SetLimit(warmedAtOnce)
	for _, m := range v.models() {
		g.Go(func() error {
			return guarded(func() error {
				s.timeRange(ctx, v, m)
				s.vocabulary(ctx, v, m)
				return nil
			})
		})
	}
	return errors.Join(g.Wait(), ctx.Err())
}

// warmedAtOnce is how many models are read at a time, so that callers find the databases free and little is held at once.
const warmedAtOnce = 4

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
