package execute

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/access"
	"parlance/internal/fault"
	"parlance/internal/semantic"
	"parlance/internal/service"
	"parlance/test/evaluate"
)

// askedAs returns what somebody is answered: rows, totals and what was applied, or the refusal with all its parts.
func (p *pipeline) askedAs(ctx context.Context, id access.Identity, model, payload string) string {
	q, err := decode(payload)
	if err != nil {
		return "not read: " + err.Error()
	}
	a, err := p.service.Query(ctx, service.Caller{Identity: id}, model, q, service.QueryOptions{})
	if err != nil {
		f := *fault.As(err)
		f.Cause = nil
		text, _ := json.Marshal(f)
		return "refused " + f.Reason + " " + string(text)
	}
	defer a.Release()
	return written(a)
}

// lacksFor reports whether a refusal says that the database cannot do what a rule, or the query, needs.
func (p *pipeline) lacksFor(refusal string) bool {
	text, refused := strings.CutPrefix(refusal, "refused unsupported_by_datasource ")
	var f fault.Error
	return refused && json.Unmarshal([]byte(text), &f) == nil && p.engine.lack(f.Message) != ""
}

// TestGrantsByRemoval runs the same queries under rules on rows and fields, and without any rule over tables from which
// the rows were removed: the engine must answer both alike, time windows among them.
func TestGrantsByRemoval(t *testing.T) {
	eachEngine(t, func(t *testing.T, e *engine) {
		t.Helper()
		first := setting(t, "PARLANCE_SEED", firstSeed())
		worlds := setting(t, "PARLANCE_WORLDS", removalWorlds(e))
		answered := 0
		for i := range worlds {
			n, err := removal(t.Context(), e, newWorld(first+i))
			answered += n
			if err != nil {
				t.Fatalf("PARLANCE_ENGINE=%s PARLANCE_SEED=%d PARLANCE_WORLDS=1 go test ./test/execute -run TestGrantsByRemoval\n%v", e.name, first+i, err)
			}
		}
		t.Logf("%d answers over %d worlds from seed %d", answered, worlds, first)
	})
}

func removalWorlds(e *engine) uint64 {
	if e.name == "duckdb" {
		return 2
	}
	return 1
}

func removal(ctx context.Context, e *engine, w *world) (answered int, err error) {
	d := newDice(w.seed, 70)
	plain, err := e.world(ctx, w.tables, w.fs(), w.today)
	if err != nil {
		return 0, err
	}
	defer plain.close()
	m := plain.generation.ByName["Sale"]
	p := policy{rows: []rowRule{{keeps: d.rowCondition(w, m, 1)}}, fields: []fieldRule{{hide: []string{"flags", "item$since"}}}}
	files := maps.Clone(w.files)
	files["sale.yaml"] += p.yaml()
	if err := plain.serve(ctx, files, w.today); err != nil {
		return 0, fmt.Errorf("%w\n%v", err, files)
	}
	m = plain.generation.ByName["Sale"]
	g := &granted{world: w, policies: map[string]policy{"Sale": p}, pipeline: plain, data: evaluate.NewData(plain.evaluated())}
	for person := range uint64(3) {
		id := newDice(w.seed, 200+person).identity(w)
		less, fits, err := g.without(m, id)
		if err != nil {
			return answered, err
		}
		if !fits {
			continue
		}
		n, err := g.compare(ctx, m, id, less)
		answered += n
		if err != nil {
			return answered, fmt.Errorf("%w\n%s\n%s", err, described(id), g)
		}
	}
	return answered, nil
}

// without returns the world's tables without the rows of the fact that somebody does not see.
func (g *granted) without(m *semantic.Model, id access.Identity) (less []table, fits bool, err error) {
	in := g.input(m)
	keeps, err := g.keeps(m, id, in)
	if err != nil {
		return nil, false, nil //nolint:nilerr // a value that does not fit: everything is refused
	}
	in.Query, err = decode(`{"columns":["id","sub"],"limit":10000}`)
	if err != nil {
		return nil, false, err
	}
	in.Sight.Keeps = keeps
	a, err := evaluate.Run(in)
	if err != nil {
		return nil, false, err
	}
	seen := map[string]bool{}
	for _, row := range a.All {
		seen[row[0].Num.RatString()+row[1].Text] = true
	}
	less = slices.Clone(g.pipeline.tables)
	for i, t := range less {
		if t.name != "sale" {
			continue
		}
		less[i].rows = nil
		for _, r := range t.rows {
			if seen[r[0].Num.RatString()+r[1].Text] {
				less[i].rows = append(less[i].rows, r)
			}
		}
	}
	return less, true, nil
}

