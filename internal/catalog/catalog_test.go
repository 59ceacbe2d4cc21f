package catalog

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const goodModel = "model: A\nsource: {table: t}\nattributes: [{name: a, column: a}]\n"

func newCatalog(t *testing.T, namespaces ...Options) *Catalog {
	t.Helper()
	c, err := New(namespaces...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func write(t *testing.T, path, data string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestBrokenFile is the last row of cases.md: a model file with a typo dropped in.
func TestBrokenFile(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.yaml"), goodModel)
	c := newCatalog(t, Options{Namespace: "shop", Dir: dir})
	if problems := c.Reload(t.Context(), "shop"); len(problems) > 0 {
		t.Fatal(problems)
	}
	before, ok := c.Namespace("shop")
	if !ok || before.ByName["A"] == nil {
		t.Fatal("the good file is not served")
	}

	write(t, filepath.Join(dir, "b.yaml"), "model: B\nsource: {table: t}\nmeasures:\n  - {name: m, agg: sum, colum: m}\n")
	problems := c.Reload(t.Context(), "shop")
	want := []Problem{
		{File: "b.yaml", Line: 4, Column: 5, Message: `a measure of agg "sum" needs the key "column"`},
		{File: "b.yaml", Line: 4, Column: 25, Message: `unknown key "colum" in a measure; did you mean "column"?`},
	}
	if diff := cmp.Diff(want, problems); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	if after, ok := c.Namespace("shop"); !ok || after != before {
		t.Error("the old generation does not serve any more")
	}
	status, _ := c.Status("shop")
	if status.Ready() || status.Generation != before.ID || len(status.Problems) != 2 {
		t.Errorf("status %+v", status)
	}

	write(t, filepath.Join(dir, "b.yaml"), "model: B\nsource: {table: t}\nmeasures:\n  - {name: m, agg: sum, column: m}\n")
	if problems := c.Reload(t.Context(), "shop"); len(problems) > 0 {
		t.Fatal(problems)
	}
	after, _ := c.Namespace("shop")
	if after == before || after.ID == before.ID || after.ByName["B"] == nil {
		t.Error("the mended file is not served")
	}
	if status, _ := c.Status("shop"); !status.Ready() {
		t.Errorf("status %+v", status)
	}
}

func TestNamespaces(t *testing.T) {
	fsys := mapFS(map[string]string{"a.yaml": goodModel})
	c := newCatalog(t, Options{Namespace: "z", FS: fsys}, Options{Namespace: "a", FS: mapFS(map[string]string{"a.yaml": "model: ["})})
	if diff := cmp.Diff([]string{"z", "a"}, c.Names()); diff != "" {
		t.Error(diff)
	}
	if _, ok := c.Namespace("z"); ok {
		t.Error("a namespace serves before it is loaded")
	}
	if s, ok := c.Status("z"); !ok || s.Ready() || len(s.Problems) != 1 {
		t.Errorf("status before the first load: %+v", s)
	}
	bad := c.ReloadAll(t.Context())
	if len(bad) != 1 || len(bad["a"]) != 1 {
		t.Errorf("problems %v", bad)
	}
	if g, ok := c.Namespace("z"); !ok || g.Namespace != "z" {
		t.Error("z is not served")
	}
	if _, ok := c.Namespace("a"); ok {
		t.Error("a is served and cannot be")
	}
	if _, ok := c.Namespace("nobody"); ok {
		t.Error("a namespace that does not exist is served")
	}
	if _, ok := c.Status("nobody"); ok {
		t.Error("a namespace that does not exist has a status")
	}
	if problems := c.Reload(t.Context(), "nobody"); len(problems) != 1 {
		t.Errorf("problems %v", problems)
	}
	if _, err := New(Options{Namespace: "a"}, Options{Namespace: "a"}); err == nil {
		t.Error("a namespace stands twice")
	}
}

func TestMissingFolder(t *testing.T) {
	c := newCatalog(t, Options{Namespace: "shop", Dir: filepath.Join(t.TempDir(), "nowhere")})
	problems := c.Reload(t.Context(), "shop")
	if len(problems) == 0 || !strings.Contains(problems[0].String(), "no such file") {
		t.Errorf("problems %v", problems)
	}
}

func TestCancelledLoad(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if g, problems := Load(ctx, Options{FS: mapFS(map[string]string{"a.yaml": goodModel})}); g != nil || len(problems) == 0 {
		t.Errorf("a cancelled load gives %v, %v", g, problems)
	}
}

func TestUnchangedFilesAreNotDecodedAgain(t *testing.T) {
	fsys := mapFS(map[string]string{"a.yaml": goodModel, "b.yaml": strings.Replace(goodModel, "A", "B", 1)})
	first, problems := Load(t.Context(), Options{FS: fsys})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	fsys["b.yaml"].Data = []byte(strings.Replace(goodModel, "A", "C", 1))
	second, problems := Load(t.Context(), Options{FS: fsys, Previous: first})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if first.decoded[0] != second.decoded[0] {
		t.Error("an unchanged file was decoded again")
	}
	if first.decoded[1] == second.decoded[1] || second.ByName["C"] == nil || second.ByName["B"] != nil {
		t.Error("a changed file was not decoded again")
	}
	if first.ByName["A"] != second.ByName["A"] {
		t.Error("the model of an unchanged file was built again")
	}
}

// TestSwap reads while generations are swapped: a reader always sees one whole generation. The two states of the
// folder have the same number in every model, so a mixture would show.
func TestSwap(t *testing.T) {
	states := [2]map[string]string{}
	for i, n := range []string{"one", "two"} {
		states[i] = map[string]string{}
		for _, name := range []string{"A", "B", "C"} {
			states[i][name+".yaml"] = "model: " + name + "\ndescription: " + n + "\nsource: {table: t}\nattributes: [{name: a, column: a}]\n"
		}
	}
	dir := t.TempDir()
	put := func(i int) {
		for name, data := range states[i] {
			write(t, filepath.Join(dir, name), data)
		}
	}
	put(0)
	c := newCatalog(t, Options{Namespace: "shop", Dir: dir})
	c.Reload(t.Context(), "shop")

	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				g, ok := c.Namespace("shop")
				if !ok || len(g.Models) != 3 {
					t.Error("nothing is served")
					return
				}
				for _, m := range g.Models[1:] {
					if m.Description != g.Models[0].Description || m.Field("a") == nil {
						t.Errorf("a mixture: %q beside %q", m.Description, g.Models[0].Description)
						return
					}
				}
				c.Status("shop")
			}
		})
	}
	for i := range 40 {
		put(i % 2)
		if problems := c.Reload(t.Context(), "shop"); len(problems) > 0 {
			t.Error(problems)
		}
	}
	close(done)
	readers.Wait()
}
