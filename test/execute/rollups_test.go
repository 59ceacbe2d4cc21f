package execute

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"maps"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"parlance/internal/access"
	"parlance/internal/catalog"
	"parlance/internal/compile"
	"parlance/internal/datasource"
	"parlance/internal/fault"
	"parlance/internal/query"
	"parlance/internal/rollup"
	"parlance/internal/semantic"
	"parlance/internal/service"
)

// rolled is a world whose facts have rollups, some of them under policies: the same service once with them and once
// without.
type rolled struct {
	*granted
	store  *datasource.Source
	keeper *rollup.Keeper
	with   *service.Service
	now    time.Time
}

// heldRollups is a keeper with the databases that it keeps its rollups in: its own, and that of the models.
type heldRollups struct {
	*rollup.Keeper
	store, source *datasource.Source
}

// Source returns the database of a rollup.
func (h heldRollups) Source(r compile.Rollup) service.Source {
	if r.Definition.Rollup.InSource {
		return h.source
	}
	return h.store
}

// openRolled opens a world under policies, adds rollups to its files and builds them.
func openRolled(ctx context.Context, e *engine, w *world) (*rolled, error) {
	if e.name == "postgres" { // which may keep rollups itself
		e = &engine{name: e.name, open: e.open, lacks: e.lacks, seconds: e.seconds, writes: true}
	}
	g, err := openGranted(ctx, e, w)
	if err != nil {
		return nil, err
	}
	r := &rolled{granted: g, now: time.Date(2024, 3, 31, 12, 0, 0, 0, time.UTC)}
	files := maps.Clone(w.files)
	for i, name := range w.models {
		file := lowerFirst(name) + ".yaml"
		if name == "Both" {
			file = "multi.yaml"
		}
		if newDice(w.seed, 300).chance(50) {
			files[file] += g.policies[name].yaml()
		} else {
			g.policies[name] = policy{}
		}
		if name != "Both" {
			files[file] += newDice(w.seed, 200+uint64(i)).rollups(g.pipeline.generation.ByName[name], e.writes)
		}
	}
	if files, err = withoutUnkept(ctx, g.pipeline, files); err != nil {
		return nil, errors.Join(err, g.pipeline.close())
	}
	if err := g.pipeline.serve(ctx, files, w.today); err != nil {
		return nil, errors.Join(err, g.pipeline.close())
	}
	return r, errors.Join(r.keep(ctx))
}

// keep opens a database for the rollups and builds them.
func (r *rolled) keep(ctx context.Context) (err error) {
	log := slog.New(slog.DiscardHandler)
	if r.store, err = datasource.Open(ctx, "rollups", datasource.Config{Type: "duckdb"}, log); err != nil {
		return err
	}
	p := r.pipeline
	r.keeper = rollup.New(rollup.Options{
		Origins: map[string]rollup.Origin{"db": p.source}, Store: r.store, Sources: map[string]rollup.Shared{"db": p.source}, Now: func() time.Time { return r.now },
		Models: func() iter.Seq2[string, *semantic.Model] {
			return func(yield func(string, *semantic.Model) bool) {
				for _, m := range p.generation.Models {
					if !yield(namespace, m) {
						return
					}
				}
			}
		},
	})
	deps := p.service.Deps
	deps.Rollups = heldRollups{r.keeper, r.store, p.source}
	r.with = service.New(deps)
	for _, m := range p.generation.Models {
		for _, def := range m.Rollups {
			if _, err := r.keeper.Build(ctx, namespace, m, def); err != nil {
				f := fault.As(err)
				if f.Kind == fault.Invalid && (p.engine.lack(f.Message) != "" || f.Reason == "bad_rollup") {
					continue // it is never used
				}
				return fmt.Errorf("rollup %s of %s: %w", def.Name, m.Name, errors.Join(err, f.Cause))
			}
		}
	}
	return nil
}

func (r *rolled) close() error {
	err := r.pipeline.close()
	if r.store != nil {
		err = errors.Join(err, r.store.Close())
	}
	return err
}

