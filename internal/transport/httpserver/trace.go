package httpserver

import (
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"strings"
)

const (
	traceHeader = "X-Trace-Id"
	maxTrace    = 128
)

// traceID returns the caller's trace id without anything but printable ASCII, cut to 128 characters, or a new one
// where nothing remains (decision 65).
func traceID(h http.Header) string {
	if given := cleanTrace(h.Get(traceHeader)); given != "" {
		return given
	}
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

func cleanTrace(s string) string {
	clean := strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, s))
	if len(clean) > maxTrace {
		clean = strings.TrimSpace(clean[:maxTrace])
	}
	return clean
}
