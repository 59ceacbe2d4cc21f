package httpserver

import (
	"bytes"
	"fmt"
	"io"
	"net/http"

	"parlance/internal/service"
)

// limitBody refuses a body longer than most bytes before the handler reads any of it. A body of unknown length is
// read here, so that no handler meets half a body; the others pass unread.
func limitBody(f face, most int64) middleware {
	tooLong := fmt.Sprintf("The body is longer than %d bytes", most)
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.ContentLength > most {
				service.RecordOf(r.Context()).Fail("body_too_large")
				f.refuse(w, r, http.StatusRequestEntityTooLarge, tooLong)
				return
			}
			if r.ContentLength < 0 {
				body, err := io.ReadAll(io.LimitReader(r.Body, most+1))
				if err != nil {
					f.refuse(w, r, http.StatusBadRequest, "The body could not be read")
					return
				}
				if int64(len(body)) > most {
					service.RecordOf(r.Context()).Fail("body_too_large")
					f.refuse(w, r, http.StatusRequestEntityTooLarge, tooLong)
					return
				}
				r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
			}
			next.ServeHTTP(w, r)
		})
	}
}
