package translate

import (
	"errors"
	"testing"

	"parlance/internal/jsontree"
)

// FuzzRead holds that any reply of a language model is a model with a payload, or one of two refusals.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"", "{}", "```json\n{\"model\":\"A\",\"payload\":{}}\n```", `{"decline":"no"}`, `{"decline":null,"model":"A","payload":{"columns":[]}}`, "```", "[1]", `{"model":7,"payload":{}}`, "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := read(text)
		switch {
		case err != nil && (got != nil || !errors.Is(err, ErrUnusable) && !errors.Is(err, ErrDeclined)):
			t.Fatalf("%q: %v, %v", text, got, err)
		case err == nil && got.Payload.Kind != jsontree.Object:
			t.Fatalf("%q has the payload %v", text, got.Payload)
		}
	})
}
