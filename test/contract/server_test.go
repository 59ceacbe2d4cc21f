package contract

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"testing"

	"parlance/internal/app"
)

// newServers returns a function that gives the address of a server with a configuration of servers/, started when it
// is first asked for; "" is the embedded demo without any configuration. Their errors are logged when the test failed.
func newServers(t *testing.T) func(configuration string) string {
	t.Helper()
	running := map[string]string{}
	return func(configuration string) string {
		if running[configuration] == "" {
			running[configuration] = startServer(t, configuration)
		}
		return running[configuration]
	}
}

var listensOn = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// startServer gives the address of a server with a configuration. The embedded demo is one for all tests, which only read;
// any other stops when the test ends.
func startServer(t *testing.T, configuration string) string {
	t.Helper()
	if configuration == "" {
		return demoOfAll(t)
	}
	s, err := begin("--config", filepath.Join(serversFolder(t), configuration+".yaml"))
	if err != nil {
		t.Fatalf("the server %q: %v", configuration, err)
	}
	t.Cleanup(func() {
		if err := s.end(); err != nil {
			t.Error(err)
		}
	})
	s.tellIfFailed(t, configuration)
	return s.address
}

// shared is the embedded demo without any configuration.
var shared struct {
	once   sync.Once
	served *program // nil until a test asks for it
	err    error
}

func demoOfAll(t *testing.T) string {
	t.Helper()
	shared.once.Do(func() { shared.served, shared.err = begin() })
	if shared.err != nil {
		t.Fatalf("the demo: %v", shared.err)
	}
	shared.served.tellIfFailed(t, "")
	return shared.served.address
}

// TestMain stops the demo after the last test.
func TestMain(m *testing.M) {
	code := m.Run()
	if shared.served != nil {
		if err := shared.served.end(); err != nil {
			fmt.Fprintln(os.Stderr, "the demo:", err)
			code = max(code, 1)
		}
	}
	os.Exit(code)
}

// program is a running server.
type program struct {
	address string
	stop    context.CancelFunc
	done    chan int // its exit code
	log     *errorLog
}

// begin starts a server on a free port; with no arguments it serves the embedded demo.
func begin(args ...string) (*program, error) {
	greeting, out := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	s := &program{stop: stop, done: make(chan int, 1), log: &errorLog{}}
	go func() {
		s.done <- app.Run(ctx, append([]string{"serve", "--listen", "127.0.0.1:0"}, args...), app.Streams{Out: out, Err: s.log, Env: environment})
		out.Close()
	}()
	lines := bufio.NewScanner(greeting)
	for lines.Scan() {
		if s.address = listensOn.FindString(lines.Text()); s.address != "" {
			go func() { _, _ = io.Copy(io.Discard, greeting) }()
			return s, nil
		}
	}
	stop()
	return nil, fmt.Errorf("it did not start and ended with %d:\n%s", <-s.done, s.log)
}

// end stops the server, which must end in peace.
func (s *program) end() error {
	s.stop()
	if code := <-s.done; code != 0 {
		return fmt.Errorf("the server ended with %d", code)
	}
	return nil
}

// tellIfFailed logs what the server said when the test has failed.
func (s *program) tellIfFailed(t *testing.T, configuration string) {
	t.Helper()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("what the server %q said:\n%s", configuration, s.log)
		}
	})
}

// serversFolder copies servers/ to a temporary folder and makes the database of tiny.sql there.
func serversFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("servers")); err != nil {
		t.Fatal(err)
	}
	statements, err := os.ReadFile("servers/tiny.sql")
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("duckdb", filepath.Join(dir, "tiny.duckdb"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), string(statements)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// environment is what the configurations of servers/ may name.
func environment(name string) (string, bool) {
	known := map[string]string{"CONTRACT_RUNTIME_CODE": "open sesame"}
	value, ok := known[name]
	return value, ok
}

// errorLog keeps the lines of the server's log that are not about an ordinary request.
type errorLog struct {
	mu   sync.Mutex
	kept bytes.Buffer
}

func (l *errorLog) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !bytes.Contains(line, []byte("level=INFO")) {
		l.kept.Write(line)
	}
	return len(line), nil
}

func (l *errorLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.kept.String()
}
