package outage

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"parlance/internal/datasource"
	"parlance/internal/fault"
	"parlance/test/shop"
)

// smallDisk is a disk of so many bytes, until the test ends.
func smallDisk(t *testing.T, bytes int) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, fmt.Sprintf("size=%d", bytes)); err != nil {
		t.Skipf("SKIPPED: a disk that fills up needs a mount of its own, which only root may make: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// full fills a disk to its last byte and returns how to make room again.
func full(t *testing.T, dir string) (room func()) {
	t.Helper()
	path := filepath.Join(dir, "filler")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{4096, 1} {
		for err = nil; err == nil; {
			_, err = f.Write(make([]byte, size))
		}
		if !errors.Is(err, syscall.ENOSPC) {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

// TestDiskFullForAudit: what cannot be recorded is not answered, in words that say so; with room again it is, by itself,
// and every line of the record is whole.
func TestDiskFullForAudit(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t, 256<<10)
	s := newStand(t)
	file := filepath.Join(disk, "audit.jsonl")
	p := s.launch(t, "concurrency: 4", fmt.Sprintf("audit: {file: %q}\n", file))
	answered := 0
	ask := func() reply {
		r, err := p.sum(t.Context(), "Sales", 10)
		switch {
		case err != nil:
			t.Fatal(err)
		case r.right(10):
			answered++
		case !r.shed() || strings.Contains(r.body, disk) || strings.Contains(r.body, "no space"):
			t.Errorf("with a full disk: %+v", r)
		}
		return r
	}
	if !ask().right(10) {
		t.Fatal("no answer with room on the disk")
	}
	room := full(t, disk)
	until(t, "nothing is answered that cannot be recorded", func() bool { return ask().shed() })
	for range 20 {
		ask()
	}
	if r, err := p.client.Get(p.base + "/healthz"); err != nil || r.StatusCode != 200 {
		t.Errorf("the server is not well: %v", err)
	} else if err := r.Body.Close(); err != nil {
		t.Error(err)
	}
	room()
	until(t, "answers come again", func() bool { return ask().right(10) })
	p.stop(t)
	if lines := recorded(t, file); lines < answered {
		t.Errorf("%d answers, and %d are recorded", answered, lines)
	}
}

// recorded counts the lines of a record that tell of an answer. All must be whole.
func recorded(t *testing.T, file string) (n int) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var entry struct{ Outcome string }
		if err := json.Unmarshal(lines.Bytes(), &entry); err != nil {
			t.Errorf("a broken line: %s", lines.Text())
		}
		if entry.Outcome == "ok" {
			n++
		}
	}
	return n
}

// TestDiskFullForTemporaryFiles: a query that needs more room than there is fails alone, in words that name no file, and
// can be asked again when there is.
func TestDiskFullForTemporaryFiles(t *testing.T) {
	disk := smallDisk(t, 128<<20)
	t.Setenv("TMPDIR", disk)
	s := shop.New(t, datasource.Config{Type: "duckdb", Memory: "100MB", Threads: 1})
	const spilling = `SELECT sum(n) FROM (SELECT row_number() OVER (ORDER BY hash(i)) AS n, i::VARCHAR || 'a text of some length' AS t
		FROM range(2500000) r(i)) WHERE t <> ''`
	ask := func() error {
		return s.Source.Query(t.Context(), spilling, nil, func([]any) error { return nil })
	}
	room := full(t, disk)
	f := fault.As(ask())
	if f == nil {
		t.Fatal("a query that spills does without room")
	}
	if f.Kind != fault.Unavailable || !f.Retryable || strings.Contains(f.Text(), disk) || strings.Contains(f.Text(), "write") {
		t.Errorf("the error is %s (kind %d, retryable %v): %s", f.Reason, f.Kind, f.Retryable, f.Text())
	}
	t.Logf("%s: %s", f.Reason, f.Text())
	want, err := right()
	if err != nil {
		t.Fatal(err)
	}
	for i, q := range questions {
		if got, err := s.Ask(t.Context(), q[0], q[1]); err != nil || got != want[i] {
			t.Errorf("beside a full disk: %v", err)
		}
	}
	room()
	if err := ask(); err != nil {
		t.Errorf("with room again: %v", err)
	}
}
