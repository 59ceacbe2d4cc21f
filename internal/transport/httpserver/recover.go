package httpserver

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"

	"parlance/internal/service"
)

// recoverer answers a request whose handler panicked with an internal error and logs the stack once; other requests
// go on. Where an answer has already begun, its connection is closed, so that half of it is not taken for all.
func recoverer(f face, log *slog.Logger) middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			defer func() {
				what := recover()
				if what == nil {
					return
				}
				if err, ok := what.(error); ok && errors.Is(err, http.ErrAbortHandler) {
					panic(what)
				}
				service.RecordOf(r.Context()).Outcome = "panic"
				log.ErrorContext(r.Context(), "panic", "trace", traceOf(r), "panic", fmt.Sprint(what), "stack", string(debug.Stack()))
				if a, ok := w.(*response); ok && a.status != 0 {
					panic(http.ErrAbortHandler)
				}
				f.fail(w, r)
			}()
			next.ServeHTTP(w, r)
		})
	}
}
