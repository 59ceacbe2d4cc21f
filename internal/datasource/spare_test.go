package datasource

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// TestFewConnectionsStayWarm: where one is needed at a time, it is always the same, and the others are closed after a while.
func TestFewConnectionsStayWarm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		closed := make(chan int, 9)
		s := newSpare(3, func(c int) { closed <- c })
		if _, ok := s.take(); ok {
			t.Error("there is one in an empty pool")
		}
		for c := range 4 {
			s.give(c)
			time.Sleep(time.Second)
		}
		if n := s.count(); n != 3 || <-closed != 3 {
			t.Errorf("%d are kept", n)
		}
		for range 2 * idleTime / time.Minute {
			c, ok := s.take()
			if !ok || c != 2 {
				t.Fatalf("took %d, %t", c, ok)
			}
			s.give(c)
			time.Sleep(time.Minute)
		}
		synctest.Wait()
		if len(closed) != 2 || <-closed != 0 || <-closed != 1 {
			t.Errorf("those that waited too long are not closed in turn")
		}
		s.give(4)
		if all := s.all(); !slices.Equal(all, []int{2, 4}) || s.count() != 0 {
			t.Errorf("all are %v, %d stay", all, s.count())
		}
	})
}
