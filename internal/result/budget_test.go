package result

import (
	"strings"
	"testing"

	"parlance/internal/fault"
	"parlance/internal/value"
)

// filled returns an encoder with so many rows of a kilobyte, or the error of the row that had no room.
func filled(b *Budget, owner string, rows int) (*Encoder, error) {
	e := NewEncoder([]Column{{Key: "a", Type: value.Type{Kind: value.String}}}, Compact)
	e.Within(b, owner)
	row := []any{strings.Repeat("x", 1020)}
	for range rows {
		if err := e.Row(row); err != nil {
			return e, err
		}
	}
	return e, nil
}

func TestBudget(t *testing.T) {
	b := NewBudget(2 << 20)
	small, err := filled(b, "ann", 10)
	if err != nil || b.Used() != 0 {
		t.Fatalf("ten rows: %v, %d bytes", err, b.Used())
	}
	small.Release()
	first, err := filled(b, "ann", 400)
	if err != nil || b.Used() < 400<<10 || b.Used() > 2<<20 {
		t.Fatalf("400 rows: %v, %d bytes", err, b.Used())
	}
	held := b.Used()
	second, err := filled(b, "ann", 1200)
	if f := fault.As(err); err == nil || f.Reason != "overloaded" || !f.Retryable {
		t.Errorf("beside them 1200: %v", err)
	}
	second.Release()
	if b.Used() != held {
		t.Errorf("what was refused is still counted: %d bytes, %d", b.Used(), held)
	}
	first.Release()
	if b.Used() != 0 {
		t.Errorf("%d bytes of nobody", b.Used())
	}
	whole, err := filled(b, "ann", 3000)
	if f := fault.As(err); err == nil || f.Reason != "result_too_large" || f.Retryable {
		t.Errorf("more than all: %v", err)
	}
	whole.Release()
	if b.Used() != 0 {
		t.Errorf("%d bytes of nobody", b.Used())
	}
	var none *Budget
	if e, err := filled(none, "ann", 3000); err != nil || none.Used() != 0 || e.Len() != 3000 {
		t.Errorf("no budget: %v", err)
	}
}

// TestBudgetIsFair: whoever holds as much as one may, others find room, each less than the one before and never none; and
// who gave back may have again only what is his part by then.
func TestBudgetIsFair(t *testing.T) {
	const kb = 1 << 10
	b := NewBudget(1024 * kb)
	grab := func(owner string) (had int64) {
		for b.take(owner, kb, kb) == nil {
			had += kb
		}
		return had
	}
	for _, step := range []struct {
		owner string
		had   int64
	}{{"ann", 768}, {"bob", 192}, {"cid", 48}, {"dan", 12}, {"eve", 3}, {"ann", 0}, {"bob", 0}} {
		if had := grab(step.owner); had != step.had*kb {
			t.Errorf("%s had %d KB, want %d", step.owner, had/kb, step.had)
		}
	}
	b.give("ann", 768*kb)
	if had := grab("bob"); had != 528*kb { // 720 in all: beside the 63 of the others that leaves 241, a third of it
		t.Errorf("bob had %d KB more", had/kb)
	}
	if had := grab("ann"); had != 180*kb {
		t.Errorf("ann had %d KB again", had/kb)
	}
	for owner, n := range b.held {
		b.give(owner, n)
	}
	if b.Used() != 0 || len(b.held) != 0 {
		t.Errorf("%d bytes of %d owners", b.Used(), len(b.held))
	}
}
