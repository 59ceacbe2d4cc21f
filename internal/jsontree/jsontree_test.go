package jsontree

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
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

func TestParseFindsARepeatedKeyAmongMany(t *testing.T) {
	for _, n := range []int{1, 15, 16, 17, 1000} {
		var b strings.Builder
		b.WriteString(`{"again":0`)
		for i := range n {
			fmt.Fprintf(&b, `,"k%d":0`, i)
		}
		if _, err := Parse([]byte(b.String() + "}")); err != nil {
			t.Errorf("%d distinct keys: %v", n, err)
		}
		var dup *DuplicateError
		if _, err := Parse([]byte(b.String() + `,"again":1}`)); !errors.As(err, &dup) || dup.Key != "again" {
			t.Errorf("%d keys and a repeat: %v", n, err)
		}
	}
}

// BenchmarkParseManyKeys shows that an object's cost grows with its size and not with its square.
func BenchmarkParseManyKeys(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		var doc strings.Builder
		for i := range n {
			fmt.Fprintf(&doc, `,"k%d":0`, i)
		}
		body := []byte("{" + doc.String()[1:] + "}")
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				if _, err := Parse(body); err != nil {
					b.Fatal(err)
				}
			}
		})
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
