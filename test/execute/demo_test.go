package execute

import (
	"context"
	"strings"
	"testing"
	"time"

	"parlance/internal/demo"
	"parlance/models"
)

// TestDemo loads the whole embedded demo into the engine that PARLANCE_ENGINE names, and asks it and DuckDB the same
// questions.
func TestDemo(t *testing.T) {
	if name := chosenEngine(); name == "" || name == "duckdb" {
		t.Skip("SKIPPED: PARLANCE_ENGINE names no engine beside DuckDB; the demo's answers from every database are held by internal/app")
	}
	eachEngine(t, func(t *testing.T, e *engine) {
		t.Helper()
		p, err := wholeDemo(t.Context(), t, e)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := p.close(); err != nil {
				t.Error(err)
			}
		})
		for _, q := range demoCollection(t).queries {
			if q.summary {
				continue
			}
			start := time.Now()
			verdict, why := p.unlikeDuckDB(t.Context(), p.generation.ByName[q.model], q.payload)
			t.Logf("%s: %s %s", time.Since(start).Round(time.Millisecond), q.model, q.payload)
			if verdict == differed && !strings.Contains(why, "unsupported_by_datasource") {
				t.Errorf("%s %s\n%s", q.model, q.payload, why)
			}
		}
	})
}

func wholeDemo(ctx context.Context, t *testing.T, e *engine) (*pipeline, error) {
	t.Helper()
	var tables []table
	for _, d := range demo.Tables() {
		tables = append(tables, demoTable(d, 0))
	}
	start := time.Now()
	p, err := e.world(ctx, tables, models.Default(), "2024-12-31")
	t.Logf("loaded in %s", time.Since(start).Round(time.Millisecond))
	return p, err
}
