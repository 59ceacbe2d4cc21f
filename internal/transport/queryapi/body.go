package queryapi

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"

	"parlance/internal/jsontree"
)

// firstRead bounds what is set aside for a body before any of it has come.
const firstRead = 64 << 10

// isJSON reports whether a content type may hold the body; an absent one may (decision 06).
func isJSON(contentType string) bool {
	if contentType == "" || contentType == "application/json" {
		return true
	}
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		return false
	}
	return media == "application/json" || strings.HasPrefix(media, "application/") && strings.HasSuffix(media, "+json")
}

func readBody(r *http.Request) ([]byte, error) {
	if r.ContentLength == 0 {
		return nil, nil
	}
	if n := r.ContentLength; 0 < n && n <= firstRead {
		body := make([]byte, n)
		if _, err := io.ReadFull(r.Body, body); err != nil {
			return nil, unreadableBody(err)
		}
		return body, nil
	}
	var b bytes.Buffer
	b.Grow(firstRead + bytes.MinRead)
	if _, err := b.ReadFrom(r.Body); err != nil {
		return nil, unreadableBody(err)
	}
	return b.Bytes(), nil
}

// parseBody reads the object that a body must be. An empty body is an empty object (decision 32).
func parseBody(body []byte) (jsontree.Node, error) {
	if len(bytes.TrimLeft(body, " \t\r\n")) == 0 {
		return jsontree.Node{Kind: jsontree.Object}, nil
	}
	n, err := jsontree.Parse(body)
	var twice *jsontree.DuplicateError
	switch {
	case errors.As(err, &twice):
		return n, duplicateKey(twice)
	case err != nil:
		return n, malformedBody(err)
	case n.Kind != jsontree.Object:
		return n, notAnObject(n)
	}
	return n, nil
}

// member returns the value of a key; null counts as absent.
func member(n jsontree.Node, key string) (jsontree.Node, bool) {
	v, ok := n.Get(key)
	return v, ok && v.Kind != jsontree.Null
}

// checkKeys refuses a key that the body does not have (decision 38).
func checkKeys(n jsontree.Node, known []string) error {
	for _, m := range n.Members {
		if !slices.Contains(known, m.Key) && !slices.Contains(ignored, m.Key) {
			return unknownKey(m.Key, known)
		}
	}
	return nil
}
