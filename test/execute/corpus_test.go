package execute

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// corpus returns the payloads of the black-box tests that name a model of the demo.
func corpus(t *testing.T) [][2]string {
	t.Helper()
	files, err := filepath.Glob("../contract/cases/query-*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	var all [][2]string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range strings.Split(string(text), "\nPOST /jdbc-model/query-model/v2/")[1:] {
			head, rest, _ := strings.Cut(block, "\n")
			body, _, _ := strings.Cut(rest, "\n---")
			model, _, _ := strings.Cut(strings.Fields(head)[0], "?")
			if payload, ok := payloadOf(body); ok {
				all = append(all, [2]string{model, payload})
			}
		}
	}
	return all
}

// payloadOf is the query of a request's body.
func payloadOf(body string) (string, bool) {
	if at := strings.Index(body, "{"); at >= 0 {
		body = body[at:]
	}
	var request map[string]json.RawMessage
	query := map[string]json.RawMessage{}
	if json.Unmarshal([]byte(body), &request) != nil || json.Unmarshal(request["param"], &query) != nil {
		return "", false
	}
	for _, key := range []string{"limit", "start"} {
		if v, ok := request[key]; ok {
			query[key] = v
		}
	}
	text, err := json.Marshal(query)
	return string(text), err == nil
}

// TestCorpusAgrees asks the demo on the engine that PARLANCE_ENGINE names and on DuckDB the payloads of the black-box
// tests.
func TestCorpusAgrees(t *testing.T) {
	if chosen() == "duckdb" {
		t.Skip("PARLANCE_ENGINE names no other engine")
	}
	var both [2]*pipeline
	for i, name := range []string{"duckdb", chosen()} {
		p, err := openDemo(t.Context(), name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		t.Cleanup(func() { _ = p.close() })
		both[i] = p
	}
	answered, spent := 0, [2]time.Duration{}
	for _, c := range corpus(t) {
		var answers [2]string
		for i, p := range both {
			start := time.Now()
			answers[i], _ = p.told(t.Context(), c[0], c[1])
			spent[i] += time.Since(start)
		}
		if !missing(answers[1]) && !alike(answers[0], answers[1]) {
			t.Errorf("%s %s\nduckdb: %.2000s\n%s: %.2000s", c[0], c[1], answers[0], chosen(), answers[1])
		}
		if !strings.HasPrefix(answers[0], "refused") {
			answered++
		}
	}
	t.Logf("%d answers, %s on duckdb, %s on %s", answered, spent[0].Round(time.Millisecond), spent[1].Round(time.Millisecond), chosen())
	if answered < 50 {
		t.Errorf("only %d payloads have an answer", answered)
	}
}
