// Package audit keeps the record of every query and every refusal: one line of JSON each, appended to a file that is
// rotated, off the path of the request. It is told what happened and decides nothing but whether it can still be kept.
package audit

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"parlance/internal/fault"
)

// OK is the outcome of a call that was answered.
const OK = "ok"

// Entry is one call of a tool or of the query interface, or a request that was refused before it became one. Texts of
// the caller stand in it as they came.
type Entry struct {
	Time       time.Time // when it came
	Trace      string
	User       string   // "": anonymous
	Credential string   // Fingerprint of what an anonymous caller sent as Authorization; "": nothing
	Roles      []string // of the identity
	Interface  string   // mcp, http, stdio or cli
	Endpoint   string   // the role that the path names; "" on http
	Tool       string   // the contract's name of the tool, query or queryKpi; "": none was reached
	Mode       string   // validate where nothing was run; "": execute
	ShownSQL   bool     // the texts of the statements were part of the answer
	Namespace  string   // "": the default one
	Model      string
	Generation string
	Question   string   // in plain words; kept with values only
	Fields     []string // of the model, sorted, in whatever clause
	Filters    []Filter
	Statements []string // the SQL that answers it; kept as a hash
	Rows       int64    // sent
	Total      int64    // found
	Bytes      int64    // of the answer
	Took       time.Duration
	Outcome    string // OK, or the reason of the failure
	Code       int    // 0, or the code of the failure
	Got        string // what the failure is about; kept with values only
}

// Filter is a condition on a field.
type Filter struct {
	Field string
	Op    string
	Value fmt.Stringer // nil: none; kept with values only
}

// mode is how a tool was called; a request that reached none has no mode.
func (e *Entry) mode() string {
	if e.Mode == "" && e.Tool != "" {
		return "execute"
	}
	return e.Mode
}

// Refused reports whether the caller got no answer.
func (e *Entry) Refused() bool { return e.Code != 0 }

// forgetValues drops what only a record with values keeps, so that it does not wait in memory either.
func (e *Entry) forgetValues() {
	e.Question, e.Got = "", ""
	for i := range e.Filters {
		e.Filters[i].Value = nil
	}
}

// Fail notes why there is no answer, unless an earlier failure is noted already.
func (e *Entry) Fail(reason string, code int) {
	if e.Code != 0 {
		return
	}
	if reason == "" {
		reason = "error"
	}
	e.Outcome, e.Code = reason, code
}

// FailWith notes a fault as Fail does.
func (e *Entry) FailWith(f *fault.Error) {
	if e.Code == 0 {
		e.Got = f.Got
	}
	e.Fail(f.Reason, Code(f.Kind))
}

// Code is the code of a kind of fault, a number of HTTP's.
func Code(k fault.Kind) int {
	switch k {
	case fault.Internal:
		return 500
	case fault.Invalid:
		return 400
	case fault.Unauthorized:
		return 401
	case fault.Forbidden:
		return 403
	case fault.NotFound:
		return 404
	case fault.Unavailable:
		return 503
	}
	return 500
}

// fingerprintBytes is how much of a hash the record keeps.
const fingerprintBytes = 8

// Fingerprint tells texts apart without telling them: the first 16 digits of the SHA-256 of the texts as lines. That of
// "" is "".
func Fingerprint(texts ...string) string {
	if len(texts) == 0 || len(texts) == 1 && texts[0] == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(strings.Join(texts, "\n")))
	return hex.EncodeToString(sum[:fingerprintBytes])
}
