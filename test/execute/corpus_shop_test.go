package execute

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"
)

// shopCollection is the models of the compile ring over random tables, with the payloads of its golden files.
func shopCollection(t *testing.T) *collection {
	t.Helper()
	const ring = "../../internal/compile/testdata/"
	c := &collection{name: "shop", models: modelFiles(t, os.DirFS(ring+"models")), today: "2024-08-15"}
	for name, f := range c.models { // a schema and a query of one's own are the databases' tests
		text := strings.ReplaceAll(string(f.Data), "{schema: ledger, table: payments,", "{table: payments,")
		text = strings.ReplaceAll(text, `{sql: "select * from raw_log where kind <> 'debug'"}`, "{table: raw_log}")
		c.models[name] = &fstest.MapFile{Data: []byte(text)}
	}
	c.tables = shopTables(t, ring+"schema.txt")
	spread(c.tables, c.models)
	archives, err := filepath.Glob(ring + "statements/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no statements", err)
	}
	for _, file := range archives {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			_, section, _ := strings.Cut(f.Name, "/")
			if model, ok := strings.CutSuffix(section, ".json"); ok {
				c.queries = append(c.queries, collected{model: model, payload: uncommented(f.Data), summary: strings.HasPrefix(filepath.Base(file), "kpi")})
			}
		}
	}
	return c
}

func uncommented(text []byte) string {
	var b strings.Builder
	for lines := bufio.NewScanner(strings.NewReader(string(text))); lines.Scan(); {
		if !strings.HasPrefix(lines.Text(), "#") {
			b.WriteString(lines.Text() + "\n")
		}
	}
	return b.String()
}
