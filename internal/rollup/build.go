package rollup

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"time"

	"parlance/internal/compile"
	"parlance/internal/compile/resolve"
	"parlance/internal/datasource"
	"parlance/internal/fault"
	"parlance/internal/inspect"
	"parlance/internal/result"
	"parlance/internal/semantic"
)

// Build builds a rollup from the rows that its model has now and puts it in the place of the one before, all at once. On
// error the one before stays. A build that only could not be written to its folder is returned with the error.
func (k *Keeper) Build(ctx context.Context, namespace string, m *semantic.Model, r *semantic.Rollup) (*Build, error) {
	d := k.define(m, r, k.Now())
	if d.err != nil {
		k.counters.failed.Add(1)
		return nil, d.err
	}
	ctx = datasource.WithPatience(ctx, k.Patience)
	ctx, cancel := context.WithTimeout(ctx, k.Patience)
	defer cancel()
	of := key{namespace, m.Name, r.Name}
	b := &Build{Namespace: namespace, Model: m.Name, Rollup: r.Name, Fingerprint: d.fingerprint, store: k.storeOf(m, r)}
	b.Table = k.tableOf(of, d)
	out := k.newCopy(of, r)
	if err := k.fill(ctx, d, b, out); err != nil {
		out.drop()
		k.counters.failed.Add(1)
		return nil, errors.Join(err, k.abandon(context.WithoutCancel(ctx), b))
	}
	k.counters.built.Add(1)
	k.publish(b, r.Refresh)
	if r.InSource {
		k.sweepShared(ctx, d, b)
	}
	err := out.keep(b)
	k.mu.Lock()
	k.entry(of).looked = fileMark(k.file(of))
	k.mu.Unlock()
	return b, err
}

// fill makes the table of a build, and its copy.
func (k *Keeper) fill(ctx context.Context, d *defined, b *Build, out *copyOut) (err error) {
	origin := k.Origins[d.definition.Model.Datasource]
	b.At = k.Now()
	began := time.Now()
	if err := trusted(ctx, origin, d.extract.Joins); err != nil {
		return err
	}
	if b.Watermark, err = watermark(ctx, origin, d.definition.Model); err != nil {
		return err
	}
	t := tableFor(d, b)
	rows := newReader(d.definition, d.extract.Columns)
	if d.rollup.InSource {
		rows.once = map[uint64]bool{}
	}
	var failed error
	t.Rows = func(yield func([]any) bool) {
		st := d.extract.Statement
		failed = origin.Query(ctx, st.SQL, st.Args, func(cells []any) error {
			read, err := rows.row(cells)
			if err != nil {
				return unkept(b, err)
			}
			b.Rows++
			out.row(rows.buffer)
			if !yield(read) {
				return errStopped
			}
			return nil
		})
		if failed != nil && !errors.Is(failed, errStopped) {
			yield(nil) // a row that fits no table: what was read so far is not kept
		}
	}
	err = b.store.Load(ctx, t)
	b.Bytes, b.Took = rows.bytes, time.Since(began)
	if failed != nil && !errors.Is(failed, errStopped) {
		return failed
	}
	return err
}

var errStopped = errors.New("the table takes no more rows")

// trusted refuses to build where a key that a join trusts finds several rows: what is counted twice would stay so when
// the data is mended.
func trusted(ctx context.Context, origin Origin, joins []compile.Join) error {
	for _, j := range joins {
		repeated, err := inspect.Repeated(ctx, origin, j.Source, j.Key)
		if err != nil {
			return err
		}
		if repeated {
			return fault.Invalidf("duplicate_dimension_key", "", "Dimension %q has rows that share a key, so that rows would count more than once", j.Dimension.Path)
		}
	}
	return nil
}

// watermark returns the newest time among the model's rows; "" where the model names no time.
func watermark(ctx context.Context, origin Origin, m *semantic.Model) (newest string, err error) {
	f := timeOf(m)
	if f == nil {
		return "", nil
	}
	e := resolve.OwnField(m, f)
	latest := &resolve.Agg{Fn: semantic.Max, Arg: e, T: e.Type()}
	x, err := compile.All(&resolve.Query{Model: m, Grouped: true, Columns: []resolve.Output{{Key: "newest", Expr: latest}}}, origin.Dialect())
	if err != nil {
		return "", err
	}
	rows := result.NewEncoder(x.Columns, result.Compact)
	defer rows.Release()
	rows.Zone(m.Calendar.Zone)
	if err := origin.Query(ctx, x.Statement.SQL, x.Statement.Args, rows.Row); err != nil {
		return "", err
	}
	if newest = strings.Trim(string(rows.Bytes()), `[]"`); newest == "null" {
		return "", nil
	}
	return newest, nil
}

func timeOf(m *semantic.Model) *semantic.Field {
	for _, name := range []string{m.Time, m.Time + "$caption", m.Time + "$id"} {
		if f := m.Field(name); f != nil && f.Type.Temporal() {
			return f
		}
	}
	return nil
}

// abandon takes away what a build that failed left behind. In a database of somebody else's nothing is: a table is made
// there whole or not at all.
func (k *Keeper) abandon(ctx context.Context, b *Build) error {
	if b.store != k.Store {
		return nil
	}
	return b.store.Drop(ctx, b.Table)
}

// publish puts a build in the place of the one before, whose table is taken away once nobody can be reading it.
func (k *Keeper) publish(b *Build, refresh time.Duration) {
	k.mu.Lock()
	defer k.mu.Unlock()
	e := k.entry(key{b.Namespace, b.Model, b.Rollup})
	if e.build != nil {
		k.retired = append(k.retired, retired{e.build.store, e.build.Table, k.Now()})
	}
	e.build, e.failures, e.next, e.early = b, 0, time.Time{}, rand.N(refresh/10+1)
}

// tableFor is the table of a build, without its rows. A database of somebody else's keeps no key of it: keys may be null.
func tableFor(d *defined, b *Build) datasource.Table {
	columns, keys := columnsOf(d.definition)
	t := datasource.Table{Name: b.Table, Columns: columns, Key: keys, Narrow: true}
	if d.rollup.InSource {
		t.Key = nil
	}
	return t
}

// tableOf names the table of the next build.
func (k *Keeper) tableOf(of key, d *defined) string {
	if !d.rollup.InSource {
		return k.newTable()
	}
	return sharedTable(of, d, k.Now())
}

// sweep takes away tables that were replaced long enough ago.
func (k *Keeper) sweep(ctx context.Context) {
	k.mu.Lock()
	now := k.Now()
	var due []retired
	kept := k.retired[:0]
	for _, r := range k.retired {
		if now.Sub(r.since) < k.Grace {
			kept = append(kept, r)
			continue
		}
		due = append(due, r)
	}
	k.retired = kept
	k.mu.Unlock()
	for _, r := range due {
		if err := r.store.Drop(ctx, r.table); err != nil {
			k.Log.WarnContext(ctx, "a replaced rollup could not be taken away", "table", r.table, "error", err)
		}
	}
}

func unkept(b *Build, err error) error {
	return fault.Internalf(err, "Rollup %q of model %q holds a value that cannot be kept", b.Rollup, b.Model)
}
