package service

import (
	"context"
	"fmt"
	"testing"
	"time"

	"parlance/internal/catalog"
)

// TestTheClockJumps: whichever way the clock goes, an answer is never older than it may be, and nothing that was kept is
// kept for longer than it would have been.
func TestTheClockJumps(t *testing.T) {
	for _, jump := range []time.Duration{time.Minute, 25 * time.Hour, 20 * 365 * 24 * time.Hour, -time.Second, -25 * time.Hour, -20 * 365 * 24 * time.Hour} {
		t.Run(jump.String(), func(t *testing.T) {
			r := reuse(t)
			ask := func(wantItems, wantFrom string) {
				t.Helper()
				if items, from := r.ask(t.Context(), t, Caller{}, statuses, QueryOptions{}); items != wantItems || from != wantFrom {
					t.Errorf("got %s from %s, want %s from %s", items, from, wantItems, wantFrom)
				}
			}
			ask(`[{"status":"0"}]`, fromDatabase)
			ask(`[{"status":"0"}]`, fromCache)
			r.source.change()
			*r.clock = r.clock.Add(jump)
			ask(`[{"status":"1"}]`, fromDatabase)
			if jump > 0 {
				ask(`[{"status":"1"}]`, fromCache)
			}
			r.source.change()
			*r.clock = r.clock.Add(-jump) // and back again
			if jump > 0 {
				ask(`[{"status":"2"}]`, fromDatabase)
			}
			*r.clock = r.clock.Add(time.Minute)
			ask(`[{"status":"2"}]`, fromDatabase)
		})
	}
}

func TestMemoForgetsWhatTheClockHasNotReached(t *testing.T) {
	now := time.Date(2024, 12, 31, 12, 0, 0, 0, time.UTC)
	m := newMemo[string, int](func() time.Time { return now })
	computed := 0
	value := func() int {
		v, _ := m.of(t.Context(), "key", func(context.Context) (int, error) {
			computed++
			return computed, nil
		})
		return v
	}
	for range 2 {
		if got := value(); got != 1 {
			t.Fatalf("it does not keep: %d", got)
		}
	}
	now = now.Add(-time.Hour)
	if got := value(); got != 2 {
		t.Errorf("an hour before it was made, %d is kept", got)
	}
	now = now.Add(memoKept + time.Second)
	if got := value(); got != 3 {
		t.Errorf("after its time, %d is kept", got)
	}
}

// TestMemoDropsEarlierGenerations: what was read for models that are served no longer is not kept.
func TestMemoDropsEarlierGenerations(t *testing.T) {
	f := newFacts(time.Now, 0)
	read := func(g *catalog.Generation, model string) {
		f.ranges.of(t.Context(), factKey{generation: g, model: model}, func(context.Context) (*TimeRange, error) { return &TimeRange{}, nil })
	}
	for i := range 100 {
		for _, namespace := range []string{"one", "two"} {
			g := &catalog.Generation{Namespace: namespace, ID: fmt.Sprint(i)}
			read(g, "A")
			read(g, "B")
		}
	}
	if n := len(f.ranges.entries); n != 4 {
		t.Errorf("%d entries are kept, and two models of two namespaces are served", n)
	}
}
