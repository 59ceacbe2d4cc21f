package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"parlance/internal/fault"
)

// logged is a text that may be written and read at the same time.
type logged struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logged) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func open(t *testing.T, o Options) (*Log, *logged) {
	t.Helper()
	if o.File == "" {
		o.File = filepath.Join(t.TempDir(), "audit.jsonl")
	}
	out := &logged{}
	o.Log = slog.New(slog.NewTextHandler(out, nil))
	l, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l, out
}

// traces returns how often each trace id stands in the files; every line must be whole and the numbers of the run
// without a gap.
func traces(t *testing.T, files ...string) map[string]int {
	t.Helper()
	found := map[string]int{}
	n := 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(text) {
			var e struct {
				Trace string `json:"trace"`
				N     int    `json:"n"`
			}
			if err := json.Unmarshal(line, &e); err != nil {
				t.Fatalf("%s: %q: %v", filepath.Base(name), line, err)
			}
			if n++; e.N != n {
				t.Errorf("line %d of the run has the number %d", n, e.N)
			}
			found[e.Trace]++
		}
	}
	return found
}

// await polls without a bound of its own: the test's time-out is the bound.
func await(cond func() bool) {
	for !cond() {
		syscall.Select(0, nil, nil, nil, &syscall.Timeval{Usec: 1000})
	}
}

