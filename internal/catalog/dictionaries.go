package catalog

import (
	"slices"

	"parlance/internal/semantic"
)

// rawDictionaries is a dictionaries.yaml: names of dictionaries, each a mapping from code to label.
type rawDictionaries struct{ list []rawDictionary }

type rawDictionary struct {
	name    text
	entries []rawEntry
}

// rawEntry is a code with its label, written alone or as {label, synonyms}.
type rawEntry struct {
	placed
	code, label text
	synonyms    texts
}

func (e *rawEntry) shape() shape {
	return shape{what: "a dictionary entry", keys: []key{
		{"label", &e.label, true},
		{"synonyms", &e.synonyms, false},
	}}
}

func (d *rawDictionaries) read(r *report, n *node) {
	if n.kind != mapNode {
		r.add(n.at, "a file of dictionaries is a mapping, got %s", n.kind)
		return
	}
	seen := map[string]bool{}
	for _, m := range n.members {
		if seen[m.key] {
			r.add(m.at, "dictionary %q stands twice", m.key)
			continue
		}
		seen[m.key] = true
		one := rawDictionary{name: text{m.key, m.at}}
		one.read(r, m.value)
		d.list = append(d.list, one)
	}
}

func (d *rawDictionary) read(r *report, n *node) {
	if n.kind != mapNode {
		r.add(n.at, "dictionary %q is a mapping from code to label, got %s", d.name.value, n.kind)
		return
	}
	if len(n.members) == 0 {
		r.add(n.at, "dictionary %q has no codes", d.name.value)
	}
	seen := map[string]bool{}
	for _, m := range n.members {
		if seen[m.key] {
			r.add(m.at, "code %q stands twice in dictionary %q", m.key, d.name.value)
			continue
		}
		seen[m.key] = true
		e := rawEntry{code: text{m.key, m.at}}
		if m.value.kind == mapNode {
			readShape(r, m.value, &e)
		} else {
			e.label.read(r, m.value)
		}
		d.entries = append(d.entries, e)
	}
}

func (d rawDictionary) build() *semantic.Dictionary {
	built := &semantic.Dictionary{Name: d.name.value}
	for _, e := range d.entries {
		built.Entries = append(built.Entries, semantic.Entry{
			Code: e.code.value, Label: e.label.value, Synonyms: e.synonyms.values(),
		})
	}
	return built
}

func sameDictionary(a, b *semantic.Dictionary) bool {
	return a != nil && b != nil && a.Name == b.Name && slices.EqualFunc(a.Entries, b.Entries, func(x, y semantic.Entry) bool {
		return x.Code == y.Code && x.Label == y.Label && slices.Equal(x.Synonyms, y.Synonyms)
	})
}