// rollups makes random rollups of a model, with all of its measures; those that they cannot keep are taken out later.
func (d dice) rollups(m *semantic.Model, inSource bool) string {
	var b strings.Builder
	b.WriteString("rollups:\n")
	for i := range d.between(1, 2) {
		var dims []string
		for _, f := range m.Fields() {
			if f.Measure == nil && !f.Tree && f.Name != "id" && d.chance(pick(d, []int{40, 85})) {
				dims = append(dims, f.Name)
			}
		}
		var measures []string
		for _, ms := range m.Measures {
			if d.chance(90) {
				measures = append(measures, ms.Name)
			}
		}
		fmt.Fprintf(&b, "  - name: r%d\n    dimensions: [%s]\n    measures: [rows, %s]\n", i, strings.Join(dims, ", "), strings.Join(remove(measures, "rows"), ", "))
		if inSource && d.chance(50) {
			b.WriteString("    keep: source\n")
		}
		if d.chance(50) {
			fmt.Fprintf(&b, "    time: {field: %s, grain: %s}\n", pick(d, []string{"day", "at", "zoned", "ordered$caption", "item$since"}), pick(d, []string{"year", "quarter", "month", "week", "day"}))
		}
	}
	return b.String()
}

func remove(list []string, word string) []string {
	var rest []string
	for _, s := range list {
		if s != word {
			rest = append(rest, s)
		}
	}
	return rest
}

var unkeptMeasure = regexp.MustCompile(`^measure "(\w+)" `)

// withoutUnkept takes the measures out of rollups that the catalogue says they cannot keep.
func withoutUnkept(ctx context.Context, p *pipeline, files map[string]string) (map[string]string, error) {
	files = maps.Clone(files)
	for range 40 {
		fs := fstest.MapFS{}
		for name, text := range files {
			fs[name] = &fstest.MapFile{Data: []byte(text)}
		}
		_, problems := catalog.Load(ctx, catalog.Options{Namespace: namespace, FS: fs, Datasource: "db", Schema: schema{p.source}, MaskSecret: maskSecret})
		if len(problems) == 0 {
			return files, nil
		}
		for _, problem := range problems {
			found := unkeptMeasure.FindStringSubmatch(problem.Message)
			if found == nil {
				return nil, fmt.Errorf("%s\n%s", problem, files[problem.File])
			}
			lines := strings.Split(files[problem.File], "\n")
			line := &lines[problem.Line-1]
			*line = regexp.MustCompile(`, `+found[1]+`\b`).ReplaceAllString(*line, "")
			files[problem.File] = strings.Join(lines, "\n")
		}
	}
	return nil, errors.New("measures are refused again and again")
}

// differs asks a query with the rollups and without; used tells whether a rollup answered it.
func (r *rolled) differs(ctx context.Context, m *semantic.Model, id access.Identity, asked payload) (why string, used, rows bool) {
	caller := service.Caller{Identity: id}
	ask := func(s *service.Service) (*service.Answer, string) {
		q, err := decode(asked.String())
		if err != nil {
			return nil, err.Error()
		}
		a, err := s.Query(ctx, caller, m.Name, q, service.QueryOptions{ShowSQL: true})
		if err != nil {
			f := fault.As(err)
			return nil, fmt.Sprint(f.Kind, f.Reason, f.Message, f.Path)
		}
		return a, ""
	}
	want, refused := ask(r.pipeline.service)
	got, failed := ask(r.with)
	if refused != failed {
		return fmt.Sprintf("refused with %q, with rollups %q", refused, failed), false, false
	}
	if refused != "" {
		return "", false, false
	}
	defer want.Release()
	defer got.Release()
	one, other := printedAnswer(want), printedAnswer(got)
	if got.Applied.Rollup != nil && one != other { // of the rows, doubles may differ from one run to the next
		return fmt.Sprintf("rows:    %s\nrollups: %s\n%+v\n%s\n%s", one, other, got.Applied.Rollup, strings.Join(want.SQL, "\n"), strings.Join(got.SQL, "\n")), false, false
	}
	return "", got.Applied.Rollup != nil, want.Returned > 0
}

