package datasource

import (
	"strings"
	"testing"

	"parlance/test/servers"
)

// TestPlan asks every database that can tell how it would run a statement with an argument.
func TestPlan(t *testing.T) {
	for name, c := range map[string]struct {
		open func(t testing.TB) *Source
		text string
	}{
		"duckdb": {func(t testing.TB) *Source { t.Helper(); return open(t, Config{}) }, "SELECT sum(i) FROM range(100) t(i) WHERE i > ?"},
		"sqlite": {func(t testing.TB) *Source { t.Helper(); return openLite(t, Config{}, "CREATE TABLE t (i INTEGER)") }, "SELECT sum(i) FROM t WHERE i > ?"},
		"postgres": {func(t testing.TB) *Source {
			t.Helper()
			return openAs(t, Config{Type: "postgres", DSN: servers.StartPostgres(t)})
		}, "SELECT sum(i) FROM generate_series(1, 100) AS t(i) WHERE i > $1"},
		"mysql": {func(t testing.TB) *Source {
			t.Helper()
			return openMySQLAt(t, servers.StartMySQL(t), Config{})
		}, "SELECT SUM(seq) FROM seq_1_to_100 WHERE seq > ?"},
	} {
		t.Run(name, func(t *testing.T) {
			s := c.open(t)
			plan, err := s.Plan(t.Context(), c.text, []any{int64(7)})
			if err != nil || plan == "" {
				t.Fatalf("%v: %q", err, plan)
			}
			for _, text := range []string{"DELETE FROM t", "ANALYZE " + c.text, "CREATE TABLE x (i INTEGER)", ""} {
				if plan, err := s.Plan(t.Context(), text, nil); err == nil || strings.Contains(err.Error(), text) && text != "" {
					t.Errorf("%q: %v, %q", text, err, plan)
				}
			}
		})
	}
}
