package datasource

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"parlance/internal/fault"
	"parlance/internal/stage"
)

// gated is a source that nothing can be asked but places.
func gated(places, queue int) *Source {
	s := &Source{name: "x", gate: newGate(places, queue, 0), timeout: time.Minute, log: slog.New(slog.DiscardHandler)}
	s.life, s.stop = context.WithCancelCause(context.Background())
	return s
}

// TestStatementsOfOneQuery: side by side while places are free, else in turn; never refused for those who wait.
func TestStatementsOfOneQuery(t *testing.T) {
	s := gated(2, 1)
	ctx, done, err := s.Admit(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	first, err := s.enter(ctx)
	if err != nil {
		t.Fatal(err)
	}
	second, err := s.enter(ctx)
	if err != nil || s.Stats() != (Stats{Running: 2}) {
		t.Fatalf("%v %+v", err, s.Stats())
	}
	third := make(chan func())
	go func() {
		leave, err := s.enter(ctx)
		if err != nil {
			t.Error(err)
		}
		third <- leave
	}()
	go func() { _, _, _ = s.Admit(t.Context(), "b") }()
	eventually(t, "another query waits", func() bool { return s.Stats() == Stats{Running: 2, Waiting: 1} })
	second() // its place goes to who waits at the gate
	eventually(t, "the other query runs", func() bool { return s.Stats() == Stats{Running: 2} })
	select {
	case <-third:
		t.Fatal("a third statement has a place of its own")
	default:
	}
	first()
	(<-third)()
	done()
	if s.Stats() != (Stats{Running: 1}) {
		t.Errorf("%+v", s.Stats())
	}
}

// TestAPlaceIsKeptForWhatStillRuns: a query that is over gives its place back when the database has let go of its
// statements, and not before.
func TestAPlaceIsKeptForWhatStillRuns(t *testing.T) {
	s := gated(1, 0)
	ctx, done, err := s.Admit(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	leave, err := s.enter(ctx)
	if err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := s.enter(gone); fault.As(err).Reason != "cancelled" {
		t.Errorf("%v", err)
	}
	done()
	if _, _, err := s.Admit(t.Context(), "a"); fault.As(err).Reason != "overloaded" || !fault.As(err).Retryable {
		t.Errorf("%v", err)
	}
	leave()
	if s.Stats() != (Stats{}) {
		t.Errorf("%+v", s.Stats())
	}
	if leave, err = s.enter(ctx); err != nil || s.Stats() != (Stats{Running: 1}) {
		t.Errorf("a statement after the end takes a place of its own: %v", err)
	}
	leave()
}

// TestNobodyWaitsForEver: who finds no place in ten seconds is refused, though statements may take longer.
func TestNobodyWaitsForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := gated(1, 5)
		_, done, err := s.Admit(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		if _, _, err := s.Admit(t.Context(), "b"); fault.As(err).Reason != "overloaded" || time.Since(begun) != maxWait {
			t.Errorf("%v after %s", err, time.Since(begun))
		}
		done()
		s.stop(errClosing)
		synctest.Wait()
	})
}

// waits are the times that requests stood in the queue.
type waits []time.Duration

func (w *waits) Spent(s stage.Stage, _ time.Time, took time.Duration) {
	if s == stage.Queue {
		*w = append(*w, took)
	}
}

// TestTheWaitForAPlaceIsTimed: a query waits where it is admitted; its statements, which have its place, wait no more.
func TestTheWaitForAPlaceIsTimed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := gated(1, 5)
		_, done, err := s.Admit(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(3*time.Second, done)
		var seen waits
		ctx, end, err := s.Admit(stage.With(t.Context(), &seen), "b")
		if err != nil {
			t.Fatal(err)
		}
		leave, err := s.enter(ctx)
		if err != nil {
			t.Fatal(err)
		}
		leave()
		end()
		if len(seen) != 1 || seen[0] != 3*time.Second {
			t.Errorf("waited %v", seen)
		}
		s.stop(errClosing)
		synctest.Wait()
	})
}
