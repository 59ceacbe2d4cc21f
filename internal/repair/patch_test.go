package repair

import (
	"testing"

	"parlance/internal/jsontree"
)

func parsed(t *testing.T, doc string) jsontree.Node {
	t.Helper()
	n, err := jsontree.Parse([]byte(doc))
	if err != nil {
		t.Fatalf("%v in %s", err, doc)
	}
	return n
}

// The cases are those of RFC 6902, appendix A, as far as there are operations for them.
func TestApply(t *testing.T) {
	for _, c := range []struct {
		doc   string
		patch Patch
		want  string // "": it does not fit
	}{
		{`{"foo":"bar"}`, Patch{add(pointer{"baz"}, text("qux"))}, `{"foo":"bar","baz":"qux"}`},
		{`{"foo":["bar","baz"]}`, Patch{add(pointer{"foo", "1"}, text("qux"))}, `{"foo":["bar","qux","baz"]}`},
		{`{"foo":["bar"]}`, Patch{add(pointer{"foo", "-"}, array(text("abc"), text("def")))}, `{"foo":["bar",["abc","def"]]}`},
		{`{"foo":["bar"]}`, Patch{add(pointer{"foo", "2"}, text("abc"))}, ``},
		{`{"foo":"bar"}`, Patch{add(pointer{"baz", "bat"}, text("qux"))}, ``},
		{`{"baz":"qux","foo":"bar"}`, Patch{remove(pointer{"baz"})}, `{"foo":"bar"}`},
		{`{"foo":["bar","qux","baz"]}`, Patch{remove(pointer{"foo", "1"})}, `{"foo":["bar","baz"]}`},
		{`{"baz":"qux"}`, Patch{remove(pointer{"foo"})}, ``},
		{`{"baz":"qux","foo":"bar"}`, Patch{replace(pointer{"baz"}, text("boo"))}, `{"baz":"boo","foo":"bar"}`},
		{`{"foo":"bar"}`, Patch{replace(pointer{"baz"}, text("boo"))}, ``},
		{`{"foo":1}`, Patch{replace(nil, array())}, `[]`},
		{`{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}`, Patch{move(pointer{"foo", "waldo"}, pointer{"qux", "thud"})}, `{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}`},
		{`{"foo":["all","grass","cows","eat"]}`, Patch{move(pointer{"foo", "1"}, pointer{"foo", "3"})}, `{"foo":["all","cows","eat","grass"]}`},
		{`{"a/b":1,"m~n":2}`, Patch{remove(pointer{"a/b"}), replace(pointer{"m~n"}, number("3"))}, `{"m~n":3}`},
	} {
		before := parsed(t, c.doc)
		after, ok := c.patch.Apply(before)
		if ok != (c.want != "") || ok && string(written(after)) != c.want {
			t.Errorf("%s on %s = %s, %v, want %s", c.patch.JSON(), c.doc, written(after), ok, c.want)
		}
		if string(written(before)) != string(written(parsed(t, c.doc))) {
			t.Errorf("%s changed the document itself", c.patch.JSON())
		}
	}
}

func TestPatchJSON(t *testing.T) {
	p := Patch{move(pointer{"a/b"}, pointer{"c~d", "0"}), remove(pointer{"x"}), add(pointer{"y"}, object("k", "<&>"))}
	const want = `[{"op":"move","from":"/a~1b","path":"/c~0d/0"},{"op":"remove","path":"/x"},{"op":"add","path":"/y","value":{"k":"<&>"}}]`
	if got := string(p.JSON()); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestLocate(t *testing.T) {
	doc := parsed(t, `{"payload":{"slice":[{"product.category$caption":"x"},{"field":"a","value":[1,2]}],"topN":{"by":"b"}}}`)
	for path, want := range map[string]string{
		"payload.slice[0].product.category$caption": "/payload/slice/0/product.category$caption",
		"payload.slice[1].value[1]":                 "/payload/slice/1/value/1",
		"payload.topN.by":                           "/payload/topN/by",
		"payload":                                   "/payload",
		"":                                          "",
		"payload.slice[2]":                          "none",
		"payload.slice[x]":                          "none",
		"payload.topN.n":                            "none",
		"payload.slice.field":                       "none",
	} {
		p, _, ok := locate(doc, path)
		got := p.String()
		if !ok {
			got = "none"
		}
		if got != want {
			t.Errorf("locate(%q) = %s, want %s", path, got, want)
		}
	}
}
