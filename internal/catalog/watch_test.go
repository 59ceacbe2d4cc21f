package catalog

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// watched starts a watch over a folder and returns what it tells.
func watched(t *testing.T, dir string) (*Catalog, <-chan Reloaded) {
	t.Helper()
	c := newCatalog(t, Options{Namespace: "shop", Dir: dir}, Options{Namespace: "embedded", FS: mapFS(map[string]string{"a.yaml": goodModel})})
	if bad := c.ReloadAll(t.Context()); len(bad) > 0 {
		t.Fatal(bad)
	}
	ctx, cancel := context.WithCancel(context.Background())
	told, ended := make(chan Reloaded, 16), make(chan error, 1)
	w, err := c.newWatch()
	if err != nil {
		t.Fatal(err)
	}
	w.report = func(r Reloaded) { told <- r }
	go func() { ended <- w.run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if err := w.notify.Close(); err != nil {
			t.Error(err)
		}
	})
	return c, told
}

// next returns the next reload that is told of.
func next(t *testing.T, told <-chan Reloaded) Reloaded {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	select {
	case r := <-told:
		return r
	case <-ctx.Done():
		t.Fatal("no reload is told of")
	}
	return Reloaded{}
}

// await waits for the reload after which the namespace serves exactly the models named.
func await(t *testing.T, c *Catalog, told <-chan Reloaded, models string) {
	t.Helper()
	for {
		r := next(t, told)
		g, _ := c.Namespace("shop")
		var names []string
		for _, m := range g.Models {
			names = append(names, m.Name)
		}
		if len(r.Problems) == 0 && strings.Join(names, " ") == models {
			return
		}
	}
}

func TestWatch(t *testing.T) {
	defer goleak.VerifyNone(t)
	t.Run("changes", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "models")
		model := func(name string) string { return strings.Replace(goodModel, "A", name, 1) }
		write(t, filepath.Join(dir, "a.yaml"), goodModel)
		c, told := watched(t, dir)

		write(t, filepath.Join(dir, "b.yaml"), model("B"))
		await(t, c, told, "A B")

		// An editor writes beside the file and renames over it.
		write(t, filepath.Join(dir, ".b.yaml.tmp"), model("C"))
		if err := os.Rename(filepath.Join(dir, ".b.yaml.tmp"), filepath.Join(dir, "b.yaml")); err != nil {
			t.Fatal(err)
		}
		await(t, c, told, "A C")

		// A folder that is new, and one below it; then a change in there.
		write(t, filepath.Join(dir, "sub", "deep", "d.yml"), model("D"))
		await(t, c, told, "A C D")
		write(t, filepath.Join(dir, "sub", "deep", "d.yml"), model("E"))
		await(t, c, told, "A C E")

		// A broken file is told of, and the old generation serves.
		write(t, filepath.Join(dir, "broken.yaml"), "model: [")
		r := next(t, told)
		for len(r.Problems) == 0 {
			r = next(t, told)
		}
		if p := r.Problems[0]; r.Namespace != "shop" || p.File != "broken.yaml" || p.Line != 1 || p.Column == 0 {
			t.Errorf("told of %+v", r)
		}
		if g, ok := c.Namespace("shop"); !ok || len(g.Models) != 3 {
			t.Error("the old generation does not serve any more")
		}
		if err := os.Remove(filepath.Join(dir, "broken.yaml")); err != nil {
			t.Fatal(err)
		}
		await(t, c, told, "A C E")

		// The whole folder is replaced.
		other := filepath.Join(t.TempDir(), "other")
		write(t, filepath.Join(other, "f.yaml"), model("F"))
		if err := os.Rename(dir, dir+".old"); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(other, dir); err != nil {
			t.Fatal(err)
		}
		await(t, c, told, "F")
		write(t, filepath.Join(dir, "g.yaml"), model("G"))
		await(t, c, told, "F G")
	})
}

func TestWatchFollowsALink(t *testing.T) {
	base := t.TempDir()
	write(t, filepath.Join(base, "v1", "a.yaml"), goodModel)
	write(t, filepath.Join(base, "v2", "b.yaml"), strings.Replace(goodModel, "A", "B", 1))
	link := filepath.Join(base, "current")
	if err := os.Symlink("v1", link); err != nil {
		t.Skipf("SKIPPED: the file system of the temporary folder has no symbolic links: %v", err)
	}
	c, told := watched(t, link)
	if err := os.Symlink("v2", link+".new"); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(link+".new", link); err != nil {
		t.Fatal(err)
	}
	await(t, c, told, "B")
	write(t, filepath.Join(base, "v2", "c.yaml"), strings.Replace(goodModel, "A", "C", 1))
	await(t, c, told, "B C")
}

// TestWatchSeesWhatChangedBefore covers the gap between the first load and the watch.
func TestWatchSeesWhatChangedBefore(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.yaml"), goodModel)
	c := newCatalog(t, Options{Namespace: "shop", Dir: dir})
	c.Reload(t.Context(), "shop")
	write(t, filepath.Join(dir, "b.yaml"), strings.Replace(goodModel, "A", "B", 1))

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if err := c.Watch(ctx, func(Reloaded) { cancel() }); err != nil {
		t.Fatal(err)
	}
	if g, _ := c.Namespace("shop"); g.ByName["B"] == nil {
		t.Error("the change is not served")
	}
}

func TestWatchOfAMissingFolder(t *testing.T) {
	c := newCatalog(t, Options{Namespace: "shop", Dir: filepath.Join(t.TempDir(), "nowhere")})
	if err := c.Watch(t.Context(), func(Reloaded) {}); err == nil {
		t.Error("a folder that is not there is watched")
	}
}
