package compile_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/rogpeppe/go-internal/txtar"

	"parlance/internal/access"
	"parlance/internal/compile"
	"parlance/internal/fault"
	"parlance/internal/query"
	"parlance/internal/semantic"
)

// corpus is every payload of the golden files, those that are refused too.
func corpus(tb testing.TB) (cases []goldenCase) {
	tb.Helper()
	models := shop(tb)
	for _, folder := range []string{"statements", "refusals"} {
		files, err := filepath.Glob("testdata/" + folder + "/*.txtar")
		if err != nil || len(files) == 0 {
			tb.Fatal(folder, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				tb.Fatal(err)
			}
			for _, f := range txtar.Parse(data).Files {
				name, section, _ := strings.Cut(f.Name, "/")
				if m := models[strings.TrimSuffix(section, ".json")]; m != nil {
					cases = append(cases, goldenCase{name: filepath.Base(file) + "/" + name, model: m, payload: f.Data})
				}
			}
		}
	}
	return cases
}

// pools are the values that stand for those of a payload: few, so that some are equal, and of every class.
var pools = map[query.LiteralKind][]string{
	query.StringLiteral: {"A", "B", "PAID", "G", "it's", `50%_\.(`, "É", "é", "", "12", "-7", "2024-03-05", "2024-Q1", "today", "true", "1e2", "last 3 days"},
	query.NumberLiteral: {"0", "1", "2", "-5", "42", "7.5", "-0", "1e3", "007", "999999999999999999", "-999999999999999999", "1000000000000000000", "99999999999999999999999", "2024"},
	query.BoolLiteral:   {"true", "false"},
	query.NullLiteral:   {""},
}

// varied returns a query with other values in its conditions, most of them of the same kind.
func varied(r *rand.Rand, list []query.Condition) []query.Condition {
	other := func(v query.Scalar) query.Scalar {
		if r.IntN(20) == 0 {
			v.Kind = query.LiteralKind(r.IntN(4))
		}
		pool := pools[v.Kind]
		return query.Scalar{Kind: v.Kind, Text: pool[r.IntN(len(pool))]}
	}
	out := make([]query.Condition, len(list))
	for i, c := range list {
		switch c := c.(type) {
		case *query.Compare:
			changed := *c
			switch v := c.Value.(type) {
			case query.Scalar:
				changed.Value = other(v)
			case query.List:
				l := make(query.List, len(v))
				for i := range v {
					l[i] = other(v[i])
				}
				changed.Value = l
			}
			out[i] = &changed
		case *query.Logic:
			changed := *c
			changed.Conds = varied(r, c.Conds)
			out[i] = &changed
		case *query.ExprCondition:
			out[i] = c
		}
	}
	return out
}

// more are conditions that are put beside those of a payload now and then; the model may lack the field, which is
// refused either way.
func more(r *rand.Rand) []query.Condition {
	fields := []string{"status", "channel", "customer$tier", "customer$id", "product$brand", "qty", "amount", "orderNo", "placedAt", "day$year", "buyers", "no"}
	ops := []query.Op{query.Equal, query.NotEqual, query.StrictEqual, query.Greater, query.LessEqual, query.InList, query.NotInList, query.Contains, query.RightOpenInterval, query.BitsSet}
	var list []query.Condition
	for range r.IntN(3) {
		op := ops[r.IntN(len(ops))]
		text := query.Scalar{Kind: query.StringLiteral, Text: "A"}
		number := query.Scalar{Kind: query.NumberLiteral, Text: "1"}
		c := &query.Compare{Field: &query.Ref{Name: fields[r.IntN(len(fields))]}, Op: op, Value: text, Path: "slice[9]"}
		if r.IntN(2) == 0 {
			c.Value = number
		}
		switch op {
		case query.InList, query.NotInList:
			c.Value = query.List{text, number, text}[:1+r.IntN(3)]
		case query.RightOpenInterval:
			c.Value = query.List{number, number}
		}
		list = append(list, c)
	}
	return list
}

// TestCachedEqualsCompiled: whatever values a query has, the cache gives what a fresh compilation gives: statements,
// arguments, words, refusals; for every payload of the golden files, on every database, under two grants.
func TestCachedEqualsCompiled(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	var stats compile.CacheStats
	for _, c := range corpus(t) {
		q, err := decode(c.json())
		if err != nil {
			continue
		}
		cache := compile.NewCache(10_000)
		for _, extra := range [][]query.Condition{nil, more(r), more(r)} {
			d, grant := dialects[r.IntN(len(dialects))], access.For(access.Identity{}, c.model)
			if r.IntN(2) == 0 {
				grant = ruled(c.model)
			}
			for range 6 {
				varying := *q
				varying.Slice = varied(r, append(extra[:len(extra):len(extra)], q.Slice...))
				varying.Having = varied(r, q.Having)
				req := request(c.model, &varying, d.dialect)
				req.Grant = grant
				compare(t, c.name+" on "+d.name, cache, req, strings.HasPrefix(c.name, "kpi"))
			}
		}
		s := cache.Stats()
		stats.Hits, stats.Misses = stats.Hits+s.Hits, stats.Misses+s.Misses
	}
	if stats.Hits < 1000 || stats.Misses < 1000 {
		t.Errorf("%+v: too few hits or misses to mean anything", stats)
	}
	t.Logf("%+v", stats)
}

