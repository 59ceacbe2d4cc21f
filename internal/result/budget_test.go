package result

import (
	"strings"
	"testing"

	"parlance/internal/fault"
	"parlance/internal/value"
)

// filled returns an encoder with so many rows of a kilobyte, or the error of the row that had no room.
func filled(b *Budget, rows int) (*Encoder, error) {
	e := NewEncoder([]Column{{Key: "a", Type: value.Type{Kind: value.String}}}, Compact)
	e.Within(b)
	row := []any{strings.Repeat("x", 1020)}
	for range rows {
		if err := e.Row(row); err != nil {
			return e, err
		}
	}
	return e, nil
}

func TestBudget(t *testing.T) {
	b := NewBudget(1 << 20)
	small, err := filled(b, 10)
	if err != nil || b.Used() != 0 {
		t.Fatalf("ten rows: %v, %d bytes", err, b.Used())
	}
	small.Release()
	first, err := filled(b, 400)
	if err != nil || b.Used() < 400<<10 || b.Used() > 1<<20 {
		t.Fatalf("400 rows: %v, %d bytes", err, b.Used())
	}
	held := b.Used()
	second, err := filled(b, 700)
	if f := fault.As(err); err == nil || f.Reason != "overloaded" || !f.Retryable {
		t.Errorf("beside them 700: %v", err)
	}
	second.Release()
	if b.Used() != held {
		t.Errorf("what was refused is still counted: %d bytes, %d", b.Used(), held)
	}
	first.Release()
	if b.Used() != 0 {
		t.Errorf("%d bytes of nobody", b.Used())
	}
	whole, err := filled(b, 3000)
	if f := fault.As(err); err == nil || f.Reason != "result_too_large" || f.Retryable {
		t.Errorf("more than all: %v", err)
	}
	whole.Release()
	if b.Used() != 0 {
		t.Errorf("%d bytes of nobody", b.Used())
	}
	var none *Budget
	if e, err := filled(none, 3000); err != nil || none.Used() != 0 || e.Len() != 3000 {
		t.Errorf("no budget: %v", err)
	}
}
