// Package execute runs queries on the whole pipeline over real databases: the cases that semantic layers get wrong,
// with hand-computed answers, and random queries beside an independent evaluator. It asks the service as a transport
// does and looks into nothing.
package execute

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"parlance/internal/access"
	"parlance/internal/fault"
	"parlance/internal/service"
)

// TestCases runs every archive of testdata/cases on every engine: tables, model files, and queries each with its answer.
func TestCases(t *testing.T) {
	archives, err := filepath.Glob("testdata/cases/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	eachEngine(t, func(t *testing.T, e *engine) {
		t.Helper()
		for _, name := range archives {
			t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
				archive, err := txtar.ParseFile(name)
				if err != nil {
					t.Fatal(err)
				}
				runArchive(t, e, unpack(t, archive))
			})
		}
	})
}

// fixture is what an archive holds.
type fixture struct {
	tables  []table
	models  fstest.MapFS
	callers map[string]access.Identity
	queries []fixtureQuery
}

// fixtureQuery is a query with its answer; caller is one of the archive's, or "" for anybody.
type fixtureQuery struct{ name, model, caller, payload, answer string }

func runArchive(t *testing.T, e *engine, f fixture) {
	t.Helper()
	p, err := e.world(t.Context(), f.tables, f.models, "2024-03-31")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.close(); err != nil {
			t.Error(err)
		}
	})
	for _, q := range f.queries {
		t.Run(q.name, func(t *testing.T) {
			got := p.reply(t, q, f.callers[q.caller])
			if diff := cmp.Diff(indented(t, q.answer), indented(t, got)); diff != "" {
				t.Errorf("%s %s\nanswer (-want +got):\n%s\ngot %s", q.model, q.payload, diff, got)
			}
			if _, err := decode(q.payload); err != nil || q.caller != "" {
				return // the evaluator reads the whole table
			}
			if verdict, why := p.judge(t.Context(), p.generation.ByName[q.model], q.payload); verdict == differed {
				t.Errorf("%s %s\nthe evaluator differs: %s", q.model, q.payload, why)
			}
		})
	}
}

// unpack reads the files of an archive: "table NAME", "model NAME", "caller NAME", "query NAME MODEL [CALLER]" and after it
// "answer".
func unpack(t *testing.T, archive *txtar.Archive) fixture {
	t.Helper()
	f := fixture{models: fstest.MapFS{}, callers: map[string]access.Identity{}}
	for _, file := range archive.Files {
		text := string(file.Data)
		kind, rest, _ := strings.Cut(file.Name, " ")
		switch kind {
		case "table":
			one, err := parseTable(rest, text)
			if err != nil {
				t.Fatal(err)
			}
			f.tables = append(f.tables, one)
		case "model":
			f.models[rest] = &fstest.MapFile{Data: file.Data}
		case "query":
			words := append(strings.Fields(rest), "")
			f.queries = append(f.queries, fixtureQuery{name: words[0], model: words[1], caller: words[2], payload: text})
			if _, known := f.callers[words[2]]; !known && words[2] != "" {
				t.Fatalf("no caller is called %s", words[2])
			}
		case "caller":
			var who access.Identity
			if err := json.Unmarshal(file.Data, &who); err != nil {
				t.Fatal(err)
			}
			f.callers[rest] = who
		case "answer":
			f.queries[len(f.queries)-1].answer = text
		default:
			t.Fatalf("unknown file %q", file.Name)
		}
	}
	spread(f.tables, f.models)
	return f
}

// spread marks the tables that hold the rows of models, and no dimension, as ones that a cluster spreads.
func spread(tables []table, models fstest.MapFS) {
	var all strings.Builder
	for _, file := range models {
		all.Write(file.Data)
	}
	text := all.String()
	for i, t := range tables {
		source := regexp.MustCompile(`source: \{table: ` + t.name + `\b`)
		named := regexp.MustCompile(`(table|closure): ` + t.name + `\b`)
		own := len(source.FindAllString(text, -1))
		tables[i].sharded = own > 0 && own == len(named.FindAllString(text, -1))
	}
}

// reply runs a query and writes its answer: items, total and totalData, or the reason and the path of a refusal.
func (p *pipeline) reply(t *testing.T, q fixtureQuery, who access.Identity) string {
	t.Helper()
	payload, err := decode(q.payload)
	if err == nil {
		answer, failed := p.runAs(t.Context(), who, q.model, payload)
		if failed == nil {
			defer answer.Release()
			return marshal(t, answered(answer, q.answer))
		}
		err = failed
	}
	f := fault.As(err)
	if f.Kind == fault.Internal {
		t.Fatalf("%s: %v", q.payload, err)
	}
	return marshal(t, map[string]any{"refused": f.Reason, "path": f.Path})
}

// answered returns what a case speaks of: always the rows and the totals, the rest where the case names it.
func answered(a *service.Answer, want string) map[string]any {
	reply := map[string]any{"items": json.RawMessage(a.Items), "total": a.Total}
	if a.TotalData != nil {
		reply["totalData"] = json.RawMessage(a.TotalData)
	}
	for key, v := range map[string]any{"limitSource": a.LimitSource, "hasMore": a.HasMore(), "warned": len(a.Warnings) > 0} {
		if strings.Contains(want, `"`+key+`":`) {
			reply[key] = v
		}
	}
	return reply
}

func marshal(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// indented lays JSON out one value a line, every number with the digits that it was written with.
func indented(t *testing.T, text string) string {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	out, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