// printedAnswer is all that a caller is told, but for where it was read.
func printedAnswer(a *service.Answer) string {
	applied, err := json.Marshal(a.Applied.Applied)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf("%s %s total %d of %d, %v %v %s", a.Items, a.TotalData, a.Total, a.Returned, a.Columns, a.Warnings, applied)
}

// TestRollups is the law of rollups: whatever is asked, by whomever, the answer is the same with rollups and without,
// byte for byte. PARLANCE_WORLDS sets how many worlds are visited and PARLANCE_SEED where they begin.
func TestRollups(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *engine) {
		t.Helper()
		worlds := setting(t, "PARLANCE_WORLDS", rolledWorlds(e))
		first := setting(t, "PARLANCE_SEED", firstSeed())
		var asked, used, rows int
		for i := range worlds {
			err := visitRolled(t.Context(), e, newWorld(first+i), func(fromRollup, hasRows bool) {
				asked++
				if fromRollup {
					used++
					if hasRows {
						rows++
					}
				}
			})
			if err != nil {
				t.Fatalf("PARLANCE_ENGINE=%s PARLANCE_SEED=%d PARLANCE_WORLDS=1 go test ./test/execute -run TestRollups\n%v", e.name, first+i, err)
			}
		}
		t.Logf("%d queries from seed %d: %d answered from rollups, %d of them with rows", asked, first, used, rows)
		if asked >= 300 && rows*5 < asked {
			t.Errorf("only %d of %d queries were answered from rollups with rows", rows, asked)
		}
	})
}

func rolledWorlds(e *engine) uint64 {
	switch e.name {
	case "duckdb":
		return 8
	case "cluster":
		return 1
	}
	return 2
}

const rolledEach = 20 // queries of each person

func visitRolled(ctx context.Context, e *engine, w *world, note func(used, rows bool)) error {
	r, err := openRolled(ctx, e, w)
	if err != nil {
		return err
	}
	defer r.close()
	known := samples{r.data, map[string][]any{}}
	for person := range uint64(3) {
		id := newDice(w.seed, 100+person).identity(w)
		for i := range uint64(rolledEach) {
			d := newDice(w.seed, 5000+100*person+i)
			m := r.pipeline.generation.ByName[pick(d, append([]string{"Sale", "Sale"}, w.models...))]
			asked := r.askRolled(d, m, id, known)
			why, used, rows := r.differs(ctx, m, id, asked)
			note(used, rows)
			if why != "" {
				asked = shrink(asked, func(smaller payload) bool {
					other, _, _ := r.differs(ctx, m, id, smaller)
					return other != ""
				})
				why, _, _ = r.differs(ctx, m, id, asked)
				return fmt.Errorf("%s %s\n%s\n%s\n%s", m.Name, asked, why, described(id), r.granted)
			}
			if why := r.summaryDiffers(ctx, d, m, id, asked); why != "" {
				return fmt.Errorf("%s\n%s\n%s", why, described(id), r.granted)
			}
		}
	}
	return nil
}

// summaryDiffers asks for a summary with the rollups and without.
func (r *rolled) summaryDiffers(ctx context.Context, d dice, m *semantic.Model, id access.Identity, asked payload) string {
	sum := service.Summary{Model: m.Name}
	for _, f := range some(d, 1, 3, m.Measures) {
		sum.Columns = append(sum.Columns, query.NewColumn(&query.Ref{Name: f.Name}, ""))
	}
	if filtered, err := decode(asked.String()); err == nil && !usesNames(asked["slice"]) {
		sum.Slice = filtered.Slice
	}
	want, refused := r.pipeline.service.Summarize(ctx, service.Caller{Identity: id}, sum)
	before := r.keeper.Stats().Reads
	got, failed := r.with.Summarize(ctx, service.Caller{Identity: id}, sum)
	used := r.keeper.Stats().Reads > before
	if (refused != nil) != (failed != nil) || used && string(want) != string(got) {
		return fmt.Sprintf("queryKpi of %s: %s %v, with rollups %s %v", m.Name, want, refused, got, failed)
	}
	return ""
}
