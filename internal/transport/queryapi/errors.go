package queryapi

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"parlance/internal/fault"
	"parlance/internal/jsontree"
)

// maxEcho bounds, in bytes, how much of a caller's own text a message repeats.
const maxEcho = 100

func unreadableBody(cause error) error {
	return fault.Invalidf("unreadable_body", "", "The body could not be read").With(func(e *fault.Error) { e.Cause = cause })
}

func malformedBody(err error) error {
	return fault.Invalidf("malformed_json", "", "The body is not JSON: %v", err)
}

func duplicateKey(d *jsontree.DuplicateError) error {
	return fault.Invalidf("duplicate_key", clip(d.Path), "Key %q stands twice in one object", clip(d.Key)).
		With(func(e *fault.Error) { e.Got = clip(d.Key) })
}

func notAnObject(n jsontree.Node) error {
	return fault.Invalidf("wrong_type", "", "The body must be an object, not %s", clip(string(n.Raw))).
		With(func(e *fault.Error) { e.Got = n.Kind.String() })
}

func notAString(key string, n jsontree.Node) error {
	return fault.Invalidf("wrong_type", key, "%s must be a string, not %s", key, clip(string(n.Raw))).
		With(func(e *fault.Error) { e.Got = n.Kind.String() })
}

func missing(key, hint string) error {
	return fault.Invalidf("missing_parameter", key, "Missing required parameter: %s", key).
		With(func(e *fault.Error) { e.Hint = hint })
}

// payloadKeys are keys that belong one level deeper than where they are most often misplaced.
var payloadKeys = []string{
	"columns", "exColumns", "slice", "having", "groupBy", "orderBy", "calculatedFields", "returnTotal", "distinct",
}

func unknownKey(key string, known []string) error {
	return fault.Invalidf("unknown_key", clip(key), "Unknown key %q", clip(key)).With(func(e *fault.Error) {
		e.Got, e.Allowed = clip(key), known
		if slices.Contains(known, "param") && slices.Contains(payloadKeys, key) {
			e.Hint = fmt.Sprintf("%q belongs inside \"param\"", key)
			return
		}
		e.Closest = fault.Closest(key, known)
	})
}

// clip cuts a caller's text at a character's edge.
func clip(s string) string {
	if len(s) <= maxEcho {
		return s
	}
	end := maxEcho
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}
