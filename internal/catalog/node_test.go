package catalog

import "testing"

// FuzzDecode holds that no bytes stop the decoder, and that what it refuses it refuses with a place.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		"model: A\r\ncaption: é\r\nxyz: 1\r\n", "\ufeffmodel: A\n", "a: |\n  b\n", "? a\n: b", "{a: [1, {b: c}]}", "- - - x", "a: !!x &y *z",
		"%YAML 1.2\n---\na: 1\n...\n", "a:\n  - b\n -c", "'", "a: >-\n\n\n x", "model: \"\\u0000\"",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d := decode(sourceFile{path: "x.yaml", data: data})
		if d.model == nil && len(d.problems) == 0 {
			t.Fatal("neither a model nor a problem")
		}
		for _, p := range d.problems {
			if p.File != "x.yaml" || p.Message == "" {
				t.Fatalf("a problem without a place or a message: %#v", p)
			}
		}
	})
}

func TestPlaces(t *testing.T) {
	for name, c := range map[string]struct{ data, want string }{
		"carriage returns": {"model: A\r\ncaption: é\r\n  \r\nxyz: 1\r\n", `x.yaml:4:1: unknown key "xyz" in a model`},
		"byte order mark":  {"\ufeffmodel: A\nxyz: 1\n", `x.yaml:2:1: unknown key "xyz" in a model`},
		"characters":       {"{caption: 销售, xyz: 1, model: A}", `x.yaml:1:15: unknown key "xyz" in a model`},
		"after a block":    {"model: A\ndescription: |\n  one\n\n  two\nxyz: 1\n", `x.yaml:6:1: unknown key "xyz" in a model`},
		"not UTF-8":        {"model: A\ncaption: a\xffb\n", "x.yaml:2:11: the file is not valid UTF-8"},
		"NUL":              {"model: \"a\\0b\"\n", "x.yaml:1:8: a string holds a NUL character"},
	} {
		t.Run(name, func(t *testing.T) {
			d := decode(sourceFile{path: "x.yaml", data: []byte(c.data)})
			if len(d.problems) != 1 || d.problems[0].String() != c.want {
				t.Errorf("got %v, want %s", d.problems, c.want)
			}
		})
	}
}
