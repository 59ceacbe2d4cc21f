package catalog

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "rewrite the expected problems")

// TestProblems loads the files of each archive and compares the problems with its last file. A file named schema
// is the live database: a line for each table with its columns, each column:type.
func TestProblems(t *testing.T) {
	archives, err := filepath.Glob("testdata/problems/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files, schema, want := unpack(t, archive)
			g, problems := Load(t.Context(), Options{Namespace: "ns", FS: files, Datasource: "db", Schema: schema})
			if (g == nil) != (len(problems) > 0) {
				t.Errorf("generation %v beside %d problems", g, len(problems))
			}
			var got strings.Builder
			for _, p := range problems {
				got.WriteString(p.String() + "\n")
			}
			if *update && got.String() != *want {
				*want = got.String()
				rewrite(t, name, archive, *want)
			}
			if diff := cmp.Diff(*want, got.String()); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func unpack(t *testing.T, archive *txtar.Archive) (fs.FS, Schema, *string) {
	t.Helper()
	files := fstest.MapFS{}
	var schema Schema
	want := ""
	for _, f := range archive.Files {
		switch f.Name {
		case "schema":
			schema = parseSchema(t, string(f.Data))
		case "problems":
			want = string(f.Data)
		default:
			files[f.Name] = &fstest.MapFile{Data: f.Data}
		}
	}
	return files, schema, &want
}

func rewrite(t *testing.T, name string, archive *txtar.Archive, want string) {
	t.Helper()
	for i := range archive.Files {
		if archive.Files[i].Name == "problems" {
			archive.Files[i].Data = []byte(want)
		}
	}
	if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}