// ruled is the grant of somebody who sees the rows of one status only, where the model has it.
func ruled(m *semantic.Model) access.Grant {
	narrowed := *m
	if f := m.Field("status"); f != nil && m.Multi == nil {
		narrowed.Access = &semantic.Policy{Rows: []semantic.RowRule{{Keeps: semantic.RowCondition{
			Field: f, Op: query.Equal, Values: query.List{{Kind: query.StringLiteral, Text: "A"}},
		}}}}
	}
	return access.For(access.Identity{}, &narrowed)
}

func compare(t *testing.T, name string, cache *compile.Cache, req compile.Request, kpi bool) {
	t.Helper()
	fresh, again := compile.Query, cache.Query
	if kpi {
		fresh, again = compile.Summarize, cache.Summarize
	}
	want, wantErr := fresh(req)
	for range 3 { // met once, met again, known
		got, err := again(req)
		if wantErr != nil || err != nil {
			if wantErr == nil || err == nil || fault.As(wantErr).Error()+fault.As(wantErr).Text() != fault.As(err).Error()+fault.As(err).Text() {
				t.Fatalf("%s %s: %v, fresh: %v", name, conditions(req.Query), err, wantErr)
			}
			continue
		}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(compile.Compiled{}, semantic.Dimension{}), cmp.Comparer(func(a, b *semantic.Dimension) bool { return a == b })); diff != "" {
			t.Fatalf("%s %s:\n%s", name, conditions(req.Query), diff)
		}
		if got.Digest() != want.Digest() {
			t.Fatalf("%s: another digest", name)
		}
	}
}

func conditions(q *query.Query) string { return fmt.Sprint(q.Slice, q.Having) }

// TestCacheKeepsApart: what decides a statement beside the query is never shared.
func TestCacheKeepsApart(t *testing.T) {
	open := *shop(t)["Log"]
	open.Calendar.Today = semantic.Today{}
	m := &open
	q, err := decode([]byte(`{"columns": ["count(*) as n"], "slice": [{"field": "at", "op": "=", "value": "today"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	cache := compile.NewCache(10)
	base := request(m, q, dialects[0].dialect)
	tomorrow, postgres, fewer := base, base, base
	tomorrow.Now = base.Now.Add(24 * time.Hour)
	postgres.Dialect = dialects[2].dialect
	fewer.Limits.DefaultRows = 7
	later := base
	later.Now = base.Now.Add(time.Hour)
	for _, req := range []compile.Request{base, tomorrow, postgres, fewer, later} {
		compare(t, "apart", cache, req, false)
	}
	if s := cache.Stats(); s.Hits != 3 || s.Misses != 4*3 {
		t.Errorf("%+v: the hour, and only that, may be shared", s)
	}
}

// TestCacheIsBounded: it forgets what was not asked for longest.
func TestCacheIsBounded(t *testing.T) {
	m := shop(t)["Sales"]
	cache := compile.NewCache(3)
	ask := func(limit int) {
		t.Helper()
		q, err := decode(fmt.Appendf(nil, `{"columns": ["orderNo"], "limit": %d}`, limit))
		if err != nil {
			t.Fatal(err)
		}
		compare(t, "bounded", cache, request(m, q, dialects[0].dialect), false)
	}
	for _, limit := range []int{1, 2, 3, 1, 4, 1} {
		ask(limit)
	}
	if s := cache.Stats(); s.Plans != 3 || s.Misses != 4 {
		t.Errorf("%+v", s)
	}
	ask(2)
	if s := cache.Stats(); s.Misses != 5 {
		t.Errorf("%+v: the oldest is still there", s)
	}
}

// TestCacheConcurrently: many ask at once, each for its own values.
func TestCacheConcurrently(t *testing.T) {
	m := shop(t)["Sales"]
	cache := compile.NewCache(4)
	done := make(chan error)
	for n := range 8 {
		go func() {
			for i := range 200 {
				text := fmt.Sprintf("S%d-%d", n, i)
				q, err := decode(fmt.Appendf(nil, `{"columns": ["orderNo"], "slice": [{"status": %q}], "limit": %d}`, text, 1+i%6))
				if err == nil {
					var c *compile.Compiled
					if c, err = cache.Query(request(m, q, dialects[0].dialect)); err == nil && c.Page.Args[0] != any(text) {
						err = fmt.Errorf("asked for %s, got %v", text, c.Page.Args)
					}
				}
				if err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// BenchmarkCached is a hit: a decoded query to its statements, with a value that was never there before.
func BenchmarkCached(b *testing.B) {
	m := shop(b)["Sales"]
	for _, c := range benchmarks {
		b.Run(c.name, func(b *testing.B) {
			q, err := decode([]byte(c.payload))
			if err != nil {
				b.Fatal(err)
			}
			cache := compile.NewCache(100)
			for range 4 {
				if _, err := cache.Query(request(m, q, dialects[0].dialect)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := cache.Query(request(m, q, dialects[0].dialect)); err != nil {
					b.Fatal(err)
				}
			}
			if cache.Stats().Misses > 3 {
				b.Fatal("not a hit")
			}
		})
	}
}
