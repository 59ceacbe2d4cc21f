package queryapi

import (
	"net/http"

	"parlance/internal/fault"
	"parlance/internal/service"
)

const retryAfter = "1" // seconds

// answers is how each kind of fault is told (contract 7.2, decision 30). A status of 0 is 200, or the code where the
// handler mirrors it.
var answers = [...]struct{ code, status int }{
	fault.Internal:     {code: 500},
	fault.Invalid:      {code: 400},
	fault.Unauthorized: {code: 403, status: http.StatusUnauthorized},
	fault.Forbidden:    {code: 403},
	fault.NotFound:     {code: 404},
	fault.Unavailable:  {code: 500, status: http.StatusServiceUnavailable},
}

// fault answers with an error of the decoder or the service; one that is ours to mend is logged, and shown only as
// its trace id.
func (h *Handler) fault(w http.ResponseWriter, r *http.Request, err error) {
	f := fault.As(err)
	record, gone := service.RecordOf(r.Context()), r.Context().Err() != nil
	if gone {
		record.Fail("cancelled")
	}
	record.Refuse(f.Reason, f)
	if f.Kind == fault.Internal {
		trace := service.CallerOf(r.Context()).TraceID
		if !gone {
			h.log.ErrorContext(r.Context(), "query failed", "trace", trace, "model", clip(record.Model), "error", err.Error())
		}
		h.Fail(w, trace)
		return
	}
	a := answers[f.Kind]
	if f.Kind == fault.Unavailable {
		w.Header().Set("Retry-After", retryAfter)
	}
	sendError(w, h.status(a.status, a.code), a.code, f.Text())
}

// Refuse answers a request that is turned away before it is read, with the HTTP status and the envelope.
func (h *Handler) Refuse(w http.ResponseWriter, status int, message string) {
	code := http.StatusBadRequest
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		code = http.StatusForbidden
	case status == http.StatusNotFound:
		code = http.StatusNotFound
	case status >= http.StatusInternalServerError:
		code = http.StatusInternalServerError
	}
	sendError(w, status, code, message)
}

// Fail answers that something of ours went wrong; the trace id finds it in the log.
func (h *Handler) Fail(w http.ResponseWriter, trace string) {
	a := answers[fault.Internal]
	sendError(w, h.status(a.status, a.code), a.code, "Internal error (trace "+trace+")")
}

func (h *Handler) status(fixed, code int) int {
	switch {
	case fixed != 0:
		return fixed
	case h.mirror:
		return code
	}
	return http.StatusOK
}
