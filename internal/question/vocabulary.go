package question

import (
	"slices"
	"strings"

	"parlance/internal/access"
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
	roots   map[string][]string // keys of phrases by the roots of their words
	values  valueIndex
	words   []string // that a slip of the finger may be meant for, sorted
	longest int
	starts  bitset // of the first words of phrases, their roots, and those of values
	units   map[string]bool
	when    *semantic.Field // what periods filter by; nil if the model has no visible time
	rows    *semantic.Field // the measure that counts all rows; nil if there is none

	rootWords map[string]bool
	barer     map[*semantic.Field][]*semantic.Field // by field, those that a shared value rather speaks of
}

// Index makes the vocabulary of a model. Values holds what is known of the values of fields without a dictionary, by
// field name; it must come from queries under the same grant. Index returns nil when the grant shows nothing.
func Index(m *semantic.Model, g access.Grant, values map[string][]string) *Vocabulary {
	if !g.Model() {
		return nil
	}
	v := &Vocabulary{
		model: m, grant: g, phrases: map[string][]sense{}, units: map[string]bool{}, roots: map[string][]string{}, rootWords: map[string]bool{},
	}
	v.when = v.timeField()
	for _, text := range append([]string{m.Caption}, m.Synonyms...) {
		v.add(text, sense{kind: entity})
	}
	for _, f := range g.Fields() {
		v.addField(f, values[f.Name])
	}
	v.addGrains()
	v.easeNames()
	v.shorten()
	v.rankFields()
	v.values.seal()
	v.longest = max(v.longest, v.values.longest)
	v.collectWords()
	v.collectStarts()
	return v
}

// collectStarts notes with which words phrases and values begin.
func (v *Vocabulary) collectStarts() {
	v.starts = newBitset(2*len(v.phrases) + len(v.values.entries))
	for key := range v.phrases {
		first, _, _ := strings.Cut(key, " ")
		v.starts.set(hashOf(first))
		v.starts.set(hashOf(root(first)))
	}
	for key := range v.roots {
		first, _, _ := strings.Cut(key, " ")
		v.starts.set(hashOf(first))
	}
	for _, h := range v.values.firsts {
		v.starts.set(h)
	}
	v.values.firsts = nil
}

// easeNames makes a name of the model file nearly as good as a caption where nothing else has it.
func (v *Vocabulary) easeNames() {
	for key, senses := range v.phrases {
		if len(senses) == 1 && senses[0].cost == costName {
			v.phrases[key][0].cost = costOnlyName
		}
	}
}

// shorten lets go of what the model speaks of anyway: in team sales, sales are those of teams.
func (v *Vocabulary) shorten() {
	var prefixes []string
	for key, senses := range v.phrases {
		if slices.ContainsFunc(senses, func(s sense) bool {
			return s.kind == entity || s.kind == field && s.cost == 0 && s.field.Role == semantic.Label
		}) {
			prefixes = append(prefixes, key+" ")
		}
	}
	short := map[string][]sense{}
	for key, senses := range v.phrases {
		for _, prefix := range prefixes {
			rest, found := strings.CutPrefix(key, prefix)
			first, _, _ := strings.Cut(rest, " ")
			if _, harmless := meaningless[first]; !found || harmless || len(marks[rest]) > 0 || sizeWords[rest] || len(v.phrases[rest]) > 0 || len(v.roots[rootKey(tokenise(rest))]) > 0 {
				continue
			}
			for _, s := range senses {
				if (s.kind == measure || s.kind == field) && s.cost == 0 && !slices.ContainsFunc(short[rest], func(o sense) bool { return o.field == s.field }) {
					s.cost = costShort
					short[rest] = append(short[rest], s)
				}
			}
		}
	}
	for key, senses := range short {
		v.phrases[key] = senses
	}
}

// Size returns how many values the vocabulary holds and about how many bytes they take.
func (v *Vocabulary) Size() (values, bytes int) { return len(v.values.entries), v.values.bytes() }

// collectWords lists the words of all phrases and values, and their roots.
func (v *Vocabulary) collectWords() {
	seen := map[string]bool{}
	take := func(w string) {
		if len(w) >= shortestTypo-1 && isLetters(w) && !seen[w] {
			seen[w] = true
			v.words = append(v.words, w)
		}
	}
	for key := range v.phrases {
		for w := range strings.SplitSeq(key, " ") {
			take(w)
			v.rootWords[root(w)] = true
		}
	}
	v.values.words(func(w string) {
		for _, t := range tokenise(w) {
			take(t.word)
		}
	})
	slices.Sort(v.words)
}

// knows reports whether a word stands in any phrase or value.
func (v *Vocabulary) knows(w string) bool {
	_, found := slices.BinarySearch(v.words, w)
	return found
}

// wordsLike returns the words that begin with a letter.
func (v *Vocabulary) wordsLike(letter byte) []string {
	from, _ := slices.BinarySearch(v.words, string(letter))
	to, _ := slices.BinarySearch(v.words, string(letter+1))
	return v.words[from:to]
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
const maxPhrase = 12

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
	s.vague = s.kind == member && v.isVague(s, key)
	v.phrases[key] = append(v.phrases[key], s)
	v.longest = max(v.longest, len(tokens))
	if r := rootKey(tokens); !slices.Contains(v.roots[r], key) {
		v.roots[r] = append(v.roots[r], key)
	}
}

// isVague reports whether a value's word says little by itself.
func (v *Vocabulary) isVague(s sense, key string) bool {
	return weak[key] || s.field.Type.Kind != value.Boolean && v.ofTime(s.field)
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

// means reports whether a phrase has a meaning of the kind.
func (v *Vocabulary) means(key string, k kind) bool {
	for _, s := range v.phrases[key] {
		if s.kind == k {
			return true
		}
	}
	return false
}
