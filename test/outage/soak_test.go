package outage

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"parlance/internal/datasource"
	"parlance/test/servers"
	"parlance/test/shop"
)

// soak is a server under everything at once, for long.
type soak struct {
	t       *testing.T
	stand   stand
	program *program
	demo    []string      // what the questions are answered
	asked   []string      // what the questions in words were answered at first
	db      *sql.DB       // a way of its own to PostgreSQL
	down    sync.RWMutex  // held by who stops PostgreSQL
	stop    chan struct{} // closed when everybody goes home
	wg      sync.WaitGroup

	mu     sync.Mutex
	counts map[string]int
	begun  time.Time
	heap   []byte // the last profile of it
}

// TestSoak runs a mixed load with faults for PARLANCE_SOAK and fails on a wrong answer and on whatever is left: goroutines,
// descriptors, connections, memory.
func TestSoak(t *testing.T) {
	lasts, err := time.ParseDuration(os.Getenv("PARLANCE_SOAK"))
	if err != nil {
		t.Skip("SKIPPED: make soak runs it")
	}
	s := newSoak(t)
	s.work(max(lasts/5, 10*time.Second)) // what is kept for good is there after that
	before := s.rest()
	s.work(lasts - lasts/5)
	after := s.rest()
	for _, m := range []struct {
		what           string
		before, after  float64
		factor, margin float64
	}{
		{"goroutines", before.goroutines, after.goroutines, 1, 8},
		{"descriptors", before.files, after.files, 1, 8},
		{"sessions at PostgreSQL", before.sessions, after.sessions, 1, soakConns},
		{"MB of heap", before.heap, after.heap, 1.3, 16},
		{"MB of memory", before.memory, after.memory, 1.5, 128},
	} {
		if m.after > m.before*m.factor+m.margin {
			t.Errorf("%.0f %s at rest, and %.0f were enough before", m.after, m.what, m.before)
		}
	}
	if after.sessions > soakConns {
		t.Errorf("%.0f sessions at PostgreSQL, and %d are allowed", after.sessions, soakConns)
	}
	s.report(before, after)
}

const soakConns = 6

func newSoak(t *testing.T) *soak {
	t.Helper()
	s := &soak{t: t, stand: newStand(t), counts: map[string]int{}, begun: time.Now()}
	file := filepath.Join(s.stand.folder, "demo.duckdb")
	if err := shop.New(t, datasource.Config{Type: "duckdb", Path: file, Create: true}).Source.Close(); err != nil {
		t.Fatal(err)
	}
	models, err := filepath.Abs("../../models/default")
	if err != nil {
		t.Fatal(err)
	}
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(servers.FreePort(t)))
	config := fmt.Sprintf(`default_namespace: demo
namespaces:
  demo: {models: %q, datasource: demo, today: 2024-12-31}
  shop: {models: ./models, datasource: db, cache: {ttl: 1s}}
datasources:
  demo: {type: duckdb, path: ./demo.duckdb}
  db: {type: postgres, dsn: %q, max_conns: %d, timeout: 5s}
limits: {concurrency: 8, queue: 32}
audit: {file: ./audit.jsonl, max_size: 1MiB, keep: 2}
operations: {listen: %q, profiles: true}
cache: {max_bytes: 16MiB}
`, models, loopback.ReplaceAllString(s.stand.pg.DSN, s.stand.proxy.address()), soakConns, address)
	s.program = launch(t, s.stand.folder, config)
	s.program.watch = "http://" + address
	if s.db, err = sql.Open("pgx", s.stand.pg.DSN); err != nil {
		t.Fatal(err)
	}
	s.db.SetMaxIdleConns(0)
	t.Cleanup(func() { _ = s.db.Close() })
	if s.demo, err = right(); err != nil {
		t.Fatal(err)
	}
	for _, q := range inWords {
		answer := ""
		until(t, "a question in words is answered", func() bool {
			answer = s.words(q)
			return answer != "" || t.Failed()
		})
		s.asked = append(s.asked, answer)
	}
	return s
}

