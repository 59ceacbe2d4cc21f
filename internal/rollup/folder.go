package rollup

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"parlance/internal/semantic"
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
func (k *Keeper) newCopy(of key, r *semantic.Rollup) *copyOut {
	name := k.file(of)
	if name == "" || r.InSource {
		return nil
	}
	c := &copyOut{name: name}
	if c.err = os.MkdirAll(filepath.Dir(name), 0o750); c.err != nil {
		return c
	}
	k.clear(name)
	if c.file, c.err = os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*.part"); c.err == nil {
		c.text = bufio.NewWriterSize(c.file, 1<<16)
	}
	return c
}

// clear takes away what builds left behind that were cut off with their process. Those of another process that may still
// run stay.
func (k *Keeper) clear(name string) {
	folder := filepath.Dir(name)
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	begins := "." + filepath.Base(name) + "."
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), begins) || !strings.HasSuffix(e.Name(), ".part") {
			continue
		}
		if info, err := e.Info(); err == nil && k.Now().Sub(info.ModTime()) > 2*k.Patience {
			_ = os.Remove(filepath.Join(folder, e.Name())) // another process may have been faster
		}
	}
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
	defer func() { _ = os.Remove(zipped.Name()) }() // which is not there any more once it is in its place
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
