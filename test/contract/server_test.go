package contract

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"testing"

	"parlance/internal/app"
)

// newServers returns a function that gives the address of a server with a configuration of servers/, started when it
// is first asked for; "" is the embedded demo without any configuration. All stop when the test ends, and their
// errors are logged when it failed.
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

func startServer(t *testing.T, configuration string) string {
	t.Helper()
	args := []string{"serve", "--listen", "127.0.0.1:0"}
	if configuration != "" {
		args = append(args, "--config", filepath.Join(serversFolder(t), configuration+".yaml"))
	}
	greeting, out := io.Pipe()
	log := &errorLog{}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan int, 1)
	go func() {
		done <- app.Run(ctx, args, app.Streams{Out: out, Err: log, Env: environment})
		out.Close()
	}()
	t.Cleanup(func() {
		stop()
		if code := <-done; code != 0 {
			t.Errorf("the server ended with %d", code)
		}
		if t.Failed() {
			t.Logf("what the server %q said:\n%s", configuration, log)
		}
	})
	lines := bufio.NewScanner(greeting)
	for lines.Scan() {
		if address := listensOn.FindString(lines.Text()); address != "" {
			go func() { _, _ = io.Copy(io.Discard, greeting) }()
			return address
		}
	}
	done <- <-done
	t.Fatalf("the server %q did not start:\n%s", configuration, log)
	return ""
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
