package rollup

import (
	"cmp"
	"slices"
	"sync/atomic"
	"time"
)

type counters struct{ built, failed, used, failedReads, restored atomic.Int64 }

// Stats is what a keeper did and holds.
type Stats struct {
	Built, Failed     int64 // builds
	Restored          int64 // builds that were read from the folder
	Reads, FailedRead int64 // statements that read a rollup
	Rollups           []State
}

// State is one rollup as it is now.
type State struct {
	Namespace, Model, Rollup string

	Usable    bool
	Building  bool
	Failures  int // builds in a row that failed
	BuiltAt   time.Time
	Watermark string
	Rows      int64
	Bytes     int64
}

// Stats returns what the keeper did and holds, in the order of names.
func (k *Keeper) Stats() Stats {
	s := Stats{
		Built: k.counters.built.Load(), Failed: k.counters.failed.Load(), Restored: k.counters.restored.Load(),
		Reads: k.counters.used.Load(), FailedRead: k.counters.failedReads.Load(),
	}
	for namespace, m := range k.Models() {
		k.mu.Lock()
		for _, d := range k.prepare(m, k.Now()).rollups {
			state := State{Namespace: namespace, Model: m.Name, Rollup: d.rollup.Name}
			if e := k.entries[key{namespace, m.Name, d.rollup.Name}]; e != nil {
				state.Building, state.Failures, state.Usable = e.building, e.failures, d.usable(e.build, k.Now())
				if b := e.build; b != nil {
					state.BuiltAt, state.Watermark, state.Rows, state.Bytes = b.At, b.Watermark, b.Rows, b.Bytes
				}
			}
			s.Rollups = append(s.Rollups, state)
		}
		k.mu.Unlock()
	}
	slices.SortFunc(s.Rollups, func(a, b State) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Model, b.Model), cmp.Compare(a.Rollup, b.Rollup))
	})
	return s
}
