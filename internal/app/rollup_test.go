package app

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/jsontree"
	"parlance/internal/query"
	"parlance/internal/service"
)

// ran runs a command and returns its exit code and all that it printed.
func ran(t *testing.T, args ...string) (int, string) {
	t.Helper()
	var out bytes.Buffer
	code := Run(t.Context(), args, Streams{Out: &out, Err: &out, Env: func(string) (string, bool) { return "", false }})
	return code, out.String()
}

var took = regexp.MustCompile(`\d+\.\d\d     `)

// TestRollupsDocument follows docs/rollups.md: its files, its commands, what they print, and its query.
func TestRollupsDocument(t *testing.T) {
	blocks := blocksOf(t, "../../docs/rollups.md", "## An example\n")
	if len(blocks) != 8 {
		t.Fatalf("the example has %d blocks", len(blocks))
	}
	folder := t.TempDir()
	t.Chdir(folder)
	if err := os.WriteFile("parlance.yaml", []byte(blocks[0].text), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(commands string) (printed string) {
		for line := range strings.Lines(commands) {
			code, out := ran(t, strings.Fields(strings.TrimPrefix(line, "parlance "))...)
			if code != exitOK {
				t.Fatalf("%s: %s", line, out)
			}
			printed = out
		}
		return printed
	}
	run(blocks[1].text)
	file := filepath.Join("models", "fact_sales.yaml")
	model, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, append(model, blocks[2].text...), 0o600); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(took.ReplaceAllString(blocks[4].text, "-.-- "), took.ReplaceAllString(run(blocks[3].text), "-.-- ")); diff != "" {
		t.Errorf("rollup build prints (-document +program):\n%s", diff)
	}
	config, err := configured("parlance.yaml", nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := open(t.Context(), config, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	if err := s.load(t.Context()); err != nil {
		t.Fatal(err)
	}
	fromRows, none := answered(t, s, blocks[5].text)
	s.rollups.Refresh(t.Context())
	items, use := answered(t, s, blocks[5].text)
	if none != nil || fromRows != items {
		t.Errorf("from the rows %s %v, from the rollup %s", fromRows, none, items)
	}
	if diff := differs(block{"json", blocks[6].text}, items); diff != "" {
		t.Errorf("the answer (-document +program):\n%s", diff)
	}
	if use == nil {
		t.Fatal("not answered from the rollup")
	}
	use.BuiltAt = "2024-12-31T10:00:00Z"
	told, err := json.Marshal(use)
	if err != nil {
		t.Fatal(err)
	}
	if diff := differs(block{"json", blocks[7].text}, string(told)); diff != "" {
		t.Errorf("applied (-document +program):\n%s", diff)
	}
	if stats := s.rollups.Stats(); stats.Built != 0 || stats.Restored != 1 {
		t.Errorf("the build of the folder was not read: %+v", stats)
	}
}

// answered asks a payload of the sales.
func answered(t *testing.T, s *server, payload string) (items string, use *service.RollupUse) {
	t.Helper()
	tree, err := jsontree.Parse([]byte(payload))
	if err != nil {
		t.Fatal(err)
	}
	q, err := query.Decode(tree, query.DecodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := s.service.Query(t.Context(), service.Caller{}, "FactSalesQueryModel", q, service.QueryOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Release()
	return string(a.Items), a.Applied.Rollup
}

// TestRollupBuildRefuses: what cannot be built is said, with the exit code of a failure.
func TestRollupBuildRefuses(t *testing.T) {
	if code, out := ran(t, "rollup", "build"); code != exitOK || out != "no model declares a rollup\n" {
		t.Errorf("the demo: %d %s", code, out)
	}
	if code, out := ran(t, "rollup", "build", "--model", "FactSale"); code != exitFailed || out != "no model is called \"FactSale\"; did you mean FactSalesQueryModel?\n" {
		t.Errorf("an unknown model: %d %s", code, out)
	}
	if code, out := ran(t, "rollup", "build", "--namespace", "shop"); code != exitFailed || !strings.HasPrefix(out, "no namespace is called \"shop\"") {
		t.Errorf("an unknown namespace: %d %s", code, out)
	}
}

// TestRollupBuildSaysWhy: whoever builds by hand is told what keeps a build from its folder.
func TestRollupBuildSaysWhy(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	if err := os.Mkdir("models", 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"parlance.yaml":    "namespaces: {shop: {models: ./models, datasource: files}}\ndatasources: {files: {type: duckdb, folder: ./data}}\nrollups: {folder: ./rollups}\n",
		"models/sale.yaml": "model: Sale\nsource: {table: sale, key: [id]}\nattributes: [{name: kind, column: kind}]\nmeasures: [{name: sales, agg: count}]\nrollups: [{name: kinds, dimensions: [kind], measures: [sales]}]\n",
		"data/sale.csv":    "id,kind\n1,a\n2,b\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	build := func() (int, string) { return ran(t, "rollup", "build", "--config", "parlance.yaml") }
	if code, out := build(); code != exitOK {
		t.Fatal(out)
	}
	if err := os.RemoveAll("rollups"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("rollups", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out := build(); code == exitOK || !strings.Contains(out, "failed: it could not be written to its folder: not a directory") {
		t.Errorf("exit code %d: %s", code, out)
	}
}
