package catalog

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// quiet is how long a folder must be still before it is read: an editor writes, renames and removes in one go.
const quiet = 150 * time.Millisecond

// Reloaded tells of one reload that a change of files has caused.
type Reloaded struct {
	Namespace string
	Problems  []Problem // empty: the new generation serves
}

// Watch reloads the namespaces that stand on real folders whenever their files change, until ctx ends. It tells of
// every reload through report, one at a time. Whole folders are watched, with those below, so that files that are
// replaced, and folders that come or go, are seen. Changes made between the last reload and the call are seen too.
func (c *Catalog) Watch(ctx context.Context, report func(Reloaded)) (err error) {
	w, err := c.newWatch()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.notify.Close()) }()
	w.report = report
	return w.run(ctx)
}

// watch is the state of one Watch.
type watch struct {
	notify *fsnotify.Watcher
	roots  []*watchedRoot
	dirty  map[string]*namespace
	report func(Reloaded)
}

// watchedRoot is the folder of one namespace.
type watchedRoot struct {
	dir  string // absolute, as configured
	real string // where dir leads when it is a symbolic link; otherwise the same
	name string
	ns   *namespace
}

// holds reports whether a path is the folder or stands below it.
func (r watchedRoot) holds(path string) bool {
	below := func(dir string) bool { return strings.HasPrefix(path, dir+string(filepath.Separator)) }
	return path == r.dir || path == r.real || below(r.dir) || below(r.real)
}

func (c *Catalog) newWatch() (*watch, error) {
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	w := &watch{notify: notify, dirty: map[string]*namespace{}}
	for _, name := range c.names {
		ns := c.namespaces[name]
		if ns.options.Dir == "" {
			continue
		}
		root := &watchedRoot{name: name, ns: ns}
		w.roots = append(w.roots, root)
		w.dirty[name] = ns
		if root.dir, err = filepath.Abs(ns.options.Dir); err == nil {
			err = w.addRoot(root)
		}
		if err != nil {
			return nil, errors.Join(err, notify.Close())
		}
	}
	return w, nil
}

// addRoot watches a namespace's folder, and its parent, which shows when the folder itself is replaced.
func (w *watch) addRoot(r *watchedRoot) error {
	// A parent that is out of reach loses nothing but that.
	_ = w.notify.Add(filepath.Dir(r.dir))
	leads, err := filepath.EvalSymlinks(r.dir)
	if err != nil {
		return err
	}
	r.real = leads
	return w.addTree(leads)
}

// addTree watches a folder and all below it but hidden ones. What has vanished meanwhile is no error.
func (w *watch) addTree(dir string) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			if errors.Is(err, fs.ErrNotExist) && path != dir {
				return nil
			}
			return err
		}
		if path != dir && strings.HasPrefix(entry.Name(), ".") {
			return fs.SkipDir
		}
		return w.notify.Add(path)
	})
}

func (w *watch) run(ctx context.Context) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case e, open := <-w.notify.Events:
			if !open {
				return nil
			}
			if w.mark(e) {
				timer.Reset(quiet)
			}
		case _, open := <-w.notify.Errors:
			if !open {
				return nil
			}
			for _, r := range w.roots { // events were lost: anything may have changed
				w.dirty[r.name] = r.ns
			}
			timer.Reset(quiet)
		case <-timer.C:
			w.flush(ctx)
		}
	}
}

// mark notes which namespaces an event may concern and watches folders that are new.
func (w *watch) mark(e fsnotify.Event) bool {
	if e.Op == fsnotify.Chmod {
		return false
	}
	found := false
	for _, r := range w.roots {
		if !r.holds(e.Name) {
			continue
		}
		w.dirty[r.name], found = r.ns, true
		// What has gone again by now needs no watching; the reload reads what there is.
		switch {
		case e.Has(fsnotify.Create) && e.Name == r.dir:
			_ = w.addRoot(r)
		case e.Has(fsnotify.Create) && !strings.HasPrefix(filepath.Base(e.Name), "."):
			_ = w.addTree(e.Name)
		}
	}
	return found
}

// flush reloads what is dirty, if its files have really changed.
func (w *watch) flush(ctx context.Context) {
	for _, r := range w.roots {
		ns, dirty := w.dirty[r.name]
		if !dirty || ctx.Err() != nil {
			continue
		}
		delete(w.dirty, r.name)
		if problems, changed := ns.refresh(ctx); changed {
			w.report(Reloaded{r.name, problems})
		}
	}
}
