package catalog

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
)

// Catalog holds the current generation of every namespace. All methods may be called at the same time.
type Catalog struct {
	names      []string
	namespaces map[string]*namespace
}

// namespace is one entry of the catalogue. The set of namespaces never changes; what they point to does.
type namespace struct {
	options Options
	state   atomic.Pointer[state] // nil before the first reload

	mu       sync.Mutex // held by one reload at a time; guards what follows
	sequence uint64
	tried    [32]byte // the digest of the files that the last reload saw
}

// state is what a reload leaves behind: what is served, and why it is not something newer.
type state struct {
	generation *Generation // nil: nothing has been loaded without a problem yet
	problems   []Problem
}

// Status is how the last reload of a namespace went.
type Status struct {
	Generation string    // the ID of what is served; "" when nothing is
	Problems   []Problem // of the last reload; empty when it was taken over
}

// Ready reports whether the namespace serves what its files say.
func (s Status) Ready() bool { return s.Generation != "" && len(s.Problems) == 0 }

// New makes a catalogue of namespaces, in the order given. Nothing is served before the first Reload. Two
// namespaces of one name are an error.
func New(namespaces ...Options) (*Catalog, error) {
	c := &Catalog{namespaces: map[string]*namespace{}}
	for _, o := range namespaces {
		if _, taken := c.namespaces[o.Namespace]; taken {
			return nil, fmt.Errorf("namespace %q is configured twice", o.Namespace)
		}
		c.names = append(c.names, o.Namespace)
		c.namespaces[o.Namespace] = &namespace{options: o}
	}
	return c, nil
}

// Names returns the namespaces in the order of New. The slice must not be changed.
func (c *Catalog) Names() []string { return c.names }

// Namespace returns the generation that a namespace serves. It is false for a namespace that does not exist and
// for one that has never been loaded without a problem.
func (c *Catalog) Namespace(name string) (*Generation, bool) {
	ns, ok := c.namespaces[name]
	if !ok {
		return nil, false
	}
	g := ns.generation()
	return g, g != nil
}

// Status returns how the last reload of a namespace went; it is false for a namespace that does not exist.
func (c *Catalog) Status(name string) (Status, bool) {
	ns, ok := c.namespaces[name]
	if !ok {
		return Status{}, false
	}
	now := ns.state.Load()
	if now == nil {
		return Status{Problems: []Problem{{Message: "the namespace has not been loaded yet"}}}, true
	}
	s := Status{Problems: now.problems}
	if now.generation != nil {
		s.Generation = now.generation.ID
	}
	return s, true
}

// Reload loads a namespace and, when there is no problem, serves it from then on. Every model is held against the
// database as it is now. With problems, which are returned and kept for Status, what was served before goes on being
// served.
func (c *Catalog) Reload(ctx context.Context, name string) []Problem {
	ns, ok := c.namespaces[name]
	if !ok {
		return []Problem{{Message: fmt.Sprintf("there is no namespace %q", name)}}
	}
	ns.mu.Lock()
	defer ns.mu.Unlock()
	files, problems := readFiles(ns.options.folder(), ns.generation())
	return ns.reload(ctx, files, problems, true)
}

// ReloadAll reloads every namespace and returns the problems of those that have some.
func (c *Catalog) ReloadAll(ctx context.Context) map[string][]Problem {
	bad := map[string][]Problem{}
	for _, name := range c.names {
		if problems := c.Reload(ctx, name); len(problems) > 0 {
			bad[name] = problems
		}
	}
	return bad
}

// refresh reloads a namespace if its files are not those that the last reload saw, and reports whether it did. Models
// of unchanged files are as they were.
func (ns *namespace) refresh(ctx context.Context) (problems []Problem, changed bool) {
	ns.mu.Lock()
	defer ns.mu.Unlock()
	files, unread := readFiles(ns.options.folder(), ns.generation())
	if ns.state.Load() != nil && len(unread) == 0 && digest(files) == ns.tried {
		return nil, false
	}
	return ns.reload(ctx, files, unread, false), true
}

func (ns *namespace) reload(ctx context.Context, files []sourceFile, unread []Problem, recheck bool) []Problem {
	ns.sequence++
	o := ns.options
	o.Sequence, o.Previous, o.Recheck = ns.sequence, ns.generation(), recheck
	g, problems := load(ctx, o, files, unread)
	if len(problems) > 0 {
		g = o.Previous
	}
	ns.tried = digest(files)
	ns.state.Store(&state{g, problems})
	return problems
}

// generation returns what is served, or nil.
func (ns *namespace) generation() *Generation {
	if now := ns.state.Load(); now != nil {
		return now.generation
	}
	return nil
}

func (o Options) folder() fs.FS {
	if o.FS == nil {
		return os.DirFS(o.Dir)
	}
	return o.FS
}
