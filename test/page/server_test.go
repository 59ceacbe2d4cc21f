package page

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"parlance/test/binary"
)

// server is a running program.
type server struct {
	address string // http://127.0.0.1:PORT
	command *exec.Cmd
	log     *binary.Output
}

var listensOn = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// startServer starts the program and returns when it is ready.
func startServer(listen string, args ...string) (*server, error) {
	return startServerWith(nil, listen, args...)
}

// startServerWith starts the program with more in its environment.
func startServerWith(env []string, listen string, args ...string) (*server, error) {
	s := &server{command: exec.Command(program, append([]string{"serve", "--listen", listen}, args...)...), log: &binary.Output{}}
	s.command.Env = append(os.Environ(), env...)
	s.command.Stderr = s.log
	out, err := s.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.command.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(out)
	for s.address == "" && lines.Scan() {
		s.address = listensOn.FindString(lines.Text())
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	for end := time.Now().Add(3 * time.Minute); s.address != "" && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		answer, err := http.Get(s.address + "/readyz")
		if err != nil {
			continue
		}
		_ = answer.Body.Close()
		if answer.StatusCode == http.StatusOK {
			return s, nil
		}
	}
	s.stop()
	return nil, fmt.Errorf("the server did not become ready:\n%s", s.log)
}

// stop ends the program and waits for it.
func (s *server) stop() {
	_ = s.command.Process.Signal(syscall.SIGTERM)
	_ = s.command.Wait()
}

// serve starts a server for one test.
func serve(t *testing.T, args ...string) *server {
	t.Helper()
	return serveWith(t, nil, args...)
}

func serveWith(t *testing.T, env []string, args ...string) *server {
	t.Helper()
	s, err := startServerWith(env, "127.0.0.1:0", args...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.stop)
	return s
}

type envelope struct {
	Code int
	Msg  string
	Data struct {
		Items []map[string]any
		Total int
	}
}

// query asks the HTTP query interface, past the page.
func query(t *testing.T, model, body string, headers ...string) envelope {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, demo.address+"/jdbc-model/query-model/v2/"+model, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var e envelope
	if err := json.NewDecoder(answer.Body).Decode(&e); err != nil || e.Code != 0 {
		t.Fatalf("%s %s: %v, %+v", model, body, err, e)
	}
	return e
}

// newFolder returns a folder and what writes files below it.
func newFolder(t *testing.T) (folder string, write func(name, text string)) {
	t.Helper()
	folder = t.TempDir()
	return folder, func(name, text string) {
		t.Helper()
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
