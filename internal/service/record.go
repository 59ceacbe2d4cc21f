package service

import (
	"context"
	"time"

	"parlance/internal/audit"
	"parlance/internal/fault"
)

// Record is what is noted about one request: for its line in the access log, and call by call for the audit record.
// It belongs to the request's goroutine. Of several calls in one request the last one's names stay here.
type Record struct {
	Tool    string     // the contract's name of the tool, "" if none was called
	Model   string     // as the caller named it
	Rows    int64      // sent in all
	Outcome string     // ok, or the reason of the first failure
	Code    int        // of a failure outside of any call; 0: not known
	Caller  Caller     // as far as it is known
	Cache   *CacheUse  // of the last answer that may be used again; nil: none
	Rollup  *RollupUse // of the last answer that was read from one; nil: none

	calls []*audit.Entry
}

// Begin opens the entry of a call, which takes all that is noted until the next one begins.
func (r *Record) Begin(tool string) *audit.Entry {
	e := &audit.Entry{Time: time.Now(), Tool: tool}
	r.calls = append(r.calls, e)
	return e
}

// Entry returns the entry of the call that is being answered; before the first call, one that nobody reads.
func (r *Record) Entry() *audit.Entry {
	if len(r.calls) == 0 {
		return &audit.Entry{}
	}
	return r.calls[len(r.calls)-1]
}

// Fail notes an outcome unless an earlier failure is noted already.
func (r *Record) Fail(reason string) {
	if r.Outcome == "" || r.Outcome == audit.OK {
		r.Outcome = reason
	}
}

// Refuse notes a fault as the outcome of the call, or of the request where no call has begun.
func (r *Record) Refuse(reason string, f *fault.Error) {
	r.Fail(reason)
	if r.Code == 0 {
		r.Code = audit.Code(f.Kind)
	}
	e := r.Entry()
	e.FailWith(f)
	if e.Outcome == f.Reason && reason != "" {
		e.Outcome = reason
	}
}

// Succeed notes the rows of a call that went well.
func (r *Record) Succeed(rows int64) {
	r.Rows += rows
	if r.Outcome == "" {
		r.Outcome = audit.OK
	}
	e := r.Entry()
	e.Rows += rows
	if e.Outcome == "" {
		e.Outcome = audit.OK
	}
}

// Entries returns what the request leaves in the audit record: an entry for each call, or one for a request that was
// refused before any. A request that asked for nothing leaves none. Outcome is the request's, Code that of its failure.
func (r *Record) Entries(outcome string, code int) []*audit.Entry {
	failed := outcome != audit.OK
	noted := !failed
	for _, e := range r.calls {
		if e.Outcome == "" && failed {
			e.Fail(outcome, code) // it broke off
		}
		noted = noted || e.Refused()
	}
	if noted {
		return r.calls
	}
	e := &audit.Entry{}
	e.Fail(outcome, code)
	return append(r.calls, e)
}

type recordKey struct{}

// WithRecord returns a context that carries a new record.
func WithRecord(ctx context.Context) (context.Context, *Record) {
	r := &Record{}
	return context.WithValue(ctx, recordKey{}, r), r
}

// RecordOf returns the record of the context; without one, a record that nobody reads.
func RecordOf(ctx context.Context) *Record {
	if r, ok := ctx.Value(recordKey{}).(*Record); ok {
		return r
	}
	return &Record{}
}
