package outage

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// TestModelsChangeUnderLoad: good and bad model files come and go while queries run. Not one request fails, and nobody
// sees half of a generation.
func TestModelsChangeUnderLoad(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	p := s.launch(t, "concurrency: 8, queue: 64", "")
	var asked atomic.Int64
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for caller := range 6 {
		wg.Go(func() {
			for i := caller; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				n := 1 + i%sales
				if r, err := p.sum(t.Context(), "Sales", n); err != nil || !r.right(n) {
					t.Errorf("while models change: %+v, %v", r, err)
					return
				}
				if i%5 == 0 {
					oneGeneration(t, p)
				}
				asked.Add(1)
			}
		})
	}
	more := func() {
		goal := asked.Load() + 50
		until(t, "more answers", func() bool { return asked.Load() >= goal || t.Failed() })
	}
	bad := filepath.Join(s.folder, "models", "bad.yaml")
	for i := range 6 {
		more()
		told := strings.Count(p.said(t), "problem=\"bad.yaml:")
		put(t, bad, []string{"model: [", salesModel("Bad", "{table: nowhere}", "x"), salesModel("Sales", "{table: sales}", "twice")}[i%3])
		until(t, "the bad file is told of", func() bool { return strings.Count(p.said(t), "problem=\"bad.yaml:") > told })
		more()
		caption := fmt.Sprintf("edit %d", i)
		s.swap(t, caption)
		until(t, "the edit is served", func() bool { return captions(t, p)["Sales"] == caption || t.Failed() })
	}
	close(stop)
	wg.Wait()
	t.Logf("%d requests over %v reloads", asked.Load(), p.metric(t, "parlance_reloads_total", ""))
}

// oneGeneration fails where two models that are always edited together show different edits.
func oneGeneration(t *testing.T, p *program) {
	t.Helper()
	if c := captions(t, p); c["Sales"] != c["Slow"] {
		t.Errorf("half of a generation: %v", c)
	}
}

func captions(t *testing.T, p *program) map[string]string {
	t.Helper()
	r, err := p.post(t.Context(), "/mcp/analyst/rpc", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"dataset.list_models","arguments":{}}}`)
	if err != nil {
		t.Errorf("listing models: %v", err)
		return nil
	}
	var reply struct {
		Result struct{ Content []struct{ Text string } }
	}
	var listed struct {
		Models []struct{ Name, Caption string }
	}
	if err := json.Unmarshal([]byte(r.body), &reply); err != nil || len(reply.Result.Content) != 1 || json.Unmarshal([]byte(reply.Result.Content[0].Text), &listed) != nil {
		t.Errorf("listing models: %s", r.body)
	}
	found := map[string]string{}
	for _, m := range listed.Models {
		found[m.Name] = m.Caption
	}
	return found
}
