package fault

import (
	"strings"
	"testing"
)

func TestClip(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "",
		"abc":                    "abc",
		strings.Repeat("销", 64):  strings.Repeat("销", 64),
		strings.Repeat("销", 65):  strings.Repeat("销", 64) + "…",
		strings.Repeat("x", 1e6): strings.Repeat("x", 64) + "…",
	} {
		if got := Clip(text); got != want {
			t.Errorf("Clip of %d bytes = %q", len(text), got)
		}
	}
}
