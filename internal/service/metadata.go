package service

import (
	"context"

	"parlance/internal/datasource"
	"parlance/internal/semantic"
)

// Metadata returns every field of every model that the caller may see, and nothing else.
func (s *Service) Metadata(ctx context.Context, c Caller) (*Metadata, error) {
	v, err := s.view(c)
	if err != nil {
		return nil, err
	}
	s.note(ctx, v)
	models := v.models()
	if len(models) == 0 && len(v.waiting()) > 0 {
		return nil, datasource.NotReachedYet()
	}
	all := &Metadata{
		Namespace: v.caller.Namespace, Models: []ModelFields{}, FieldIndex: map[string]FieldCard{},
		Dictionaries: map[string][]DictionaryEntry{},
	}
	for _, m := range models {
		all.Models = append(all.Models, ModelFields{
			Name: m.Name, Caption: m.Caption, Description: m.Description, Fields: m.grant.Names(),
		})
		for _, f := range m.fields {
			all.FieldIndex[f.Name] = indexed(all.FieldIndex[f.Name], f, m.Name)
			addDictionary(all.Dictionaries, f.Dictionary)
		}
	}
	return all, nil
}

// indexed returns the card of a name after one more model that has it.
func indexed(c FieldCard, f *semantic.Field, model string) FieldCard {
	here := FieldCard{Kind: f.Kind.String(), DataType: f.Type.Name(), Caption: f.Caption, Models: []string{model}}
	if c.Models == nil {
		return here
	}
	if same(c, here) {
		c.Models = append(c.Models, model)
		return c
	}
	for i := range c.Also {
		if same(c.Also[i], here) {
			c.Also[i].Models = append(c.Also[i].Models, model)
			return c
		}
	}
	c.Also = append(c.Also, here)
	return c
}

func same(a, b FieldCard) bool {
	return a.Kind == b.Kind && a.DataType == b.DataType && a.Caption == b.Caption
}

func addDictionary(to map[string][]DictionaryEntry, d *semantic.Dictionary) {
	if d == nil || to[d.Name] != nil {
		return
	}
	entries := make([]DictionaryEntry, len(d.Entries))
	for i, e := range d.Entries {
		entries[i] = DictionaryEntry(e)
		if e.Label == e.Code {
			entries[i].Label = ""
		}
	}
	to[d.Name] = entries
}
