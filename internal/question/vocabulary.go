package question

import (
	"strings"

	"parlance/internal/access"
	"parlance/internal/query"
	"parlance/internal/semantic"
	"parlance/internal/value"
)

// Vocabulary is every word by which one caller can speak of one model: the names, captions and synonyms of the fields
// that the grant shows, the codes and labels of their dictionaries, and values found in the data. It never changes
// once it is made, and is safe for concurrent use.
type Vocabulary struct {
	model   *semantic.Model
	grant   access.Grant
	phrases map[string][]sense
	longest int
	units   map[string]bool
	when    *semantic.Field // what periods filter by; nil if the model has no visible time
	rows    *semantic.Field // the measure that counts all rows; nil if there is none
	starts  map[string]bool // first words of phrases
}

// Index makes the vocabulary of a model. Values holds what is known of the values of fields without a dictionary, by
// field name; it must come from queries under the same grant. Index returns nil when the grant shows nothing.
func Index(m *semantic.Model, g access.Grant, values map[string][]string) *Vocabulary {
	if !g.Model() {
		return nil
	}
	v := &Vocabulary{model: m, grant: g, phrases: map[string][]sense{}, units: map[string]bool{}, starts: map[string]bool{}}
	v.when = v.timeField()
	for _, text := range append([]string{m.Caption}, m.Synonyms...) {
		v.add(text, sense{kind: entity})
	}
	for _, f := range g.Fields() {
		v.addField(f, values[f.Name])
	}
	v.addGrains()
	v.rankMembers()
	return v
}

// timeField returns the field that tells when a row happened, if the caller may see it as it is.
func (v *Vocabulary) timeField() *semantic.Field {
	if v.model.Time == "" {
		return nil
	}
	for _, name := range []string{v.model.Time, v.model.Time + "$caption", v.model.Time + "$id"} {
		if f := v.model.Field(name); f != nil && f.Type.Temporal() && v.grant.Field(f) == access.Visible {
			return f
		}
	}
	return nil
}

// maxPhrase bounds the words of a phrase: longer ones are no one's way of naming a thing.
const maxPhrase = 16

func (v *Vocabulary) add(text string, s sense) {
	tokens := tokenise(text)
	if len(tokens) == 0 || len(tokens) > maxPhrase {
		return
	}
	key := phrase(tokens)
	for i, other := range v.phrases[key] {
		if other.kind == s.kind && other.field == s.field && other.value == s.value {
			v.phrases[key][i].cost = min(other.cost, s.cost)
			return
		}
	}
	s.vague = s.kind == member && (weak[key] || s.field.Type.Kind != value.Boolean && v.ofTime(s.field))
	v.phrases[key] = append(v.phrases[key], s)
	v.longest = max(v.longest, len(tokens))
	v.starts[tokens[0].word] = true
}

func (v *Vocabulary) addField(f *semantic.Field, values []string) {
	s := sense{kind: field, field: f}
	if f.Tree {
		return
	}
	switch f.Role {
	case semantic.CodeLabel:
		return
	case semantic.MeasureValue:
		s.kind = measure
		if ms := f.Measure; ms.Agg == semantic.Count && ms.Column == "" && ms.Filter == nil && v.rows == nil {
			v.rows = f
		}
		if f.Measure.Unit != "" {
			v.units[phrase(tokenise(f.Measure.Unit))] = true
		}
	case semantic.Label:
		v.add(f.Caption+" name", s)
	case semantic.Plain, semantic.ID, semantic.TimeGrain:
	}
	v.add(f.Caption, s)
	for _, text := range f.Synonyms {
		v.add(text, s)
	}
	if f.Role == semantic.Plain || f.Role == semantic.MeasureValue {
		_, own, dotted := strings.Cut(f.Name, "$")
		if !dotted {
			own = f.Name
		}
		s.cost = costName
		v.add(spaced(own), s)
	}
	if v.grant.Field(f) == access.Visible {
		v.addMembers(f, values)
	}
}

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
	s.cost = costFound
	for _, text := range values {
		s.value = scalar(f, text)
		v.add(text, s)
	}
}

