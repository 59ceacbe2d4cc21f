package clients

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"
	"time"
)

// node is the clients that come by npm, and the Node that runs them: the one that is pinned beside them.
type node struct {
	program string
	absent  error // why they cannot be had
}

// need skips a test whose client cannot be had.
func (n *node) need(t *testing.T) {
	t.Helper()
	if n.absent != nil {
		t.Skipf("SKIPPED: %s: %v", t.Name(), n.absent)
	}
}

// outOfReach is what npm says where the registry, or a package of it, cannot be reached from here.
var outOfReach = regexp.MustCompile(`\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|E40[134]|E407|E5\d\d)\b`)

const stamp = "node_modules/.installed" // holds the sum of the lock file that was installed

// installed brings node_modules to what the lock file says. Only a registry out of reach, or no npm at all, makes the
// clients absent; everything else fails.
func installed(t *testing.T) *node {
	t.Helper()
	lock, err := os.ReadFile("package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(lock)
	wanted := hex.EncodeToString(sum[:])
	if got, err := os.ReadFile(stamp); err != nil || string(got) != wanted {
		if n := install(t, wanted); n != nil {
			return n
		}
	}
	program, err := filepath.Abs(filepath.Join("node_modules", "node-linux-"+map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH], "bin", "node"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(program); err != nil {
		return &node{absent: fmt.Errorf("npm has no Node for this machine: %w", err)}
	}
	return &node{program: program}
}

// install runs npm ci; it returns a node only where the clients are absent.
func install(t *testing.T, wanted string) *node {
	t.Helper()
	npm, err := exec.LookPath("npm")
	if err != nil {
		return &node{absent: errors.New("no npm on this machine; make test installs the Debian package npm")}
	}
	t.Log("npm ci")
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, npm, "ci").CombinedOutput()
	if found := outOfReach.Find(out); err != nil && (found != nil || ctx.Err() != nil) {
		return &node{absent: fmt.Errorf("npm cannot reach the packages (%s)", found)}
	}
	if err != nil {
		t.Fatalf("npm ci: %v\n%s", err, out)
	}
	if err := os.WriteFile(stamp, []byte(wanted), 0o600); err != nil {
		t.Fatal(err)
	}
	return nil
}

// versionOf returns the version of a package that the lock file pins.
func versionOf(t *testing.T, pkg string) string {
	t.Helper()
	version := readLock(t).Packages["node_modules/"+pkg].Version
	if version == "" {
		t.Fatalf("the lock file has no %s", pkg)
	}
	return version
}

// command runs a script with the pinned Node.
func (w *world) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, w.node.program, args...)
	cmd.Env = append(w.environment(), "NODE_COMPILE_CACHE="+filepath.Join("node_modules", ".cache"))
	return cmd
}
