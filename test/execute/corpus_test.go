package execute

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// collection is the queries of other tests with tables to ask them of.
type collection struct {
	name    string
	tables  []table
	models  fstest.MapFS
	today   string
	queries []collected
}

type collected struct {
	model, payload string
	summary        bool // asked of queryKpi
}

// TestCorpus asks every query that other rings hold: those of the contract ring, of the demo with fewer rows, and those
// whose statements the compile ring compares, over tables that this test makes up. The evaluator must agree on every
// engine.
func TestCorpus(t *testing.T) {
	for _, c := range []*collection{demoCollection(t), shopCollection(t)} {
		t.Run(c.name, func(t *testing.T) {
			eachEngine(t, c.run)
		})
	}
}

// slow is how long a query may take without being mentioned.
const slow = time.Second

func (c *collection) run(t *testing.T, e *engine) {
	t.Helper()
	start := time.Now()
	p, err := e.world(t.Context(), c.tables, c.models, c.today)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.close(); err != nil {
			t.Error(err)
		}
	})
	loaded := time.Since(start)
	counts := map[outcome]int{}
	for _, q := range c.queries {
		asked := time.Now()
		verdict, why := p.judgeCollected(t, q)
		if took := time.Since(asked); took > slow {
			t.Logf("%s: %s %s", took.Round(time.Millisecond), q.model, q.payload)
		}
		counts[verdict]++
		if verdict == differed {
			t.Errorf("%s %s\n%s", q.model, q.payload, why)
		}
	}
	t.Logf("%d queries: %d answers agree, %d more on no rows, %d refused by both, %d as duckdb, %d unsupported; loaded in %s, asked in %s", len(c.queries),
		counts[agreed], counts[agreedEmpty], counts[refused], counts[leftOut], counts[unsupported], loaded.Round(time.Millisecond), (time.Since(start) - loaded).Round(time.Millisecond))
	if counts[agreed] < len(c.queries)/2 {
		t.Errorf("only %d of %d queries have rows", counts[agreed], len(c.queries))
	}
}

func (p *pipeline) judgeCollected(t *testing.T, q collected) (outcome, string) {
	t.Helper()
	model := p.generation.ByName[q.model]
	if !q.summary {
		return p.judge(t.Context(), model, q.payload)
	}
	decoded, err := decode(q.payload)
	if err != nil {
		return differed, err.Error()
	}
	if why := p.summaryDiffers(t.Context(), model, decoded); why != "" {
		return differed, why
	}
	return agreed, ""
}

// modelFiles reads a folder of model files.
func modelFiles(t *testing.T, folder fs.FS) fstest.MapFS {
	t.Helper()
	names, err := fs.Glob(folder, "*.yaml")
	if err != nil || len(names) == 0 {
		t.Fatal("no model files", err)
	}
	files := fstest.MapFS{}
	for _, name := range names {
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: text}
	}
	return files
}

// declares reports whether one of the files is of a model.
func declares(files fstest.MapFS, model string) bool {
	for _, f := range files {
		if strings.HasPrefix(string(f.Data), "model: "+model+"\n") {
			return true
		}
	}
	return false
}
