package clients

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"parlance/test/binary"
	"parlance/test/servers"
)

// world is what clients are connected to: the demo, and a namespace whose one model never answers.
type world struct {
	node *node
	demo string // address
	slow string
	home string // of every process

	dsn   string // of the database behind the slow one
	watch *pgxpool.Pool
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{dsn: servers.StartPostgres(t), home: t.TempDir()}
	pool, err := pgxpool.New(t.Context(), w.dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	w.watch = pool
	w.demo = w.serve(t)
	w.slow = w.serve(t, "--config", w.slowConfig(t, "served"))
	w.node = installed(t)
	return w
}

// slowConfig writes the configuration of a namespace whose statements hold a mark and last until they are cancelled: longer
// than anybody here waits for their end.
func (w *world) slowConfig(t *testing.T, mark string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range map[string]string{
		"parlance.yaml": `namespaces: {default: {models: ./models, datasource: slow}}
datasources: {slow: {type: postgres, dsn: "${SLOW_DSN}", timeout: 10m}}
limits: {timeout: 10m}
`,
		"models/parcels.yaml": `model: Parcels
source: {sql: "select 1 as parcel_id, 1 as weight, '` + mark + `' as mark from pg_sleep(600)", key: [parcel_id]}
measures:
  - {name: weight, column: weight, type: integer, agg: sum, caption: Weight}
`,
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(folder, "parlance.yaml")
}

// running returns how many statements of a mark the database is at work on. The mark is the trace id of a request, which
// stands in every statement, or that of a configuration.
func (w *world) running(t *testing.T, mark string) int {
	t.Helper()
	var n int
	err := w.watch.QueryRow(t.Context(),
		"SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND position($1 IN query) > 0", mark).Scan(&n)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// patience is how long a program may take to do what it must.
const patience = 3 * time.Minute

// until waits for what others are about to do.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(patience); !holds(); <-tick.C {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
	}
}

// lookAtSources looks at every file of the module that the program is built from, so that the go command runs these tests
// again when one has changed: it remembers what a test looks at, and not what the programs do that it starts.
func lookAtSources() error {
	const files = `{{if .Module}}{{if .Module.Main}}{{$d := .Dir}}{{range .GoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}{{range .EmbedFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}{{end}}{{end}}`
	out, err := exec.Command("go", "list", "-deps", "-f", files, "parlance/cmd/parlance").Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	for file := range strings.FieldsSeq(string(out)) {
		if _, err := os.Stat(file); err != nil {
			return err
		}
	}
	return nil
}

var listensOn = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// serve starts the program and returns its address. It stops when the test ends.
func (w *world) serve(t *testing.T, args ...string) string {
	t.Helper()
	if err := lookAtSources(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), program, append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)
	cmd.Env = w.environment()
	log := &binary.Output{}
	cmd.Stderr = log
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_, _ = io.Copy(io.Discard, out)
		if err := cmd.Wait(); err != nil {
			t.Errorf("parlance serve: %v", err)
		}
		if t.Failed() {
			t.Logf("what the server said:\n%s", problems(log))
		}
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if address := listensOn.FindString(lines.Text()); address != "" {
			return address
		}
	}
	t.Fatalf("the server did not start:\n%s", log.String())
	return ""
}

// environment is that of every program started here.
func (w *world) environment() []string {
	return append(os.Environ(), "HOME="+w.home, "SLOW_DSN="+w.dsn, "NO_COLOR=1", "PATH="+filepath.Dir(program)+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// problems returns the lines that are not about an ordinary request.
func problems(said *binary.Output) string {
	var lines []string
	for line := range strings.Lines(said.String()) {
		if !strings.Contains(line, "level=INFO") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}
