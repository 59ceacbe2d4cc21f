package service

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/semantic"
)

// wide is a description that says more than most readers need.
func wide(fields int) *Description {
	d := &Description{
		Model: "M", Dictionaries: map[string][]DictionaryEntry{"d": {{Code: "A", Synonyms: []string{"alpha", "first"}}}},
		SampleValues: map[string][]string{}, Examples: []Example{{Payload: Raw("{}")}, {Payload: Raw("{}")}, {Payload: Raw("{}")}},
	}
	for i := range fields {
		name := fmt.Sprintf("field%d", i)
		d.Fields = append(d.Fields, FieldDescription{Name: name, Synonyms: []string{"one", "two", "three", "four", "five"}})
		d.SampleValues[name] = strings.Split("abcdefghij", "")
	}
	return d
}

func TestAShortDescriptionIsWhole(t *testing.T) {
	d := wide(3)
	d.abridge(d.bytes())
	if diff := cmp.Diff(wide(3), d); diff != "" {
		t.Error(diff)
	}
}

// TestAbridgedDescriptions: what is left out is said, and names, codes and two examples are never left out.
func TestAbridgedDescriptions(t *testing.T) {
	whole := wide(40).bytes()
	before := whole
	for _, most := range []int{whole - 1, whole * 3 / 4, whole / 2, 0} {
		d := wide(40)
		d.abridge(most)
		n := d.bytes()
		if most > 0 && n > most || n > before || d.Abridged == "" {
			t.Errorf("%d bytes for %d, before %d: %q", n, most, before, d.Abridged)
		}
		before = n
		if len(d.Fields) != 40 || len(d.Dictionaries["d"]) != 1 || len(d.Examples) != 2 {
			t.Errorf("%d fields, %d codes, %d examples", len(d.Fields), len(d.Dictionaries["d"]), len(d.Examples))
		}
	}
}

// TestBothLanguagesKeepAName: of the words that are left, one is Chinese where there was one.
func TestBothLanguagesKeepAName(t *testing.T) {
	words := []string{"profit", "earnings", "利润", "毛利"}
	for n, want := range map[int][]string{0: nil, 1: {"利润"}, 2: {"profit", "利润"}, 3: {"profit", "earnings", "利润"}, 9: words} {
		if diff := cmp.Diff(want, first(words, n)); diff != "" {
			t.Errorf("%d words: %s", n, diff)
		}
	}
	if diff := cmp.Diff([]string{"a"}, first([]string{"a", "b"}, 1)); diff != "" {
		t.Error(diff)
	}
}

func TestMaskedFieldsAreMarked(t *testing.T) {
	for conceal, want := range map[bool]bool{false: true, true: false} {
		m := under(t, func(m *semantic.Model) *semantic.Policy {
			return &semantic.Policy{Conceal: conceal, Fields: []semantic.FieldRule{
				{Mask: []semantic.MaskedField{{Field: m.Field("product$brand"), Mask: semantic.MaskFirst}}},
			}}
		})
		for _, f := range describeSales(t, newService(shelfOf(m), talker(nil))).Fields {
			if f.Masked != (want && strings.HasSuffix(f.Name, "$brand")) {
				t.Errorf("conceal %v: %s masked %v", conceal, f.Name, f.Masked)
			}
		}
	}
}

// TestExamplesAreMadeUp: a model whose author wrote none has two that run, whatever it is made of.
func TestExamplesAreMadeUp(t *testing.T) {
	rowsOnly := &semantic.Model{Name: "Sales", Datasource: "shop", Source: semantic.Source{Table: "t"}, Calendar: salesModel(t).Calendar,
		Attributes: []*semantic.Attribute{{Name: "n", Column: "n", Type: number, Caption: "数量"}}}
	texts := &semantic.Model{Name: "Sales", Datasource: "shop", Source: semantic.Source{Table: "t"}, Calendar: salesModel(t).Calendar,
		Attributes: []*semantic.Attribute{{Name: "city", Column: "c", Type: text, Caption: "城市"}}}
	closed := under(t, func(m *semantic.Model) *semantic.Policy {
		return &semantic.Policy{Fields: []semantic.FieldRule{{Hide: m.Fields()}}}
	})
	rowsOnly.Index()
	texts.Index()
	for name, c := range map[string]struct {
		model *semantic.Model
		want  []string
	}{
		"a star":        {salesModel(t), []string{"Amount by status, the largest 5", "Amount by sold on month"}},
		"texts alone":   {texts, []string{"How many rows for each 城市", "The first 10 rows"}},
		"numbers alone": {rowsOnly, []string{"The first 10 rows"}},
		"nothing":       {closed, nil},
	} {
		var got []string
		for _, e := range describeSales(t, newService(shelfOf(c.model), talker(nil))).Examples {
			got = append(got, e.Question)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
