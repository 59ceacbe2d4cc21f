package execute

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// contractQueries are the payloads of the black-box cases that the server's query interface and tools are asked with.
func contractQueries(t *testing.T) []collected {
	t.Helper()
	files, err := filepath.Glob("../contract/cases/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	var all []collected
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "\nserver: ") || strings.HasPrefix(string(text), "server: ") {
			continue // of another server, with models of its own
		}
		for _, block := range strings.Split(string(text), "\n=== ")[1:] {
			_, request, _ := strings.Cut(block, "\n")
			request, _, _ = strings.Cut(request, "\n---")
			line, rest, _ := strings.Cut(request, "\n")
			if at := strings.Index(rest, "\n{"); at >= 0 {
				rest = rest[at:]
			}
			if q, ok := collect(line, rest); ok {
				all = append(all, q)
			}
		}
	}
	return all
}

// collect reads the query of one request.
func collect(line, body string) (collected, bool) {
	var request struct {
		Param, Payload json.RawMessage
		Model          string
		QueryModel     string
	}
	var paging map[string]json.RawMessage
	if json.Unmarshal([]byte(body), &request) != nil || json.Unmarshal([]byte(body), &paging) != nil {
		return collected{}, false
	}
	const base = "POST /jdbc-model/query-model/"
	if rest, ok := strings.CutPrefix(line, base+"v2/"); ok {
		model, _, _ := strings.Cut(rest, "?")
		return readable(model, request.Param, paging, false)
	}
	if strings.HasPrefix(line, base+"queryKpi") {
		delete(paging, "queryModel")
		return readable(request.QueryModel, nil, paging, true)
	}
	if strings.HasPrefix(line, "CALL ") && strings.HasSuffix(line, ".query_model") {
		return readable(request.Model, request.Payload, nil, false)
	}
	return collected{}, false
}

// readable puts a payload and the keys beside it together, and leaves out what does not decode: other tests hold that.
func readable(model string, payload json.RawMessage, beside map[string]json.RawMessage, summary bool) (collected, bool) {
	all := map[string]json.RawMessage{}
	if payload != nil && json.Unmarshal(payload, &all) != nil || all == nil {
		return collected{}, false
	}
	for key, v := range beside {
		if key != "param" {
			all[key] = v
		}
	}
	delete(all, "format")
	text, err := json.Marshal(all)
	if err != nil {
		return collected{}, false
	}
	_, err = decode(string(text))
	return collected{model: model, payload: string(text), summary: summary}, err == nil
}
