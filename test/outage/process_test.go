package outage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	_ "github.com/duckdb/duckdb-go/v2" // the program has it too

	"parlance/internal/app"
)

// childServes is set in a process that is the program and not its test.
const childServes = "PARLANCE_OUTAGE_SERVES"

// serve is what the program does with its arguments and signals.
func serve() int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	return app.Run(ctx, os.Args[1:], app.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.LookupEnv, Reload: hangup})
}

// program is a server in a process of its own.
type program struct {
	base   string
	watch  string // where its metrics stand
	cmd    *exec.Cmd
	log    string // the file of all that it says
	done   chan struct{}
	client *http.Client
}

var listensOn = regexp.MustCompile(`listens on (http://127\.0\.0\.1:\d+)`)

// launch starts a server with the configuration of a folder. It is stopped when the test ends, and must end in peace.
func launch(t testing.TB, folder, config string, env ...string) *program {
	t.Helper()
	file := filepath.Join(folder, "parlance.yaml")
	put(t, file, config)
	p := &program{log: filepath.Join(t.TempDir(), "log"), done: make(chan struct{}), client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
	out, err := os.Create(p.log)
	if err != nil {
		t.Fatal(err)
	}
	p.cmd = exec.CommandContext(context.Background(), os.Args[0], "serve", "--listen", "127.0.0.1:0", "--config", file)
	p.cmd.Env = append(append(os.Environ(), childServes+"=1"), env...)
	p.cmd.Stdout, p.cmd.Stderr = out, out
	if err := errors.Join(p.cmd.Start(), out.Close()); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = p.cmd.Wait()
		close(p.done)
	}()
	t.Cleanup(func() {
		p.client.CloseIdleConnections()
		p.stop(t)
		if t.Failed() {
			t.Logf("the last words of the server:\n%s", tail(p.said(t)))
		}
	})
	until(t, "the server listens", func() bool {
		found := listensOn.FindStringSubmatch(p.said(t))
		if found == nil && p.ended() {
			t.Fatalf("the server ended:\n%s", p.said(t))
		}
		if found != nil {
			p.base, p.watch = found[1], found[1]
		}
		return found != nil
	})
	until(t, "the server is ready", func() bool {
		answer, err := p.client.Get(p.base + "/readyz")
		if err != nil {
			return false
		}
		defer answer.Body.Close()
		_, _ = io.Copy(io.Discard, answer.Body)
		return answer.StatusCode == http.StatusOK
	})
	return p
}

func tail(text string) string { return text[max(0, len(text)-8000):] }

func (p *program) said(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile(p.log)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func (p *program) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// stop ends the server as a service manager does and checks that it ends in time and well. A second time it does nothing.
func (p *program) stop(t testing.TB) {
	t.Helper()
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.done:
	case <-time.After(patience):
		t.Error("the server did not end")
		_ = p.cmd.Process.Kill()
		<-p.done
	}
	if code := p.cmd.ProcessState.ExitCode(); code != 0 {
		t.Errorf("the server ended with %d", code)
	}
}

// metric returns the sum of a metric over all its labels that hold the text.
func (p *program) metric(t testing.TB, name, label string) (sum float64) {
	t.Helper()
	answer, err := p.client.Get(p.watch + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("metrics: %d %v", answer.StatusCode, err)
	}
	for line := range strings.Lines(string(text)) {
		head, number, _ := strings.Cut(strings.TrimSpace(line), " ")
		if head != name && !strings.HasPrefix(head, name+"{") || !strings.Contains(head, label) {
			continue
		}
		v, err := strconv.ParseFloat(number, 64)
		if err != nil {
			t.Fatal(line)
		}
		sum += v
	}
	return sum
}

// reply is what a request came to.
type reply struct {
	status     int
	body       string
	retryAfter string
	took       time.Duration
}

// post asks for a path. An error is one of the connection.
func (p *program) post(ctx context.Context, path, body string) (reply, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, p.base+path, strings.NewReader(body))
	if err != nil {
		return reply{}, err
	}
	request.Header.Set("Content-Type", "application/json")
	begun := time.Now()
	answer, err := p.client.Do(request)
	if err != nil {
		return reply{}, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return reply{answer.StatusCode, strings.TrimSpace(string(text)), answer.Header.Get("Retry-After"), time.Since(begun)}, err
}

// sum asks a model for the sum of the first n amounts.
func (p *program) sum(ctx context.Context, model string, n int) (reply, error) {
	return p.post(ctx, "/jdbc-model/query-model/queryKpi", fmt.Sprintf(`{"queryModel":%q,"columns":["amount"],"slice":[{"field":"saleId","op":"<=","value":%d}]}`, model, n))
}

// rightSum is the answer: amounts are the number of the sale and a half.
func rightSum(n int) string {
	return fmt.Sprintf(`{"code":0,"data":{"amount":%.2f},"msg":"success"}`, float64(n*(n+1))/2+float64(n)/2)
}

// right reports whether the answer is that of sum.
func (r reply) right(n int) bool { return r.status == http.StatusOK && r.body == rightSum(n) }

// shed reports whether the server said that it has too much to do, when to come again, and nothing else.
func (r reply) shed() bool {
	seconds, err := strconv.Atoi(r.retryAfter)
	return r.status == http.StatusServiceUnavailable && err == nil && seconds > 0 && strings.HasPrefix(r.body, `{"code":500,"data":null,"msg":"`)
}

// put replaces a file in one step, as editors and deployments do.
func put(t testing.TB, path, text string) {
	t.Helper()
	part := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".part")
	if err := os.WriteFile(part, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(part, path); err != nil {
		t.Fatal(err)
	}
}