func (g *granted) compare(ctx context.Context, m *semantic.Model, id access.Identity, less []table) (answered int, err error) {
	other, err := g.pipeline.engine.world(ctx, less, g.world.fs(), g.world.today)
	if err != nil {
		return 0, err
	}
	defer other.close()
	known := samples{g.data, map[string][]any{}}
	for i := range uint64(14) {
		d := newDice(g.world.seed, 500+i)
		q := g.ask(d, m, id, known)
		if d.chance(50) {
			q = d.timeWindow(q)
		}
		if q["columns"] == nil && q["groupBy"] == nil {
			ex, _ := q["exColumns"].([]string)
			q["exColumns"] = append(slices.Clone(ex), "id")
		}
		got := g.pipeline.askedAs(ctx, id, m.Name, q.String())
		if strings.Contains(got, "forbidden_field") || g.pipeline.lacksFor(got) {
			continue
		}
		if q["columns"] == nil && q["groupBy"] == nil {
			q["exColumns"] = append(q["exColumns"].([]string), "flags", "item$since")
		}
		if want := other.askedAs(ctx, access.Identity{}, m.Name, q.String()); !alike(got, want) {
			return answered, fmt.Errorf("%s\nunder rules: %s\nremoved:     %s", q, got, want)
		}
		answered++
	}
	return answered, nil
}

// timeWindow sets the measures of a query beside another stretch of time.
func (d dice) timeWindow(q payload) payload {
	window := map[string]any{
		"field": pick(d, []string{"ordered", "day", "at", "shipped$caption"}), "grain": pick(d, []string{"month", "week", "quarter"}),
		"comparison": pick(d, []string{"yoy", "rolling_7d", "ytd"}), "range": pick(d, []any{"2024-Q1", []any{"2024-01-05", "2024-02-20"}}),
	}
	out := payload{"columns": []string{"amount", "rows"}, "groupBy": []any{pick(d, []string{"kind", "item$caption", "place$id"})}, "timeWindow": window, "returnTotal": d.chance(50)}
	if q["slice"] != nil && !usesNames(q["slice"]) {
		out["slice"] = q["slice"]
	}
	return out
}

// concealed are payloads that name @ in every clause that has names.
var concealed = []string{
	`{"columns":["@"]}`, `{"columns":["word","@"],"limit":3}`, `{"columns":["@ as x"]}`, `{"columns":["word as @"]}`, `{"columns":["sum(@) as s"]}`,
	`{"columns":["concat(@, 'a') as s"]}`, `{"columns":["word"],"exColumns":["@"]}`, `{"exColumns":["@"],"limit":1}`, `{"limit":2}`,
	`{"columns":["word"],"slice":[{"field":"@","op":"=","value":"a"}]}`, `{"columns":["word"],"slice":[{"@":"a"}]}`,
	`{"columns":["word"],"slice":[{"$or":[{"field":"word","op":"=","value":"a"},{"$not":{"field":"@","op":"is null"}}]}]}`,
	`{"columns":["word"],"slice":[{"field":"word","op":"=","value":{"$field":"@"}}]}`, `{"columns":["word"],"slice":[{"$expr":"@ > 'a'"}]}`,
	`{"columns":["word"],"slice":[{"field":"@","op":"childrenOf","value":["r"]}]}`, `{"columns":["word"],"slice":[{"field":"count(@)","op":">","value":1}]}`,
	`{"columns":["word","rows"],"groupBy":["@"]}`, `{"columns":["word","rows"],"groupBy":[{"field":"@"}]}`, `{"columns":["word","rows"],"groupBy":["word",{"field":"@","agg":"max"}]}`,
	`{"groupBy":["@"]}`, `{"groupBy":["word"]}`, `{"columns":["word","rows"],"having":[{"field":"@","op":"=","value":1}]}`, `{"columns":["word","rows"],"having":[{"$expr":"max(@) > 'a'"}]}`,
	`{"columns":["word"],"orderBy":["@"]}`, `{"columns":["word"],"orderBy":["-@"]}`, `{"columns":["word"],"orderBy":[{"field":"@","order":"desc"}]}`,
	`{"columns":["c"],"calculatedFields":[{"name":"c","expression":"@"}]}`, `{"columns":["word"],"calculatedFields":[{"name":"c","expression":"upper(@)"}]}`,
	`{"columns":["word","@"],"calculatedFields":[{"name":"@","expression":"upper(word)"}]}`, `{"columns":["c"],"calculatedFields":[{"name":"c","expression":"@","agg":"count"}]}`,
	`{"columns":["word","c"],"calculatedFields":[{"name":"c","expression":"rank()","partitionBy":["@"],"windowOrderBy":[{"field":"word"}]}]}`,
	`{"columns":["word","c"],"calculatedFields":[{"name":"c","expression":"rank()","windowOrderBy":[{"field":"@"}]}]}`,
	`{"columns":["word","lag(@) over (order by word) as c"]}`, `{"columns":["word","rows"],"topN":{"by":"@","n":2}}`, `{"columns":["word","rows"],"topN":{"by":"max(@)","n":2}}`,
	`{"columns":["rows"],"timeWindow":{"field":"@","grain":"month","comparison":"yoy","range":"2024"}}`,
	`{"columns":["rows"],"timeWindow":{"field":"day","grain":"month","comparison":"yoy","range":"2024","targetMetrics":["@"]}}`,
	`{"columns":["@$caption"]}`, `{"columns":["@$month","rows"]}`, `{"columns":["word","rows"],"groupBy":["@$year"]}`, `{"columns":["@x"]}`, `{"columns":["sum(if(@ = 'a', qty, 0)) as s"]}`,
}

