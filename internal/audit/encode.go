package audit

import (
	"strconv"
	"time"
)

// MaxLine bounds a line in bytes, its end included.
const MaxLine = 16 << 10

// The most of a text, and where in a line its lists end; what they leave room for is less than MaxLine.
const (
	maxText    = 256
	maxWords   = 1024 // of a question
	rolesEnd   = 3 << 10
	fieldsEnd  = 8 << 10
	filtersEnd = 14 << 10
)

// timeLayout is RFC 3339 in UTC with six digits of a second.
const timeLayout = "2006-01-02T15:04:05.000000Z"

// encoder writes entries as lines.
type encoder struct {
	run       string // tells the lines of one run of the program from those of another
	number    int64  // of the run's last line
	namespace string // what a request that names none means
	values    bool   // whether what callers compare with is kept
	prints    map[[3]string]string
}

// How many fingerprints are remembered, and of which: the same statements are run again and again.
const (
	maxPrints  = 1000
	maxPrinted = 32 << 10 // bytes of the statements of one
)

// fingerprint is Fingerprint, remembered.
func (e *encoder) fingerprint(texts []string) string {
	var key [3]string
	if len(texts) == 0 || len(texts) > len(key) {
		return Fingerprint(texts...)
	}
	length := 0
	for i, text := range texts {
		key[i] = text
		length += len(text)
	}
	if length > maxPrinted {
		return Fingerprint(texts...)
	}
	known, ok := e.prints[key]
	if !ok {
		known = Fingerprint(texts...)
		if e.prints == nil || len(e.prints) >= maxPrints {
			e.prints = map[[3]string]string{}
		}
		e.prints[key] = known
	}
	return known
}

// appendLine appends an entry and the end of its line. Every line has the same keys in the same order but for those of
// values, and for cut, which says that a list stands there in part.
func (e *encoder) appendLine(dst []byte, entry *Entry) []byte {
	l := line{dst: append(dst, '{'), start: len(dst)}
	e.number++
	l.text("time", entry.Time.UTC().Format(timeLayout))
	l.text("run", e.run)
	l.number("n", e.number)
	l.text("trace", entry.Trace)
	l.text("user", orElse(entry.User, "anonymous"))
	l.text("credential", entry.Credential)
	l.list("roles", entry.Roles, rolesEnd)
	l.text("interface", entry.Interface)
	l.text("endpoint", entry.Endpoint)
	l.text("tool", entry.Tool)
	l.text("mode", entry.mode())
	l.flag("sql", entry.ShownSQL)
	l.text("namespace", orElse(entry.Namespace, e.namespace))
	l.text("model", entry.Model)
	l.text("generation", entry.Generation)
	if e.values && entry.Question != "" {
		l.key("question")
		l.dst = appendText(l.dst, entry.Question, maxWords)
	}
	l.list("fields", entry.Fields, fieldsEnd)
	l.filters(entry.Filters, e.values)
	l.number("rows", entry.Rows)
	l.number("total", entry.Total)
	l.number("bytes", entry.Bytes)
	l.number("duration", int64(entry.Took/time.Microsecond))
	l.text("outcome", orElse(entry.Outcome, OK))
	l.number("code", int64(entry.Code))
	if e.values && entry.Got != "" {
		l.text("got", entry.Got)
	}
	l.text("statement", e.fingerprint(entry.Statements))
	if l.cut {
		l.flag("cut", true)
	}
	return append(l.dst, '}', '\n')
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// line is a line in the making.
type line struct {
	dst   []byte
	start int
	cut   bool
}

func (l *line) key(name string) {
	if l.dst[len(l.dst)-1] != '{' {
		l.dst = append(l.dst, ',')
	}
	l.dst = append(l.dst, '"')
	l.dst = append(l.dst, name...)
	l.dst = append(l.dst, '"', ':')
}

func (l *line) text(name, s string) {
	l.key(name)
	l.dst = appendText(l.dst, s, maxText)
}

func (l *line) number(name string, n int64) {
	l.key(name)
	l.dst = strconv.AppendInt(l.dst, n, 10)
}

func (l *line) flag(name string, on bool) {
	l.key(name)
	l.dst = strconv.AppendBool(l.dst, on)
}

// list writes texts as far as they fit before the end.
func (l *line) list(name string, texts []string, end int) {
	l.key(name)
	l.dst = append(l.dst, '[')
	for i, s := range texts {
		if !l.next(i, end) {
			break
		}
		l.dst = appendText(l.dst, s, maxText)
	}
	l.dst = append(l.dst, ']')
}

func (l *line) filters(filters []Filter, values bool) {
	l.key("filters")
	l.dst = append(l.dst, '[')
	for i, f := range filters {
		if !l.next(i, filtersEnd) {
			break
		}
		l.dst = append(l.dst, '{')
		l.text("field", f.Field)
		l.text("op", f.Op)
		if values && f.Value != nil {
			l.text("value", f.Value.String())
		}
		l.dst = append(l.dst, '}')
	}
	l.dst = append(l.dst, ']')
}

// next begins another element of a list, if it has room.
func (l *line) next(i, end int) bool {
	if len(l.dst)-l.start > end {
		l.cut = true
		return false
	}
	if i > 0 {
		l.dst = append(l.dst, ',')
	}
	return true
}
