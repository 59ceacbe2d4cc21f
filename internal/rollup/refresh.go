package rollup

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"parlance/internal/semantic"
)

const (
	lookEvery = time.Second
	firstWait = 5 * time.Second // after a build failed
	lastWait  = 5 * time.Minute
)

// Run builds what is missing or due until ctx ends, and then stops what is being built.
func (k *Keeper) Run(ctx context.Context) {
	var builds sync.WaitGroup
	defer builds.Wait()
	clock := time.NewTicker(lookEvery)
	defer clock.Stop()
	for {
		for _, j := range k.due() {
			builds.Go(func() { k.refresh(ctx, j) })
		}
		k.sweep(ctx)
		select {
		case <-ctx.Done():
			return
		case <-clock.C:
		}
	}
}

// Refresh builds what is missing or due now, and returns when that is done.
func (k *Keeper) Refresh(ctx context.Context) {
	var builds sync.WaitGroup
	for _, j := range k.due() {
		builds.Go(func() { k.refresh(ctx, j) })
	}
	builds.Wait()
	k.sweep(ctx)
}

// job is a rollup to be built.
type job struct {
	key    key
	model  *semantic.Model
	rollup *semantic.Rollup
}

// due returns the rollups that are to be built, and marks them.
func (k *Keeper) due() []job {
	var jobs []job
	present := map[*semantic.Model]bool{}
	now := k.Now()
	for namespace, m := range k.Models() {
		if len(m.Rollups) == 0 {
			continue
		}
		present[m] = true
		k.mu.Lock()
		for _, d := range k.prepare(m, now).rollups {
			of := key{namespace, m.Name, d.rollup.Name}
			e := k.entry(of)
			if !e.building && (!now.Before(e.next) && d.due(e, now) || k.changed(of, e)) {
				e.building = true
				jobs = append(jobs, job{of, m, d.rollup})
			}
		}
		k.mu.Unlock()
	}
	k.mu.Lock()
	k.forget(present)
	k.mu.Unlock()
	return jobs
}

// due reports whether there is no build that may be used, or it is to be refreshed.
func (d *defined) due(e *entry, now time.Time) bool {
	if !d.usable(e.build, now) {
		return true
	}
	return d.rollup.Refresh > 0 && now.Sub(e.build.At) >= d.rollup.Refresh-e.early
}

// refresh builds one rollup once there is a place for it.
func (k *Keeper) refresh(ctx context.Context, j job) {
	defer func() {
		k.mu.Lock()
		k.entry(j.key).building = false
		k.mu.Unlock()
	}()
	select {
	case k.places <- struct{}{}:
		defer func() { <-k.places }()
	case <-ctx.Done():
		return
	}
	if k.restore(ctx, j) {
		k.Log.InfoContext(ctx, "rollup read from its folder", "namespace", j.key.namespace, "model", j.key.model, "rollup", j.key.rollup)
	}
	if !k.stillDue(j) {
		return
	}
	b, err := k.Build(ctx, j.key.namespace, j.model, j.rollup)
	switch {
	case b != nil && err == nil:
		k.Log.InfoContext(ctx, "rollup built", "namespace", j.key.namespace, "model", j.key.model, "rollup", j.key.rollup,
			"rows", b.Rows, "bytes", b.Bytes, "duration", b.Took)
	case b != nil:
		k.Log.ErrorContext(ctx, "rollup built, but not written to its folder", "namespace", j.key.namespace, "model", j.key.model, "rollup", j.key.rollup, "error", err)
	case ctx.Err() == nil:
		k.postpone(j.key)
		k.Log.ErrorContext(ctx, "rollup not built", "namespace", j.key.namespace, "model", j.key.model, "rollup", j.key.rollup, "error", err)
	}
}

// stillDue reports whether a rollup is to be built now.
func (k *Keeper) stillDue(j job) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	e, now := k.entry(j.key), k.Now()
	return !now.Before(e.next) && k.defined(j).due(e, now)
}

// postpone puts the next try of a rollup off, the longer the more often it failed, and never all at the same moment.
func (k *Keeper) postpone(of key) {
	k.mu.Lock()
	defer k.mu.Unlock()
	e := k.entry(of)
	wait := min(lastWait, firstWait<<min(e.failures, 10))
	e.failures++
	e.next = k.Now().Add(wait/2 + rand.N(wait/2))
}
