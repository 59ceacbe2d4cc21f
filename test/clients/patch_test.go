package clients

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
)

// patched applies a JSON Patch (RFC 6902) of the operations that the server offers to a document of decoded JSON.
func patched(t *testing.T, document any, patch []byte) any {
	t.Helper()
	var steps []struct {
		Op, Path, From string
		Value          any
	}
	if err := json.Unmarshal(patch, &steps); err != nil {
		t.Fatalf("%v: %s", err, patch)
	}
	for _, step := range steps {
		value := step.Value
		if step.Op == "move" {
			document, value = edited(t, document, pointer(step.From), "remove", nil)
		}
		document, _ = edited(t, document, pointer(step.Path), step.Op, value)
	}
	return document
}

// pointer splits a JSON Pointer (RFC 6901).
func pointer(text string) []string {
	parts := strings.Split(text, "/")[1:]
	for i, p := range parts {
		parts[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(p)
	}
	return parts
}

// edited returns the node after one operation, and what stood there before.
func edited(t *testing.T, node any, at []string, op string, value any) (after, before any) {
	t.Helper()
	switch n := node.(type) {
	case map[string]any:
		before = n[at[0]]
		switch {
		case len(at) > 1:
			n[at[0]], before = edited(t, n[at[0]], at[1:], op, value)
		case op == "remove":
			delete(n, at[0])
		default:
			n[at[0]] = value
		}
		return n, before
	case []any:
		i, err := strconv.Atoi(at[0])
		if err != nil || i >= len(n) || len(at) == 1 && op != "replace" {
			t.Fatalf("%s of %v is not known here", op, at)
		}
		if before = n[i]; len(at) > 1 {
			n[i], before = edited(t, n[i], at[1:], op, value)
		} else {
			n[i] = value
		}
		return n, before
	}
	t.Fatalf("nothing stands at %v", at)
	return nil, nil
}
