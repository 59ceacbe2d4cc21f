package servers

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// Postgres is a running PostgreSQL server. Its one user may do everything; only its password opens the door, so that
// whoever answers on the port is this server.
type Postgres struct {
	DSN string

	account  account
	program  string
	folder   string // of everything; data holds the cluster
	port     int
	process  *process
	password string
}

// StartPostgres starts a PostgreSQL server with an empty database in UTF-8 and returns how to reach it. The locale of
// the database is one that does not sort by code point.
func StartPostgres(t testing.TB) (dsn string) {
	t.Helper()
	return RunPostgres(t).DSN
}

// RunPostgres is StartPostgres for tests that stop the server themselves.
func RunPostgres(t testing.TB) *Postgres {
	t.Helper()
	p := &Postgres{
		program: find(t, "postgresql", "/usr/lib/postgresql/*/bin/postgres", "/usr/pgsql-*/bin/postgres", "/usr/local/pgsql/bin/postgres"),
		account: unprivileged(t, "postgres", "nobody"), password: rand.Text(),
	}
	p.folder = p.account.folder(t)
	p.initialize(t)
	for range 5 { // another program may take the port between the look and the start
		p.port = FreePort(t)
		if err := p.run(); err == nil {
			break
		} else if p.process == nil || !strings.Contains(p.process.output(), "in use") {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { p.Stop(t) })
	p.DSN = fmt.Sprintf("postgres://parlance:%s@127.0.0.1:%d/postgres?sslmode=disable", p.password, p.port)
	return p
}

// initialize makes the cluster.
func (p *Postgres) initialize(t testing.TB) {
	t.Helper()
	secret := filepath.Join(p.folder, "password")
	if err := os.WriteFile(secret, []byte(p.password+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	initdb := p.account.command(p.folder, filepath.Join(filepath.Dir(p.program), "initdb"),
		"-D", p.data(), "-U", "parlance", "-A", "scram-sha-256", "--pwfile", secret, "-E", "UTF8", "--no-sync",
		"--locale", "C.UTF-8", "--locale-provider", "icu", "--icu-locale", "en-US-u-ka-shifted")
	if out, err := initdb.CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
}

func (p *Postgres) data() string { return filepath.Join(p.folder, "data") }

// run starts the server on its port and waits until it takes connections.
func (p *Postgres) run() (err error) {
	p.process, err = start(p.account.command(p.folder, p.program,
		"-D", p.data(), "-p", strconv.Itoa(p.port), "-k", p.folder, "-c", "listen_addresses=127.0.0.1",
		"-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off", "-c", "max_connections=60", "-c", "shared_buffers=64MB",
	), filepath.Join(p.folder, "log"))
	if err != nil {
		return err
	}
	return p.process.until(p.ready)
}

// ready reads the file that the server keeps of itself: the process that answers must be the one that was started.
func (p *Postgres) ready() bool {
	text, err := os.ReadFile(filepath.Join(p.data(), "postmaster.pid"))
	lines := strings.Split(string(text), "\n")
	const pid, port, status = 0, 3, 7
	return err == nil && len(lines) > status && lines[pid] == strconv.Itoa(p.process.cmd.Process.Pid) &&
		lines[port] == strconv.Itoa(p.port) && strings.TrimSpace(lines[status]) == "ready"
}

// Stop ends the server and all its connections at once. Stopping a stopped server does nothing.
func (p *Postgres) Stop(t testing.TB) {
	t.Helper()
	if p.process == nil {
		return
	}
	p.process.stop(t, syscall.SIGINT)
	p.process = nil
}

// Start starts the server again where it was.
func (p *Postgres) Start(t testing.TB) {
	t.Helper()
	if err := p.run(); err != nil {
		t.Fatal(err)
	}
}
