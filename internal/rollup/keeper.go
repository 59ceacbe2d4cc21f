// Package rollup keeps the pre-aggregations of models: it builds them, swaps them in whole, refreshes them and says which
// may be used now. Whether one answers a query is the compiler's to prove.
package rollup

import (
	"cmp"
	"context"
	"iter"
	"log/slog"
	"slices"
	"sync"
	"time"

	"parlance/internal/compile"
	"parlance/internal/datasource"
	"parlance/internal/dialect"
	"parlance/internal/semantic"
)

// Origin is a database that holds rows of models.
type Origin interface {
	Query(ctx context.Context, sql string, args []any, row func(cells []any) error) error
	Dialect() dialect.Dialect
}

// Store is the database that holds rollups. It is no origin.
type Store interface {
	Load(ctx context.Context, t datasource.Table) error
	Drop(ctx context.Context, table string) error
	Dialect() dialect.Dialect
}

// Options are what a keeper works with. Log and Now may be nil: nothing is logged, and the clock is the machine's.
type Options struct {
	Origins  map[string]Origin                         // by the name that models use
	Marks    map[string]string                         // what tells a datasource from another that had its name
	Store    Store                                     // the server's own
	Sources  map[string]Shared                         // databases of models that may hold rollups themselves, by name; nil: none may
	Models   func() iter.Seq2[string, *semantic.Model] // by namespace: those of the present generations
	Folder   string                                    // where builds outlive the process; "": nowhere
	Patience time.Duration                             // that a build may take; 0: 10 minutes
	AtOnce   int                                       // builds that run side by side; 0: 1
	Grace    time.Duration                             // that a replaced build can still be read; 0: 2 minutes
	Log      *slog.Logger
	Now      func() time.Time
}

// Keeper keeps rollups. It is safe for concurrent use.
type Keeper struct {
	Options
	counters counters

	mu       sync.Mutex
	entries  map[key]*entry
	prepared map[*semantic.Model]*prepared
	retired  []retired
	tables   int
	places   chan struct{}
}

// key names a rollup.
type key struct{ namespace, model, rollup string }

// entry is what is known of a rollup. Its fields are guarded by the keeper's lock; a build is never changed.
type entry struct {
	build    *Build // nil: there is none
	building bool
	failures int           // in a row
	next     time.Time     // before which it is not tried again
	looked   string        // the mark of the file that was last looked at
	early    time.Duration // by which it is refreshed before it is due, so that not all are at once
}

// Build is one whole copy of a rollup.
type Build struct {
	Namespace string `json:"-"`
	Model     string `json:"-"`
	Rollup    string `json:"-"`
	Table     string `json:"-"`

	Fingerprint string        `json:"fingerprint"` // of the definition that it was built by
	At          time.Time     `json:"at"`          // the moment of the rows that it was built from
	Watermark   string        `json:"watermark"`   // the newest time among them; "": not known
	Rows        int64         `json:"rows"`
	Bytes       int64         `json:"bytes"` // of its cells
	Took        time.Duration `json:"took"`

	store  Store
	broken bool // it could not be read
}

// retired is a table that nobody is sent to any more.
type retired struct {
	store Store
	table string
	since time.Time
}

const (
	defaultPatience = 10 * time.Minute
	defaultGrace    = 2 * time.Minute
)

// New returns a keeper that holds nothing yet.
func New(o Options) *Keeper {
	o.Patience, o.Grace = cmp.Or(o.Patience, defaultPatience), cmp.Or(o.Grace, defaultGrace)
	o.AtOnce = max(1, o.AtOnce)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Keeper{
		Options: o, entries: map[key]*entry{}, prepared: map[*semantic.Model]*prepared{}, places: make(chan struct{}, o.AtOnce),
	}
}

// Usable returns the rollups of a model that are whole, of its present definition and young enough, the smallest first.
func (k *Keeper) Usable(namespace string, m *semantic.Model) []compile.Rollup {
	if len(m.Rollups) == 0 {
		return nil
	}
	now := k.Now()
	k.mu.Lock()
	defer k.mu.Unlock()
	var usable []compile.Rollup
	var rows []int64
	for _, d := range k.prepare(m, now).rollups {
		e := k.entries[key{namespace, m.Name, d.rollup.Name}]
		if e == nil || !d.usable(e.build, now) {
			continue
		}
		at, _ := slices.BinarySearch(rows, e.build.Rows)
		rows = slices.Insert(rows, at, e.build.Rows)
		usable = slices.Insert(usable, at, compile.Rollup{
			Definition: d.definition, Source: semantic.Source{Table: e.build.Table}, Dialect: k.storeOf(m, d.rollup).Dialect(),
			BuiltAt: e.build.At, Watermark: e.build.Watermark,
		})
	}
	return usable
}

// Used takes note that a statement read a rollup. One that failed is not used again until it is rebuilt.
func (k *Keeper) Used(namespace string, r compile.Rollup, err error) {
	if err == nil {
		k.counters.used.Add(1)
		return
	}
	k.counters.failedReads.Add(1)
	d := r.Definition
	k.mu.Lock()
	defer k.mu.Unlock()
	e := k.entries[key{namespace, d.Model.Name, d.Rollup.Name}]
	if e != nil && e.build != nil && e.build.Table == r.Source.Table && !e.build.broken {
		e.build.broken = true
		k.Log.Error("a rollup could not be read and is not used until it is rebuilt",
			"namespace", namespace, "model", d.Model.Name, "rollup", d.Rollup.Name, "error", err)
	}
}

// entry returns what is known of a rollup. The lock is held.
func (k *Keeper) entry(of key) *entry {
	e := k.entries[of]
	if e == nil {
		e = &entry{}
		k.entries[of] = e
	}
	return e
}

// storeOf returns the database that holds a rollup; nil where it cannot.
func (k *Keeper) storeOf(m *semantic.Model, r *semantic.Rollup) Store {
	if !r.InSource {
		return k.Store
	}
	store, ok := k.Sources[m.Datasource]
	if !ok {
		return nil
	}
	return store
}
