package datasource

import (
	"slices"
	"testing"
)

// TestFewConnectionsStayWarm: where one is needed at a time, it is always the same.
func TestFewConnectionsStayWarm(t *testing.T) {
	s := newSpare[int](3)
	if _, ok := s.take(); ok {
		t.Error("there is one in an empty pool")
	}
	var kept []bool
	for c := range 4 {
		kept = append(kept, s.give(c))
	}
	if !slices.Equal(kept, []bool{true, true, true, false}) || s.count() != 3 {
		t.Errorf("kept %v, %d in all", kept, s.count())
	}
	for range 5 {
		c, ok := s.take()
		if !ok || c != 2 {
			t.Fatalf("took %d, %t", c, ok)
		}
		s.give(c)
	}
	if all := s.all(); !slices.Equal(all, []int{0, 1, 2}) || s.count() != 0 {
		t.Errorf("all are %v, %d stay", all, s.count())
	}
}
