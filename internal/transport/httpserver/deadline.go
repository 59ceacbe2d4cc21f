package httpserver

import (
	"context"
	"net/http"
	"time"
)

// requestMargin is what a request may take beyond one statement's time: waiting for a place, a second statement.
// With the default time-out an answer comes within 40 seconds, before clients give up at 60.
const requestMargin = 10 * time.Second

// deadline bounds the work of a request once its body is read; what runs out of it is answered, not cut off.
func deadline(d time.Duration) middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ctx, cancel := context.WithTimeout(r.Context(), d)
			defer cancel()
			next.ServeHTTP(w, r.WithContext(ctx))
		})
	}
}
