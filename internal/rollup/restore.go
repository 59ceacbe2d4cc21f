package rollup

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"parlance/internal/jsontree"
)

// restore loads the last build of the folder where it may be used and is newer than what there is. It reports whether
// it did; a file that cannot be read is as good as none.
func (k *Keeper) restore(ctx context.Context, j job) bool {
	name := k.file(j.key)
	mark := fileMark(name)
	k.mu.Lock()
	e := k.entry(j.key)
	d := k.defined(j)
	seen := mark == "" || e.looked == mark
	e.looked = mark
	before := e.build
	k.mu.Unlock()
	if seen || d.err != nil || j.rollup.InSource {
		return false
	}
	b, err := k.load(ctx, name, d, before)
	if err != nil {
		k.Log.WarnContext(ctx, "a rollup could not be read from its folder", "namespace", j.key.namespace, "model", j.key.model, "rollup", j.key.rollup, "error", err)
	}
	if b == nil {
		return false
	}
	b.Namespace, b.Model, b.Rollup = j.key.namespace, j.key.model, j.key.rollup
	k.counters.restored.Add(1)
	k.publish(b, j.rollup.Refresh)
	return true
}

// load reads a build from a file; nil where it may not be used, or is no newer than the one before.
func (k *Keeper) load(ctx context.Context, name string, d *defined, before *Build) (*Build, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	z, err := gzip.NewReader(bufio.NewReader(file))
	if err != nil {
		return nil, err
	}
	lines := bufio.NewReaderSize(z, 1<<16)
	head, err := lines.ReadBytes('\n')
	if err != nil {
		return nil, err
	}
	b, err := readHead(head)
	if err != nil {
		return nil, err
	}
	if !d.usable(b, k.Now()) || before != nil && !b.At.After(before.At) {
		return nil, nil
	}
	b.Table, b.store = k.newTable(), k.Store
	if err := k.fillFrom(ctx, lines, d, b); err != nil {
		return nil, errors.Join(err, k.Store.Drop(context.WithoutCancel(ctx), b.Table))
	}
	return b, nil
}

// readHead reads the first line of a file.
func readHead(line []byte) (*Build, error) {
	tree, err := jsontree.Parse(line)
	if err != nil {
		return nil, err
	}
	text := func(key string) string {
		n, _ := tree.Get(key)
		return n.Text
	}
	b := &Build{Fingerprint: text("fingerprint"), Watermark: text("watermark")}
	if b.At, err = time.Parse(time.RFC3339Nano, text("at")); err != nil {
		return nil, err
	}
	took := int64(0)
	for key, to := range map[string]*int64{"rows": &b.Rows, "bytes": &b.Bytes, "took": &took} {
		if *to, err = strconv.ParseInt(text(key), 10, 64); err != nil {
			return nil, err
		}
	}
	b.Took = time.Duration(took)
	return b, nil
}

// fillFrom makes the table of a build from its lines, of which there must be as many as it had rows.
func (k *Keeper) fillFrom(ctx context.Context, lines *bufio.Reader, d *defined, b *Build) error {
	rows := newReader(d.definition, nil)
	var failed error
	count := int64(0)
	t := tableFor(d, b)
	t.Rows = func(yield func([]any) bool) {
		for {
			line, err := lines.ReadBytes('\n')
			if errors.Is(err, io.EOF) && len(line) == 0 {
				break
			}
			var cells []any
			if err == nil {
				cells, err = rows.parse(line)
			}
			if err != nil {
				failed = err
				yield(nil)
				return
			}
			count++
			if !yield(cells) {
				return
			}
		}
		if count != b.Rows {
			failed = fmt.Errorf("%d rows instead of %d", count, b.Rows)
			yield(nil)
		}
	}
	err := k.Store.Load(ctx, t)
	if failed != nil {
		return failed
	}
	return err
}

// newTable returns a name that no table of the store has.
func (k *Keeper) newTable() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.tables++
	return fmt.Sprintf("rollup_%d", k.tables)
}

// changed reports whether the folder holds a build that was not looked at. The lock is held.
func (k *Keeper) changed(of key, e *entry) bool {
	if k.Folder == "" {
		return false
	}
	mark := fileMark(k.file(of))
	return mark != "" && mark != e.looked
}

// defined returns a rollup as its model's present generation defines it. The lock is held.
func (k *Keeper) defined(j job) *defined {
	for _, d := range k.prepare(j.model, k.Now()).rollups {
		if d.rollup == j.rollup {
			return d
		}
	}
	return &defined{rollup: j.rollup, err: errGone}
}

var errGone = errors.New("the model has no such rollup")
