// Package binary builds the program for tests that run it as people do, and keeps what it says.
package binary

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"sync"
)

// Build builds the program into a folder and returns its path.
func Build(ctx context.Context, folder string) (string, error) {
	path := filepath.Join(folder, "parlance")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", path, "parlance/cmd/parlance").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
}

// Output keeps what a program says while it runs, for when a test fails. Its zero value is ready.
type Output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write keeps the text.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

// String returns all that was written.
func (o *Output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}
