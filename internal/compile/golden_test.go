package compile_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"parlance/internal/semantic"
)

// goldenCase is one case of a golden file. Its first section is named case/Model.json and holds comment lines (#) and
// the payload; the sections that follow are what the program makes of it.
type goldenCase struct {
	name    string
	model   *semantic.Model
	payload []byte
	outcome []txtar.File
}

// eachCase runs judge on every case of the golden files of a folder, compares what it returns with the sections that
// the file has, and rewrites them with -update.
func eachCase(t *testing.T, pattern string, judge func(t *testing.T, c goldenCase) []txtar.File) {
	t.Helper()
	models := shop(t)
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files at %s: %v", pattern, err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		now, passed := &txtar.Archive{Comment: archive.Comment}, true
		for _, c := range casesOf(t, file, archive, models) {
			passed = t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar")+"/"+c.name, func(t *testing.T) {
				got := judge(t, c)
				if !*update {
					compareSections(t, c.outcome, got)
				}
				now.Files = append(now.Files, txtar.File{Name: c.name + "/" + c.model.Name + ".json", Data: c.payload})
				now.Files = append(now.Files, got...)
			}) && passed
		}
		if *update && passed {
			if err := os.WriteFile(file, txtar.Format(now), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func casesOf(t *testing.T, file string, archive *txtar.Archive, models map[string]*semantic.Model) []goldenCase {
	t.Helper()
	var cases []goldenCase
	seen := map[string]bool{}
	for _, f := range archive.Files {
		name, section, _ := strings.Cut(f.Name, "/")
		model, isPayload := strings.CutSuffix(section, ".json")
		if !isPayload {
			if len(cases) == 0 || cases[len(cases)-1].name != name {
				t.Fatalf("%s: section %s stands before its payload", file, f.Name)
			}
			cases[len(cases)-1].outcome = append(cases[len(cases)-1].outcome, f)
			continue
		}
		if models[model] == nil || seen[name] {
			t.Fatalf("%s: section %s names no model, or a case twice", file, f.Name)
		}
		seen[name] = true
		cases = append(cases, goldenCase{name: name, model: models[model], payload: f.Data})
	}
	return cases
}

// json returns the payload without its comment lines.
func (c goldenCase) json() []byte {
	var kept strings.Builder
	for line := range strings.Lines(string(c.payload)) {
		if !strings.HasPrefix(line, "#") {
			kept.WriteString(line)
		}
	}
	return []byte(kept.String())
}

func compareSections(t *testing.T, want, got []txtar.File) {
	t.Helper()
	if diff := cmp.Diff(sections(want), sections(got)); diff != "" {
		t.Errorf("differs from the golden file (-want +got); after reading the difference, -update rewrites it:\n%s", diff)
	}
}

func sections(files []txtar.File) map[string][]string {
	m := map[string][]string{}
	for _, f := range files {
		m[f.Name] = strings.Split(strings.TrimSuffix(string(f.Data), "\n"), "\n")
	}
	return m
}

// oneLine prints a value as JSON without escapes for HTML.
func oneLine(t *testing.T, v any) string {
	t.Helper()
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
