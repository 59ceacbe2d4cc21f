package execute

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"parlance/internal/semantic"
)

const (
	queriesPerWorld = 60
	maxFailures     = 3
)

// setting reads a number from the environment.
func setting(t *testing.T, name string, otherwise uint64) uint64 {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// TestRandomQueries asks random queries over random worlds of the pipeline and of the evaluator, which must agree.
// PARLANCE_ENGINE names the one engine to run on, PARLANCE_QUERIES sets how many queries, PARLANCE_SEED where the worlds
// begin: the seed that a failure prints, with PARLANCE_QUERIES=1, is that world alone.
func TestRandomQueries(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *engine) {
		t.Helper()
		queries := setting(t, "PARLANCE_QUERIES", e.queries)
		first := setting(t, "PARLANCE_SEED", firstSeed())
		r := &randomRun{engine: e, first: first, worlds: (queries + queriesPerWorld - 1) / queriesPerWorld}
		workers := 1 // the other core is another engine's, or the server's
		if chosenEngine() != "" {
			workers = max(2, runtime.GOMAXPROCS(0))
		}
		var group sync.WaitGroup
		for range workers {
			group.Go(func() { r.work(t) })
		}
		group.Wait()
		t.Log(r)
		if a, n := r.counts[agreed].Load(), r.asked.Load(); n >= 1000 && a*2 < n {
			t.Errorf("only %d of %d queries have rows", a, n)
		}
	})
}

// randomRun is the worlds of one engine, visited by several workers.
type randomRun struct {
	engine      *engine
	first       uint64 // seed
	worlds      uint64
	next, asked atomic.Uint64
	failures    atomic.Int64
	counts      [differed + 1]atomic.Uint64
}

func (r *randomRun) work(t *testing.T) {
	t.Helper()
	for r.failures.Load() < maxFailures {
		i := r.next.Add(1) - 1
		if i >= r.worlds || t.Context().Err() != nil {
			return
		}
		err := newWorld(r.first+i).visit(t.Context(), r.engine, func(o outcome) { r.asked.Add(1); r.counts[o].Add(1) })
		if err != nil {
			r.failures.Add(1)
			t.Errorf("%v\nto repeat: %s", err, r.engine.repeat("TestRandomQueries", r.first+i))
		}
	}
}

// String says what came out.
func (r *randomRun) String() string {
	count := func(o outcome) uint64 { return r.counts[o].Load() }
	return fmt.Sprintf("%s: %d queries over %d worlds from seed %d: %d answers agree, %d more on no rows, %d refused by both, %d left out, %d unsupported, %d differ",
		r.engine.name, r.asked.Load(), min(r.worlds, r.next.Load()), r.first,
		count(agreed), count(agreedEmpty), count(refused), count(leftOut), count(unsupported), count(differed))
}

// visit asks the queries of one world; the first that differs, made as small as it goes, is the error.
func (w *world) visit(ctx context.Context, e *engine, note func(outcome)) error {
	p, err := e.world(ctx, w.tables, w.fs(), w.today)
	if err != nil {
		return fmt.Errorf("world %d: %w\n%s", w.seed, err, w)
	}
	defer p.close()
	known := samples{p.data, map[string][]any{}}
	for i := range uint64(queriesPerWorld) {
		d := newDice(w.seed, 1000+i)
		model := p.generation.ByName[pick(d, w.models)]
		query := ask(d, model, known.of(model))
		verdict, _ := p.judge(ctx, model, query.String())
		note(verdict)
		if verdict == differed {
			return w.report(ctx, p, model, query)
		}
		if d.chance(5) {
			if why := p.summaryDiffers(ctx, model, summaryOf(d, model, query)); why != "" {
				return fmt.Errorf("world %d: %s\n%s", w.seed, why, w)
			}
		}
		if verdict == agreed && d.chance(5) {
			if why := p.breaksLaw(ctx, d, model, query); why != "" {
				return fmt.Errorf("world %d: %s\n%s %s\n%s", w.seed, why, model.Name, query, w)
			}
		}
	}
	return nil
}

// report writes a disagreement, query and tables made as small as they go, so that it can be pasted into
// testdata/cases.
func (w *world) report(ctx context.Context, p *pipeline, model *semantic.Model, query payload) error {
	_, first := p.judge(ctx, model, query.String())
	same := func(verdict outcome, why string) bool { return verdict == differed && kindOf(why) == kindOf(first) }
	query = shrink(query, func(smaller payload) bool {
		return same(p.judge(ctx, model, smaller.String()))
	})
	_, why := p.judge(ctx, model, query.String())
	small := w.shrink(func(smaller *world) bool {
		verdict, wrong := smaller.judge(ctx, p.engine, model.Name, query)
		if !same(verdict, wrong) {
			return false
		}
		why = wrong
		return true
	})
	return fmt.Errorf("world %d, model %s\n%s\n-- query difference %s --\n%s\n%s", w.seed, model.Name, why, model.Name, query, small)
}

// kindOf is the part of an explanation that stays when a query shrinks.
func kindOf(why string) string {
	words := strings.Fields(why)
	return strings.Join(words[:min(3, len(words))], " ")
}

// judge opens the world for one query.
func (w *world) judge(ctx context.Context, e *engine, model string, query payload) (outcome, string) {
	p, err := e.world(ctx, w.tables, w.fs(), w.today)
	if err != nil {
		return leftOut, err.Error()
	}
	defer p.close()
	return p.judge(ctx, p.generation.ByName[model], query.String())
}

// String writes the world as files of an archive.
func (w *world) String() string {
	var b strings.Builder
	for _, t := range w.tables {
		fmt.Fprintf(&b, "-- table %s --\n%s", t.name, t)
	}
	for name, text := range w.files {
		fmt.Fprintf(&b, "-- model %s --\n%s", name, text)
	}
	return b.String()
}
