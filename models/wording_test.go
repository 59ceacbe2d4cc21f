package models_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"parlance/internal/semantic"
)

// TestSharedDimensionsAreTheSame compares the blocks that several files repeat: dimensions over one table have the
// same attributes, word for word, but that only orders know a store's manager; those of one name are the same
// altogether.
func TestSharedDimensionsAreTheSame(t *testing.T) {
	type seen struct {
		model string
		dim   *semantic.Dimension
	}
	byTable, byName := map[string]seen{}, map[string]seen{}
	for _, m := range loaded(t).Models {
		if m.Multi != nil {
			continue
		}
		for _, d := range m.Dimensions {
			if first, again := byTable[d.Source.Table]; again {
				if diff := cmp.Diff(withoutManager(first.dim), withoutManager(d)); diff != "" {
					t.Errorf("%s of %s and %s of %s: %s", first.dim.Name, first.model, d.Name, m.Name, diff)
				}
			} else {
				byTable[d.Source.Table] = seen{m.Name, d}
			}
			if first, again := byName[d.Name]; again {
				got, want := []any{d.Caption, d.Description, d.Synonyms, d.Source, d.Join, d.ID, d.Label}, []any{
					first.dim.Caption, first.dim.Description, first.dim.Synonyms, first.dim.Source, first.dim.Join, first.dim.ID, first.dim.Label,
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s of %s and of %s: %s", d.Name, first.model, m.Name, diff)
				}
			} else {
				byName[d.Name] = seen{m.Name, d}
			}
		}
	}
}

// withoutManager returns the attributes of a dimension and of those nested in it, but for a store's manager.
func withoutManager(d *semantic.Dimension) []semantic.Attribute {
	var attributes []semantic.Attribute
	for _, a := range d.Attributes {
		if d.Name != "store" || a.Name != "managerName" {
			attributes = append(attributes, *a)
		}
	}
	for _, n := range d.Dimensions {
		attributes = append(attributes, semantic.Attribute{Name: n.Path, Caption: n.Caption, Synonyms: n.Synonyms, Column: n.ID})
		attributes = append(attributes, withoutManager(n)...)
	}
	return attributes
}

// TestEveryFieldHasWords asks for a caption everywhere and for Chinese beside English in whatever is asked for.
func TestEveryFieldHasWords(t *testing.T) {
	for _, m := range loaded(t).Models {
		if !hasChinese(m.Synonyms) || m.Description == "" {
			t.Errorf("%s lacks a description or a Chinese synonym", m.Name)
		}
		for _, f := range m.Fields() {
			if f.Caption == "" || !isASCII(f.Caption) || !isASCII(f.Description) {
				t.Errorf("%s.%s has caption %q, description %q", m.Name, f.Name, f.Caption, f.Description)
			}
			plain := !f.Derived && f.Role != semantic.ID && f.Name != "product.category$caption"
			if plain && !hasChinese(f.Synonyms) {
				t.Errorf("%s.%s has no Chinese synonym: %v", m.Name, f.Name, f.Synonyms)
			}
		}
	}
	for name, d := range loaded(t).Dictionaries {
		for _, e := range d.Entries {
			if e.Label == "" || !isASCII(e.Label) || !hasChinese(e.Synonyms) {
				t.Errorf("%s.%s has label %q, synonyms %v", name, e.Code, e.Label, e.Synonyms)
			}
		}
	}
}

// TestAWordMeansOneField checks that no caption or synonym stands for two fields of one model, nor for two codes of
// one dictionary.
func TestAWordMeansOneField(t *testing.T) {
	for _, m := range loaded(t).Models {
		owner := map[string]string{}
		for _, f := range m.Fields() {
			if !f.Derived {
				claim(t, owner, m.Name+"."+f.Name, append([]string{f.Caption}, f.Synonyms...))
			}
		}
	}
	for name, d := range loaded(t).Dictionaries {
		owner := map[string]string{}
		for _, e := range d.Entries {
			claim(t, owner, name+"."+e.Code, append([]string{e.Label}, e.Synonyms...))
		}
	}
}

func claim(t *testing.T, owner map[string]string, name string, words []string) {
	t.Helper()
	for _, w := range words {
		w = strings.ToLower(w)
		if other, taken := owner[w]; taken {
			t.Errorf("%q stands for %s and for %s", w, other, name)
		}
		owner[w] = name
	}
}

// TestBarePlacesAreTheCustomers checks that a place without more words is where the customer lives.
func TestBarePlacesAreTheCustomers(t *testing.T) {
	for _, m := range loaded(t).Models {
		for _, f := range m.Fields() {
			if f.Dimension == nil || f.Dimension.Name != "store" {
				continue
			}
			for _, w := range append([]string{f.Caption}, f.Synonyms...) {
				switch strings.ToLower(w) {
				case "province", "provinces", "city", "cities", "省份", "省", "城市", "市":
					t.Errorf("%s.%s claims %q", m.Name, f.Name, w)
				}
			}
		}
	}
}

func TestEveryModelHasExamples(t *testing.T) {
	for _, m := range loaded(t).Models {
		if n := len(m.Examples); n < 2 || n > 3 {
			t.Errorf("%s has %d examples", m.Name, n)
		}
		if card := len(m.Name) + len(m.Caption) + len(m.Description); card > 280 {
			t.Errorf("%s takes %d bytes of a routing card", m.Name, card)
		}
	}
}

func hasChinese(words []string) bool {
	return strings.ContainsFunc(strings.Join(words, " "), func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII })
}
