package introspect

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// print writes the file.
func (m *model) print(datasource string) string {
	p := &printer{}
	p.comment(0, fmt.Sprintf("Made from the table %s of the datasource %s. It is yours to edit:", m.table.Name, datasource))
	p.comment(0, "captions, descriptions and synonyms are the words that people ask in; delete what nobody should ask for.")
	p.comment(0, "`parlance validate --data` tells whether keys and joins hold for the rows that are there.")
	p.line(0, "model: %s", scalar(m.name))
	p.line(0, "caption: %s", scalar(m.caption))
	if m.description != "" {
		p.line(0, "description: %s", scalar(m.description))
	}
	p.source(m)
	if m.time != "" {
		p.line(0, "time: %s   # what \"last month\" speaks of", m.time)
	} else {
		p.comment(0, `time: the field that "last month" speaks of; no date was found`)
	}
	for _, r := range m.remarks {
		p.comment(0, r)
	}
	p.dimensions(0, m.dimensions)
	p.fields(0, "attributes", m.attributes)
	p.fields(0, "measures", m.measures)
	return p.b.String()
}

// printer writes lines of YAML.
type printer struct{ b strings.Builder }

func (p *printer) line(indent int, format string, args ...any) {
	p.b.WriteString(strings.Repeat(" ", indent))
	fmt.Fprintf(&p.b, format, args...)
	p.b.WriteByte('\n')
}

// comment writes a text that may hold names of the database.
func (p *printer) comment(indent int, text string) {
	p.line(indent, "# %s", strings.Map(printable, text))
}

func (p *printer) source(m *model) {
	text := table(m.table.Schema, m.table.Name)
	switch {
	case len(m.key) > 0:
		p.line(0, "source: {%s, key: %s}", text, list(m.key))
	case m.keyGuess != "":
		p.line(0, "source: {%s}", text)
		p.comment(0, "no key is declared; if no two rows share it, add to the source: key: "+list([]string{m.keyGuess}))
	default:
		p.line(0, "source: {%s}", text)
		p.comment(0, "no key is declared; add to the source the columns that tell rows apart: pages rely on them")
	}
}

func table(schema, name string) string {
	if schema == "" {
		return "table: " + scalar(name)
	}
	return "table: " + scalar(name) + ", schema: " + scalar(schema)
}

func (p *printer) dimensions(indent int, dimensions []*dimension) {
	if len(dimensions) == 0 {
		return
	}
	if indent == 0 {
		p.b.WriteByte('\n')
	}
	p.line(indent, "dimensions:")
	for _, d := range dimensions {
		p.dimension(indent+2, d)
	}
}

func (p *printer) dimension(indent int, d *dimension) {
	in := indent + 2
	p.line(indent, "- name: %s", d.name)
	p.line(in, "caption: %s", scalar(d.caption))
	if d.description != "" {
		p.line(in, "description: %s", scalar(d.description))
	}
	p.line(in, "table: %s", scalar(d.link.to.Name))
	if s := d.link.to.Schema; s != "" {
		p.line(in, "schema: %s", scalar(s))
	}
	if d.link.guessed {
		p.comment(in, "guessed from names, for the database declares no reference: check it")
	}
	pairs := make([]string, len(d.link.columns))
	for i, c := range d.link.columns {
		pairs[i] = scalar(c) + ": " + scalar(d.link.key[i])
	}
	p.line(in, "join: {%s}", strings.Join(pairs, ", "))
	p.line(in, "id: %s", scalar(d.id))
	if len(d.link.key) > 1 {
		p.line(in, "key: %s", list(d.link.key))
	}
	switch {
	case d.label != "":
		p.line(in, "label: %s", scalar(d.label))
	case !d.date:
		p.comment(in, "label: the column that people know it by; none is called like a name")
	}
	if d.date {
		p.line(in, "type: date")
	}
	p.tree(in, d)
	for _, r := range d.remarks {
		p.comment(in, r)
	}
	p.fields(in, "attributes", d.attributes)
	p.dimensions(in, d.dimensions)
}

func (p *printer) tree(indent int, d *dimension) {
	switch {
	case d.parent == "":
	case d.parentGuessed:
		p.comment(indent, fmt.Sprintf("if %s holds the row above it: hierarchy: {parent: %s}", d.parent, scalar(d.parent)))
	default:
		p.line(indent, "hierarchy: {parent: %s}", scalar(d.parent))
	}
}

func (p *printer) fields(indent int, key string, fields []*field) {
	if len(fields) == 0 {
		return
	}
	if indent == 0 {
		p.b.WriteByte('\n')
	}
	p.line(indent, "%s:", key)
	for _, f := range fields {
		p.line(indent+2, "- %s", f)
	}
}

// String returns the field as a line of its list.
func (f *field) String() string {
	parts := []string{"name: " + f.name}
	add := func(key, text string) {
		if text != "" {
			parts = append(parts, key+": "+scalar(text))
		}
	}
	add("column", f.column)
	add("type", f.typ)
	add("agg", f.agg)
	add("caption", f.caption)
	add("description", f.description)
	text := "{" + strings.Join(parts, ", ") + "}"
	if f.remark != "" {
		text += "   # " + f.remark
	}
	return text
}

func list(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = scalar(n)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// scalar writes a string so that YAML reads it as that string wherever it stands.
func scalar(text string) string {
	if plain(text) {
		return text
	}
	return strconv.Quote(text)
}

// yamlWords are read as something else than text when they stand plain.
var yamlWords = map[string]bool{"true": true, "false": true, "yes": true, "no": true, "on": true, "off": true, "null": true, "y": true, "n": true, "nan": true, "inf": true}

func plain(text string) bool {
	if text == "" || yamlWords[strings.ToLower(text)] || strings.HasSuffix(text, " ") {
		return false
	}
	for i, c := range text {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
		if !letter && (i == 0 || c != ' ' && (c < '0' || c > '9')) {
			return false
		}
	}
	return true
}

// printable keeps what a line of text can hold.
func printable(c rune) rune {
	if !unicode.IsPrint(c) {
		return ' '
	}
	return c
}
