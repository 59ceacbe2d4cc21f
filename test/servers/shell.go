package servers

import (
	"os/exec"
	"syscall"
	"testing"
)

// Shell returns a command that runs a script with sh, in a temporary folder, as a user whom no server refuses; both
// belong to that user. Killing the negative of its process id ends all that it started.
func Shell(t testing.TB, script string) (cmd *exec.Cmd, folder string) {
	t.Helper()
	a := unprivileged(t, "postgres", "nobody")
	folder = a.folder(t)
	cmd = a.command(folder, "/bin/sh", "-c", script)
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
	return cmd, folder
}

// NeedPostgres skips the test where there is no PostgreSQL server.
func NeedPostgres(t testing.TB) {
	t.Helper()
	find(t, "postgresql", "/usr/lib/postgresql/*/bin/postgres")
}
