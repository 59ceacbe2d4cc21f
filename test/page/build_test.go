package page

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	sources = "../../web"
	built   = "../../internal/transport/page/assets"
)

// TestAssetsAreWhatTheSourcesBuildTo builds the page anew and compares it, byte by byte, with what is embedded.
func TestAssetsAreWhatTheSourcesBuildTo(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	node(t, "node_modules/vite/bin/vite.js", "build", "--outDir", folder, "--logLevel", "warn")
	want, got := files(t, folder), files(t, built)
	for name, content := range want {
		if !bytes.Equal(content, got[name]) {
			t.Errorf("%s is not what the sources build to; run make page", name)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s is left from another build; run make page", name)
		}
	}
}

// TestTypes checks the types of the page's sources.
func TestTypes(t *testing.T) {
	t.Parallel()
	node(t, "node_modules/typescript/bin/tsc", "--noEmit")
}

// TestUnits runs the page's own tests, which need no browser: npm test.
func TestUnits(t *testing.T) {
	t.Parallel()
	node(t, "--import", "./test/setup.ts", "--test", "--test-force-exit", "--test-reporter=tap", "test/*.test.ts")
}

// node runs Node, the one that is pinned beside the page's packages, in the folder of the page's sources.
func node(t *testing.T, args ...string) {
	t.Helper()
	if err := packages(); err != nil {
		t.Skipf("SKIPPED: %s: %v", t.Name(), err)
	}
	architecture := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	program, err := filepath.Abs(filepath.Join(sources, "node_modules", "node-linux-"+architecture, "bin", "node"))
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), program, args...)
	command.Dir = sources
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("node %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// outOfReach is what npm says where the registry, or a package of it, cannot be reached from here.
var outOfReach = regexp.MustCompile(`\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|E40[134]|E407|E5\d\d)\b`)

// packages brings web/node_modules to what the lock file says. It returns why the packages cannot be had here; what is
// wrong with them otherwise ends the tests.
var packages = sync.OnceValue(func() error {
	lock, err := os.ReadFile(filepath.Join(sources, "package-lock.json"))
	if err != nil {
		panic(err)
	}
	stamp := filepath.Join(sources, "node_modules", ".installed")
	sum := sha256.Sum256(lock)
	wanted := hex.EncodeToString(sum[:])
	if got, err := os.ReadFile(stamp); err == nil && string(got) == wanted {
		return nil
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		return errors.New("there is no npm")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error")
	command.Dir = sources
	if out, err := command.CombinedOutput(); err != nil {
		if found := outOfReach.Find(out); found != nil || ctx.Err() != nil {
			return fmt.Errorf("the packages of web cannot be had: %s", found)
		}
		panic(fmt.Sprintf("npm ci: %v\n%s", err, out))
	}
	if err := os.WriteFile(stamp, []byte(wanted), 0o600); err != nil {
		panic(err)
	}
	return nil
})

func files(t *testing.T, folder string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		all[name], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
