// Package servers starts real database servers for tests, each on a free loopback port with a temporary folder, and
// stops them when the test ends. It installs nothing: a test whose server is not on the machine is skipped by name.
package servers

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// patience is how long a server may take to start or to stop.
const patience = 3 * time.Minute

// find returns the path of a server's program, the last match of the first pattern that has one; without any the test
// is skipped and says which Debian package brings it.
func find(t testing.TB, debian string, patterns ...string) string {
	t.Helper()
	for _, p := range patterns {
		if found, err := filepath.Glob(p); err == nil && len(found) > 0 {
			return found[len(found)-1]
		}
	}
	t.Skipf("SKIPPED: no %s on this machine; make servers installs the Debian package %s", filepath.Base(patterns[0]), debian)
	return ""
}

// The ports that FreePort chooses from lie below those that the system gives to whoever does not choose.
const firstPort, lastPort = 12_000, 32_000

// FreePort returns a loopback port on which nobody listens. Whoever takes any port, for a listener or for a connection,
// gets another one, so that a server can be stopped and find its port free when it starts again.
func FreePort(t testing.TB) int {
	t.Helper()
	for range 1000 {
		port := firstPort + rand.IntN(lastPort-firstPort)
		l, err := new(net.ListenConfig).Listen(context.Background(), "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err != nil {
			continue
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		return port
	}
	t.Fatalf("no port from %d to %d is free", firstPort, lastPort)
	return 0
}

// account is the user that a server runs as: some refuse root.
type account struct {
	uid, gid uint32
	root     bool // the test itself runs as root, so that the account is another
}

// unprivileged returns the first of the named users that exists where the test runs as root, otherwise the test's own.
func unprivileged(t testing.TB, names ...string) account {
	t.Helper()
	if os.Getuid() != 0 {
		return account{uid: uint32(os.Getuid()), gid: uint32(os.Getgid())}
	}
	for _, name := range names {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err := strconv.ParseUint(u.Uid, 10, 32)
		if err != nil {
			t.Fatal(err)
		}
		gid, err := strconv.ParseUint(u.Gid, 10, 32)
		if err != nil {
			t.Fatal(err)
		}
		return account{uid: uint32(uid), gid: uint32(gid), root: true}
	}
	t.Skipf("SKIPPED: the server refuses root, and none of the users %v exists", names)
	return account{}
}

// command returns a command that runs as the account, in a folder of its own.
func (a account) command(folder, path string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(context.Background(), path, args...) // a server outlives the context of the test that starts it
	cmd.Dir = folder
	cmd.Env = []string{"PATH=/usr/bin:/bin", "HOME=" + folder, "LC_ALL=C.UTF-8"}
	if a.root {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: a.uid, Gid: a.gid}}
	}
	return cmd
}

// folder returns a temporary folder that belongs to the account and goes away with the test.
func (a account) folder(t testing.TB) string {
	t.Helper()
	path, err := a.makeFolder()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(path); err != nil {
			t.Error(err)
		}
	})
	return path
}

// makeFolder makes a folder that the account can reach, as a test's own cannot be.
func (a account) makeFolder() (string, error) {
	path, err := os.MkdirTemp("", "parlance-server-")
	if err == nil && a.root {
		err = os.Chown(path, int(a.uid), int(a.gid))
	}
	return path, err
}

// process is a server that was started here.
type process struct {
	cmd  *exec.Cmd
	done chan struct{} // closed once it has ended
	log  string        // the file that holds what it printed
}

// start runs a command whose output goes to a file.
func start(cmd *exec.Cmd, log string) (*process, error) {
	out, err := os.OpenFile(log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	cmd.Stdout, cmd.Stderr = out, out
	if err := errors.Join(cmd.Start(), out.Close()); err != nil {
		return nil, err
	}
	p := &process{cmd: cmd, done: make(chan struct{}), log: log}
	go func() {
		_ = cmd.Wait()
		close(p.done)
	}()
	return p, nil
}

// until waits for a server to be ready; it fails when the server ends first.
func (p *process) until(ready func() bool) error {
	for deadline := time.Now().Add(patience); ; {
		select {
		case <-p.done:
			return fmt.Errorf("the server ended at once:\n%s", p.output())
		case <-time.After(10 * time.Millisecond):
		}
		if ready() {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("the server is not ready after %s:\n%s", patience, p.output())
		}
	}
}

// stop ends the server by a signal and waits until it has ended; one that does not end is killed.
func (p *process) stop(t testing.TB, signal syscall.Signal) {
	t.Helper()
	_ = p.cmd.Process.Signal(signal)
	select {
	case <-p.done:
	case <-time.After(patience):
		t.Errorf("process %d did not end", p.cmd.Process.Pid)
		_ = p.cmd.Process.Kill()
		<-p.done
	}
}

func (p *process) output() string {
	text, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