// work sends everybody for a while.
func (s *soak) work(lasts time.Duration) {
	s.stop = make(chan struct{})
	for _, a := range actors {
		for range a.many {
			s.wg.Go(func() {
				for s.goes(a.pause) {
					a.act(s)
				}
			})
		}
	}
	ticker := time.NewTicker(15 * time.Second)
	defer ticker.Stop()
	for end := time.After(lasts); ; {
		select {
		case <-end:
			close(s.stop)
			s.wg.Wait()
			s.stand.proxy.heal()
			return
		case <-ticker.C:
			s.t.Log(s.sample())
		}
	}
}

// goes waits for the next turn, and reports whether there is one.
func (s *soak) goes(pause time.Duration) bool {
	select {
	case <-s.stop:
		return false
	case <-time.After(pause):
		return !s.t.Failed()
	}
}

// count notes what became of a request.
func (s *soak) count(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts[what]++
}

// state is what a server holds.
type state struct {
	at                                                              time.Duration
	goroutines, files, sessions, heap, memory, requests, statements float64
}

func (s state) String() string {
	return fmt.Sprintf("%5.0fs  %4.0f goroutines  %3.0f descriptors  %2.0f sessions  %4.0f MB heap  %4.0f MB memory  %3.0f requests  %2.0f statements",
		s.at.Seconds(), s.goroutines, s.files, s.sessions, s.heap, s.memory, s.requests, s.statements)
}

func (s *soak) sample() state {
	p, t := s.program, s.t
	const mb = 1 << 20
	return state{
		at: time.Since(s.begun), goroutines: p.metric(t, "go_goroutines", ""), files: p.metric(t, "process_open_fds", ""), sessions: s.sessions(),
		heap: p.metric(t, "go_memstats_heap_alloc_bytes", "") / mb, memory: p.metric(t, "process_resident_memory_bytes", "") / mb,
		requests: p.metric(t, "parlance_requests_running", ""), statements: p.metric(t, "parlance_statements_running", ""),
	}
}

// sessions counts what PostgreSQL has of ours; 0 while it is away.
func (s *soak) sessions() (n float64) {
	s.down.RLock()
	defer s.down.RUnlock()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_ = s.db.QueryRowContext(ctx, "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'parlance'").Scan(&n)
	return n
}

// rest waits until the server does nothing any more, and returns what it still holds.
func (s *soak) rest() state {
	s.t.Helper()
	s.program.client.CloseIdleConnections()
	var now state
	until(s.t, "the server rests", func() bool {
		now = s.sample()
		return now.requests == 0 && now.statements == 0
	})
	answer, err := s.program.client.Get(s.program.watch + "/debug/pprof/heap?gc=1")
	if err != nil {
		s.t.Fatal(err)
	}
	if s.heap, err = io.ReadAll(answer.Body); err != nil {
		s.t.Fatal(err)
	}
	_ = answer.Body.Close()
	fewest := now
	for range 20 { // goroutines of lines that were closed a moment ago end when they see it
		s.program.client.CloseIdleConnections()
		time.Sleep(50 * time.Millisecond)
		now = s.sample()
		fewest.goroutines, fewest.files = min(fewest.goroutines, now.goroutines), min(fewest.files, now.files)
		fewest.heap, fewest.memory, fewest.sessions, fewest.at = min(fewest.heap, now.heap), now.memory, now.sessions, now.at
	}
	s.t.Log("at rest:", fewest)
	return fewest
}

// report prints what was done.
func (s *soak) report(before, after state) {
	var lines []string
	for what, n := range s.counts {
		lines = append(lines, fmt.Sprintf("%8d  %s", n, what))
	}
	sort.Strings(lines)
	s.t.Logf("soak of %.0f s; at rest first and last:\n%s\n%s\n%s", after.at.Seconds(), before, after, strings.Join(lines, "\n"))
	if s.t.Failed() {
		s.keep("heap", s.heap)
		if answer, err := s.program.client.Get(s.program.watch + "/debug/pprof/goroutine?debug=1"); err == nil {
			text, _ := io.ReadAll(answer.Body)
			_ = answer.Body.Close()
			s.keep("goroutines", text)
		}
	}
}

// keep leaves what helps to find out why.
func (s *soak) keep(name string, data []byte) {
	path := filepath.Join(os.TempDir(), "parlance-soak-"+name)
	if err := os.WriteFile(path, data, 0o600); err == nil {
		s.t.Logf("%s: %s", name, path)
	}
}
