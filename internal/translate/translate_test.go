package translate

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// speaker is a small server that speaks the protocol of chat completions.
func speaker(t *testing.T, answer http.HandlerFunc, o Options) *Client {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	o.Address, o.Model = server.URL+"/v1/", "small"
	return New(o)
}

// says answers every question with a text.
func says(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{
			"choices": []any{map[string]any{"message": map[string]any{"role": "assistant", "content": text}}}, "usage": map[string]any{"total_tokens": 40},
		})
	}
}

func TestTranslateSpeaksTheProtocol(t *testing.T) {
	var sent request
	var header http.Header
	var path string
	c := speaker(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(body, &sent); err != nil {
			t.Error(err)
		}
		header, path = r.Header, r.Method+" "+r.URL.Path
		says(`{"model":"Sales","payload":{"columns":["amount"]}}`)(w, r)
	}, Options{Key: "sesame"})
	got, err := c.Translate(t.Context(), Question{Text: "how much?", Today: "2024-12-31", Models: []Model{{Name: "Sales", Fields: []Field{{Name: "amount", Kind: "MEASURE", Type: "money"}}}}})
	if err != nil || got.Model != "Sales" || string(got.Payload.Raw) != `{"columns":["amount"]}` {
		t.Fatalf("got %+v, %v", got, err)
	}
	if path != "POST /v1/chat/completions" || header.Get("Authorization") != "Bearer sesame" || header.Get("Content-Type") != "application/json" {
		t.Errorf("%s %v", path, header)
	}
	if sent.Model != "small" || len(sent.Messages) != 2 || sent.Messages[0].Role != "system" || sent.Messages[1].Role != "user" || sent.MaxTokens == 0 {
		t.Errorf("sent %+v", sent)
	}
	if !strings.Contains(sent.Messages[0].Content, `{"name":"amount","kind":"MEASURE","type":"money"}`) || sent.Messages[1].Content != `{"question":"how much?","today":"2024-12-31"}` {
		t.Errorf("sent %+v", sent.Messages)
	}
}

func TestRepliesThatAreRead(t *testing.T) {
	for text, want := range map[string]error{
		"```json\n{\"model\":\"Sales\",\"payload\":{}}\n```":          nil,
		` {"model":"Sales","payload":{},"remark":"ignored"} `:         nil,
		`{"decline":"a forecast"}`:                                    ErrDeclined,
		`{"model":"Sales","payload":{},"decline":"but then no"}`:      ErrDeclined,
		`Sure! Here is the query: {"model":"Sales"}`:                  ErrUnusable,
		`{"model":7,"payload":{}}`:                                    ErrUnusable,
		`{"model":"Sales","payload":"select * from users"}`:           ErrUnusable,
		`{"model":"Sales"}`:                                           ErrUnusable,
		`[{"model":"Sales","payload":{}}]`:                            ErrUnusable,
		`{"model":"Sales","payload":{"columns":["a"],"columns":[1]}}`: ErrUnusable,
		``: ErrUnusable,
		`{"model":"Sales","payload":{` + strings.Repeat(`"a":{`, 5000): ErrUnusable,
	} {
		c := speaker(t, says(text), Options{})
		if _, err := c.Translate(t.Context(), Question{}); !errors.Is(err, want) {
			t.Errorf("%.60s: %v, want %v", text, err, want)
		}
	}
}

func TestServersThatFail(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a redirect was followed") }))
	defer elsewhere.Close()
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   error
	}{
		"an error": {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusInternalServerError) }, ErrNoAnswer},
		"a refusal": {func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, `{"error":{"message":"key sesame is wrong"}}`, http.StatusUnauthorized)
		}, ErrNoAnswer},
		"no JSON":   {func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") }, ErrUnusable},
		"no choice": {func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"choices":[]}`) }, ErrUnusable},
		"too much":  {says(`{"model":"Sales","payload":{"columns":["` + strings.Repeat("x", maxReply) + `"]}}`), ErrUnusable},
		"a redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		}, ErrNoAnswer},
		"cut off": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "500")
			_, _ = io.WriteString(w, "{")
		}, ErrNoAnswer},
	} {
		_, err := speaker(t, c.answer, Options{Key: "sesame"}).Translate(t.Context(), Question{})
		if !errors.Is(err, c.want) || strings.Contains(err.Error(), "sesame") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestASlowServerIsNotWaitedFor(t *testing.T) {
	held := make(chan struct{})
	c := speaker(t, func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-held:
		case <-r.Context().Done():
		}
	}, Options{Timeout: 20 * time.Millisecond})
	defer close(held)
	if _, err := c.Translate(t.Context(), Question{}); !errors.Is(err, ErrNoAnswer) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

func TestTheBudgetOfAnHour(t *testing.T) {
	now := time.Date(2024, 12, 31, 12, 0, 0, 0, time.UTC)
	asked := 0
	answer := func(w http.ResponseWriter, r *http.Request) {
		asked++
		says(`{"model":"Sales","payload":{}}`)(w, r)
	}
	clock := func() time.Time { return now }
	calls := speaker(t, answer, Options{Calls: 2, Now: clock})
	for i, want := range []error{nil, nil, ErrBudget} {
		if _, err := calls.Translate(t.Context(), Question{}); !errors.Is(err, want) {
			t.Errorf("call %d: %v", i, err)
		}
	}
	if asked != 2 {
		t.Errorf("%d calls were made", asked)
	}
	now = now.Add(time.Hour)
	if _, err := calls.Translate(t.Context(), Question{}); err != nil {
		t.Errorf("an hour later: %v", err)
	}
	// A question counts at least a quarter of its bytes, whatever the reply says that it cost.
	tokens := speaker(t, answer, Options{Tokens: 41, Now: clock})
	if _, err := tokens.Translate(t.Context(), Question{}); err != nil {
		t.Fatal(err)
	}
	if _, err := tokens.Translate(t.Context(), Question{}); !errors.Is(err, ErrBudget) {
		t.Errorf("beyond the tokens: %v", err)
	}
}
