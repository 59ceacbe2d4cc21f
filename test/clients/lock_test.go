package clients

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// lockFile is package-lock.json.
type lockFile struct {
	Packages map[string]struct {
		Version, Integrity, Resolved       string
		Dependencies, OptionalDependencies map[string]string
	}
}

func readLock(t *testing.T) lockFile {
	t.Helper()
	text, err := os.ReadFile("package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	var lock lockFile
	if err := json.Unmarshal(text, &lock); err != nil {
		t.Fatal(err)
	}
	return lock
}

// TestTheLockIsWhole: every package is pinned by its sum, at no registry's address, and none is missing, not even for
// other machines: npm ci refuses a lock that it would complete.
func TestTheLockIsWhole(t *testing.T) {
	lock := readLock(t)
	for at, p := range lock.Packages {
		if at != "" && (p.Integrity == "" || p.Resolved != "") {
			t.Errorf("%s: sum %q, address %q", at, p.Integrity, p.Resolved)
		}
		for _, needs := range []map[string]string{p.Dependencies, p.OptionalDependencies} {
			for name := range needs {
				if !lock.has(at, name) {
					t.Errorf("%s needs %s, which is missing", at, name)
				}
			}
		}
	}
}

// has reports whether a package finds another, as Node looks for it: from its own folder upwards.
func (l lockFile) has(at, name string) bool {
	for {
		if _, found := l.Packages[strings.TrimPrefix(at+"/node_modules/"+name, "/")]; found {
			return true
		}
		if at == "" {
			return false
		}
		at = at[:max(strings.LastIndex(at, "/node_modules/"), 0)]
	}
}
