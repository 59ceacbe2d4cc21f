package queryapi

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestDecodedBodies(t *testing.T) {
	d := newDecoded[string]()
	decodings := 0
	ask := func(body string, fail error) (string, error) {
		return d.of([]byte(body), func() (string, error) {
			decodings++
			return "meaning of " + body, fail
		})
	}
	wrong := errors.New("wrong")
	for _, c := range []struct {
		body      string
		fail      error
		decodings int
	}{
		{"a", nil, 1}, {"a", nil, 1}, {"b", wrong, 2}, {"b", wrong, 3}, {"b", nil, 4}, {"a", nil, 4},
		{strings.Repeat("x", longestBody+1), nil, 5}, {strings.Repeat("x", longestBody+1), nil, 6},
	} {
		got, err := ask(c.body, c.fail)
		if !errors.Is(err, c.fail) || got != "meaning of "+c.body || decodings != c.decodings {
			t.Errorf("%.10s: %.20s %v after %d decodings, want %d", c.body, got, err, decodings, c.decodings)
		}
	}
	for i := range 2 * decodedBodies {
		if _, err := ask(fmt.Sprint(i), nil); err != nil {
			t.Fatal(err)
		}
	}
	if len(d.byBody) != decodedBodies || d.recent.Len() != decodedBodies {
		t.Errorf("%d bodies are kept", len(d.byBody))
	}
}

// TestTheSameBodyIsDecodedOnce: a second request gets the very same query, one that differs another.
func TestTheSameBodyIsDecodedOnce(t *testing.T) {
	f := newFake()
	h := handlerOver(f)
	post(h, pagePath+"M", `{"param":{"columns":["a"]}}`)
	first := f.query
	post(h, pagePath+"N", `{"param":{"columns":["a"]}}`)
	if f.query != first || f.model != "N" {
		t.Error("decoded again")
	}
	post(h, pagePath+"M", `{"param":{"columns":["b"]}}`)
	if f.query == first || f.query.Columns[0].Text != "b" {
		t.Errorf("%+v", f.query)
	}
}
