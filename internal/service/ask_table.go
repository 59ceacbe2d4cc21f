package service

import (
	"fmt"
	"strings"

	"parlance/internal/jsontree"
)

const (
	tableRows  = 100
	tableBytes = 20_000
)

// markdownTable returns the rows of an answer as a Markdown table, whose last line says how many there are beside them.
func markdownTable(found *Answer) string {
	items, err := jsontree.Parse(found.Items)
	if err != nil || len(found.Columns) == 0 {
		return ""
	}
	var b strings.Builder
	rule := "|"
	b.WriteByte('|')
	for _, c := range found.Columns {
		b.WriteString(" " + tableCell(c.Caption) + " |")
		if c.Measure {
			rule += " ---: |"
		} else {
			rule += " --- |"
		}
	}
	b.WriteString("\n" + rule + "\n")
	shown := int64(0)
	for _, row := range items.Items {
		if shown == tableRows || b.Len() > tableBytes {
			break
		}
		cells := membersOf(row)
		b.WriteByte('|')
		for _, c := range found.Columns {
			text := "–"
			if n := cells[c.Key]; n.Kind != jsontree.Null {
				text = tableCell(n.Text)
			}
			b.WriteString(" " + text + " |")
		}
		b.WriteByte('\n')
		shown++
	}
	if shown < found.Total {
		fmt.Fprintf(&b, "\n%d of %d rows.\n", shown, found.Total)
	}
	return b.String()
}

// tableCell keeps a text within its cell, and from being read as anything but text.
func tableCell(s string) string {
	return strings.NewReplacer("\\", "\\\\", "|", "\\|", "\n", " ", "\r", " ", "<", "&lt;", "`", "\\`", "[", "\\[").Replace(s)
}
