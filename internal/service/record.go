package service

import "context"

// Record is what a transport notes about one request, for its line in the access log.
// It belongs to the request's goroutine; of several calls in one request the last one's names stay.
type Record struct {
	Tool    string // the contract's name of the tool, "" if none was called
	Model   string // as the caller named it
	Rows    int64  // sent in all
	Outcome string // ok, or the reason of the first failure
}

// Fail notes an outcome unless an earlier failure is noted already.
func (r *Record) Fail(reason string) {
	if r.Outcome == "" || r.Outcome == "ok" {
		r.Outcome = reason
	}
}

// Succeed notes the rows of a call that went well.
func (r *Record) Succeed(rows int64) {
	r.Rows += rows
	if r.Outcome == "" {
		r.Outcome = "ok"
	}
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
