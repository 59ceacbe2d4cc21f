// Package page opens the page in a real browser and does what people do with it: looks, clicks, asks, scrolls, takes away;
// under fewer rights, hostile data, slow and failing servers. What is on the screen and what is sent are both checked.
package page

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"parlance/test/binary"
)

var (
	program string          // the program under test, built for this run
	browser context.Context // the browser that all tests share; nil where there is none
	demo    *server         // the embedded demo, served for all tests
)

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	folder, err := os.MkdirTemp("", "parlance-page-")
	if err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	if chromium, err := exec.LookPath("chromium"); err == nil {
		stop, err := startBrowser(chromium, filepath.Join(folder, "profile"))
		if err != nil {
			return 0, err
		}
		defer stop()
		if program, err = binary.Build(context.Background(), folder); err != nil {
			return 0, err
		}
		if demo, err = startServer("127.0.0.1:0"); err != nil {
			return 0, err
		}
		defer demo.stop()
	}
	return m.Run(), nil
}

// startBrowser starts a browser that talks to nobody but the tests' own servers.
func startBrowser(chromium, profile string) (stop func(), err error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(chromium), chromedp.UserDataDir(profile), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("lang", "en-US"), chromedp.Env("LANGUAGE=en_US", "TZ=UTC"),
	)
	allocator, stopAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	first, stopFirst := chromedp.NewContext(allocator)
	if err := chromedp.Do(first); err != nil {
		stopFirst()
		stopAllocator()
		return nil, fmt.Errorf("the browser does not start: %w", err)
	}
	browser = first
	return func() { stopFirst(); stopAllocator() }, nil
}
