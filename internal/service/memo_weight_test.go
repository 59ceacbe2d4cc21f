package service

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"
)

func TestAnOldValueServesWhileItIsComputedAgain(t *testing.T) {
	c := &clock{now: time.Date(2024, 12, 31, 0, 0, 0, 0, time.UTC)}
	m := newMemo[string, int](c.time)
	m.kept, m.grace = time.Minute, time.Hour
	computed := make(chan func() (int, error), 1)
	done := make(chan struct{}, 1)
	get := func() (int, bool) {
		return m.of(t.Context(), "k", func(context.Context) (int, error) {
			v, err := (<-computed)()
			done <- struct{}{}
			return v, err
		})
	}
	computed <- func() (int, error) { return 1, nil }
	if v, ok := get(); v != 1 || !ok {
		t.Fatalf("got %d, %v", v, ok)
	}
	<-done
	c.pass(2 * time.Minute)
	for range 3 { // the new value is held back, and only one computation waits for it
		if v, ok := get(); v != 1 || !ok {
			t.Fatalf("while it is computed again: %d, %v", v, ok)
		}
	}
	computed <- func() (int, error) { return 2, nil }
	<-done
	await(t, func() bool { v, _ := get(); return v == 2 })

	c.pass(2 * time.Minute)
	computed <- func() (int, error) { return 0, errors.New("gone") }
	if v, ok := get(); v != 2 || !ok {
		t.Errorf("where it fails: %d, %v", v, ok)
	}
	<-done
	computed <- func() (int, error) { return 3, nil } // and it is tried again
	await(t, func() bool { v, _ := get(); return v == 3 })
	<-done

	c.pass(2 * time.Hour)
	computed <- func() (int, error) { return 4, nil }
	if v, ok := get(); v != 4 || !ok {
		t.Errorf("beyond the grace: %d, %v", v, ok)
	}
}

// await gives what runs beside a test the time that it takes.
func await(t *testing.T, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it never holds")
		}
	}
}

func TestValuesAreBoundedByTheirWeight(t *testing.T) {
	m := newMemo[int, int](time.Now)
	m.most, m.weigh = 100, func(v int) int { return v }
	for i := range 50 {
		m.of(t.Context(), i, func(context.Context) (int, error) { return 30, nil })
		await(t, func() bool { // settled
			m.mu.Lock()
			defer m.mu.Unlock()
			return m.entries[i].weight == 30
		})
		if m.weight > 100 || m.weight != 30*len(m.entries) {
			t.Fatalf("%d entries weigh %d", len(m.entries), m.weight)
		}
	}
	if v, ok := m.of(t.Context(), 99, func(context.Context) (int, error) { return 500, nil }); v != 500 || !ok {
		t.Errorf("one that is too heavy alone: %d, %v", v, ok)
	}
	await(t, func() bool {
		m.mu.Lock()
		defer m.mu.Unlock()
		return m.weight == 500 && len(m.entries) == 1
	})
}

func TestAModelsValuesAreBounded(t *testing.T) {
	many := func(n int) []string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprint(i)
		}
		return list
	}
	got := bounded(map[string][]string{"a": many(30_000), "b": many(25_000), "c": many(10)})
	if len(got) != 2 || got["a"] != nil || len(got["b"]) != 25_000 || len(got["c"]) != 10 {
		t.Errorf("%d fields are left", len(got))
	}
}
