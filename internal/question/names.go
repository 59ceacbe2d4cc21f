package question

import (
	"slices"
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

// renamed returns what was asked before with its names in the language of this question.
func (d *draft) renamed(was *state) *state {
	if was.lang == d.lang {
		return was
	}
	now := *was
	now.lang = d.lang
	now.asks, now.groups = slices.Clone(was.asks), slices.Clone(was.groups)
	now.rowTest, now.having = slices.Clone(was.rowTest), slices.Clone(was.having)
	for i := range now.asks {
		now.asks[i].text = d.renamedAsk(now.asks[i], was.lang)
	}
	for i, g := range now.groups {
		now.groups[i].text = d.inWords(g.field, g.text, was.lang)
	}
	for _, list := range [][]trial{now.rowTest, now.having} {
		for i, t := range list {
			list[i].text = d.inWords(t.field, t.text, was.lang)
		}
	}
	if was.order != nil {
		now.order = &ordering{was.order.by, was.order.desc}
		now.order.by.text = d.renamedAsk(was.order.by, was.lang)
	}
	return &now
}

func (d *draft) renamedAsk(a ask, from language) string {
	if a.field == nil {
		return d.rowCount().text
	}
	return d.inWords(a.field, a.text, from)
}

// inWords returns what has a name in another language as this one calls it: the field, or one that is called so, as the
// label of an id is.
func (d *draft) inWords(f *semantic.Field, text string, from language) string {
	for _, known := range append([]*semantic.Field{f}, d.grant.Fields()...) {
		if called(known, from) == text {
			return called(known, d.lang)
		}
	}
	return d.name(f)
}
