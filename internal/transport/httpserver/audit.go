package httpserver

import (
	"context"
	"net/http"
	"time"

	"parlance/internal/audit"
	"parlance/internal/service"
)

// Auditor takes what is to be recorded of each request for data, when it has been answered.
type Auditor interface {
	Record(e audit.Entry)
}

// way is a way in whose requests are recorded. The zero way is not.
type way struct {
	to        Auditor
	transport string // mcp or http
	endpoint  string // the role of a JSON-RPC endpoint
}

// record leaves the entries of a request in the audit record.
func (v way) record(ctx context.Context, r *http.Request, record *service.Record, a *response, begun time.Time) {
	if v.to == nil {
		return
	}
	word := outcome(ctx, record, a)
	entries := record.Entries(word, failureCode(record, a, word))
	for _, e := range entries {
		v.complete(e, r, record)
		if len(entries) == 1 {
			e.Time, e.Took, e.Bytes = begun, time.Since(begun), a.bytes
		}
		v.to.Record(*e)
	}
}

// complete adds what all calls of a request share.
func (v way) complete(e *audit.Entry, r *http.Request, record *service.Record) {
	c := record.Caller
	e.Trace, e.User, e.Roles = c.TraceID, c.Identity.User, c.Identity.Roles
	e.Interface, e.Endpoint = v.transport, v.endpoint
	e.Credential = audit.Fingerprint(c.Identity.Opaque)
	if e.Namespace == "" {
		e.Namespace = namespaceOf(r)
	}
	if e.Time.IsZero() {
		e.Time = time.Now()
	}
}

// statusCancelled is the code of a request that nobody waits for any more.
const statusCancelled = 499

// failureCode is the code of a request whose outcome is not ok.
func failureCode(record *service.Record, a *response, word string) int {
	switch {
	case word == "cancelled":
		return statusCancelled
	case a.status >= http.StatusBadRequest:
		return a.status
	case record.Code != 0:
		return record.Code
	}
	return http.StatusInternalServerError
}
