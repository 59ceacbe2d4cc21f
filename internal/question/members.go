package question

import (
	"slices"
	"strings"

	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

func (v *Vocabulary) addMembers(f *semantic.Field, values []string) {
	s := sense{kind: member, field: f}
	switch {
	case f.Type.Kind == value.Boolean:
		s.value = query.Scalar{Kind: query.BoolLiteral, Text: "true"}
		v.add(f.Caption, s)
		return
	case f.Dictionary != nil:
		for _, e := range f.Dictionary.Entries {
			s.value = scalar(f, e.Code)
			for _, text := range append([]string{spaced(e.Code), e.Code, e.Label}, e.Synonyms...) {
				v.add(text, s)
			}
		}
		return
	}
	if len(values) > 0 {
		v.values.add(f, values)
	}
}

// rankFields finds, for fields whose values may be the same, which of them a shared value rather speaks of: of Floor and
// Lab floor, the first is meant by the name of a floor alone.
func (v *Vocabulary) rankFields() {
	v.barer = map[*semantic.Field][]*semantic.Field{}
	var fields []*semantic.Field
	for _, f := range v.grant.Fields() {
		if f.Dictionary != nil && f.Role != semantic.CodeLabel || slices.Contains(v.values.fields, f) {
			fields = append(fields, f)
		}
	}
	for _, a := range fields {
		for _, b := range fields {
			if v.isBarer(a, b) {
				v.barer[b] = append(v.barer[b], a)
			}
		}
	}
}

// isBarer reports whether a has, as one of its own words, the end of b's longer caption, over the same values.
func (v *Vocabulary) isBarer(a, b *semantic.Field) bool {
	if a == b || a.Dictionary != b.Dictionary {
		return false
	}
	has := func(f *semantic.Field, key string) bool {
		return slices.ContainsFunc(v.phrases[key], func(s sense) bool { return s.kind == field && s.field == f && s.cost == 0 })
	}
	_, end, longer := strings.Cut(phrase(tokenise(b.Caption)), " ")
	for longer {
		if has(a, end) && !has(b, end) {
			return true
		}
		_, end, longer = strings.Cut(end, " ")
	}
	return false
}

// rank makes the values of fields dearer that another of the fields rather has.
func (v *Vocabulary) rank(senses []sense) {
	for i := range senses {
		for _, rather := range v.barer[senses[i].field] {
			if senses[i].kind == member && slices.ContainsFunc(senses, func(s sense) bool { return s.kind == member && s.field == rather }) {
				senses[i].cost += costPassed
			}
		}
	}
}

// scalar returns a stored value as the payload writes it.
func scalar(f *semantic.Field, text string) query.Scalar {
	if f.Type.Numeric() {
		return query.Scalar{Kind: query.NumberLiteral, Text: text}
	}
	return query.Scalar{Kind: query.StringLiteral, Text: text}
}
