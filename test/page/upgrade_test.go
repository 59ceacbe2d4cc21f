package page

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestUpgrade: a reload asks whether the page has changed and brings nothing else again; a new version is seen at once.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	var upgraded atomic.Bool
	var mu sync.Mutex
	asked := map[string]int{}
	s := between(t, func(w http.ResponseWriter, r *http.Request, _ string) bool {
		mu.Lock()
		asked[r.URL.Path]++
		mu.Unlock()
		if r.URL.Path != "/" || !upgraded.Load() {
			return false
		}
		page := newVersion(t)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Cache-Control", "no-cache")
		w.Header().Set("ETag", `"another"`)
		_, _ = io.WriteString(w, page)
		return true
	})
	b := open(t, s, "/")
	b.sees("Inventory")
	b.do(chromedp.Reload())
	b.sees("Inventory")
	if sent := value[int](b, `performance.getEntriesByType("navigation")[0].transferSize`); sent > 400 {
		t.Errorf("the unchanged page was sent again: %d bytes", sent)
	}
	mu.Lock()
	for path, n := range asked {
		if strings.HasPrefix(path, "/built/") && n != 1 {
			t.Errorf("%s was asked for %d times", path, n)
		}
	}
	mu.Unlock()
	upgraded.Store(true)
	b.do(chromedp.Reload())
	b.until(`document.querySelector('meta[name="version"][content="next"]')`)
	b.sees("Inventory")
}

// newVersion is the page with a difference.
func newVersion(t *testing.T) string {
	t.Helper()
	answer, err := http.Get(demo.address + "/")
	if err != nil {
		t.Error(err)
		return ""
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Error(err)
	}
	return strings.Replace(string(text), "<head>", `<head><meta name="version" content="next">`, 1)
}