// rankMembers makes a value that several fields share cheaper where the field carries the bare word: of Floor and
// Lab floor, the first is meant by the name of a floor alone.
func (v *Vocabulary) rankMembers() {
	for _, senses := range v.phrases {
		for i := range senses {
			for j := range senses {
				if senses[i].kind == member && senses[j].kind == member && v.barer(senses[i].field, senses[j].field) {
					senses[j].cost += costPassed
				}
			}
		}
	}
}

// barer reports whether a has, as one of its own words, the end of b's longer caption, over the same values.
func (v *Vocabulary) barer(a, b *semantic.Field) bool {
	if a == b || a.Dictionary != b.Dictionary {
		return false
	}
	has := func(f *semantic.Field, key string) bool {
		for _, s := range v.phrases[key] {
			if s.kind == field && s.field == f && s.cost == 0 {
				return true
			}
		}
		return false
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

// scalar returns a stored value as the payload writes it.
func scalar(f *semantic.Field, text string) query.Scalar {
	if f.Type.Numeric() {
		return query.Scalar{Kind: query.NumberLiteral, Text: text}
	}
	return query.Scalar{Kind: query.StringLiteral, Text: text}
}

// grains are the everyday words for the periods that a date is cut to.
var grains = map[semantic.Grain]string{
	semantic.Year:    "year|yearly|annual|annually|年|每年|年度|年份|按年",
	semantic.Quarter: "quarter|quarterly|季度|每季度|每个季度|按季度",
	semantic.Month:   "month|monthly|月|每月|每个月|月份|按月",
	semantic.Week:    "week|weekly|周|每周|星期|按周",
	semantic.Day:     "day|daily|date|天|日|每天|每日|日期|按天|按日",
	semantic.Hour:    "hour|hourly|小时|每小时",
}

// addGrains gives the everyday words to the grains of the model's own time, where it is a plain date or timestamp. A
// calendar table brings its own words.
func (v *Vocabulary) addGrains() {
	if v.when == nil || v.when.Role != semantic.Plain {
		return
	}
	for _, f := range v.grant.Fields() {
		if f.Role == semantic.TimeGrain && f.Of == v.when {
			for text := range strings.SplitSeq(grains[f.Grain], "|") {
				v.add(text, sense{kind: field, field: f})
			}
		}
	}
}

// grainField returns the field that cuts the model's time to a period, or nil.
func (v *Vocabulary) grainField(g semantic.Grain) *semantic.Field {
	word, _, _ := strings.Cut(grains[g], "|")
	var best *sense
	for i, s := range v.phrases[word] {
		if s.kind == field && v.ofTime(s.field) && (best == nil || s.cost < best.cost) {
			best = &v.phrases[word][i]
		}
	}
	if best == nil {
		return nil
	}
	return best.field
}

// ofTime reports whether a field tells when: it is cut from the model's time or stands in its calendar.
func (v *Vocabulary) ofTime(f *semantic.Field) bool {
	if f.Type.Temporal() || f.Role == semantic.TimeGrain || f.Dimension != nil && f.Dimension.Date {
		return true
	}
	return v.when != nil && f.Dimension != nil && f.Dimension == v.when.Dimension
}

// sizeOf returns the measure that tells how large one row is, from the word for the row: a ticket's is the ticket
// value.
func (v *Vocabulary) sizeOf(row string) *semantic.Field {
	for _, size := range sizes {
		for _, s := range v.phrases[row+" "+size] {
			if s.kind == measure && s.cost == 0 && !s.field.Measure.AggregateOnly() && s.field.Measure.SemiAdd == nil {
				return s.field
			}
		}
	}
	return nil
}

// id returns the field that tells apart what a label names, or nil when the label does or the caller may not see it.
func (v *Vocabulary) id(f *semantic.Field) *semantic.Field {
	if f.Role != semantic.Label || f.Dimension.Date {
		return nil
	}
	id := v.model.Field(f.Dimension.Path + "$id")
	if id == nil || v.grant.Field(id) != access.Visible {
		return nil
	}
	return id
}

// sees reports whether any token starts a word of the vocabulary.
func (v *Vocabulary) sees(tokens []token) bool {
	for _, t := range tokens {
		if v.starts[t.word] {
			return true
		}
	}
	return false
}

// means reports whether a phrase has a meaning of the kind.
func (v *Vocabulary) means(key string, k kind) bool {
	for _, s := range v.phrases[key] {
		if s.kind == k {
			return true
		}
	}
	return false
}
