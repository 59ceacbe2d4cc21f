package service

import (
	"encoding/json"
	"slices"
	"strings"
)

// maxDescription is the bytes of a description as JSON, about 4,000 tokens, that what can be left out is left out for.
const maxDescription = 15_600

// abridge leaves out what a reader misses least, step by step, until the description is short enough or nothing more can
// go: fields, dictionaries' codes and two examples always stay.
func (d *Description) abridge(most int) {
	const few, fewer = 3, 1
	for _, step := range []func(){
		func() { d.Examples = d.Examples[:min(len(d.Examples), wantedExamples)] },
		func() { d.cutSamples(few + few) },
		func() { d.cutCodeSynonyms(fewer) },
		func() { d.cutSynonyms(few) },
		func() { d.cutSamples(few) },
		func() { d.cutCodeSynonyms(0) },
		func() { d.cutSynonyms(fewer) },
		func() { d.cutSynonyms(0) },
		func() { d.SampleValues = map[string][]string{} },
	} {
		if d.bytes() <= most {
			return
		}
		d.Abridged = "Further synonyms, samples and examples are left out."
		step()
	}
}

func (d *Description) bytes() int {
	encoded, err := json.Marshal(d)
	if err != nil {
		return 0
	}
	return len(encoded)
}

func (d *Description) cutSamples(n int) {
	for field, values := range d.SampleValues {
		d.SampleValues[field] = values[:min(len(values), n)]
	}
}

func (d *Description) cutSynonyms(n int) {
	for i, f := range d.Fields {
		d.Fields[i].Synonyms = first(f.Synonyms, n)
	}
}

func (d *Description) cutCodeSynonyms(n int) {
	for _, entries := range d.Dictionaries {
		for i, e := range entries {
			entries[i].Synonyms = first(e.Synonyms, n)
		}
	}
}

// first returns the first n words, nil if there are none. The first that is Chinese is among them, so that both languages
// keep a name.
func first(words []string, n int) []string {
	if n = min(n, len(words)); n == 0 {
		return nil
	}
	chinese := func(word string) bool { return strings.ContainsFunc(word, isHan) }
	if at := slices.IndexFunc(words, chinese); at >= n {
		return append(slices.Clone(words[:n-1]), words[at])
	}
	return words[:n]
}
