package rollup

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"parlance/internal/datasource"
)

// A build outlives its process as a file of lines, zipped: the build itself, then each row as a JSON object. It is
// written beside its name and renamed when it is whole.

// file is where the last build of a rollup stands; "" where builds do not outlive the process.
func (k *Keeper) file(of key) string {
	if k.Folder == "" {
		return ""
	}
	return filepath.Join(k.Folder, of.namespace, of.model+"."+of.rollup+".jsonl.gz")
}

// fileMark is a text that is another once a file was replaced; "" where there is none.
func fileMark(name string) string {
	if name == "" {
		return ""
	}
	info, err := os.Stat(name)
	if err != nil {
		return ""
	}
	return fmt.Sprint(info.Size(), info.ModTime().UnixNano())
}

// copyOut writes the rows of a build while they are read.
type copyOut struct {
	name string
	file *os.File
	text *bufio.Writer
	err  error // the first that was met: a copy that cannot be written keeps nobody from reading the build
}

// newCopy opens the copy of a build; nil where there is none to write.
func (k *Keeper) newCopy(of key) *copyOut {
	name := k.file(of)
	if name == "" {
		return nil
	}
	c := &copyOut{name: name}
	if c.err = os.MkdirAll(filepath.Dir(name), 0o750); c.err != nil {
		return c
	}
	if c.file, c.err = os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*.part"); c.err == nil {
		c.text = bufio.NewWriterSize(c.file, 1<<16)
	}
	return c
}

// row writes a row, as plain text: only a whole build is zipped, behind its head.
func (c *copyOut) row(object []byte) {
	if c == nil || c.err != nil {
		return
	}
	if _, c.err = c.text.Write(object); c.err == nil {
		c.err = c.text.WriteByte('\n')
	}
}

// drop takes away what was written.
func (c *copyOut) drop() {
	if c != nil && c.file != nil {
		_ = c.file.Close()
		_ = os.Remove(c.file.Name())
	}
}

// keep puts the copy in its place.
func (c *copyOut) keep(b *Build) error {
	if c == nil {
		return nil
	}
	defer c.drop()
	if c.err == nil {
		c.err = c.text.Flush()
	}
	if c.err != nil {
		return c.err
	}
	zipped, err := os.CreateTemp(filepath.Dir(c.name), "."+filepath.Base(c.name)+".*.part")
	if err != nil {
		return err
	}
	defer os.Remove(zipped.Name())
	if err := errors.Join(c.zip(zipped, b), zipped.Sync(), zipped.Close()); err != nil {
		return err
	}
	return os.Rename(zipped.Name(), c.name)
}

func (c *copyOut) zip(to io.Writer, b *Build) error {
	if _, err := c.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	z := gzip.NewWriter(to)
	if err := json.NewEncoder(z).Encode(b); err != nil {
		return err
	}
	if _, err := io.Copy(z, c.file); err != nil {
		return err
	}
	return z.Close()
}

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
	if seen || d.err != nil {
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
	defer file.Close()
	z, err := gzip.NewReader(bufio.NewReader(file))
	if err != nil {
		return nil, err
	}
	lines := bufio.NewReaderSize(z, 1<<16)
	head, err := lines.ReadBytes('\n')
	if err != nil {
		return nil, err
	}
	b := &Build{}
	if err := json.Unmarshal(head, b); err != nil {
		return nil, err
	}
	if !d.usable(b, k.Now()) || before != nil && !b.At.After(before.At) {
		return nil, nil
	}
	b.Table = k.newTable()
	if err := k.fillFrom(ctx, lines, d, b); err != nil {
		return nil, errors.Join(err, k.Store.Drop(context.WithoutCancel(ctx), b.Table))
	}
	return b, nil
}

// fillFrom makes the table of a build from its lines, of which there must be as many as it had rows.
func (k *Keeper) fillFrom(ctx context.Context, lines *bufio.Reader, d *defined, b *Build) error {
	columns, keys := columnsOf(d.definition)
	rows := newReader(d.definition, nil)
	var failed error
	count := int64(0)
	err := k.Store.Load(ctx, datasource.Table{Name: b.Table, Columns: columns, Key: keys, Rows: func(yield func([]any) bool) {
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
	}})
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
