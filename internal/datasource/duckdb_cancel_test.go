package datasource

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"
)

// lateCancel is a context that ends when it is asked for the nth time: between two steps of a driver that looks.
type lateCancel struct {
	context.Context
	left   atomic.Int32
	cancel context.CancelFunc
}

func (c *lateCancel) Err() error {
	if c.left.Add(-1) == 0 {
		c.cancel()
	}
	return c.Context.Err()
}

// TestACancelBetweenTwoStepsEndsTheStatement cancels an endless statement at every step that the driver takes before it
// waits for rows, and while it waits. Each time the connection must be of use again: nothing goes on running behind it.
func TestACancelBetweenTwoStepsEndsTheStatement(t *testing.T) {
	s, err := Open(t.Context(), "x", Config{Type: "duckdb", MaxConns: 1}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	db := s.engine.(*duckDB)
	for step := int32(1); step <= 8; step++ {
		inner, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		ctx := &lateCancel{Context: inner, cancel: cancel}
		ctx.left.Store(step)
		if rows, err := db.query(ctx, endless, nil); err == nil {
			rows.close()
			t.Errorf("step %d: an endless statement has rows", step)
		}
		cancel()
		rows, err := db.query(t.Context(), "select 1", nil)
		if err != nil {
			t.Fatalf("step %d: %v", step, err)
		}
		rows.close()
	}
}
