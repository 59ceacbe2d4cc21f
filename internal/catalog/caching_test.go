package catalog

import (
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/semantic"
)

// cached loads two models and one of both, each with what stands for its cache.
func cached(t *testing.T, base semantic.Caching, a, b, both string) (map[string]*semantic.Model, []Problem) {
	t.Helper()
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	model := func(name, cache string) string {
		return "model: " + name + "\nsource: {table: t, key: [id]}\n" + cache + `
dimensions: [{name: day, table: d, join: {d: d}, id: d, label: l}]
measures: [{name: n` + name + `, agg: count}]
`
	}
	g, problems := Load(t.Context(), Options{Namespace: "x", Datasource: "db", Cache: base, FS: fstest.MapFS{
		"a.yaml": file(model("A", a)), "b.yaml": file(model("B", b)),
		"c.yaml": file("model: C\nfacts: [A, B]\nshare: {day: day}\nmeasures: [nA, nB]\n" + both),
	}})
	if g == nil {
		return nil, problems
	}
	return g.ByName, problems
}

func TestCaching(t *testing.T) {
	minute, max := semantic.Caching{TTL: time.Minute}, "select max(at) from t"
	asked := []semantic.Refresh{{SQL: max, Every: 10 * time.Second}}
	for _, c := range []struct {
		name       string
		base       semantic.Caching
		a, b, both string
		want       [3]semantic.Caching
	}{
		{"nothing", semantic.Caching{}, "", "", "", [3]semantic.Caching{}},
		{"the namespace's", minute, "", "", "", [3]semantic.Caching{minute, minute, minute}},
		{"its own", minute, "cache: {ttl: 5m}", "cache: {ttl: 0s}", "", [3]semantic.Caching{{TTL: 5 * time.Minute}, {}, {}}},
		{"a statement with the namespace's time", minute, "cache: {refresh_sql: " + max + "}", "", "",
			[3]semantic.Caching{{TTL: time.Minute, Refresh: asked}, minute, {TTL: time.Minute, Refresh: asked}}},
		{"the strictest of both", minute, "cache: {ttl: 30s}", "cache: {ttl: 2h, refresh_sql: " + max + ", refresh_every: 10s}", "",
			[3]semantic.Caching{{TTL: 30 * time.Second}, {TTL: 2 * time.Hour, Refresh: asked}, {TTL: 30 * time.Second, Refresh: asked}}},
		{"what both says of itself", semantic.Caching{}, "", "", "cache: {ttl: 1m}", [3]semantic.Caching{{}, {}, minute}},
	} {
		models, problems := cached(t, c.base, c.a, c.b, c.both)
		if len(problems) > 0 {
			t.Errorf("%s: %v", c.name, problems)
			continue
		}
		if diff := cmp.Diff(c.want, [3]semantic.Caching{models["A"].Cache, models["B"].Cache, models["C"].Cache}); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func TestCachingRefusals(t *testing.T) {
	for cache, want := range map[string]string{
		"cache: {ttl: soon}":                                  `a.yaml:3:14: "soon" is not a duration such as 30s, 1m30s or 500ms`,
		"cache: {ttl: -1s}":                                   `a.yaml:3:14: "-1s" is not a duration such as 30s, 1m30s or 500ms`,
		"cache: {refresh_sql: select 1}":                      `a.yaml:3:22: "refresh_sql" needs a "ttl" of the model or of its namespace`,
		`cache: {ttl: 1m, refresh_sql: "select 1;"}`:          `a.yaml:3:31: refresh_sql must be one statement without a semicolon, such as select max(updated_at) from orders`,
		"cache: {ttl: 1m, refresh_every: 1s}":                 `a.yaml:3:33: "refresh_every" goes with "refresh_sql"`,
		"cache: {ttl: 1m, refresh_sql: a, refresh_every: 0s}": `a.yaml:3:49: "0s" is not a duration such as 30s, 1m30s or 500ms`,
		"cache: {tll: 1m}":                                    `a.yaml:3:9: unknown key "tll" in a cache; did you mean "ttl"?`,
	} {
		_, problems := cached(t, semantic.Caching{}, cache, "", "")
		var texts []string
		for _, p := range problems {
			texts = append(texts, p.String())
		}
		if got := strings.Join(texts, "\n"); got != want {
			t.Errorf("%s:\n%s\nwant %s", cache, got, want)
		}
	}
}
