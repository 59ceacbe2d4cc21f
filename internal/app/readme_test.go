package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"parlance/test/servers"
)

// readmeSection is a part of the README: blocks of commands, some followed by a block of what they print.
const readmeSection = "## Use your own database\n"

// block is one fenced block of a document.
type block struct{ language, text string }

func blocksOf(t *testing.T, document, section string) []block {
	t.Helper()
	data, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	_, text, ok := strings.Cut(string(data), section)
	if !ok {
		t.Fatalf("%s has no section %q", document, section)
	}
	text, _, _ = strings.Cut(text, "\n## ")
	var blocks []block
	for i, part := range strings.Split(text, "```") {
		if i%2 == 1 {
			language, body, _ := strings.Cut(part, "\n")
			blocks = append(blocks, block{language, body})
		}
	}
	return blocks
}

// TestReadmeUseYourOwnDatabase follows the README's section to the letter, on other ports: one shell runs its commands
// one after the other, and what they print is what the README says.
func TestReadmeUseYourOwnDatabase(t *testing.T) {
	servers.NeedPostgres(t)
	blocks := blocksOf(t, "../../README.md", readmeSection)
	ports := strings.NewReplacer("5433", strconv.Itoa(servers.FreePort(t)), "7109", strconv.Itoa(servers.FreePort(t)))
	const mark = "==== end of block"
	script := "set -e\n"
	var expected []block // for each sh block, what follows it
	for i, b := range blocks {
		if b.language != "sh" {
			continue
		}
		script += ports.Replace(b.text) + "echo; echo '" + mark + "'\n"
		follows := block{}
		if i+1 < len(blocks) && blocks[i+1].language != "sh" {
			follows = blocks[i+1]
		}
		expected = append(expected, follows)
	}
	if len(expected) < 5 {
		t.Fatalf("the section has %d blocks of commands", len(expected))
	}
	cmd, folder := servers.Shell(t, script)
	ourselves(t, filepath.Join(folder, "bin"))
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &log, 10*time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	end := func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	t.Cleanup(func() {
		end()
		stopped(t, folder)
	})
	late := time.AfterFunc(10*time.Minute, end)
	defer late.Stop()
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v\n%s\n%s\n%s", err, out.String(), log.String(), logs(folder))
	}
	printed := strings.Split(out.String(), mark+"\n")
	for i, want := range expected {
		if wrong := differs(want, strings.TrimSpace(printed[i])); wrong != "" {
			t.Errorf("block %d of commands prints %s", i+1, wrong)
		}
	}
}

// differs compares what a block printed with what the document says; without a word of the document it prints nothing.
func differs(want block, got string) string {
	if want.language != "json" {
		return cmp.Diff(strings.TrimSpace(want.text), got)
	}
	var a, b any
	for text, to := range map[string]*any{want.text: &a, got: &b} {
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if err := d.Decode(to); err != nil {
			return fmt.Sprintf("%s: %v", text, err)
		}
	}
	return cmp.Diff(a, b)
}

// ourselves puts this very program into a folder under the name parlance, where every user may run it.
func ourselves(t *testing.T, folder string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	from, err := os.Open(self)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	to, err := os.OpenFile(filepath.Join(folder, "parlance"), os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.Copy(to, from)
	if closed := to.Close(); err != nil || closed != nil {
		t.Fatal(err, closed)
	}
}

// stopped ends what a section that did not reach its end left running, and waits until it has ended.
func stopped(t *testing.T, folder string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "shop", "data", "postmaster.pid"))
	if err != nil {
		return
	}
	pid, err := strconv.Atoi(strings.SplitN(string(text), "\n", 2)[0])
	if err != nil {
		t.Error(err)
		return
	}
	_ = syscall.Kill(pid, syscall.SIGINT)
	for deadline := time.Now().Add(30 * time.Second); syscall.Kill(pid, 0) == nil; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Errorf("process %d did not end", pid)
			return
		}
	}
}

// logs returns what the section's programs wrote to their logs.
func logs(folder string) string {
	files, _ := filepath.Glob(filepath.Join(folder, "shop", "*.log"))
	var b strings.Builder
	for _, f := range files {
		text, _ := os.ReadFile(f)
		fmt.Fprintf(&b, "%s:\n%s\n", filepath.Base(f), text)
	}
	return b.String()
}
