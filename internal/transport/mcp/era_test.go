package mcp

import (
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
)

// fullMeta is what META stands for in the golden files of exchanges.
const fullMeta = `{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`

// TestExchanges runs the cases of testdata/http/*.txt: a case has a name, the endpoint ("on", analyst if there is
// none), headers ("h "), the body ("> ") and the answer with its status ("< "), to the byte.
func TestExchanges(t *testing.T) { golden(t, "testdata/http/*.txt", runExchanges) }

func runExchanges(t *testing.T, text string) string {
	t.Helper()
	var out []string
	role, headers := "analyst", [][2]string{}
	for _, line := range strings.Split(text, "\n") {
		kind, rest, _ := strings.Cut(line, " ")
		switch kind {
		case "<":
			continue
		case "case":
			role, headers = "analyst", nil
		case "on":
			role = rest
		case "h":
			name, value, _ := strings.Cut(rest, ": ")
			headers = append(headers, [2]string{name, value})
		}
		out = append(out, line)
		if kind == ">" {
			out = append(out, "< "+exchange(t, role, headers, strings.ReplaceAll(rest, "META", fullMeta)))
		}
	}
	return strings.Join(out, "\n")
}

func exchange(t *testing.T, role string, headers [][2]string, body string) string {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), "POST", "/mcp", strings.NewReader(body))
	for _, h := range headers {
		r.Header.Add(h[0], h[1])
	}
	w := httptest.NewRecorder()
	endpoint(role, &fake{}, quiet()).ServeHTTP(w, r)
	checkAnswer(t, w, w.Code)
	return strings.TrimSpace(strconv.Itoa(w.Code) + " " + w.Body.String())
}
