package datasource

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzColumnNames holds that the first line of any file gives names that a table can have, or a word on what is wrong.
func FuzzColumnNames(f *testing.F) {
	for _, s := range []string{"a,b\n1,2\n", "a;b;c", "\ufeffa\tb\r\n", `"a""b"|c`, "\"a\nb\",c\n", "", "a,a", "a,,b", "\xff,b", "a\x00b", "A,a", ",,,;;;"} {
		f.Add([]byte(s), false)
		f.Add([]byte(s), true)
	}
	f.Fuzz(func(t *testing.T, start []byte, tabs bool) {
		known := rune(0)
		if tabs {
			known = '\t'
		}
		names, found := columnNames(start, known)
		if wrongHeader(names) != "" {
			return
		}
		if len(names) == 0 || !slices.Contains(delimiters, found) || tabs && found != '\t' {
			t.Fatalf("%q gives %q, divided by %q", start, names, found)
		}
		for i, name := range names {
			if name == "" || !utf8.ValidString(name) || strings.ContainsRune(name, 0) || slices.Contains(names[:i], name) {
				t.Fatalf("%q gives %q", start, names)
			}
		}
	})
}
