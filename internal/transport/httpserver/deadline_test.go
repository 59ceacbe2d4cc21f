package httpserver

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// TestEveryRequestHasADeadline: the statement's time-out and ten seconds more, on both interfaces.
func TestEveryRequestHasADeadline(t *testing.T) {
	const statement = 7 * time.Second
	var left time.Duration
	h := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		end, ok := r.Context().Deadline()
		if !ok {
			t.Error("no deadline")
		}
		left = time.Until(end)
	})
	before := time.Now()
	deadline(statement+requestMargin)(h).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST", "/", nil))
	if spent := time.Since(before); left > statement+requestMargin || left < statement+requestMargin-spent {
		t.Errorf("%v left, %v spent", left, spent)
	}
}
