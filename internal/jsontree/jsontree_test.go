package jsontree

import (
	"encoding/json"
	"errors"
	"testing"
)

func TestParseRefuses(t *testing.T) {
	for _, in := range []string{
		"", " ", "{", "[1,]", "{\"a\":1,}", "{a:1}", "01", "1.", "-", "1e", "nul", "\"\x01\"", `"\x"`, `"\ud800"`, `"\udc00\ud800"`,
		"\"\xff\"", "1 2", "[1 2]", `{"a" 1}`, `{"a":1 "b":2}`, `"abc`, `"\u12"`,
	} {
		if _, err := Parse([]byte(in)); err == nil {
			t.Errorf("Parse(%q) succeeded", in)
		}
	}
}

func TestParseKeepsNumbersAndReportsDuplicates(t *testing.T) {
	n, err := Parse([]byte(`{"id": 9007199254740993, "x": {"y": [{"k":1,"k":2}]}}`))
	var dup *DuplicateError
	if !errors.As(err, &dup) || dup.Path != "x.y[0]" || dup.Key != "k" {
		t.Fatalf("err = %v", err)
	}
	if id, _ := n.Get("id"); id.Text != "9007199254740993" || string(id.Raw) != "9007199254740993" {
		t.Errorf("id = %+v", id)
	}
}

// FuzzParse holds the parser against encoding/json: what Parse accepts is valid JSON with the same strings.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.5e3,"x\u00e9\ud83d\ude00",null,true]}`, `""`, `[[[]]]`, `-0`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := Parse(data)
		var syntax *SyntaxError
		if errors.As(err, &syntax) {
			return
		}
		if !json.Valid(data) {
			t.Fatalf("accepted %q", data)
		}
		if n.Kind == String {
			var s string
			if json.Unmarshal(data, &s) != nil || s != n.Text {
				t.Fatalf("%q: got %q, want %q", data, n.Text, s)
			}
		}
	})
}
