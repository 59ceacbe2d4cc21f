package mcp

import (
	"maps"
	"slices"
	"strings"

	"parlance/internal/service"
)

// markdown returns a description as a text to read.
func markdown(d *service.Description) string {
	var b strings.Builder
	b.WriteString("# " + d.Model)
	if d.Caption != "" {
		b.WriteString(": " + d.Caption)
	}
	b.WriteString("\n")
	if d.Description != "" {
		b.WriteString("\n" + d.Description + "\n")
	}
	writeFacts(&b, d)
	writeFields(&b, d.Fields)
	writeDictionaries(&b, d.Dictionaries)
	writeSamples(&b, d.SampleValues)
	writeExamples(&b, d.Examples)
	if d.Abridged != "" {
		b.WriteString("\n" + d.Abridged + "\n")
	}
	return b.String()
}

func writeFacts(b *strings.Builder, d *service.Description) {
	b.WriteString("\n- Namespace: " + d.Namespace + "\n")
	if len(d.Key) > 0 {
		b.WriteString("- Key: " + strings.Join(d.Key, ", ") + "\n")
	}
	if len(d.DefaultOrder) > 0 {
		b.WriteString("- Default order: " + strings.Join(d.DefaultOrder, ", ") + "\n")
	}
	if len(d.MustFilter) > 0 {
		b.WriteString("- Must be filtered by: " + strings.Join(d.MustFilter, ", ") + "\n")
	}
	if d.TimeRange != nil {
		b.WriteString("- Time: " + d.TimeRange.Field + " from " + d.TimeRange.From + " to " + d.TimeRange.To + "\n")
	}
	for _, h := range d.Hierarchies {
		b.WriteString("- Hierarchy: " + h.Dimension + ", by " + h.Field + "\n")
	}
}

func writeFields(b *strings.Builder, fields []service.FieldDescription) {
	b.WriteString("\n## Fields\n\n| name | kind | type | caption | notes |\n|---|---|---|---|---|\n")
	for _, f := range fields {
		cells := []string{f.Name, f.Kind, f.DataType, f.Caption, fieldNotes(f)}
		for i, c := range cells {
			cells[i] = cell(c)
		}
		b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
}

func fieldNotes(f service.FieldDescription) string {
	var notes []string
	note := func(label, text string) {
		if text != "" {
			notes = append(notes, label+text)
		}
	}
	note("", f.Description)
	note("aggregation ", f.Aggregation)
	note("", f.Additivity)
	note("unit ", f.Unit)
	note("dictionary ", f.Dictionary)
	if f.Masked {
		note("", "masked")
	}
	note("also ", strings.Join(f.Synonyms, ", "))
	return strings.Join(notes, "; ")
}

// cell returns text that stays within one cell of a table.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "\r", "").Replace(text)
}

func writeDictionaries(b *strings.Builder, dictionaries map[string][]service.DictionaryEntry) {
	if len(dictionaries) > 0 {
		b.WriteString("\n## Dictionaries\n\n")
	}
	for _, name := range slices.Sorted(maps.Keys(dictionaries)) {
		codes := make([]string, len(dictionaries[name]))
		for i, e := range dictionaries[name] {
			if codes[i] = e.Code; e.Label != "" {
				codes[i] += " (" + e.Label + ")"
			}
		}
		b.WriteString("- " + name + ": " + strings.Join(codes, ", ") + "\n")
	}
}

func writeSamples(b *strings.Builder, samples map[string][]string) {
	if len(samples) > 0 {
		b.WriteString("\n## Sample values\n\n")
	}
	for _, field := range slices.Sorted(maps.Keys(samples)) {
		b.WriteString("- " + field + ": " + strings.Join(samples[field], ", ") + "\n")
	}
}

func writeExamples(b *strings.Builder, examples []service.Example) {
	if len(examples) > 0 {
		b.WriteString("\n## Examples\n")
	}
	for _, e := range examples {
		b.WriteString("\n" + e.Question + "\n\n```json\n" + string(e.Payload) + "\n```\n")
	}
}
