package tpch

import (
	"errors"
	"os"
	"strconv"
	"testing"
	"time"

	"parlance/internal/fault"
)

// defaultScale has 1,500 orders.
const defaultScale = 0.001

// scale is how large the data is; PARLANCE_SCALE says otherwise.
func scale(t testing.TB) float64 {
	t.Helper()
	text := os.Getenv("PARLANCE_SCALE")
	if text == "" {
		return defaultScale
	}
	s, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatalf("PARLANCE_SCALE: %v", err)
	}
	return s
}

// TestQuestions asks every question on every engine. The answer is that of the SQL by hand on the same engine, and the
// same text on all of them.
func TestQuestions(t *testing.T) {
	tables, list := generate(scale(t)), questions(t)
	for _, table := range broken {
		tables[table.name] = &table
	}
	first := map[string]string{} // the answers of the first engine
	for _, engine := range engines {
		t.Run(engine.name, func(t *testing.T) {
			begun := time.Now()
			p := start(t, engine.open(t), tables)
			t.Logf("filled in %s", time.Since(begun).Round(time.Millisecond))
			p.inspected(t, engine.name)
			for _, q := range list {
				t.Run(q.name, func(t *testing.T) {
					text := p.compared(t, q, q.byHand(t, engine.sql))
					if engine.name == engines[0].name {
						first[q.name] = text
					} else if other, ok := first[q.name]; ok && other != text {
						t.Errorf("%s\n%s: %s", text, engines[0].name, other)
					}
				})
			}
		})
	}
}

// compared asks a question and sends the SQL by hand, and returns the answer to both.
func (p *program) compared(t *testing.T, q question, byHand string) string {
	t.Helper()
	begun := time.Now()
	got, err := p.ask(t.Context(), q)
	if err != nil {
		t.Fatalf("%v (%v)", err, cause(err))
	}
	took := time.Since(begun)
	begun = time.Now()
	hand, err := p.hand(t.Context(), byHand)
	if err != nil {
		t.Fatalf("by hand: %v (%v)", err, cause(err))
	}
	t.Logf("%d rows in %s, by hand in %s", len(hand), took.Round(time.Millisecond), time.Since(begun).Round(time.Millisecond))
	if len(hand) == 0 || hand[0][0] == nil {
		t.Error("nothing was found: the question proves nothing")
	}
	if err := got.same(hand); err != nil {
		t.Error(err)
	}
	return got.text
}

// cause is what the log would say.
func cause(err error) error {
	var f *fault.Error
	if errors.As(err, &f) {
		return f.Cause
	}
	return nil
}
