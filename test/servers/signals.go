package servers

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// Freeze stops every process of the server where it stands: its connections stay open and nobody answers.
func (p *Postgres) Freeze(t testing.TB) {
	t.Helper()
	p.process.signal(t, syscall.SIGSTOP)
}

// Thaw lets a frozen server go on.
func (p *Postgres) Thaw(t testing.TB) {
	t.Helper()
	p.process.signal(t, syscall.SIGCONT)
}

// Kill ends every process of the server in mid-sentence. Start starts it again.
func (p *Postgres) Kill(t testing.TB) {
	t.Helper()
	p.process.kill(t)
	p.process = nil
}

// Freeze stops the server where it stands: its connections stay open and nobody answers.
func (m *MySQL) Freeze(t testing.TB) {
	t.Helper()
	m.process.signal(t, syscall.SIGSTOP)
}

// Thaw lets a frozen server go on.
func (m *MySQL) Thaw(t testing.TB) {
	t.Helper()
	m.process.signal(t, syscall.SIGCONT)
}

// Kill ends the server in mid-sentence. Start starts it again.
func (m *MySQL) Kill(t testing.TB) {
	t.Helper()
	m.process.kill(t)
	m.process = nil
}

// Freeze stops a server where it stands: its connections stay open and nobody answers.
func (c *ClickHouse) Freeze(t testing.TB, i int) {
	t.Helper()
	c.nodes[i].process.signal(t, syscall.SIGSTOP)
}

// Thaw lets a frozen server go on.
func (c *ClickHouse) Thaw(t testing.TB, i int) {
	t.Helper()
	c.nodes[i].process.signal(t, syscall.SIGCONT)
}

// kill ends a server and all that it started, and waits for it.
func (p *process) kill(t testing.TB) {
	t.Helper()
	p.signal(t, syscall.SIGKILL)
	<-p.done
}

// signal tells a server and all that it started. What has ended meanwhile is told nothing.
func (p *process) signal(t testing.TB, signal syscall.Signal) {
	t.Helper()
	for _, pid := range family(t, p.cmd.Process.Pid) {
		_ = syscall.Kill(pid, signal)
	}
}

// family returns a process and its descendants.
func family(t testing.TB, of int) []int {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	children := map[int][]int{}
	for _, file := range stats {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		// pid (name) state parent …; the name may hold anything.
		_, rest, _ := strings.Cut(string(text[strings.LastIndexByte(string(text), ')')+1:]), " ")
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if words := strings.Fields(rest); len(words) > 1 {
			if parent, err := strconv.Atoi(words[1]); err == nil {
				children[parent] = append(children[parent], pid)
			}
		}
	}
	all := []int{of}
	for i := 0; i < len(all); i++ {
		all = append(all, children[all[i]]...)
	}
	return all
}
