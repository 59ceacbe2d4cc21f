package rollup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// A database of somebody else's holds the builds of all processes that use it. Each build is a table of its own: a name
// that could be given again would let a statement whose snapshot is older than the new table find it empty.

// Shared is a database of models that holds rollups beside tables of others.
type Shared interface {
	Store
	Loaded(ctx context.Context, begin string) ([]string, error) // the names of its tables that begin so
}

// sharedName is what the names of all builds of a definition begin with.
func sharedName(of key, d *defined) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %s", of, d.fingerprint))
	return "parlance_rollup_" + hex.EncodeToString(sum[:8]) + "_"
}

// sharedTable is a name that no other build has, with its moment in it.
func sharedTable(of key, d *defined, now time.Time) string {
	return fmt.Sprintf("%s%s_%08x", sharedName(of, d), strconv.FormatInt(now.Unix(), 36), rand.Uint32())
}

// sharedSince is the moment in the name of a build.
func sharedSince(table, begin string) (time.Time, bool) {
	moment, _, _ := strings.Cut(strings.TrimPrefix(table, begin), "_")
	seconds, err := strconv.ParseInt(moment, 36, 64)
	return time.Unix(seconds, 0), err == nil
}

// lifetime is how long a build of a process that gives no sign is taken to be in use. One that is taken away all the same
// is built again by whoever misses it, and its rows are read meanwhile.
func (k *Keeper) lifetime(d *defined) time.Duration {
	if d.rollup.Refresh == 0 {
		return 24 * time.Hour
	}
	return 2*d.rollup.Refresh + 2*k.Patience
}

// sweepShared takes away builds that processes which are no more left behind.
func (k *Keeper) sweepShared(ctx context.Context, d *defined, b *Build) {
	begin := sharedName(key{b.Namespace, b.Model, b.Rollup}, d)
	tables, err := k.Sources[d.definition.Model.Datasource].Loaded(ctx, begin)
	for _, table := range tables {
		if since, ok := sharedSince(table, begin); ok && table != b.Table && k.Now().Sub(since) > k.lifetime(d) && err == nil {
			err = b.store.Drop(ctx, table)
		}
	}
	if err != nil {
		k.Log.WarnContext(ctx, "rollups that were left behind could not be taken away", "model", b.Model, "rollup", b.Rollup, "error", err)
	}
}

// Discard takes away the table of a build that nobody is to read.
func (k *Keeper) Discard(ctx context.Context, b *Build) error { return b.store.Drop(ctx, b.Table) }
