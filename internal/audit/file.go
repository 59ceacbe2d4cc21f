package audit

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// file is the file that is appended to, and those that were put aside before it. A file that cannot be opened is tried
// again with the next write.
type file struct {
	path   string
	max    int64 // bytes after which it is put aside
	keep   int   // of those put aside; 0: all
	log    *slog.Logger
	f      *os.File // nil: not open
	size   int64
	before int64 // size below which a file that could not be put aside is left alone
	last   int   // the highest number that a file put aside has
	stale  bool  // f is to be opened again
}

var (
	errShared    = errors.New("another process writes it")
	errNoRegular = errors.New("it is not a regular file")
)

func openFile(o Options) (*file, error) {
	f := &file{path: o.File, max: o.MaxSize, keep: o.Keep, log: o.Log}
	if err := f.open(); err != nil {
		return nil, fmt.Errorf("the audit record %s cannot be opened: %w", o.File, err)
	}
	for _, n := range f.numbers() {
		f.last = max(f.last, n)
	}
	return f, nil
}

// open opens the file for this process alone and ends a line that a crash left in the middle.
func (f *file) open() error {
	// Without O_NONBLOCK a pipe of that name would keep the program waiting.
	opened, err := os.OpenFile(f.path, os.O_RDWR|os.O_APPEND|os.O_CREATE|syscall.O_NONBLOCK, 0o600)
	if err != nil {
		return err
	}
	info, err := opened.Stat()
	switch {
	case err != nil:
	case !info.Mode().IsRegular():
		err = errNoRegular
	case syscall.Flock(int(opened.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil:
		err = errShared
	default:
		err = endLine(opened, info.Size())
	}
	if err == nil {
		info, err = opened.Stat()
	}
	if err != nil {
		return errors.Join(err, opened.Close())
	}
	f.f, f.size, f.before, f.stale = opened, info.Size(), 0, false
	return nil
}

func endLine(f *os.File, size int64) error {
	var last [1]byte
	if size == 0 {
		return nil
	}
	if _, err := f.ReadAt(last[:], size-1); err != nil || last[0] == '\n' {
		return err
	}
	_, err := f.Write([]byte{'\n'})
	return err
}

// write appends lines and returns how many bytes of them are in the file: always whole lines. The file grows beyond its
// bound only by a line that is longer than the bound.
func (f *file) write(lines []byte) (n int, err error) {
	if err := f.ready(); err != nil {
		return 0, err
	}
	for n < len(lines) {
		part := f.fitting(lines[n:])
		if part == 0 {
			if err := f.rotate(); err != nil {
				return n, err
			}
			continue
		}
		wrote, err := f.f.Write(lines[n : n+part])
		f.size += int64(wrote)
		if err != nil {
			return n + f.undo(lines[n:n+wrote]), err
		}
		n += part
	}
	return n, nil
}

// ready opens the file where it is not open, or where somebody has moved it away.
func (f *file) ready() error {
	if f.f != nil && (f.stale || !f.named()) {
		if err := f.close(); err != nil {
			f.log.Error("the audit record may lack its end: the file could not be closed", "error", err)
		}
	}
	if f.f != nil {
		return nil
	}
	return f.open()
}

// fitting returns how many bytes of the lines still go into the file; 0 means that another is needed.
func (f *file) fitting(lines []byte) int {
	room := max(f.max, f.before) - f.size
	if int64(len(lines)) <= room {
		return len(lines)
	}
	if room > 0 {
		if end := bytes.LastIndexByte(lines[:room], '\n'); end >= 0 {
			return end + 1
		}
	}
	if f.size == 0 {
		return bytes.IndexByte(lines, '\n') + 1
	}
	return 0
}

// undo takes half a line back after a write that broke off, and returns the length of the whole ones before it.
func (f *file) undo(wrote []byte) int {
	whole := bytes.LastIndexByte(wrote, '\n') + 1
	if half := int64(len(wrote) - whole); half > 0 {
		if err := f.f.Truncate(f.size - half); err != nil {
			f.stale = true // opening it again ends the half line
			return whole
		}
		f.size -= half
	}
	return whole
}

// rotate puts the file aside under the next number and begins another. A file that cannot be moved is written on.
func (f *file) rotate() error {
	name := f.numbered(f.last + 1)
	if err := f.moveTo(name); err != nil {
		f.before = f.size + max(f.max/10, MaxLine)
		f.log.Error("the audit record is not rotated: its file cannot be put aside", "error", err)
		return nil
	}
	f.last++
	if err := f.close(); err != nil {
		f.log.Error("the audit record may lack its end: the file could not be closed", "error", err)
	}
	f.prune()
	return f.open()
}

// moveTo never overwrites another file.
func (f *file) moveTo(name string) error {
	if _, err := os.Lstat(name); err == nil {
		f.last++
		return os.ErrExist
	}
	return os.Rename(f.path, name)
}

// prune removes the oldest files beyond those to keep.
func (f *file) prune() {
	if f.keep <= 0 {
		return
	}
	numbers := f.numbers()
	for _, n := range numbers[:max(0, len(numbers)-f.keep)] {
		if err := os.Remove(f.numbered(n)); err != nil {
			f.log.Error("an old file of the audit record cannot be removed", "error", err)
		}
	}
}

// numbered returns the name of a file put aside: audit.000001.jsonl beside audit.jsonl.
func (f *file) numbered(n int) string {
	ext := filepath.Ext(f.path)
	return fmt.Sprintf("%s.%06d%s", strings.TrimSuffix(f.path, ext), n, ext)
}

// numbers returns the numbers of the files put aside, lowest first.
func (f *file) numbers() []int {
	ext := filepath.Ext(f.path)
	prefix := strings.TrimSuffix(filepath.Base(f.path), ext) + "."
	entries, _ := os.ReadDir(filepath.Dir(f.path)) // what cannot be listed is not pruned
	var found []int
	for _, e := range entries {
		middle, ok := strings.CutPrefix(e.Name(), prefix)
		middle, also := strings.CutSuffix(middle, ext)
		if n, err := strconv.Atoi(middle); ok && also && err == nil && n > 0 && len(middle) >= 6 {
			found = append(found, n)
		}
	}
	slices.Sort(found)
	return found
}

// named reports whether the open file is the one that has the name.
func (f *file) named() bool {
	named, err := os.Stat(f.path)
	if err != nil {
		return false
	}
	open, err := f.f.Stat()
	return err == nil && os.SameFile(open, named)
}

// sync makes what is written last.
func (f *file) sync() error {
	if f.f == nil {
		return nil
	}
	return f.f.Sync()
}

func (f *file) close() error {
	if f.f == nil {
		return nil
	}
	err := errors.Join(f.f.Sync(), f.f.Close())
	f.f = nil
	return err
}