// TestConcealedReadsLikeUnknown: with conceal, whatever names a hidden field is answered byte for byte as where the model
// never had it.
func TestConcealedReadsLikeUnknown(t *testing.T) {
	e := engineNamed("duckdb") // names are decided before any engine is asked
	e.ready(t)
	w := newWorld(7)
	for _, hidden := range []struct{ name, line string }{
		{"kind", "\n  - {name: kind, column: kind, dictionary: kind}"},
		{"at", "\n  - {name: at, column: at}"},
		{"ok", "\n  - {name: ok, column: ok}"},
		{"flags", "\n  - {name: flags, column: flags}"},
	} {
		text := measuresAre(t, w.files["sale.yaml"])
		files := map[string]string{"dictionaries.yaml": w.files["dictionaries.yaml"], "sale.yaml": text + policy{conceal: true, fields: []fieldRule{{hide: []string{hidden.name}}}}.yaml()}
		p, err := e.world(t.Context(), w.tables, w.fs(), w.today)
		if err != nil {
			t.Fatal(err)
		}
		answers := map[string][]string{}
		for range 2 {
			if err := p.serve(t.Context(), files, w.today); err != nil {
				t.Fatal(err)
			}
			for _, payload := range concealed {
				payload = strings.ReplaceAll(payload, "@", hidden.name)
				answers[payload] = append(answers[payload], p.askedAs(t.Context(), access.Identity{}, "Sale", payload))
			}
			d, err := p.service.DescribeModel(t.Context(), service.Caller{}, "Sale")
			if err != nil {
				t.Fatal(err)
			}
			described, err := json.Marshal(d)
			if err != nil {
				t.Fatal(err)
			}
			answers["describe"] = append(answers["describe"], string(described))
			if !strings.Contains(text, hidden.line) {
				t.Fatalf("no %s in the model", hidden.line)
			}
			files = map[string]string{"dictionaries.yaml": w.files["dictionaries.yaml"], "sale.yaml": strings.Replace(text, hidden.line, "", 1)}
		}
		for payload, both := range answers {
			if diff := cmp.Diff(both[1], both[0]); diff != "" {
				t.Errorf("%s is told from a name that does not exist: %s\n%s", hidden.name, payload, diff)
			}
		}
		if err := p.close(); err != nil {
			t.Error(err)
		}
	}
}

// measuresAre replaces the measures of a model by two that are made of nothing else.
func measuresAre(t *testing.T, model string) string {
	t.Helper()
	head, _, ok := strings.Cut(model, "measures:\n")
	if !ok {
		t.Fatal("the model has no measures")
	}
	return head + "measures:\n  - {name: rows, agg: count}\n  - {name: qty, column: qty, agg: sum}\n"
}