func TestEveryEntryBecomesOneLine(t *testing.T) {
	const callers, each = 16, 1000
	l, _ := open(t, Options{Queue: 8})
	var wg sync.WaitGroup
	for c := range callers {
		wg.Go(func() {
			for i := range each {
				l.Record(Entry{Trace: fmt.Sprintf("%d-%d", c, i)})
			}
		})
	}
	wg.Wait()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	found := traces(t, l.opts.File)
	if len(found) != callers*each {
		t.Errorf("%d of %d entries are there", len(found), callers*each)
	}
	for trace, n := range found {
		if n != 1 {
			t.Errorf("%s stands there %d times", trace, n)
		}
	}
	s := l.Stats()
	if s.Written != callers*each || s.Lost != 0 || s.Waited == 0 {
		t.Errorf("%+v", s)
	}
	info, err := os.Stat(l.opts.File)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestRotationLosesNothing(t *testing.T) {
	const entries = 2000
	l, _ := open(t, Options{MaxSize: 20_000})
	for i := range entries {
		l.Record(Entry{Trace: fmt.Sprint(i)})
		if i%50 == 0 {
			if err := l.Flush(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	aside, err := filepath.Glob(filepath.Join(filepath.Dir(l.opts.File), "audit.[0-9]*.jsonl"))
	if err != nil || len(aside) < 10 || filepath.Base(aside[0]) != "audit.000001.jsonl" {
		t.Fatalf("%v, %v", aside, err)
	}
	files := append(aside, l.opts.File)
	for _, f := range files {
		if info, err := os.Stat(f); err != nil || info.Size() > 20_000 || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info, err)
		}
	}
	if found := traces(t, files...); len(found) != entries {
		t.Errorf("%d of %d entries are there", len(found), entries)
	}
}

func TestOnlyTheNewestFilesAreKeptAndNumbersGoOn(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"audit.000007.jsonl", "audit.old.jsonl", "audit.7.jsonl"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("{}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	l, _ := open(t, Options{File: filepath.Join(dir, "audit.jsonl"), MaxSize: 1, Keep: 2})
	for range 5 {
		l.Record(Entry{})
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	names, _ := filepath.Glob(filepath.Join(dir, "*"))
	for i := range names {
		names[i] = filepath.Base(names[i])
	}
	if got := strings.Join(names, " "); got != "audit.000010.jsonl audit.000011.jsonl audit.7.jsonl audit.jsonl audit.old.jsonl" {
		t.Error(got)
	}
}

func TestAnotherRunAppendsAndEndsAHalfLine(t *testing.T) {
	file := filepath.Join(t.TempDir(), "audit.jsonl")
	if err := os.WriteFile(file, []byte("{}\n{\"half"), 0o600); err != nil {
		t.Fatal(err)
	}
	l, _ := open(t, Options{File: file})
	l.Record(Entry{Trace: "x"})
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(file)
	if !strings.HasPrefix(string(text), "{}\n{\"half\n{\"time\":") {
		t.Errorf("%q", text)
	}
}

func TestOneProcessWritesAFile(t *testing.T) {
	l, _ := open(t, Options{})
	if _, err := Open(Options{File: l.opts.File}); err == nil || !strings.Contains(err.Error(), "another process writes it") {
		t.Error(err)
	}
	for name, file := range map[string]string{
		"a folder": t.TempDir(), "no folder": filepath.Join(t.TempDir(), "none", "audit.jsonl"), "a device": "/dev/null",
	} {
		if _, err := Open(Options{File: file}); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

func TestAFileMovedAwayIsFollowedByAnother(t *testing.T) {
	l, _ := open(t, Options{})
	l.Record(Entry{Trace: "1"})
	if err := l.Flush(); err != nil {
		t.Fatal(err)
	}
	moved := l.opts.File + ".moved"
	if err := os.Rename(l.opts.File, moved); err != nil {
		t.Fatal(err)
	}
	l.Reopen()
	l.Record(Entry{Trace: "2"})
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if found := traces(t, moved, l.opts.File); found["1"] != 1 || found["2"] != 1 {
		t.Error(found)
	}
}

func TestAFileRemovedIsNoticed(t *testing.T) {
	l, _ := open(t, Options{})
	l.Record(Entry{Trace: "1"})
	if err := l.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(l.opts.File); err != nil {
		t.Fatal(err)
	}
	l.Record(Entry{Trace: "2"})
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(l.opts.File); err != nil || strings.Count(string(text), `"trace":"2"`) != 1 {
		t.Errorf("%s, %v", text, err)
	}
}

// breakFile puts a folder in the place of the file; the returned function takes it away again.
func breakFile(t *testing.T, l *Log) (mend func()) {
	t.Helper()
	if err := os.Rename(l.opts.File, l.opts.File+".aside"); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(l.opts.File, 0o700); err != nil {
		t.Fatal(err)
	}
	l.Reopen()
	await(l.failed.Load)
	return func() {
		if err := os.Remove(l.opts.File); err != nil {
			t.Fatal(err)
		}
		await(func() bool { return !l.failed.Load() })
	}
}

func TestNothingIsAdmittedWhileNothingCanBeWritten(t *testing.T) {
	l, out := open(t, Options{Queue: 4})
	if err := l.Admit(); err != nil {
		t.Fatal(err)
	}
	mend := breakFile(t, l)
	f := fault.As(l.Admit())
	if f.Kind != fault.Unavailable || f.Reason != "audit_unavailable" || !f.Retryable || l.Check() == nil {
		t.Errorf("%+v", f)
	}
	for i := range 4 {
		l.Record(Entry{Trace: fmt.Sprint(i)}) // requests that were under way
	}
	for range 3 {
		l.Record(Entry{Trace: "refused", Outcome: "bad_token", Code: 401})
	}
	waiting := make(chan struct{})
	go func() {
		defer close(waiting)
		l.Record(Entry{Trace: "waited"})
	}()
	await(func() bool { return l.Stats().Waited == 4 })
	mend()
	<-waiting
	if err := l.Admit(); err != nil {
		t.Error(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if found := traces(t, l.opts.File); len(found) != 5 || found["waited"] != 1 || found["3"] != 1 {
		t.Error(found)
	}
	if s := l.Stats(); s.Lost != 3 {
		t.Errorf("%+v", s)
	}
	log := out.String()
	if strings.Count(log, "no query is answered until it can be") != 1 || !strings.Contains(log, `"the audit record is written again" lost=3`) {
		t.Error(log)
	}
}

func TestServingWithoutARecordIsAChoice(t *testing.T) {
	l, out := open(t, Options{Queue: 2, Serve: true})
	mend := breakFile(t, l)
	if err := l.Admit(); err != nil {
		t.Error(err)
	}
	if l.Check() == nil {
		t.Error("the record counts as kept")
	}
	for range 5 {
		l.Record(Entry{})
	}
	mend()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if s := l.Stats(); s.Lost != 3 || s.Written != 2 {
		t.Errorf("%+v", s)
	}
	if !strings.Contains(out.String(), "queries are answered all the same") {
		t.Error(out)
	}
}

// The size of files is bounded for a whole process, so the write breaks off
// in a process of its own.
func TestAWriteThatBreaksOffLeavesWholeLines(t *testing.T) {
	const child = "PARLANCE_BOUNDED_FILES"
	if os.Getenv(child) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
		cmd.Env = append(os.Environ(), child+"=1")
		if out, err := cmd.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("--- PASS: "+t.Name())) {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	signal.Ignore(syscall.SIGXFSZ)
	l, _ := open(t, Options{})
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 1000, Max: limit.Max}); err != nil {
		t.Fatal(err)
	}
	for i := range 10 {
		l.Record(Entry{Trace: fmt.Sprint(i)})
	}
	await(l.failed.Load)
	text, err := os.ReadFile(l.opts.File)
	if err != nil || len(text) == 0 || len(text) > 1000 || text[len(text)-1] != '\n' {
		t.Errorf("%d bytes: %q, %v", len(text), text, err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	await(func() bool { return !l.failed.Load() })
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if found := traces(t, l.opts.File); len(found) != 10 {
		t.Error(found)
	}
}

func TestClosingSaysWhatIsLost(t *testing.T) {
	l, out := open(t, Options{})
	breakFile(t, l)
	for range 3 {
		l.Record(Entry{})
	}
	if err := l.Close(); err == nil || !strings.Contains(err.Error(), "3 entries of the audit record are lost") {
		t.Error(err)
	}
	l.Record(Entry{Trace: "late"})
	if s := l.Stats(); s.Lost != 4 || !strings.Contains(out.String(), "trace=late") {
		t.Errorf("%+v, %s", s, out)
	}
}

func BenchmarkRecord(b *testing.B) {
	l, err := Open(Options{File: filepath.Join(b.TempDir(), "audit.jsonl")})
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	e := whole()
	e.Statements = []string{strings.Repeat("SELECT ", 200), strings.Repeat("SELECT ", 100)}
	b.ReportAllocs()
	for b.Loop() {
		l.Record(e)
	}
	b.ReportMetric(float64(l.Stats().Waited)/float64(b.N), "waits/op")
}
