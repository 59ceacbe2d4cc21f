package question

import (
	"strings"
	"unicode"

	"parlance/internal/query"
	"parlance/internal/semantic"
)

// called returns what a field is called in a language: its caption, or its first Chinese synonym.
func called(f *semantic.Field, lang language) string { return inLanguage(f.Caption, f.Synonyms, lang) }

// calledModel returns what a model is called in a language.
func calledModel(m *semantic.Model, lang language) string {
	return inLanguage(m.Caption, m.Synonyms, lang)
}

func inLanguage(caption string, synonyms []string, lang language) string {
	if lang == chinese && !hasHan(caption) {
		for _, s := range synonyms {
			if hasHan(s) {
				return s
			}
		}
	}
	return caption
}

// calledValue returns what a stored value is called: the label of its code, or a Chinese synonym of it.
func calledValue(f *semantic.Field, v query.Scalar, lang language) string {
	if f.Dictionary != nil {
		for _, e := range f.Dictionary.Entries {
			if e.Code == v.Text {
				label := e.Label
				if label == "" {
					label = e.Code
				}
				return inLanguage(label, e.Synonyms, lang)
			}
		}
	}
	return v.Text
}

func hasHan(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

// name returns what a field is called in the answer; a period of the model's own time is just that.
func (d *draft) name(f *semantic.Field) string {
	if f.Role == semantic.TimeGrain && f.Of == d.when {
		if name := periodNames[d.lang][grainNames[f.Grain]]; name != "" {
			return name
		}
	}
	return called(f, d.lang)
}
